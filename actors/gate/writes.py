"""Writes of the gate beside the memories."""

from dataclasses import dataclass

from actors.memory.writes import Origin


@dataclass(frozen=True, slots=True)
class Judged:
    """The gate no longer waits for this memory's vectors."""

    memory_id: int


@dataclass(frozen=True, slots=True)
class Audited:
    """A decision of the gate. ``memory_id`` 0 means the one just created."""

    action: str
    memory_id: int
    existing_id: int | None
    similarity: float | None
    reason: str
    contradiction: str | None
    content_hash: bytes
    project: str | None
    at: float
    origin: Origin | None = None  # of a proposal: each is decided once


@dataclass(frozen=True, slots=True)
class Rekeyed:
    """A memory's source lies elsewhere now. Outcome: 1, or 0 when there is no such memory."""

    memory_id: int
    key: str


GateWrite = Judged | Audited | Rekeyed
