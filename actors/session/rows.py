"""A session as it is stored, and the files loaded by its client."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionRow:
    """Facts of a session."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str
    task: str
    summary: str
    transcript: str | None
    silent: bool = False  # a person wants no notes in it
    emptied_at: float = 0.0  # when its context began anew; 0: never
    cleared_at: float = 0.0  # when a person began it anew; 0: never
