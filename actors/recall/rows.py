"""Answers of the store's indexes."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from actors.strength.rows import Opinion


@dataclass(frozen=True, slots=True)
class WordHit:
    """A memory that the words found; ``score`` is bm25 turned so that more is better."""

    memory_id: int
    score: float


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A memory that its vectors found: the best cosine of its chunks."""

    memory_id: int
    cosine: float


class Counted(NamedTuple):
    """What the words of a query find, and how telling they are."""

    memories: int  # in the whole store
    frequencies: dict[str, int]  # memories with each telling word
    hits: list[WordHit]  # best first


class Weighed(NamedTuple):
    """What is known of memories beside their texts."""

    seen: frozenset[int]  # those that live and may be seen from there
    opinions: dict[int, Opinion]
    cosines: dict[int, float]  # of those whose cosine was not known


Choosing: TypeAlias = Callable[[Weighed], Collection[int]]
"""Which of the memories weighed are to be read; called on the thread that reads."""
