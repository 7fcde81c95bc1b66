"""Ways to ask, as operations declare them: for the wire, the terminal, an agent's tools and the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import cleandoc
from itertools import chain
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec

from daemon.api.operation import Argument, Operation, Option, Verb


class Field(NamedTuple):
    """A field for a person to fill."""

    name: str
    typed: Argument | Option
    kind: Any  # its type
    default: Any  # ``msgspec.NODEFAULT``: it is needed

    @property
    def is_needed(self) -> bool:
        """Tell whether nothing stands for it."""
        return self.default is msgspec.NODEFAULT


@dataclass(frozen=True, slots=True)
class Way:
    """A verb with its operation."""

    verb: Verb
    operation: type[Operation[Any]]

    @property
    def help(self) -> str:
        """Help of the command: a line, and paragraphs."""
        return self.verb.help or cleandoc(self.operation.__doc__ or "")

    def typed(self) -> list[Field]:
        """The fields left open by the verb, in their order."""
        settled = {*self.verb.fixed, self.verb.fills}
        return [one for one in fields(self.operation) if one.name not in settled]

    def filled(self, value: object) -> Way:
        """The same with the value behind its flag."""
        fixed = {**self.verb.fixed, self.verb.fills: value}
        return Way(self.verb._replace(fixed=fixed), self.operation)

    @property
    def is_further(self) -> bool:
        """Tell whether it has to be chosen."""
        return self.verb.flag is not None


def subjects() -> Iterator[ModuleType]:
    """The modules of operations, by name, each imported when it is come to."""
    rooms = import_module("daemon.api").__path__
    for one in iter_modules(rooms):
        yield import_module(f"daemon.api.{one.name}")


def operations(subject: ModuleType) -> Iterator[type[Operation[Any]]]:
    """The operations defined in a module, in the order of its source."""
    for one in vars(subject).values():
        here = getattr(one, "__module__", "") == subject.__name__
        if here and isinstance(one, type) and issubclass(one, Operation) and one is not Operation:
            yield one


def commands(subject: ModuleType) -> dict[str, list[Way]]:
    """The ways to ask by the typed name; the one without a flag comes first.

    Subjects in ``BESIDE`` have further ways to ask by the same commands.
    """
    named: dict[str, list[Way]] = {}
    for way in _ways(subject):
        named.setdefault(way.verb.name, []).append(way)
    beside: Sequence[ModuleType] = subject.BESIDE if hasattr(subject, "BESIDE") else ()
    for way in chain.from_iterable(map(_ways, beside)):
        if way.verb.name in named:
            named[way.verb.name].append(way)
    for ways in named.values():
        ways.sort(key=lambda one: one.is_further)
    return named


def _ways(subject: ModuleType) -> Iterator[Way]:
    return (Way(verb, one) for one in operations(subject) for verb in one.VERBS)


def group_help(subject: ModuleType, name: str) -> str:
    """Purpose of a group of commands without a command of its own name, by ``GROUPS`` of its module."""
    groups: Mapping[str, str] = subject.GROUPS
    return groups[name]


def open_fields(ways: Sequence[Way]) -> list[Field]:
    """The fields left open by any of these ways; a field optional in one is required in none."""
    found: dict[str, Field] = {}
    for way in ways:
        for one in way.typed():
            spared = way.is_further and one.is_needed
            first = found.setdefault(one.name, one._replace(default=None) if spared else one)
            if first.is_needed and not one.is_needed:
                found[one.name] = one
    return list(found.values())


def fields(operation: type[Operation[Any]]) -> list[Field]:
    """The fields of an operation for a person to fill, in their order."""
    hints = get_type_hints(operation, include_extras=True)
    usual = {one.name: _usual(one) for one in msgspec.structs.fields(operation)}
    return [
        Field(name, mark, get_args(hints[name])[0], usual[name])
        for name in operation.__struct_fields__
        for mark in getattr(hints[name], "__metadata__", ())
        if isinstance(mark, Argument | Option)
    ]


def _usual(field: msgspec.structs.FieldInfo) -> Any:
    made = field.default_factory
    return field.default if made is msgspec.NODEFAULT else made()
