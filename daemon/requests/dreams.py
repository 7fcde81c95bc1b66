"""Dreams: ordering one, stopping it, and reading what came of it (section I)."""

from typing import Any, Final

import msgspec

from daemon.requests.shapes import Done, Reply, Request, Row

BY_A_PERSON: Final = "a person"  # why a dream was begun that somebody ordered


class DreamView(msgspec.Struct, frozen=True, kw_only=True):
    """A dream in numbers."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: str | None  # finished, cancelled, failed; null: it is not over
    stage: str  # the last one that is done
    memories: int
    figures: dict[str, dict[str, Any]]  # by stage: what it did, in numbers


class InsightView(msgspec.Struct, frozen=True, kw_only=True):
    """An insight: a memory that a dream made."""

    id: str
    kind: str
    text: str
    sources: list[str]
    titles: list[str]  # of the sources
    confidence: float
    novelty: float
    evidence: list[str]
    ended: str | None
    accepted: int
    rejected: int
    applied: int


class ConnectionView(msgspec.Struct, frozen=True, kw_only=True):
    """Two memories that a dream found to belong together."""

    one: str
    other: str
    one_title: str
    other_title: str
    kind: str
    strength: float
    evidence: str


class ProposedView(msgspec.Struct, frozen=True, kw_only=True):
    """A plan that a dream proposed."""

    id: int
    act: str
    reason: str
    state: str
    memories: int


class Dreamt(Reply, frozen=True, kw_only=True):
    """A dream is over, or there was none."""

    dream: DreamView | None
    outcome: str  # finished, cancelled, nothing, not_due
    note: str = ""


class DreamNow(Request[Dreamt], frozen=True, kw_only=True):
    """Dream.

    Progress frames are ``{"stage", "done", "total", "memories"}``. Who closes the connection
    stops the dream at its next checkpoint; what its finished stages found stays.
    """

    NAME = "dream"
    now: bool = True  # whether or not one is due


class CancelDreaming(Request[Done], frozen=True, kw_only=True):
    """Stop the dream that is under way, whoever wanted it."""

    NAME = "dream-cancel"


class DreamsPage(Reply, frozen=True, kw_only=True):
    """The last dreams, newest first."""

    dreams: list[DreamView]


class ListDreams(Request[DreamsPage], frozen=True, kw_only=True):
    """Request for the dreams there were."""

    NAME = "dreams"
    limit: int = 20


class DreamReport(Reply, frozen=True, kw_only=True):
    """Report of a dream."""

    dream: DreamView
    insights: list[InsightView]  # those that deserve to be shown first
    connections: list[ConnectionView]  # the strongest
    proposed: list[ProposedView]


class ShowDream(Request[DreamReport], frozen=True, kw_only=True):
    """Request for the report of a dream; 0: of the last one."""

    NAME = "dream-show"
    id: Row = 0
    connections: int = 10


class InsightsPage(Reply, frozen=True, kw_only=True):
    """The insights that stand, those that deserve to be shown first."""

    insights: list[InsightView]


class ListInsights(Request[InsightsPage], frozen=True, kw_only=True):
    """Request for the insights."""

    NAME = "insights"
    limit: int = 20
