"""Tags and captures of turns as they are stored."""

from dataclasses import dataclass
from enum import Enum


class Place(Enum):
    """Place of an event in its turn."""

    WITHIN = "within"
    ASKED = "asked"  # somebody's words began it, or came into it
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class TagRow:
    """A turn's tag."""

    first_seq: int
    seq: int
    session: str
    project: str | None
    at: float
    touched: bytes


@dataclass(frozen=True, slots=True)
class CaptureRow:
    """A turn that a moment captured."""

    first_seq: int
    event_id: str
    score: float
    hours: float  # from the turn to the moment; negative: it ended after it
