"""Answers of the indexes, and how often they changed."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from actors.memory.use import Opinion
from actors.policy.references.mentions import Name
from actors.policy.text.phrases import Match


class Counted(NamedTuple):
    """Counts of memories with the words of a query, and the weight of each word."""

    memories: int  # in the whole store
    frequencies: dict[str, int]  # memories with each telling word
    hits: dict[int, float]  # memories and their scores, best first


@dataclass(frozen=True, slots=True)
class Called:
    """A phrase of a memory stands in a text."""

    match: Match
    given: bool  # a person set the phrase; otherwise it was derived from the memory
    named: bool = False  # it is a name in what a person kept on purpose, and the text means that


@dataclass(frozen=True, slots=True)
class Revision:
    """Numbers of changes, since the store was opened, to the indexes of recall."""

    indexes: int = 0
    models: int = 0
    erasures: int = 0


class Weighed(NamedTuple):
    """Facts of memories beside their texts."""

    seen: frozenset[int]  # living and visible from there
    opinions: dict[int, Opinion]
    cosines: dict[int, float]  # of those whose cosine was not known


Choosing: TypeAlias = Callable[[Weighed], Collection[int]]
"""Which of the memories weighed are to be read; called on the thread that reads."""


class PhraseRow(NamedTuple):
    """Phrase calling a memory."""

    memory_id: int
    project: str | None
    given: tuple[str, ...]  # set by a person
    derived: tuple[str, ...]
    names: tuple[Name, ...] = ()  # of what a person kept on purpose
