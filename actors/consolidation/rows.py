"""Rows that consolidation reads."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from actors.memory.rows import Memory


@dataclass(frozen=True, slots=True)
class UseRow:
    """Facts that relevance is computed of, and the relevance before."""

    memory_id: int
    created_at: float
    last_use: float | None
    importance: float
    relations: int
    confidence: float | None  # mean strength of its relations, 0..1
    relevance: float | None


class ConsolidationReader(Protocol):
    """Questions of consolidation to the store."""

    async def uses_of_living(self, after: int, limit: int) -> list[UseRow]:
        """Living memories with an id over ``after``, in the order of ids."""
        ...

    async def projects_of_living(self, limit: int) -> list[str | None]:
        """Projects with living memories, those with the newest first; ``None``: the user's own."""
        ...

    async def newest(self, project: str | None, limit: int) -> list[Memory]:
        """The newest living memories of exactly this project."""
        ...

    async def first_vectors(self, ids: Sequence[int]) -> list[tuple[int, bytes]]:
        """The first vector of each of these that has one."""
        ...

    async def faded(
        self, before: float, threshold: float, after: int, limit: int
    ) -> list[tuple[Memory, float]]:
        """Living memories made before then whose relevance is lower, in the order of ids."""
        ...

    async def living_count(self) -> int:
        """Count the living memories."""
        ...
