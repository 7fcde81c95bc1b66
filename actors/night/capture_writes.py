"""Important moments, turns' tags and captures, as they are written and read.

SQL over their tables answers which turns are worth reading, why and since when: a row of
``turn_capture`` says the turn ``first_seq`` of ``turn_tag`` (its session, project, first and last
event) was captured by the moment ``event_id`` of ``importance_event`` (its kind, its reason in one
line, its time), with its score.
"""

from dataclasses import dataclass

from actors.policy.decay.capture import Capture


@dataclass(frozen=True, slots=True)
class Raised:
    """A moment was important; told twice it is one. Outcome: 1 when new."""

    id: str
    kind: str
    strength: float  # 0..1
    at: float
    session: str | None
    project: str | None
    reason: str  # one line
    seq: int | None = None  # the journaled event
    touched: bytes = b""  # digests of what it has to do with


@dataclass(frozen=True, slots=True)
class TurnTagged:
    """A turn ended, with the things it touched; reported twice it is one."""

    first_seq: int  # the journaled event that began it
    seq: int  # the one that ended it
    session: str
    project: str | None
    at: float  # seconds UTC, when it ended
    touched: bytes  # digests of its files, symbols and phrases


@dataclass(frozen=True, slots=True)
class Faded:
    """Tags from before this time have faded, and so have moments without captures.

    Of captured turns the newest ``kept`` stay. Outcome: how many tags left.
    """

    before: float
    kept: int


CaptureWrite = Raised | TurnTagged | Capture | Faded
