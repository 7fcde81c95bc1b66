"""Rows read by a dream beside memories: earlier dreams, insights."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from actors.night.dream_writes import Figures, Outcome
from actors.policy.night.insights import Feedback, InsightKind


@dataclass(frozen=True, slots=True)
class DreamRow:
    """A dream as it is stored."""

    id: int
    why: str
    began_at: float
    ended_at: float | None
    outcome: Outcome | None
    stage: str  # the last one that is done, "" before the first
    memories: int  # memories at its start
    # By stage: what it did.
    figures: Mapping[str, Figures] = field(default_factory=dict[str, Figures])


@dataclass(frozen=True, slots=True)
class InsightRow:
    """An insight with the reactions of people and agents."""

    memory_id: int
    dream_id: int
    kind: InsightKind
    text: str
    sources: tuple[int, ...]
    novelty: float
    confidence: float
    evidence: tuple[str, ...]
    ended: str | None
    accepted: int  # times a person found it useful
    rejected: int  # times a person did not
    applied: int  # times an agent used it

    @property
    def feedback(self) -> Feedback:
        """Return the reactions of people and agents."""
        return Feedback(self.accepted, self.rejected, self.applied)
