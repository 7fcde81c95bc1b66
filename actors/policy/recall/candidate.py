"""A memory on its way to an answer, with the terms of its score."""

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

M = TypeVar("M")
Place: TypeAlias = tuple[Hashable, int]
"""Where a memory stands in time: its timeline (say, the project) and its ordinal there."""
NO_PARTS: Final[Mapping[str, float]] = MappingProxyType({})


class Term(NamedTuple):
    """Effect of a stage on a score: times ``times``, and ``plus`` on top."""

    name: str
    times: float = 1.0
    plus: float = 0.0

    def applied(self, score: float) -> float:
        """The score after it."""
        return score * self.times + self.plus


Terms: TypeAlias = Mapping[int, tuple[Term, ...]]


class Candidate(NamedTuple, Generic[M]):
    """A memory in its place: score 0..1, why in words, and the parts of the score.

    The rules of the policy know it by its number alone. ``parts`` are the shares of its first score
    and the figures of the channels. ``terms`` are applied in their order, from 0: times ``times``, and
    ``plus`` on top. The result is the score, or more than 1 where the score is 1.
    """

    memory: M
    score: float = 1.0
    why: str = ""
    parts: Mapping[str, float] = NO_PARTS
    terms: tuple[Term, ...] = ()
