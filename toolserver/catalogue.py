"""The tools of older memory systems by their names: each is one operation of the daemon, with its arguments renamed.

The table is ``catalogue.toml``. The type and the default of an argument are its field's. An argument that
the table does not name is ignored: those systems have many that change nothing here.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo

from daemon.api.operation import Here, Operation, fields, operations, subjects
from toolserver.tool import TOKENS, Hints, Place, Tokens, Tool

# Fields of replies that say nothing to a model, or what is of no concern to it.
SILENT: Final = frozenset(
    """
    actors exposures home key pid pinned project projects retrievability revision schedule session
    stability triggers updated_at uses versions
    """.split()
)
NEEDED: Final = "!"  # after an argument: it is needed, though the request does without its field
OPPOSITE: Final = "~"  # before a field: it is so unless the argument says otherwise
SEVERAL: Final = "[]"  # after a field: it takes several, and the argument is one of them


class Renamed(Tool[Any], frozen=True, kw_only=True, forbid_unknown_fields=False):
    """An operation of the daemon as a tool; its arguments are added by its row of the table."""

    REQUEST: ClassVar[type[Operation[Any]]]
    FIXED: ClassVar[Mapping[str, Any]]
    HERE: ClassVar[tuple[str, ...]]
    FIELDS: ClassVar[Mapping[str, str]]  # with their marks, by the arguments
    max_tokens: Tokens = TOKENS

    def asks(self, place: Place, /) -> Operation[Any]:
        """The request, filled by the place, the table and the call."""
        filled = {name: getattr(place, name) for name in self.HERE} | dict(self.FIXED)
        for argument, to in self.FIELDS.items():
            value = getattr(self, argument)
            if to.startswith(OPPOSITE):
                value = not value
            filled[_bare(to)] = [value] if to.endswith(SEVERAL) else value
        return self.REQUEST(**filled)

    @staticmethod
    def tells(reply: Any, /) -> dict[str, Any]:
        """The reply without its empty and silent parts."""
        return cast("dict[str, Any]", _lean(msgspec.to_builtins(reply)))


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """An operation of the daemon under an older name, or under several."""

    names: str
    title: str
    description: str
    request: str  # the NAME of an operation
    arguments: str = ""  # each with its field where that has another name: ``limit=k``
    fixed: dict[str, Any] = {}
    here: str = ""  # fields that the place of the call fills, besides the project
    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False

    def tools(self) -> Iterator[type[Renamed]]:
        """The tools, one a name."""
        request = _REQUESTS[self.request]
        known = {one.name: one for one in msgspec.structs.fields(request)}
        here = [one.name for one in fields(request) if isinstance(one.typed, Here)]
        pairs = [one.partition("=") for one in self.arguments.split()]
        arguments = {name: to or name.rstrip(NEEDED) for name, _, to in pairs}
        declared = {
            "__doc__": self.description,
            "TITLE": self.title,
            "HINTS": Hints(self.reads_only, self.destructive, self.idempotent or self.reads_only),
            "REQUEST": request,
            "FIXED": self.fixed,
            "HERE": (*here, *self.here.split()),
            "FIELDS": {name.rstrip(NEEDED): to for name, to in arguments.items()},
        }
        taken = [_argument(name, to, known[_bare(to)]) for name, to in arguments.items()]
        for name in self.names.split():
            made = msgspec.defstruct(
                name, taken, bases=(Renamed,), namespace={**declared, "NAME": name},
                module=__name__, frozen=True, kw_only=True,
            )  # fmt: skip
            yield cast("type[Renamed]", made)


def _argument(name: str, to: str, field: FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any]:
    if name.endswith(NEEDED):
        return name.rstrip(NEEDED), Annotated[str, Meta(min_length=1)]
    if to.startswith(OPPOSITE):
        return name, bool, False
    kind = str if to.endswith(SEVERAL) else field.type
    return (name, kind) if field.required else (name, kind, field.default)


def _bare(to: str) -> str:
    """The name of a field, without its marks."""
    return to.removeprefix(OPPOSITE).removesuffix(SEVERAL)


def _lean(value: Any) -> Any:
    if isinstance(value, list):
        return [*map(_lean, cast("Iterable[Any]", value))]
    if not isinstance(value, dict):
        return value
    told = cast("dict[str, Any]", value)
    lean = {name: _lean(one) for name, one in told.items() if name not in SILENT}
    return {name: one for name, one in lean.items() if one not in (None, "", [], {})}


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    tools: list[Row]


ROWS: Final = tuple(
    msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=_Table).tools
)
_REQUESTS: Final = {one.NAME: one for one in itertools.chain(*map(operations, subjects()))}
CATALOGUE: Final = tuple(tool for row in ROWS for tool in row.tools())
