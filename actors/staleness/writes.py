"""Writes of staleness."""

from dataclasses import dataclass

from actors.policy.references.references import Reference


@dataclass(frozen=True, slots=True)
class ReferencesSet:
    """References of a memory, and what is said of it while they do not hold.

    Outcome: 0 when the memory is gone or says something else by now, 2 when what is said changed,
    or which files and symbols it is about, else 1.
    """

    memory_id: int
    content_hash: bytes  # of the text that names them
    references: tuple[Reference, ...]
    stale: str  # "" while all is as it was
    freshness: float  # 0.25..1, what its stability is multiplied by


StalenessWrite = ReferencesSet
