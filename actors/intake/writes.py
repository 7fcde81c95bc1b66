"""Writes of an event: its arrival, and the end of its derivation."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Journaled:
    """An event arrived. Outcome: its sequence number, 0 when it was known already."""

    event_id: bytes
    agent: str
    received_at: float
    kind: str
    session: str
    project: str | None
    body: bytes  # the cut and redacted event as MessagePack
    done: bool = False  # nothing will be derived from it


@dataclass(frozen=True, slots=True)
class Derived:
    """Everything that follows from this event is in the store with this unit."""

    seq: int


IntakeWrite = Journaled | Derived
