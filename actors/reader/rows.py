"""Rows of the store as the reader of sessions sees them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unread:
    """A session of which something was not read yet."""

    session: str
    agent: str
    project: str | None
    started_at: float  # seconds UTC
    seen_at: float  # when its last event came
    status: str  # of the session: active, ended
    emptied_at: float  # when its context was last cleared or compacted; 0: never
    first_seq: int  # of what was not read
    last_seq: int
    prompts: int  # in what was not read
    tries: int  # that failed in a row
    next_try: float
    given_up: bool
    failure: str
    captured: str  # one line: why a turn of it was captured last; "" when none was
    captured_at: float


@dataclass(frozen=True, slots=True)
class PastReading:
    """A request to an engine."""

    id: int
    session: str
    project: str | None
    engine: str
    why: str
    began_at: float
    ended_at: float
    tokens: int
    dollars: float | None
    failure: str  # "": it was read
    written: int
