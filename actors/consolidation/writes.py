"""What consolidation computes of memories."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelevanceComputed:
    """How relevant memories are now (J02). Never their importance. Outcome: how many there are."""

    values: tuple[tuple[int, float], ...]  # memory, relevance
    at: float
