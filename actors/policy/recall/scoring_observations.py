"""What a few queries tell of how scores were changed (D14).

One query in twenty is observed. Which, is decided by its id and a seed, so that a run can be
repeated. Each row tells what being new and being like others added, and what the score was before and
after all stages; ``reverie stats`` shows what they come to.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Observation:
    """One memory's score in one observed query; the twelfth column, the id, is the store's."""

    memory_id: str
    query_id: str
    timestamp: float  # seconds UTC
    novelty_boost_applied: bool
    novelty_boost_value: float
    memory_age_days: float
    interference_applied: bool
    interference_score: int
    interference_penalty: float
    score_before: float
    score_after: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What the observations come to; averages over those it was applied to, 0 for none."""

    observations: int
    boosted: int
    average_boost: float
    penalised: int
    average_penalty: float
    average_change: float  # of the score, by all stages together


def sampled(query_id: str, seed: int = 0, share: float = SHARE) -> bool:
    """Whether a query is observed: one in twenty, always the same ones for a seed (D14)."""
    digest = hashlib.blake2b(f"{seed}:{query_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64


def observation(
    memory_id: str,
    query_id: str,
    at: float,
    *,
    age_days: float,
    novelty: float,
    siblings: int,
    penalty: float,
    before: float,
    after: float,
) -> Observation:
    """The row for one memory; applied is what changed something (D14)."""
    return Observation(
        memory_id=memory_id,
        query_id=query_id,
        timestamp=at,
        novelty_boost_applied=novelty > 0,
        novelty_boost_value=novelty,
        memory_age_days=age_days,
        interference_applied=penalty != 0,
        interference_score=siblings,
        interference_penalty=penalty,
        score_before=before,
        score_after=after,
    )


def summary(observations: Collection[Observation]) -> Summary:
    """How often and how strongly scores were changed (D14)."""
    boosts = [row.novelty_boost_value for row in observations if row.novelty_boost_applied]
    penalties = [row.interference_penalty for row in observations if row.interference_applied]
    return Summary(
        observations=len(observations),
        boosted=len(boosts),
        average_boost=_average(boosts),
        penalised=len(penalties),
        average_penalty=_average(penalties),
        average_change=_average([row.score_after - row.score_before for row in observations]),
    )


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
