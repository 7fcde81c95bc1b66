"""Observations of a memory at work, and the messages that carry them.

An observation holds ids, numbers and names of rules, never a memory's text: who shows it to
a person looks the titles up. The kinds are those of the event stream in seed 004
that have a counterpart here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from actors.core.mailbox import Reply

Data = Mapping[str, "int | float | str | None"]


class ObservationKind(Enum):
    """Kind of an observation."""

    MEMORY_CREATED = "MemoryCreated"
    MEMORY_UPDATED = "MemoryUpdated"
    MEMORY_DELETED = "MemoryDeleted"  # it left recall, in whatever way; ``how`` says which
    MEMORY_RESTORED = "MemoryRestored"
    MEMORY_PROMOTED = "MemoryPromoted"
    MEMORY_DEMOTED = "MemoryDemoted"
    MEMORY_SUPPRESSED = "MemorySuppressed"
    MEMORY_UNSUPPRESSED = "MemoryUnsuppressed"
    SEARCH_PERFORMED = "SearchPerformed"
    DREAM_STARTED = "DreamStarted"
    DREAM_PROGRESS = "DreamProgress"
    DREAM_COMPLETED = "DreamCompleted"
    CONSOLIDATION_STARTED = "ConsolidationStarted"
    CONSOLIDATION_COMPLETED = "ConsolidationCompleted"
    RETENTION_DECAYED = "RetentionDecayed"
    CONNECTION_DISCOVERED = "ConnectionDiscovered"
    IMPORTANCE_SCORED = "ImportanceScored"
    PLAN_PROPOSED = "PlanProposed"
    PLAN_DECIDED = "PlanDecided"
    HEARTBEAT = "Heartbeat"


@dataclass(frozen=True, slots=True)
class Observation:
    """Something happened at a time; ``data`` holds what this kind tells."""

    kind: ObservationKind
    at: float  # seconds since the epoch, UTC
    data: Data = field(default_factory=dict[str, "int | float | str | None"])


@dataclass(frozen=True, slots=True)
class Observed:
    """These things happened, in this order."""

    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class Observations:
    """Page for a follower: the next observations, and how many it came too late for."""

    observations: tuple[tuple[int, Observation], ...]  # with their numbers, rising
    last: int  # the number to go on from
    dropped: int  # since the last answer: they were there and are not kept any more


@dataclass(frozen=True, slots=True)
class WhatHappened:
    """Question for what happened after a number, answered once something did; -1: from now on."""

    after: int
    limit: int
    reply: Reply[Observations]


ObservatoryMessage = Observed | WhatHappened
