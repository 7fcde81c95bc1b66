"""Interference: how many memories of one folder say much the same (D08)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

THRESHOLD: Final = 0.75  # Jaccard similarity from which on two memories interfere
PENALTY: Final = 0.08  # taken for each other memory that says much the same
SHORTEST: Final = 3  # characters of a word that counts
_BETWEEN: Final = re.compile(r"[\s,;|]+")


@dataclass(frozen=True, slots=True)
class Sibling:
    """A memory among those of its folder."""

    memory_id: str
    folder: str
    title: str
    triggers: tuple[str, ...] = ()


def tokens(title: str, triggers: Iterable[str] = ()) -> frozenset[str]:
    """The words of title and trigger phrases that count: three characters or more (D08)."""
    text = " ".join((title, *triggers)).casefold()
    return frozenset(word for word in _BETWEEN.split(text) if len(word) >= SHORTEST)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity of two sets of words; 0 when both are empty (D08)."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def interfering(memories: Iterable[Sibling], threshold: float = THRESHOLD) -> dict[str, int]:
    """For each memory, how many others of its folder are at least .75 alike (D08)."""
    folders: defaultdict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for memory in memories:
        words = tokens(memory.title, memory.triggers)
        folders[memory.folder].append((memory.memory_id, words))
    counts: dict[str, int] = {}
    for siblings in folders.values():
        counts |= dict.fromkeys((memory_id for memory_id, _ in siblings), 0)
        for one, other in _alike(siblings, threshold):
            counts[one] += 1
            counts[other] += 1
    return counts


def lowered(score: float, siblings: int) -> float:
    """The score less .08 for each sibling that says much the same, kept within 0 and 1 (D08)."""
    return min(1.0, max(0.0, score - PENALTY * max(0, siblings)))


def _alike(
    siblings: Sequence[tuple[str, frozenset[str]]], threshold: float
) -> list[tuple[str, str]]:
    # By length: a set can only be alike to one that is not much longer, so a scan ends early.
    by_length = sorted(siblings, key=lambda sibling: len(sibling[1]))
    found: list[tuple[str, str]] = []
    for number, (one, words) in enumerate(by_length):
        for other, more in by_length[number + 1 :]:
            if len(words) < threshold * len(more):
                break
            if similarity(words, more) >= threshold:
                found.append((one, other))
    return found
