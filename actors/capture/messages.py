"""Messages to tagging."""

from dataclasses import dataclass

from actors.capture.rows import Place
from actors.capture.writes import Raised
from actors.core.mailbox import Reply
from actors.memory.rows import Scope
from actors.policy.capture.backfill import Cause, Failure


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


@dataclass(frozen=True, slots=True)
class Fade:
    """Let go of the tags and moments that have served."""

    at: float


@dataclass(frozen=True, slots=True)
class Backfill:
    """Question for memories that may explain a failure. With a time each is strengthened once."""

    failure: Failure
    scope: Scope
    at: float | None  # None: nothing is changed
    reply: Reply[tuple[Cause, ...]]


TaggingMessage = Touched | Fade | Backfill
