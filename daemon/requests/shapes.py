"""Shapes of every request and reply."""

from typing import Annotated, ClassVar, Generic, Literal, TypeVar, get_args

import msgspec

R = TypeVar("R")

Tier = Literal["constitutional", "critical", "important", "normal", "temporary", "deprecated"]
# Whom a request shows to be there: an editor asks again when nothing changed, an onlooker is nobody.
Asker = Literal["person", "editor", "program", "onlooker"]
Mode = Literal["both", "words", "vectors", "none"]
# The number of a row, or a place among rows: what the store has no room for is refused at the door.
Row = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class BadRequest(Exception):
    """The request does not have the shape it must have: the client's fault."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an error frame: a word for programs, a line for people."""

    code: str
    message: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of the daemon."""


class Request(msgspec.Struct, Generic[R], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Request of a client; ``R`` is the type of the reply.

    An agent sees the memories of its project and the user's own, changes nothing that a person
    said, and is answered in texts that speak as nobody else.
    """

    NAME: ClassVar[str]
    MEMORIES: ClassVar[tuple[str, ...]] = ()  # fields that name memories by their ids
    ASKED_BY: ClassVar[Asker] = "person"
    agent_in: str | None = None  # project of the agent that asks; None: a person does


class Done(Reply, frozen=True, kw_only=True):
    """Reply that it is done and durable."""

    count: int = 1
    note: str = ""


def reply_type(request: Request[R]) -> type[R]:
    """The type that answers this request."""
    return reply_of(type(request))


def reply_of(kind: type[Request[R]]) -> type[R]:
    """The type that answers requests of this kind."""
    (argument,) = get_args(kind.__orig_bases__[0])  # type: ignore[attr-defined]
    return argument  # type: ignore[no-any-return]
