"""Shapes of replies, and refusals common to all requests."""

from typing import Annotated, Final, Literal

import msgspec

Tier = Literal["constitutional", "critical", "important", "normal", "temporary", "deprecated"]
# Whom a request shows to be there: an editor asks again when nothing changed, an onlooker is nobody.
Asker = Literal["person", "editor", "program", "onlooker"]
Mode = Literal["both", "words", "vectors", "none"]
# How many at most of anything in one answer.
Count = Annotated[int, msgspec.Meta(ge=1, le=1_000)]
# The number of a row, or a place among rows: what the store has no room for is refused at the door.
Row = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
WRITE_DEADLINE: Final = 30.0  # seconds
RECALL_DEADLINE: Final = 30.0  # seconds; a person waits, nothing is cut short
PAGE_LIMIT: Final = 1_000
PAGE: Final = 5_000  # rows at most, where a row is short


class BadRequest(Exception):
    """The request does not have the shape it must have: the client's fault."""


class NotThere(Exception):
    """Error: a thing named by a client is not there; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, line: str) -> None:
        super().__init__(line)
        self.code = code


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """The body of an error frame: a word for programs, a line for people."""

    code: str
    message: str


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of the daemon."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is not read."""

    file: str
    reason: str


class Done(Reply, frozen=True, kw_only=True):
    """Reply of a request done and durable."""

    count: int = 1
    note: str = ""
