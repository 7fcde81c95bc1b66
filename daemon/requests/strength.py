"""Marks of people on a memory: useful, pinned, a tier, promoted, suppressed."""

from typing import Any

import msgspec

from daemon.requests.shapes import Done, Reply, Request, Row, Tier


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Use of a memory, and what people made of it."""

    confidence: float = 0.5  # 0..1, moved by verdicts
    validations: int = 0  # verdicts
    storage: float = 1.0  # 1..10; never fades
    retention: float = 1.0  # 0..1, of both strengths
    sessions: int = 0  # in which it was shown unasked
    cited: int = 0  # of which so many cited it
    effectiveness: float | None = None  # their share, from ten on
    credits: list[dict[str, Any]] = []  # session, cause, at
    suppressions: int = 0
    hidden_until: float | None = None  # no prompt gets it until then; until then it can be undone
    proposals: list[dict[str, Any]] = []  # id, state, reason, at
    verdicts: list[dict[str, Any]] = []  # project (empty: in none), useful, useless
    untold: dict[str, int] = {}  # why prompts that it was weighed for were not told, and how often
    windows: list[dict[str, Any]] = []  # in which it was edited: opened_at, settled_at, edits
    relevance: float | None = None  # by age, use and connections now; None: it has ended


class SetTier(Request[Done], frozen=True, kw_only=True):
    """This memory has another tier from now on; the note names the one it had."""

    NAME = "set-tier"
    id: str
    tier: Tier


class Rate(Request[Done], frozen=True, kw_only=True):
    """Promote this memory, or demote it."""

    NAME = "rate"
    id: str
    up: bool


class Pin(Request[Done], frozen=True, kw_only=True):
    """These never fade and are never archived; or no longer so."""

    NAME = "pin"
    ids: list[str]
    pinned: bool = True


class Feedback(Request[Done], frozen=True, kw_only=True):
    """This memory helped, or did not; prompts of the project heed it.

    An agent's word moves prompts of its project alone.
    """

    NAME = "feedback"
    MEMORIES = ("id",)
    id: str
    useful: bool
    project: str | None = None  # where it did; None: in that of the memory


class Suppress(Request[Done], frozen=True, kw_only=True):
    """Bring this memory back less, or take that back; the count is how often it is so."""

    NAME = "suppress"
    id: str
    back: bool = False


class Graded(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One review."""

    memory: str
    at: float  # seconds since the epoch, UTC
    grade: int  # 1..4


class ReviewPage(Reply, frozen=True, kw_only=True):
    """Reviews, oldest first; ``after`` asks for the next page, ``None`` says it was the last."""

    reviews: list[Graded]
    total: int  # in the whole log
    after: int | None


class Reviews(Request[ReviewPage], frozen=True, kw_only=True):
    """Request for the log of reviews, a page, to fit a forgetting curve to."""

    NAME = "reviews"
    after: Row = 0
    limit: int = 5_000
