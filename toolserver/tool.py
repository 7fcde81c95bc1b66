"""A tool: its words, the schemas of its arguments and answer, and its one request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from daemon.api.operation import Operation
from toolserver.schemas import checked, schema_of

A = TypeVar("A", bound=msgspec.Struct)
G = TypeVar("G", bound=msgspec.Struct)
R = TypeVar("R")

TOKENS = 2_000  # of an answer, unless a call says otherwise
Tokens = Annotated[
    int,
    Meta(ge=100, le=20_000, description="Tokens of the answer at most; it says what was cut."),
]


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a call: the agent's working folder, its project and its session."""

    folder: str
    project: str
    session: str


class Hints(NamedTuple):
    """Effects of a call, for a client asking its user before some."""

    reads_only: bool = False
    destructive: bool = False
    idempotent: bool = False  # a second call with the same arguments changes nothing more


class Call(NamedTuple):
    """A call: the daemon's request, and the room of the answer."""

    request: Operation[Any]
    tokens: int = TOKENS
    told: Mapping[str, Any] = MappingProxyType(
        {}
    )  # what is said of the arguments beside the answer


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as it is offered and called."""

    name: str
    title: str
    description: str
    takes: dict[str, Any]  # JSON schemas
    gives: dict[str, Any]
    asks: Callable[[Place, dict[str, Any]], Call]  # raises ``NotDone``
    tells: Callable[[Any], dict[str, Any]]
    hints: Hints
    slow: bool = False  # as long as it takes, with progress; else it is given up after a while


def typed(
    name: str,
    title: str,
    description: str,
    takes: type[A],
    asks: Callable[[Place, A], Operation[R]],
    tells: Callable[[R], G],
    gives: type[G],
    hints: Hints,
) -> Tool:
    """A tool with structs as arguments and answer."""

    def called(place: Place, arguments: dict[str, Any]) -> Call:
        given = checked(takes, arguments)
        return Call(asks(place, given), getattr(given, "max_tokens", TOKENS))

    def answered(reply: R) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.to_builtins(tells(reply))
        return told

    return Tool(
        name, title, description, schema_of(takes), schema_of(gives), called, answered, hints
    )
