"""Writes of a session: its ledger, its course, its working memory."""

from dataclasses import dataclass

from actors.policy.session.attention import Trace


@dataclass(frozen=True, slots=True)
class Delivered:
    """These contents are in the session's context now."""

    session: str
    content_hashes: tuple[bytes, ...]
    at: float


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A session's ledger is empty. Outcome: how many entries it had."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """Facts of a session that an event tells; ``None`` leaves what is known.

    An event that is older than the last one seen changes nothing.
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


@dataclass(frozen=True, slots=True)
class Held:
    """The traces of one session's working memory, whole."""

    session: str
    event: int
    traces: tuple[Trace, ...]


SessionWrite = Delivered | Undelivered | SessionSeen | Held
