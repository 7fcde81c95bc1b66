"""The write of consolidation: relevances.

``actors.memory.unit`` takes it into its union; ``daemon.storage.consolidation`` carries it out.
Times are seconds since the epoch, UTC.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RelevanceComputed:
    """New relevance of memories, never their importance. Outcome: how many there are."""

    values: tuple[tuple[int, float], ...]  # memory, relevance
    at: float
