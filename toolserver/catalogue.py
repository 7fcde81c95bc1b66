"""The catalogue of older systems by name and parameters, over the requests of the daemon: a row, the tool made of it, and the table."""

import difflib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, cast

import msgspec
from msgspec import Struct, field

from daemon.api.operation import Here, Operation, fields, operations, reply_of, subjects
from toolserver.tool import TOKENS, Call, Hints, NotDone, Place, Tokens, Tool, checked
from toolserver.tools import moment

# ---- a row of the catalogue, and the tool made of it
#
# The types and the defaults of arguments are the request's fields'; the schema of an answer is its
# reply's, of which a row may leave parts out. An older parameter without effect here is taken, and the
# answer names it under ``without_effect``; any other unknown one is refused.

WITHOUT_EFFECT: Final = {
    "description": "Arguments of older systems that change nothing here.",
    "type": "array",
    "items": {"type": "string"},
}


class Made(Struct, frozen=True):
    """An argument of another shape than its field."""

    kind: Any  # type of the argument
    made: Callable[[Place, Any], object]  # raises ``NotDone``


class Ask(Struct, frozen=True):
    """A request, and how its fields are filled."""

    request: type[Operation[Any]]
    arguments: str = ""  # each with its field where that has another name: ``limit=k``
    fixed: Mapping[str, object] = field(default_factory=dict[str, object])
    usual: Mapping[str, object] = field(default_factory=dict[str, object])  # other defaults
    here: str = "project"  # fields that the place of the call fills
    made: Mapping[str, Made] = field(default_factory=dict[str, Made])  # by argument
    needs: str = ""  # arguments that are needed though the request does without their fields

    @property
    def takes(self) -> dict[str, str]:
        """The field of each argument."""
        pairs = (one.partition("=") for one in self.arguments.split())
        return {argument: to or argument for argument, _, to in pairs}

    def filled(self, place: Place, given: Mapping[str, Any]) -> Operation[Any]:
        """The request of these arguments. Raises ``NotDone``."""
        fields = {name: getattr(place, name) for name in self.here.split()}
        fields |= {**self.usual, **self.fixed}
        for name, to in self.takes.items():
            if name in given:
                value = checked(self._kind(name, to), given[name], name)
                fields[to] = self.made[name].made(place, value) if name in self.made else value
        missing = [name for name in self._needed() if name not in given]
        if missing:
            raise NotDone(f"{' and '.join(missing)} is missing: give it and call again")
        return self.request(**fields)

    def schemas(self) -> tuple[dict[str, dict[str, Any]], list[str]]:
        """Schemas of the arguments, and the required ones.

        An object's stands where it is meant: clients read the type of an argument there.
        """
        kinds = [self._kind(name, to) for name, to in self.takes.items()]
        schemas, shapes = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
        inline = ({**shapes.get(one.get("$ref", "").rpartition("/")[2], one)} for one in schemas)
        told: dict[str, dict[str, Any]] = dict(zip(self.takes, inline, strict=True))
        for name, to in self.takes.items():
            usual = self.usual.get(to, self._field(to).default)
            if name not in self.made and usual is not msgspec.NODEFAULT:
                told[name]["default"] = usual
        return told, self._needed()

    def reply(self) -> Any:
        """The type of its reply."""
        return reply_of(self.request)

    def _field(self, name: str) -> msgspec.structs.FieldInfo:
        return _fields(self.request)[name]

    def _kind(self, argument: str, to: str) -> Any:
        return self.made[argument].kind if argument in self.made else self._field(to).type

    def _needed(self) -> list[str]:
        return [
            name
            for name, to in self.takes.items()
            if name in self.needs.split() or (to not in self.usual and self._field(to).required)
        ]


@cache
def _fields(request: type[Operation[Any]]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """The fields of a request by name: their types are read of its source, which costs a millisecond."""
    return {one.name: one for one in msgspec.structs.fields(request)}


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """A request as the table has it."""

    request: str = ""
    arguments: str = ""
    fixed: dict[str, Any] = {}
    usual: dict[str, Any] = {}
    here: str = ""
    needs: str = ""


class Told(Asked, frozen=True, forbid_unknown_fields=True):
    """A tool as the table has it."""

    names: str = ""
    title: str = ""
    description: str = ""
    several: dict[str, Asked] = {}
    by: str = "action"
    otherwise: str = ""  # the value of ``by`` where it is not given; empty: it is needed
    one_of: str = ""  # arguments of which one is needed
    unused: str = ""  # older parameters that change nothing here
    keeps: str = ""  # fields of the reply that are given; empty: all
    leaves: str = ""  # fields that are not, at any depth
    tokens: str = "max_tokens"  # argument that says how long the answer may be
    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False


class Row(Told, frozen=True):
    """A tool of an older system by its name, or by several."""

    # Several by the value of the argument ``by``.
    asks: Ask | Mapping[str, Ask] = field(default_factory=dict[str, Ask])

    def tools(self) -> Iterator[Tool]:
        """The offered tools, one a name."""
        takes, gives = self._takes(), self._gives()
        hints = Hints(self.reads_only, self.destructive, self.idempotent or self.reads_only)
        slow = isinstance(self.asks, Ask) and self.asks.request.SLOW
        for name in self.names.split():
            yield Tool(
                name, self.title, self.description, takes, gives, self._called, self._told,
                hints, slow,
            )  # fmt: skip

    def _several(self) -> Mapping[str, Ask]:
        return {"": self.asks} if isinstance(self.asks, Ask) else self.asks

    def _takes(self) -> dict[str, Any]:
        several = self._several()
        told: dict[str, Any] = {}
        needed: list[str] = []
        for ask in several.values():
            arguments, needed = ask.schemas()
            told = {**arguments, **told}
        if len(several) > 1:
            told = {self.by: {"type": "string", "enum": list(several)}, **told}
            needed = [] if self.otherwise else [self.by]
        if self.one_of in told:  # no choice
            needed = [*needed, self.one_of]
        (tokens,), _ = msgspec.json.schema_components([Tokens])
        told[self.tokens] = {**tokens, "default": TOKENS}
        return {"type": "object", "properties": told, "required": needed}

    def _gives(self) -> dict[str, Any]:
        kinds = [ask.reply() for ask in self._several().values()]
        _, shapes = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
        told: dict[str, Any] = {}
        for kind in kinds:
            for name, schema in shapes[kind.__name__]["properties"].items():
                told.setdefault(name, _shallow(schema))
        wanted = self.keeps.split() or [name for name in told if name not in self.leaves.split()]
        told = {name: told[name] for name in wanted}
        return {"type": "object", "properties": {**told, "without_effect": WITHOUT_EFFECT}}

    def _called(self, place: Place, arguments: dict[str, Any]) -> Call:
        """The call of these arguments. Raises ``NotDone`` for missing, wrong or unknown ones."""
        several = self._several()
        chosen = arguments.get(self.by, self.otherwise) if len(several) > 1 else ""
        ask = several.get(chosen) if isinstance(chosen, str) else None
        if ask is None:
            raise NotDone(f"{self.by}: one of {', '.join(several)}: mend it and call again")
        known = {name for one in several.values() for name in one.takes} | {self.tokens}
        known |= {self.by} if len(several) > 1 else set()
        idle = [name for name in arguments if name in self.unused.split()]
        for name in arguments:
            if name not in known and name not in idle:
                raise NotDone(_unknown(name, sorted(known)))
        ours = {self.tokens, self.by} - ask.takes.keys()
        idle += [name for name in arguments if name in known - ours and name not in ask.takes]
        if self.one_of and not any(arguments.get(name) for name in self.one_of.split()):
            raise NotDone(f"say {' or '.join(self.one_of.split())}")
        tokens = checked(Tokens, arguments.get(self.tokens, TOKENS), self.tokens)
        told = {"without_effect": idle} if idle else {}
        return Call(ask.filled(place, arguments), tokens, told)

    def _told(self, reply: Any) -> dict[str, Any]:
        whole: dict[str, Any] = msgspec.to_builtins(reply)
        kept = {name: whole[name] for name in self.keeps.split()} if self.keeps else whole
        lean: dict[str, Any] = _lean(kept, frozenset(self.leaves.split()))
        return lean


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name[:40], known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
    return f"there is no argument {name[:40]!r}: {hint}"


def _shallow(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The type of a field, and no more: forty whole schemas would fill an agent's context."""
    return {"type": schema["type"]} if "type" in schema else {}


def _lean(value: Any, leaves: frozenset[str]) -> Any:
    """A reply without empty and left out parts."""
    if isinstance(value, list):
        return [_lean(one, leaves) for one in cast("Sequence[Any]", value)]
    if not isinstance(value, dict):
        return value
    told = cast("dict[str, Any]", value)
    lean = {name: _lean(one, leaves) for name, one in told.items() if name not in leaves}
    return {name: one for name, one in lean.items() if one not in (None, "", [], {})}


# ---- the table: name, title, when a model is to use a tool, and how its arguments fill a request
#
# Retired tools and a person's own acts are not here (docs/reference/tools.md).


class When(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When an intention is due."""

    type: str = ""
    at: str = ""
    inMinutes: float = 0.0
    in_minutes: float = 0.0
    filePattern: str = ""
    file_pattern: str = ""
    topic: str = ""
    condition: str = ""


def _inside(place: Place, path: str) -> str:
    return str(Path(place.folder) / path)


def _trigger(_: Place, when: When) -> dict[str, Any]:
    minutes = when.inMinutes or when.in_minutes
    at = moment(when.at, "trigger.at") if when.at else datetime.now(UTC).timestamp() + minutes * 60
    holds: dict[str, Any] = {
        "at": at if when.at or minutes else None,
        "file": when.filePattern or when.file_pattern,
        "words": f"{when.condition} {when.topic}".strip(),
    }
    trigger = {name: value for name, value in holds.items() if value}
    if len(trigger) != 1:
        raise NotDone("trigger: say one of at, inMinutes, filePattern, and topic or condition")
    return trigger


def _word(**values: object) -> Made:
    """A word of the older system for a value of ours."""
    return Made(Literal[tuple(values)], lambda _, word: values[word])


MADE: Final[Mapping[str, Made]] = {
    "filePath": Made(str, _inside),
    "mode": _word(auto="balanced", deep="exhaustive"),
    "snooze_minutes": Made(float, lambda _, minutes: minutes * 60),
    "status": _word(complete="done", snooze="snoozed", cancel="cancelled"),
    "trigger": Made(When, _trigger),
}
ONE: Final[Mapping[str, Made]] = {"id": Made(str, lambda _, one: [one])}

# ---- the table, catalogue.toml


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    words: dict[str, str]
    tools: list[Told]


def _rows() -> Iterator[Row]:
    """The tools of the table, in its order."""
    table = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Table)
    every = itertools.chain.from_iterable(map(operations, subjects()))
    requests = {operation.NAME: operation for operation in every}
    words = {f"*{name}": names for name, names in table.words.items()}
    for one in table.tools:
        several = {value: _ask(ask, requests) for value, ask in one.several.items()}
        told: dict[str, Any] = msgspec.structs.asdict(one)
        told["asks"] = several or _ask(one, requests)
        told["unused"] = words.get(one.unused, one.unused)
        told["leaves"] = words.get(one.leaves, one.leaves)
        yield Row(**told)


def _ask(one: Asked, requests: Mapping[str, type[Operation[Any]]]) -> Ask:
    operation = requests[one.request]
    here = [field.name for field in fields(operation) if isinstance(field.typed, Here)]
    made = ONE if "id=ids" in one.arguments.split() else MADE
    return Ask(
        operation, one.arguments, one.fixed, one.usual, " ".join([*here, one.here]), made, one.needs
    )


ROWS: Final = tuple(_rows())
CATALOGUE: Final[tuple[Tool, ...]] = tuple(tool for row in ROWS for tool in row.tools())
