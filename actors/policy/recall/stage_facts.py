"""What the stages of recall go by, beside what the channels found: one value, filled as needed (K28).

Most of the stages that want these are off (docs/recall-ablation.md). A fact is worked out for a stage
that is on, and a stage whose facts are missing is neutral.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from typing import Final

import numpy as np

from actors.policy.recall import encoding_context, lexical_rerank, stage_switches
from actors.policy.recall.diversity import Vector
from actors.policy.recall.encoding_context import Situation
from actors.policy.recall.stage_rules import Known, Reach

ALIKE: Final = 0.70  # cosine from which two results are like each other, as for activation (E01)
DAY: Final = 86_400.0
READ: Final = 4_000  # characters of a text that are read again


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the facts of a memory are worked out from."""

    text: str
    used: int  # times it helped
    returned: int  # times it was shown
    made: Situation  # the circumstances it was made in


@dataclass(slots=True)
class Facts:
    """Facts by memory id, each under its name in ``stage_rules.Known``."""

    keyword: Mapping[int, float] = field(default_factory=dict[int, float])
    overlap: Mapping[int, float] = field(default_factory=dict[int, float])
    characters: Mapping[int, int] = field(default_factory=dict[int, int])
    ages: Mapping[int, float] = field(default_factory=dict[int, float])
    reach: Mapping[int, Reach] = field(default_factory=dict[int, Reach])
    contexts: Mapping[int, float] = field(default_factory=dict[int, float])
    coactive: Mapping[int, Sequence[float]] = field(default_factory=dict[int, Sequence[float]])
    uses: Mapping[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    cosines: Mapping[int, float] = field(default_factory=dict[int, float])
    vectors: Mapping[int, Vector] = field(default_factory=dict[int, Vector])
    regions: Mapping[int, Hashable] = field(default_factory=dict[int, Hashable])
    channels: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])

    def joined(self, known: Known) -> Known:
        """What is known already, with these."""
        return replace(
            known, keyword=self.keyword, overlap=self.overlap,
            characters=self.characters, ages=self.ages, reach=self.reach, contexts=self.contexts,
            coactive=self.coactive, uses=self.uses, cosines=self.cosines, vectors=self.vectors,
            regions=self.regions, channels=self.channels,
        )  # fmt: skip


def of_texts(
    facts: Facts,
    query: str,
    rarity: Mapping[str, float],
    candidates: Mapping[int, Candidate],
    now: Situation,
    on: stage_switches.Settings,
    zone: tzinfo = UTC,
) -> None:
    """Add what the memories themselves tell, for the stages that are on.

    ``rarity`` weighs the query's words by their stems; ages are in days, never below 0.
    """
    if on.rerank:
        facts.overlap = {
            i: lexical_rerank.relevance(query, one.text[:READ], rarity)
            for i, one in candidates.items()
        }
    if on.length:
        facts.characters = {i: len(one.text) for i, one in candidates.items()}
    if on.temporal:
        facts.ages = {i: max(0.0, now.at - one.made.at) / DAY for i, one in candidates.items()}
    if on.utility:
        facts.uses = {i: (one.used, one.returned) for i, one in candidates.items()}
    if on.context:
        facts.contexts = {
            i: encoding_context.context_match(encoding_context.likeness(one.made, now, zone))
            for i, one in candidates.items()
        }


def of_channels(
    facts: Facts,
    words: Mapping[int, float],
    cosines: Mapping[int, float],
    others: Mapping[str, Iterable[int]],
    on: stage_switches.Settings,
) -> None:
    """Add what the channels told, for the stages that are on; ``others`` by channel, unordered."""
    if on.keyword_first:
        facts.keyword = words
    if on.competition:
        facts.cosines = cosines
    if on.representation:
        facts.channels = {
            "words": _best_first(words),
            "vectors": _best_first(cosines),
            **{name: sorted(found) for name, found in others.items()},
        }


def coactive(vectors: Mapping[int, Vector], least: float = ALIKE) -> dict[int, tuple[float, ...]]:
    """The cosines of each with the others that it is like (K17, C12); vectors have length 1."""
    ids = sorted(vectors)
    if len(ids) < 2:
        return {}
    stacked = np.stack([vectors[i] for i in ids])
    cosines = stacked @ stacked.T
    np.fill_diagonal(cosines, -1.0)
    near = {i: row[row >= least] for i, row in zip(ids, cosines, strict=True)}
    return {i: tuple(map(float, row)) for i, row in near.items() if row.size}


def regions(links: Iterable[tuple[int, int]]) -> dict[int, int]:
    """The part of the graph that each linked memory lies in, named by its smallest id (K24)."""
    root: dict[int, int] = {}

    def of(one: int) -> int:
        while (up := root.setdefault(one, one)) != one:
            root[one] = root[up]  # halves the way for the next
            one = root[one]
        return one

    for one, other in links:
        low, high = sorted((of(one), of(other)))
        root[high] = low
    return {one: of(one) for one in sorted(root)}


def _best_first(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda one: (-scores[one], one))
