"""Facts for the stages of recall, beside what the channels found, computed as needed.

Most of the stages that want these are off (docs/recall-ablation.md). A fact is worked out for a stage
that is on, and a stage whose facts are missing is neutral.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Final

import numpy as np

from actors.policy.recall import encoding_context, lexical_rerank, trial
from actors.policy.recall.diversity import Vector
from actors.policy.recall.encoding_context import Situation
from actors.policy.recall.known import Known

ALIKE: Final = 0.70  # cosine from which two results are like each other, as for activation
DAY: Final = 86_400.0
READ: Final = 4_000  # characters of a text that are read again


@dataclass(frozen=True, slots=True)
class Candidate:
    """Facts of a memory that those of the stages are computed of."""

    text: str
    used: int  # times it helped
    returned: int  # times it was shown
    made: Situation  # the circumstances it was made in
    called: str = ""  # its title and trigger phrases


def add_of_texts(
    known: Known,
    needed: Collection[str],
    rarity: Mapping[str, float],
    candidates: Mapping[int, Candidate],
    now: Situation,
    zone: tzinfo = UTC,
) -> None:
    """Add what the memories themselves tell, of what is ``needed``.

    ``rarity`` weighs the query's words by their stems; ages are in days, never below 0.
    """
    if "overlap" in needed:
        known.overlap = {
            i: lexical_rerank.relevance(known.query, one.text[:READ], rarity)
            for i, one in candidates.items()
        }
    if "characters" in needed:
        known.characters = {i: len(one.text) for i, one in candidates.items()}
    if "ages" in needed:
        known.ages = {i: max(0.0, now.at - one.made.at) / DAY for i, one in candidates.items()}
    if "siblings" in needed:
        called = {i: (one.made.project, one.called) for i, one in candidates.items()}
        known.siblings = trial.interfering(called)
    if "uses" in needed:
        known.uses = {i: (one.used, one.returned) for i, one in candidates.items()}
    if "contexts" in needed:
        known.contexts = {
            i: encoding_context.context_match(encoding_context.likeness(one.made, now, zone))
            for i, one in candidates.items()
        }


def coactive(vectors: Mapping[int, Vector], least: float = ALIKE) -> dict[int, tuple[float, ...]]:
    """The cosines of each with the others that it is like; vectors have length 1."""
    ids = sorted(vectors)
    if len(ids) < 2:
        return {}
    stacked = np.stack([vectors[i] for i in ids])
    cosines = stacked @ stacked.T
    np.fill_diagonal(cosines, -1.0)
    near = {i: row[row >= least] for i, row in zip(ids, cosines, strict=True)}
    return {i: tuple(map(float, row)) for i, row in near.items() if row.size}
