"""The exchange with the model behind the reader: one request, one answer or one failure.

Every engine is given the same request and gives the same object back. The request's shape is
version 1 and does not change: programs of other people answer it (``[reader] command``).
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

from msgspec import Struct

from actors.policy.text.words import beside

VERSION: Final = 1
CHARACTERS_A_TOKEN: Final = 4  # where an engine does not count them


class LivingNote(Struct, frozen=True):
    """A living note of the project, for an answer to name as the one it sharpens or ends."""

    id: str  # as a person sees it: m12
    text: str


class Request(Struct, frozen=True):
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

    def tokens_with(self, answer: str = "") -> int:
        """Tokens of the request and its answer, where nobody counts them."""
        known = sum(len(one.text) for one in self.known)
        texts = (self.system, self.text, json.dumps(self.schema), answer)
        return (known + sum(map(len, texts))) // CHARACTERS_A_TOKEN


class Answer(Struct, frozen=True):
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


class Failed(Struct, frozen=True):
    """A failed reading: it is tried again and gives no note."""

    reason: Reason
    detail: str = ""  # one line of the engine, redacted, without any text of the session
    tokens: int = 0  # spent all the same


Engine: TypeAlias = Callable[[Request], Awaitable[Answer | Failed]]


# ---- instructions of the reader: the notes to write down, and the shape of its answer
#
# The text began as the draft used in measuring (109 of 131 listed facts by a large model); the look
# of the digest and the checks of a quotation were added. No limit of length stands in the schemas:
# half of the engines refuse the words for it, and texts too long are dropped by the checks.


TITLE: Final = 90  # characters of a note
TEXT: Final = 300
NOTES: Final = 12  # of one answer
NIGHT_TOKENS: Final = 20_000  # of the notes that a night's request holds
INSIGHTS: Final = 3  # of one night


def _text(name: str, **limits: int) -> str:
    """Read one of the texts beside this module; a line with leading blanks goes on the one before."""
    text = beside(__name__, f"instructions_{name}.txt")
    return text.rstrip("\n").replace("\n  ", " ").format(**limits)


SYSTEM: Final = _text("session", title=TITLE, text=TEXT)
_PART: Final = (
    "This is a later part of a long session. Notes of the part before, not to be given again:"
)
SCHEMA: Final[Mapping[str, Any]] = json.loads(beside(__name__, "instructions_session.json"))
"""Schema of the answer to a session's digest: an object of notes, and where the work stopped."""

FIELDS: Final[Mapping[str, Any]] = SCHEMA["properties"]["notes"]["items"]["properties"]
"""Schemas of the fields of a note, by their names."""

BESIDE: Final = (len(SYSTEM) + len(json.dumps(SCHEMA))) // CHARACTERS_A_TOKEN
"""Tokens of a request beside its digest and the notes that it names: instructions and schema."""


def request(
    session: str,
    project: str,
    digest: str,
    known: Iterable[LivingNote] = (),
    before: Sequence[str] = (),
) -> Request:
    """Ask for the notes of a digest; ``before``: titles of notes from the chunk before."""
    told = "\n".join((_PART, *(f"- {title}" for title in before))) if before else ""
    text = "\n\n".join(filter(None, (told, digest)))
    return Request(session, project, SYSTEM, text, tuple(known), SCHEMA)


# -- of a night -------------------------------------------------------------------------------

NIGHT_SYSTEM: Final = _text("night", insights=INSIGHTS, text=TEXT)
NIGHT_SCHEMA: Final[Mapping[str, Any]] = json.loads(beside(__name__, "instructions_night.json"))
"""Schema of the answer to a project's living notes: plans and insights, of which nothing changes by itself."""


def night_request(project: str, notes: Sequence[LivingNote]) -> Request:
    """Ask for the faults of a project's notes, given oldest first; of too many the newest."""
    lines: list[str] = []
    room = NIGHT_TOKENS * CHARACTERS_A_TOKEN
    for note in reversed(notes):
        line = f"{note.id}: {' '.join(note.text.split())}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return Request("", project, NIGHT_SYSTEM, "\n".join(reversed(lines)), (), NIGHT_SCHEMA)
