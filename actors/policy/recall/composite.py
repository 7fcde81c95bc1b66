"""The composite score: what a memory is worth for a query by what is known of it, 0..1.

Five factors of 0..1 and their weights. How well it fits the query is one of them: half of what the
channels found, spread over 0..1 first (the two scores are of another size), and what the title and
the phrases have in common with the query. What type of document it is and how much its folder matters
multiply the sum. It stands in the place of the fused score with ``recall --with composite``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.decay import tiers
from actors.policy.recall import folders
from actors.policy.recall.known import Facts, Known

WEIGHTS: Final[Mapping[str, float]] = {
    "temporal": 0.25,  # retrievability
    "usage": 0.15,
    "importance": 0.25,
    "pattern": 0.20,  # how well it fits the query
    "citation": 0.15,
}
DAY: Final = 86_400.0  # seconds
FULL_USES: Final = 10  # from here on the usage factor is 1
CITATION_DAYS: Final = 90.0  # from here on a citation counts for nothing
FOLDER_SHARE: Final = 0.2  # of a score, that a folder which matters to nobody takes. A choice
# By the kind of memory; any other counts 1.
MULTIPLIERS: Final[Mapping[str, float]] = {
    "spec": 1.4, "decision": 1.4, "decision_record": 1.4, "plan": 1.3, "tasks": 1.1,
    "implementation_summary": 1.1, "scratch": 0.6,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Composite:
    """The score of a memory as the five shares that sum to it, and what multiplied them."""

    shares: Mapping[str, float]
    folder: float
    kind: float


def composites(known: Known, similarities: Mapping[int, float]) -> dict[int, Composite]:
    """The composite score of each memory of which there are facts, by id.

    ``similarities`` are what the channels found, 0..1. A folder is judged by those of its memories
    that are among these.
    """
    changed = (
        (one.project or "", folders.Member(one.tier, max(0.0, known.at - one.changed) / DAY))
        for one in known.facts.values()
    )
    relevance = folders.folder_scores(changed)
    found: dict[int, Composite] = {}
    for one, made in known.facts.items():
        factors = {
            "temporal": min(1.0, max(0.0, made.retrievability)),
            "usage": usage(made.uses),
            "importance": tiers.importance(made.tier),
            "pattern": pattern(known.query, similarities.get(one, 0.0), made, known.terms),
            "citation": citation(None if made.used is None else (known.at - made.used) / DAY),
        }
        # A constitutional memory leads every answer already.
        kind = 1.0 if made.tier == "constitutional" else MULTIPLIERS.get(made.kind, 1.0)
        folder = relevance[made.project or ""]
        times = kind * (1.0 - FOLDER_SHARE * (1.0 - folder))
        shares = {name: times * share for name, share in contributions(factors).items()}
        found[one] = Composite(shares, folder, kind)
    return found


def contributions(factors: Mapping[str, float]) -> dict[str, float]:
    """Contribution of each factor to the score, which is their sum: .75, .24, .5, .8, .2 make .5385."""
    return {name: factor * WEIGHTS[name] for name, factor in factors.items()}


def pattern(query: str, similarity: float, made: Facts, asked: Sequence[str] = ()) -> float:
    """The pattern factor, 0..1.

    similarity * .5, and half of what it has over .8; the title said whole +.3, in part +.15 of the
    query's words it has; +.25 of the words asked for that are its phrases.
    """
    words = [word for word in _words(query) if len(word) > 2]
    title = _words(made.title)
    common = sum(word in title for word in words)
    whole = bool(title) and f" {' '.join(title)} " in f" {' '.join(_words(query))} "
    phrases = {anchor.casefold() for anchor in made.phrases}
    called = sum(word.casefold() in phrases for word in asked)
    score = (
        similarity * 0.5
        + max(0.0, similarity - 0.8) * 0.5
        + (0.3 if whole else 0.15 * common / max(1, len(words)))
        + 0.25 * called / max(1, len(asked))
    )
    return min(1.0, max(0.0, score))


def usage(uses: int) -> float:
    """The usage factor: min(1, n / 10)."""
    return min(1.0, max(0, uses) / FULL_USES)


def citation(days: float | None) -> float:
    """The citation factor: 1 / (1 + .1 days), 0 from 90 days on or when never cited."""
    if days is None or not days < CITATION_DAYS:
        return 0.0
    return 1 / (1 + 0.1 * max(0.0, days))


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?\"'()[]`") for word in text.casefold().split()]
