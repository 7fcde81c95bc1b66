"""A day of the memory and a session of an agent, as several replies show them."""

from __future__ import annotations

from typing import Any

import msgspec

from daemon.api.intentions import IntentionView
from daemon.shapes.replies import Reply
from daemon.shapes.results import ConsideredView


class InjectionView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of a session, its start, or a subagent's, and the notes told to it."""

    at: float
    place: str  # prompt, session_start, subagent, tool (before a call), failure
    text: str  # of the prompt, while the journal has it
    answered: bool  # False: nothing was weighed, or too late for anybody
    characters: int = 0  # that were told
    milliseconds: float = 0.0  # until the answer
    mode: str = "none"  # what was searched: both, words, none
    considered: list[ConsideredView] = msgspec.field(default_factory=list[ConsideredView])


class DayPrompt(InjectionView, frozen=True, kw_only=True):
    """The same, of whichever session."""

    session: str
    agent: str
    project: str | None


class Undo(msgspec.Struct, frozen=True, kw_only=True):
    """A request for taking something back."""

    name: str  # of the operation
    body: dict[str, Any]  # its fields
    words: str  # what a person is told that it does


class DayEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A memory to which something happened."""

    id: str
    at: float  # when it happened, seconds UTC
    said_at: float  # when its words came
    how: str  # learnt, read by the reader; replaced, edited, refuted; forgotten, archived, expired
    title: str
    text: str  # as it is now
    before: str  # what it said, or what it replaced says
    before_id: str | None  # the memory that it replaced
    kind: str
    project: str | None
    session: str | None
    said_by: str  # user, agent, tool, document, import, dream
    origin: str  # in words
    quotation: str  # of a note of the reader
    ended: str | None  # how it is over by now
    undo: Undo | None


class Day(Reply, frozen=True, kw_only=True):
    """Events of a span of time, the newest first."""

    at: float  # now
    since: float
    until: float
    learnt: list[DayEntry]
    told: list[DayPrompt]
    corrected: list[DayEntry]
    forgotten: list[DayEntry]
    more: dict[str, int]  # of each, how many are left out


# ---- a session


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
    delivered: int  # notes it has in its context


class HeldView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in a session's attention."""

    id: str
    title: str
    text: str
    attention: float  # 0…1
    tier: str  # hot, warm


class DeliveredView(msgspec.Struct, frozen=True, kw_only=True):
    """A note that a session has in its context."""

    id: str | None  # None: its memory says something else by now, or is erased
    title: str
    at: float
    faded: bool  # out of the session's attention: it may be told again


class FailureView(msgspec.Struct, frozen=True, kw_only=True):
    """A failed command, not yet working again."""

    command: str
    error: str  # one line


class SessionShown(Reply, frozen=True, kw_only=True):
    """Task of a session, the notes before it, and its open ends."""

    session: SessionView
    summary: str  # of its last compaction; empty when there was none
    working_memory: list[HeldView]  # strongest first
    delivered: list[DeliveredView]  # oldest first
    failures: list[FailureView]  # oldest first
    edited: list[str]  # files, the last one last
    intentions: list[IntentionView]  # open ones of its project and of none, most urgent first
