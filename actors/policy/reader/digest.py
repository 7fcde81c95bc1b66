"""The digest of a session: what the reader is shown of it, one text an event, numbered."""

from dataclasses import dataclass
from enum import Enum

from actors.policy.events.events import Event
from actors.policy.reader.exchange import CHARACTERS_A_TOKEN


class Who(Enum):
    """Whose word a text is."""

    TYPED = "user"
    ANSWERED = "user answers"
    REFUSED = "user refuses"
    AGENT = "agent"
    TOOL = "tool"
    COMMIT = "commit"
    DOCUMENT = "document"
    EDIT = "edit"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Heard:
    """A journaled event of the session."""

    seq: int
    at: float  # seconds UTC
    event: Event


@dataclass(frozen=True, slots=True)
class Shown:
    """One text of one event, exactly as the digest shows it."""

    number: int  # by which the digest names it
    seq: int
    at: float
    who: Who
    text: str
    turn: int
    captured: bool = False  # the turn was captured: it comes whole


@dataclass(frozen=True, slots=True)
class Digest:
    """What a session said, as the reader is shown it."""

    shown: tuple[Shown, ...]

    @property
    def text(self) -> str:
        """What the model reads."""
        return "\n".join(f"[{one.number}] {one.who.value}: {one.text}" for one in self.shown)

    @property
    def tokens(self) -> int:
        """Size, as it is estimated."""
        return len(self.text) // CHARACTERS_A_TOKEN
