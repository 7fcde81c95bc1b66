"""An operation of the daemon, declared once: a request with its answer and its ways of being asked.

Each module of ``daemon/api/`` is one subject; its operations are found by being there.
They make the table of the wire (``daemon/dispatch.py``), the commands of the terminal
(``daemon/commands/terminal/verbs.py``), their part of ``docs/reference/cli.md`` and of ``reverie --help``
(``scripts/pages.py``), and tools of an agent (``toolserver/catalogue.toml``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from inspect import cleandoc
from itertools import chain
from pkgutil import iter_modules
from types import MappingProxyType, ModuleType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    NamedTuple,
    Self,
    TypeVar,
    get_args,
    get_type_hints,
)

import msgspec
from msgspec import Struct

from daemon.shapes.replies import Asker, Count, Done

if TYPE_CHECKING:  # the daemon's inside
    from daemon.context import Parts, Progress

R = TypeVar("R")
Line = str | Sequence[str]  # a line, or the cells of a row: rows that follow each other are a table


class Title(str):
    """A prominent line: bold where there is colour, cut at the edge of the page."""

    __slots__ = ()


class Alarm(str):
    """Line on a fault, among the others: yellow where there is colour."""

    __slots__ = ()


class Aside(str):
    """A line in the background: dim where there is colour."""

    __slots__ = ()


class Complaint(str):
    """Line on a gap or a fault, beside the others: on standard error."""

    __slots__ = ()


YES: Final = "yes"  # the field by which a person agrees


# ---- how a field is typed


class Argument(Struct, frozen=True):
    """Field typed by its place; a list takes all following words."""

    metavar: str
    joined: str = ""  # what joins the words that follow into one text; empty: it is one word
    piped: bool = False  # a single ``-`` means standard input
    is_file: bool = False  # a shell completes its name


class Option(Struct, frozen=True):
    """Field typed by a name; of a truth value a flag, which gives the other one."""

    name: str
    help: str  # a sentence
    shows_default: bool = False
    within: tuple[int, int] | None = None  # the least and the most of a number
    metavar: str = ""  # its value in the help; empty: by its type
    alone: str | float | None = None  # its value where none follows; None: one has to


class Here(Option, frozen=True):
    """Field filled with the project of the current folder, unless the option names another one."""

    name: str = ""  # of the option, if there is one
    help: str = ""
    unless: str = ""  # a field that tells of what it is instead: then this one stays empty


HERE: Final = Here()


class InProject(Option, frozen=True):
    """Field that names a project by a name of its own: a path means the project it lies in."""


# Fields that several operations have.
Limit = Annotated[Count, Option("--limit", "How many at most.", True, within=(1, 1_000))]
Results = Annotated[Count, Option("-k", "Results.", True, within=(1, 1_000))]
OfProject = Annotated[str | None, Here("--project", "Of this project instead of the current one.")]
OfEveryProject = Annotated[bool, Option("--all", "Of every project.")]


# ---- ways to ask


class Terminal(NamedTuple):
    """Terminal at which a command is typed."""

    as_json: bool = False  # one JSON document is wanted
    is_interactive: bool = False  # a person types and reads there


class Verb(NamedTuple):
    """A command of the terminal; two words are a group and a command of it."""

    name: str
    fixed: Mapping[str, object] = MappingProxyType({})  # what is not typed
    help: str = ""  # the docstring of the operation, unless given
    flag: Option | None = None  # chooses this one among the verbs of the same name
    fills: str = ""  # a field that is the value behind the flag


class Operation(msgspec.Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Request of a client, with its answer; ``R`` is the type of the reply.

    An agent sees the memories of its project and the user's own, changes nothing that a person
    said, and is answered in texts that speak as nobody else.

    One that a person has to agree to has a field ``yes``: without it nothing is done, and the reply
    says what would be, from which comes the ``question``.
    """

    NAME: ClassVar[str]
    MEMORIES: ClassVar[tuple[str, ...]] = ()  # fields that name memories by their ids
    ASKED_BY: ClassVar[Asker] = "person"
    FOR_AGENTS: ClassVar[bool] = False  # a tool asks it; everything else only a person may
    VERBS: ClassVar[tuple[Verb, ...]] = ()
    REFUSED: ClassVar[str] = "nothing was changed"  # what is said to who does not agree
    STOPPED: ClassVar[str] = ""  # what is said to who agreed and stops it
    ONE_WAY: ClassVar[str] = ""  # what is said to who asks in two ways at once, unless the usual
    WITHIN: ClassVar[float] = 70.0  # seconds of an answer; the daemon gives up before
    SLOW: ClassVar[bool] = False  # it may take as long as it takes, and says how far it is
    agent_in: str | None = None  # project of the agent that asks; None: a person does

    def prepared(self, _: Terminal, /) -> Operation[Any]:
        """The request as a terminal sends it, or another one. Raises ``ValueError`` with the mistake in the typed
        words."""
        return self

    async def answer(self, parts: Parts, progress: Progress, /) -> R:
        """The reply. Runs in the daemon."""
        raise NotImplementedError

    def lines(self, reply: R, /) -> Iterable[Line]:
        """The reply as a person reads it."""
        raise NotImplementedError

    def document(self, reply: R, /) -> object:
        """The reply as a program reads it, with ``--json``."""
        return reply

    def step(self, frame: Mapping[str, Any], /) -> str:
        """A progress frame in words."""
        raise NotImplementedError

    def question(self, reply: R, /) -> str:
        """Question for a person's agreement; empty where there is nothing to agree to."""
        del reply
        return ""

    def has_failed(self, reply: R, /) -> bool:
        """Tell whether it came to nothing: the command ends with 1 then."""
        del reply
        return False

    def agreed(self) -> Self:
        """The request of a person who was asked, and agrees."""
        agreement: dict[str, Any] = {YES: True}
        return msgspec.structs.replace(self, **agreement)

    def sit(self, reply: R, /) -> bool:
        """Talk with a person at a terminal instead of printing lines; ``False``: there are only lines."""
        del reply
        return False


class Deed(Operation[Done], frozen=True, kw_only=True):
    """Something done to memories that are named; the note says what is to know of it."""

    DONE: ClassVar[str]  # what was done, in words
    ids: Annotated[list[str], Argument("ID...")]

    def lines(self, done: Done, /) -> list[Line]:
        from daemon.commands.terminal.words import counted_memories

        return [counted_memories(done, self.DONE)]


def reply_of(operation: type[Operation[R]]) -> type[R]:
    """The type of its reply."""
    (argument,) = get_args(operation.__orig_bases__[0])  # type: ignore[attr-defined]
    return argument  # type: ignore[no-any-return]


# ---- the ways to ask of all operations: for the wire, the terminal, tools and the pages


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


class Way(Struct, frozen=True):
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
        here = getattr(one, "__module__", "") == subject.__name__ and hasattr(one, "NAME")
        if here and isinstance(one, type) and issubclass(one, Operation):
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
    usual: dict[str, Any] = {
        one.name: one.default if one.default_factory is msgspec.NODEFAULT else one.default_factory()
        for one in msgspec.structs.fields(operation)
    }
    return [
        Field(name, mark, get_args(hints[name])[0], usual[name])
        for name in operation.__struct_fields__
        for mark in getattr(hints[name], "__metadata__", ())
        if isinstance(mark, Argument | Option)
    ]
