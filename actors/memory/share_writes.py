"""Writes of shared notes: which file stands for which memory, and which remote a person trusts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NoteHeld:
    """A note of a repository and its memory here, in place of its earlier row. Outcome: 1."""

    project: str
    note: str  # its id
    own: bool  # this home shares it; else another one does
    memory_id: int
    file: str  # its name in the folder
    digest: bytes  # of what it says
    is_gone: bool = False  # its file is not there now


@dataclass(frozen=True, slots=True)
class RemoteTrusted:
    """A person trusts the notes of a repository from this remote. Outcome: 1."""

    project: str
    remote: str  # its address; empty for a repository that has none
    at: float  # seconds UTC


@dataclass(frozen=True, slots=True)
class TrustEnded:
    """A person trusts the notes of a repository no longer. Outcome: 1, or 0 when nobody did."""

    project: str


ShareWrite = NoteHeld | RemoteTrusted | TrustEnded
