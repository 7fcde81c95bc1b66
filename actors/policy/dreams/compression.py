"""Compression: old memories that say much the same, summed up in their own sentences.

Extractive: a summary is made of sentences as they stand, the most telling of each memory, so that
nothing in it is invented. Only proposed, and lossless: the originals are kept, and a summary that
loses too much of what they are about is not proposed at all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.connection_graph import Neighbours, comparing, jaccard
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.replay import Replayed, is_code
from actors.policy.text.pieces import Pieces, in_order
from actors.policy.text.wording import sentences
from actors.policy.text.words import informative, stem

DAY: Final = 86_400.0  # seconds


# What may be summed up, and what a summary must be.
LEAST: Final = 3  # memories of a group
MOST: Final = 50
SIMILARITY: Final = 0.6
JACCARD: Final = 0.3  # of concepts, where there are no vectors
BESIDE: Final = 32  # memories compared of those that share a concept
AGE_DAYS: Final = 30.0  # of each member of a group
IDLE_DAYS: Final = 60.0  # from which a memory that is hardly used is a candidate
ACCESSES: Final = 3  # below it a memory is hardly used
RATIO: Final = 0.3  # of a summary's length to the originals', at most
FIDELITY: Final = 0.7  # share of what the originals are about that it keeps, at least
FACTS: Final = 3  # of a memory
SCORE: Final = 0.3  # of a fact, above it
PLANS: Final = 20  # of one run: a person reads them. Choice.


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence of a memory and how telling it is, 0..1."""

    memory_id: int
    text: str
    score: float


def candidates(memories: Sequence[Replayed], now: float) -> list[Replayed]:
    """Memories older than 60 days that were used less than three times."""
    return [one for one in memories if one.at < now - IDLE_DAYS * DAY and one.accesses < ACCESSES]


def grouping(
    memories: Sequence[Replayed], neighbours: Neighbours, now: float
) -> Pieces[list[tuple[Replayed, ...]]]:
    """``groups`` in pieces."""
    old = {one.id: one for one in memories if now - one.at >= AGE_DAYS * DAY}
    near: dict[int, list[int]] = {}
    for number, one in old.items():
        near[number] = [
            other for other, alike in neighbours.get(number, ())
            if alike >= SIMILARITY and other in old and other != number
            and old[other].project == one.project
        ]  # fmt: skip
        yield
    free = set(old)
    found: list[tuple[Replayed, ...]] = []
    centres = yield from in_order(near, lambda one: (-len(near[one]), one))
    for centre in centres:
        yield
        members = [centre, *[one for one in near[centre] if one in free]][:MOST]
        if centre in free and len(members) >= LEAST:
            free.difference_update(members)
            held = (old[one] for one in members)
            found.append(tuple(sorted(held, key=lambda one: (one.at, one.id))))
    return found


def nearing_by_concepts(memories: Sequence[Replayed]) -> Pieces[dict[int, list[tuple[int, float]]]]:
    """Find the memories that share enough concepts with each, without vectors, in pieces."""
    found = yield from comparing(
        memories, BESIDE, lambda one, other: jaccard(one.concepts, other.concepts) >= JACCARD
    )
    return {one: sorted(near.items()) for one, near in found.items()}


def facts(one: Replayed, weights: Mapping[str, float]) -> list[Fact]:
    """The telling sentences of a memory, at most three, each scored over .3, as they stand."""
    scored = [Fact(one.id, line, score(line, weights)) for line in sentences(one.text)]
    telling = [fact for fact in scored if fact.score > SCORE]
    return sorted(telling, key=lambda fact: -fact.score)[:FACTS]


def score(sentence: str, weights: Mapping[str, float]) -> float:
    """Score of a sentence, 0..1: the mean weight of its informative words, and .2 when it
    has an identifier or a number."""
    words = [stem(word) for word in informative(sentence)]
    if not words:
        return 0.0
    mean = sum(weights.get(word, 0.0) for word in words) / len(words)
    exact = any(is_code(word) for word in words)
    return min(1.0, mean + 0.2 * exact)


def weights(group: Sequence[Replayed]) -> dict[str, float]:
    """Weight of each word for a group: the share of its memories that have it."""
    counts = Counter(word for one in group for word in set(map(stem, informative(one.text))))
    return {word: count / len(group) for word, count in counts.items()}


def fidelity(summary: str, group: Sequence[Replayed]) -> float:
    """The share of what at least two of a group have in common that a summary still says."""
    counts = Counter(word for one in group for word in set(map(stem, informative(one.text))))
    common = {word for word, count in counts.items() if count >= 2}
    said = set(map(stem, informative(summary, limit=1_000)))
    return len(common & said) / len(common) if common else 0.0


def summary(group: Sequence[Replayed]) -> str:
    """The most telling sentences of a group within .3 of its length, in order of time.

    Each brings something that the ones before it did not say.
    """
    held = weights(group)
    room = RATIO * sum(len(one.text) for one in group)
    ranked = sorted(
        (fact for one in group for fact in facts(one, held)),
        key=lambda fact: (-fact.score, len(fact.text), fact.memory_id),
    )
    kept: list[Fact] = []
    said: set[str] = set()
    for fact in ranked:
        words = set(map(stem, informative(fact.text)))
        if words <= said or sum(len(one.text) + 1 for one in kept) + len(fact.text) > room:
            continue
        kept.append(fact)
        said |= words
    order = {one.id: at for at, one in enumerate(group)}
    return " ".join(fact.text for fact in sorted(kept, key=lambda one: order[one.memory_id]))


def proposing(
    memories: Sequence[Replayed], neighbours: Neighbours, now: float, most: int = PLANS
) -> Pieces[list[Proposal]]:
    """``proposals`` in pieces."""
    idle = candidates(memories, now)
    yield
    found: list[Proposal] = []
    groups = yield from grouping(idle, neighbours, now)
    for group in groups:
        yield
        if len(found) == most:
            break
        text = summary(group)
        faithful = fidelity(text, group) if text else 0.0
        if faithful < FIDELITY:
            continue
        length = sum(len(one.text) for one in group)
        days = (now - max(one.at for one in group)) / DAY
        reason = (
            f"{len(group)} memories say much the same and were hardly used in the last {days:.0f}"
            f" days; {len(text)} of {length} characters keep {faithful:.0%} of what they share"
        )
        ids = tuple(one.id for one in group)
        found.append(Proposal("compress", ids, reason, text, faithful))
    return found
