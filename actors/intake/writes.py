"""Writes of an event: its arrival, the end of its derivation, and its changes."""

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
    """Everything derived from this event is in the store with this unit."""

    seq: int


@dataclass(frozen=True, slots=True)
class FilesChanged:
    """These files of a project were changed together: in a commit, or in a turn until then."""

    project: str
    session: str
    seq: int  # the event that showed it
    at: float
    paths: tuple[str, ...]  # in their checkout
    committed: bool
    commit: str  # its hash; empty when git did not say it


@dataclass(frozen=True, slots=True)
class FailureEnded:
    """A failure of this signature was ended: by edits of these files, or by these commands."""

    project: str
    signature: str
    family: str  # of the command that failed
    paths: tuple[str, ...]  # in their checkout
    repairs: tuple[str, ...]
    session: str
    seq: int
    at: float


@dataclass(frozen=True, slots=True)
class RunTakenBack:
    """Undoing of a run over documents in bulk: its memories leave, memories ended by it are back.

    Outcome: how many memories left. Memories also said by others, or kept by a person, stay.
    """

    run: str  # the session that its memories and passages are of
    project: str
    began: float  # the time of everything that it wrote
    at: float


IntakeWrite = Journaled | Derived | RunTakenBack | FilesChanged | FailureEnded
