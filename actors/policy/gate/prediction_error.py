"""The gate of another memory system, to its letter: a preset to compare ``gate`` with (C-08).

Prediction error is 1 less the cosine. The rules are asked in their order and the first that holds
decides; what the product does is ``gate.decide``. Similarities are cosines, 0..1.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias


class CreateReason(Enum):
    """Why a text is kept as a new memory (C-09)."""

    NO_SIMILAR_MEMORIES = "no_similar_memories"
    HIGH_PREDICTION_ERROR = "high_prediction_error"
    DIFFERENT_DOMAIN = "different_domain"
    EXPLICIT_CREATE = "explicit_create"
    FIRST_MEMORY = "first_memory"


class UpdateType(Enum):
    """How a memory takes a text up (C-09)."""

    APPEND = "append"
    REPLACE = "replace"
    MERGE = "merge"
    ADD_CONTEXT = "add_context"
    REINFORCE = "reinforce"


class SupersedeReason(Enum):
    """Why a text takes a memory's place (C-09)."""

    CORRECTION = "correction"
    IMPROVEMENT = "improvement"
    OUTDATED = "outdated"
    USER_INDICATED = "user_indicated"
    HIGHER_CONFIDENCE = "higher_confidence"


class MergeStrategy(Enum):
    """How several memories become one (C-09)."""

    COMBINE = "combine"
    KEEP_RECENT = "keep_recent"
    SUMMARIZE = "summarize"
    HIERARCHICAL = "hierarchical"


@dataclass(frozen=True, slots=True)
class Settings:
    """Borders, each included (C-08); the gate by strength is off (C-15)."""

    same: float = 0.92
    similar: float = 0.75
    contradicted: float = 0.70
    merged: float = 0.675
    strongest: float | None = None  # retention from which a memory is no longer merged into, C-15


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A stored memory near the text."""

    memory_id: str
    similarity: float
    demoted: bool = False  # somebody called it bad
    contradictory: bool = False  # the text contradicts it
    retention: float = 0.0  # 0..1, for C-15


@dataclass(frozen=True, slots=True)
class Create:
    """A new memory."""

    reason: CreateReason
    prediction_error: float
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Update:
    """``target`` takes the text up."""

    target: str
    type: UpdateType
    prediction_error: float


@dataclass(frozen=True, slots=True)
class Supersede:
    """A new memory in the place of ``target``."""

    target: str
    reason: SupersedeReason
    prediction_error: float


@dataclass(frozen=True, slots=True)
class Merge:
    """Several memories and the text become one."""

    targets: tuple[str, ...]
    strategy: MergeStrategy
    prediction_error: float


Decision: TypeAlias = Create | Update | Supersede | Merge


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each answer was given, and its share of all, 0..1 (C-12)."""

    total: int
    creates: int
    updates: int
    supersedes: int
    merges: int

    def rate(self, count: int) -> float:
        """The share of ``count`` in all decisions; 0 when there were none."""
        return count / self.total if self.total else 0.0


def decide(neighbours: Iterable[Neighbour], settings: Settings = DEFAULT) -> Decision:
    """What becomes of a text, by the nearest of its neighbours (C-08).

    From .92 on reinforce; from .75 supersede what was demoted; from .70 supersede what it
    contradicts; from .75 merge into it; two or more from .675 are combined; else create.
    """
    near = sorted(neighbours, key=lambda one: (-one.similarity, one.memory_id))
    if not near:
        return Create(CreateReason.NO_SIMILAR_MEMORIES, 1.0)
    nearest = near[0]
    error = 1 - min(1.0, max(0.0, nearest.similarity))
    decided = _about(nearest, error, settings)
    if decided is not None:
        return decided
    alike = tuple(one.memory_id for one in near if _may_merge(one, settings))
    if len(alike) >= 2:
        return Merge(alike, MergeStrategy.COMBINE, error)
    related = tuple(one.memory_id for one in near)
    return Create(CreateReason.HIGH_PREDICTION_ERROR, error, related)


def tallied(decisions: Sequence[Decision]) -> Tally:
    """How often each answer was given (C-12)."""
    counts = Counter(type(decision) for decision in decisions)
    return Tally(len(decisions), counts[Create], counts[Update], counts[Supersede], counts[Merge])


def _about(nearest: Neighbour, error: float, settings: Settings) -> Decision | None:
    if nearest.similarity >= settings.same:
        return Update(nearest.memory_id, UpdateType.REINFORCE, error)
    if nearest.similarity >= settings.similar and nearest.demoted:
        return Supersede(nearest.memory_id, SupersedeReason.IMPROVEMENT, error)
    if nearest.similarity >= settings.contradicted and nearest.contradictory:
        return Supersede(nearest.memory_id, SupersedeReason.CORRECTION, error)
    if nearest.similarity >= settings.similar and not _is_strong(nearest, settings):
        return Update(nearest.memory_id, UpdateType.MERGE, error)
    return None


def _may_merge(one: Neighbour, settings: Settings) -> bool:
    return one.similarity >= settings.merged and not _is_strong(one, settings)


def _is_strong(one: Neighbour, settings: Settings) -> bool:
    return settings.strongest is not None and one.retention >= settings.strongest
