"""Messages to tagging."""

from dataclasses import dataclass
from enum import Enum

from actors.night.capture_writes import Raised


class Place(Enum):
    """Place of an event in its turn."""

    WITHIN = "within"
    ASKED = "asked"  # somebody's words began it, or came into it
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Touched:
    """An event of a session touched these, and may be an important moment."""

    seq: int
    at: float
    session: str
    project: str | None
    touched: frozenset[bytes]
    place: Place
    moment: Raised | None = None


TaggingMessage = Touched
