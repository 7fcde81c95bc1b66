"""Writes of a session: its ledger and its course."""

from dataclasses import dataclass

from actors.policy.session.attention import WHOLE


@dataclass(frozen=True, slots=True)
class Delivered:
    """These contents are in the session's context now."""

    session: str
    content_hashes: tuple[bytes, ...]
    at: float
    anchor: float = WHOLE  # the session's attention to them then, 0..1


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A session attends to nothing from before ``at``. Outcome: how many entries its ledger had."""

    session: str
    at: float


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """Facts of a session from an event; ``None`` leaves the known value.

    An event older than the last one seen changes nothing.
    """

    session: str
    agent: str
    project: str | None
    at: float
    status: str  # "open", "ended"
    task: str | None  # the last prompt of the user that tells what it is at, shortened
    summary: str | None
    transcript: str | None
    silent: bool | None = None  # a person switched notes off or on; counts however old it is
    emptied: bool = False  # its context began anew; counts however old it is


SessionWrite = Delivered | Undelivered | SessionSeen
