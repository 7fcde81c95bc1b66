"""A question, and what is known about it."""

from typing import Any, Literal

import msgspec

from daemon.api.injections import ConsideredView
from daemon.requests.link import AssociationView
from daemon.requests.memories import Status
from daemon.requests.shapes import Mode, Reply, Request


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a recall."""

    id: str
    key: str | None
    score: float  # 0…1
    text: str
    title: str
    kind: str
    tier: str
    origin: str
    project: str | None
    created_at: float
    why: str
    parts: dict[str, float] = {}
    # with ``explain``: name, times, plus; applied in this order from 0 they give the score
    terms: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    status: Status = "confirmed"
    valid_from: float | None = None
    valid_until: float | None = None
    valid: bool = True  # now, or at the time that was asked about
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against
    ended: str | None = None  # of a time that is over: how it ended since
    whole: bool = True  # the text is all there


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """A channel that did not answer."""

    channel: str
    failure_mode: str  # late, unavailable, unreadable, crashed, switched off
    detail: str
    confidence_impact: float
    retry_recommendation: str  # immediate, delayed, none


class Degraded(msgspec.Struct, frozen=True, kw_only=True):
    """Parts that an answer lacks, what was searched instead, and what that costs."""

    failure_mode: str
    fallback_mode: str
    confidence_impact: float  # what the confidence was lowered by
    retry_recommendation: str
    channels: list[Missing]
    line: str  # all of it for a person


class Channel(msgspec.Struct, frozen=True, kw_only=True):
    """Report of one channel."""

    channel: str
    ms: float
    found: int
    failure: str | None


class Recalled(Reply, frozen=True, kw_only=True):
    """The answer to a recall, best first."""

    results: list[Scored]
    confidence: float
    mode: Mode  # what was searched: words and vectors, or only one of them
    degraded: Degraded | None  # what failed; what a person switched off is not among it
    evidence: dict[str, Any]  # gap, reason, z, connected, and how the first were judged
    timings: dict[str, float]  # milliseconds a stage
    prompt: str | None = None  # with ``as_prompt``: the block that a prompt would get
    # with ``as_prompt``: what it would be told, and what comes close
    considered: list[ConsideredView] = msgspec.field(default_factory=list[ConsideredView])
    # how the query was understood: words searched for besides, an event's day, concepts
    said: list[str] = msgspec.field(default_factory=list[str])
    # with ``explain``: each stage, how many came in and went on, and how many scores it changed
    stages: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    channels: list[Channel] = msgspec.field(default_factory=list[Channel])
    # with ``associations``: what the best result brings to mind
    associations: list[AssociationView] = msgspec.field(default_factory=list[AssociationView])
    # with ``detail`` or ``tokens``: ids of what is not there whole, best first, and tokens used
    expandable: list[str] = msgspec.field(default_factory=list[str])
    tokens: int | None = None


class Recall(Request[Recalled], frozen=True, kw_only=True):
    """Request for what is known about a query, best first."""

    NAME = "recall"
    query: str
    k: int = 10
    project: str | None = None
    everywhere: bool = False
    explain: bool = False
    track: bool = True
    as_prompt: bool = False
    as_of: float | str | None = None  # what was true then: seconds UTC, or an ISO date
    associations: bool = False
    mode: Literal["precise", "balanced", "exhaustive"] = "balanced"
    # memories with all of these, two to five, come first
    concepts: list[str] = msgspec.field(default_factory=list[str])
    # what this question does without, or has although it is off: names of the settings
    # ``channels.*`` and ``stages.*``
    without: list[str] = msgspec.field(default_factory=list[str])
    also: list[str] = msgspec.field(default_factory=list[str])
    detail: Literal["brief", "summary", "full"] = "full"  # of each result
    tokens: int | None = None  # at most for all texts; 0: by the question's complexity


class RecallById(Request[Recalled], frozen=True, kw_only=True):
    """This memory, which comes back from the archive when it is there."""

    NAME = "recall-by-id"
    id: str
    track: bool = True
    project: str | None = None  # from where it is asked for
