"""Shapes of replies, and what every request may be refused for."""

from typing import Annotated, Literal

import msgspec

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


class Done(Reply, frozen=True, kw_only=True):
    """Reply that it is done and durable."""

    count: int = 1
    note: str = ""
