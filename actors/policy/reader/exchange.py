"""The exchange with the model behind the reader: one request, one answer or one failure.

Every engine is given the same request and gives the same object back. The request's shape is
version 1 and does not change: programs of other people answer it (``[reader] command``).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class LivingNote:
    """A living note of the project, for an answer to name as the one it sharpens or ends."""

    id: str  # as a person sees it: m12
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """Question to an engine."""

    session: str  # the agent's id of it
    project: str  # its name
    system: str  # the instructions
    text: str  # the digest
    known: tuple[LivingNote, ...]
    schema: Mapping[str, object]  # JSON schema of the answer

    def document(self) -> dict[str, object]:
        """Return the request as one JSON object."""
        return {
            "version": VERSION,
            "session": self.session,
            "project": self.project,
            "system": self.system,
            "text": self.text,
            "known": [{"id": one.id, "text": one.text} for one in self.known],
            "schema": dict(self.schema),
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """The object of an engine's answer, unchecked, and its cost."""

    document: Mapping[str, object]
    tokens: int  # of input and output, as the engine counts them, else a quarter of the characters
    dollars: float | None = None  # the client's own figure; None: it says none


class Reason(StrEnum):
    """Reason of a failed reading, as a person reads it."""

    MISSING = "its program is not there"
    LOGGED_OUT = "it is not logged in"
    TOO_OLD = "it is too old for the flags that the reader needs"
    OFFLINE = "its endpoint does not answer"
    LIMIT = "its limit is reached"
    LATE = "it did not answer in time"
    DIED = "it ended with an error"
    EMPTY = "it answered nothing"
    FOREIGN = "its answer is not what was asked for"
    TOO_LONG = "its answer is too long"
    INTERRUPTED = "somebody came back"
    NO_MODEL = "its model file is none that can be loaded"
    UNREADABLE = "the session cannot be read"
    STORE = "the store could not be written"


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed reading: it is tried again and gives no note."""

    reason: Reason
    detail: str = ""  # one line of the engine, redacted, without any text of the session
    tokens: int = 0  # spent all the same


Engine: TypeAlias = Callable[[Request], Awaitable[Answer | Failed]]
