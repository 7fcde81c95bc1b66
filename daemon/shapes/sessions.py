"""A session as several replies show it."""

import msgspec

from daemon.api.intentions import IntentionView
from daemon.shapes.replies import Reply


class SessionView(msgspec.Struct, frozen=True, kw_only=True):
    """A session of an agent."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str  # open, ended
    task: str  # the last prompt that tells what it is at, shortened
    silent: bool  # a person wants no notes in it
    held: int  # memories it attends to
    delivered: int  # notes it has in its context


class AttendedView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in a session's attention, with its text."""

    id: str
    text: str
    attention: float  # 0…1


class FailureView(msgspec.Struct, frozen=True, kw_only=True):
    """A failed command, not yet working again."""

    command: str
    error: str  # one line


class SessionResumed(Reply, frozen=True, kw_only=True):
    """Task of a session, and its open ends."""

    session: SessionView
    summary: str  # of its last compaction; empty when there was none
    working_memory: list[AttendedView]  # strongest first
    failures: list[FailureView]  # oldest first
    edited: list[str]  # files, the last one last
    intentions: list[IntentionView]  # open ones of its project and of none, most urgent first
