"""The tools of older memory systems by their names: each is one operation of the daemon, with its arguments renamed.

The table is ``catalogue.toml``. The type and the default of an argument are its field's. An argument that
the table does not name is ignored: those systems have many that change nothing here.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from daemon.api.operation import Here, Operation, fields, operations, subjects
from toolserver.tool import TOKENS, Call, Hints, NotDone, Place, Tokens, Tool, checked

# Fields of replies that say nothing to a model.
SILENT: Final = frozenset(
    """
    accessibility accessibility_value actors channels expandable exposures home key pid pinned
    project retrievability revision schedule session stability timings triggers updated_at uses versions
    """.split()
)
SEVERAL: Final = "[]"  # after a field: it takes several, and the argument is one of them
NEEDED: Final = "!"  # after an argument: it is needed, though the request does without its field


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

    def tools(self, operation: type[Operation[Any]]) -> Iterator[Tool]:
        """The offered tools, one a name."""
        asked = Asked(operation, self)
        hints = Hints(self.reads_only, self.destructive, self.idempotent or self.reads_only)
        for name in self.names.split():
            yield Tool(
                name, self.title, self.description, asked.takes(), {"type": "object"}, asked.call,
                _told, hints,
            )  # fmt: skip


class Asked:
    """The operation of a row, and how its fields are filled."""

    def __init__(self, operation: type[Operation[Any]], row: Row) -> None:
        self._operation = operation
        self._fixed = row.fixed
        here = [one.name for one in fields(operation) if isinstance(one.typed, Here)]
        self._here = [*here, *row.here.split()]
        pairs = [one.partition("=") for one in row.arguments.split()]
        self._fields = {name.rstrip(NEEDED): to or name.rstrip(NEEDED) for name, _, to in pairs}
        known = {one.name: one for one in msgspec.structs.fields(operation)}
        self._infos: Mapping[str, FieldInfo] = {
            name: known[to.removesuffix(SEVERAL)] for name, to in self._fields.items()
        }
        self._needed = [
            name.rstrip(NEEDED)
            for name, _, _ in pairs
            if name.endswith(NEEDED) or self._infos[name].required
        ]

    def takes(self) -> dict[str, Any]:
        """The schema of the arguments; clients read the type of one where it stands."""
        kinds = [self._kind(name) for name in self._fields]
        schemas, shapes = msgspec.json.schema_components(
            [*kinds, Tokens], ref_template="#/$defs/{name}"
        )
        inline = [{**shapes.get(one.get("$ref", "").rpartition("/")[2], one)} for one in schemas]
        told = dict(zip([*self._fields, "max_tokens"], inline, strict=True))
        for name, info in self._infos.items():
            if info.default is not msgspec.NODEFAULT:
                told[name]["default"] = info.default
        told["max_tokens"]["default"] = TOKENS
        return {"type": "object", "properties": told, "required": self._needed}

    def call(self, place: Place, arguments: dict[str, Any]) -> Call:
        """The call of these arguments. Raises ``NotDone`` for a missing or wrong one."""
        missing = [name for name in self._needed if arguments.get(name) in (None, "")]
        if missing:
            raise NotDone(f"{' and '.join(missing)} is missing: give it and call again")
        filled = {name: getattr(place, name) for name in self._here} | self._fixed
        for name, to in self._fields.items():
            if name in arguments:
                value = checked(self._kind(name), arguments[name], name)
                several = to.endswith(SEVERAL)
                filled[to.removesuffix(SEVERAL)] = [value] if several else value
        tokens = checked(Tokens, arguments.get("max_tokens", TOKENS), "max_tokens")
        return Call(self._operation(**filled), tokens)

    def _kind(self, name: str) -> Any:
        return str if self._fields[name].endswith(SEVERAL) else self._infos[name].type


def _told(reply: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", _lean(msgspec.to_builtins(reply)))


def _lean(value: Any) -> Any:
    """A reply without empty and silent parts."""
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
CATALOGUE: Final[tuple[Tool, ...]] = tuple(
    tool for row in ROWS for tool in row.tools(_REQUESTS[row.request])
)
