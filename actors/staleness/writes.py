"""Writes of staleness."""

from dataclasses import dataclass

from actors.policy.references.references import Reference


@dataclass(frozen=True, slots=True)
class ReferencesSet:
    """References of a memory, and the remark on it while they do not hold.

    Outcome: 0 when the memory is gone or has another text by now, 2 when the remark changed, or its
    files and symbols, else 1.
    """

    memory_id: int
    content_hash: bytes  # of the text that names them
    references: tuple[Reference, ...]
    stale: str  # "" while all is as it was
    freshness: float  # 0.25..1, what its stability is multiplied by


StalenessWrite = ReferencesSet
