"""Reasons for a memory to be there; how the prompts of a session were answered, and why."""

from typing import Any

import msgspec

from daemon.requests.link import Direction, LineageView
from daemon.requests.memories import MemoryView, Usage
from daemon.requests.shapes import Reply, Request


class Reasons(Reply, frozen=True, kw_only=True):
    """Reasons why a memory is there and as strong as it is."""

    memory: MemoryView
    sentences: list[str]  # all of the below in plain words
    provenance: dict[str, Any]  # rule, tool, redacted; the event's kind, agent and time, or null
    decision: dict[str, Any] | None  # the gate's that made it
    later: list[dict[str, Any]]  # its other decisions about it
    supersedes: list[str]
    shown_at: float | None
    shown_where: str | None
    used_at: float | None
    reviews: list[dict[str, Any]]
    phrases: dict[str, list[str]]  # given by a person, derived from its text
    # episode, kind, reason, score, hours, importance, at
    captures: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    # value, priority, promotable, channels, changes, backfills
    importance: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    lineage: LineageView | None = None
    usage: Usage = Usage()


class Why(Request[Reasons], frozen=True, kw_only=True):
    """Request for the reasons why a memory is there."""

    NAME = "why"
    MEMORIES = ("id",)
    id: str
    depth: int = 3  # links that its lineage is followed for; at most 10
    direction: Direction = "both"


class ConsideredView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was weighed for a prompt, or for the page of a start."""

    id: str
    title: str
    confidence: float  # 0…1, that it bears on the prompt; of the page the share of the most weight
    reason: str  # by which evidence
    fate: str  # told, a line, or why not
    characters: int = 0  # of its text where it was told, of its line where it was listed
    # how the session made use of it: opened, cited, done, edited_after, confirmed
    used: str | None = None
    became: str = ""  # in words, of what was told or listed: ``nothing yet``


class InjectionView(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt of a session, its start, or a subagent's, and what it was told."""

    at: float
    place: str  # prompt, session_start, subagent, tool (before a call), failure
    text: str  # of the prompt, while the journal has it
    answered: bool  # False: nothing was weighed, or too late for anybody
    characters: int = 0  # that were told
    milliseconds: float = 0.0  # until the answer
    mode: str = "none"  # what was searched: both, words, none
    considered: list[ConsideredView] = msgspec.field(default_factory=list[ConsideredView])


class InjectionsShown(Reply, frozen=True, kw_only=True):
    """The last prompts of a session, oldest first."""

    session: str
    agent: str
    project: str | None
    needed: float  # confidence from which a memory is told
    prompts: list[InjectionView]


class Injections(Request[InjectionsShown], frozen=True, kw_only=True):
    """Request for what a session was told and why. Without a name: the last one of the project."""

    NAME = "injections"
    session: str | None = None
    project: str | None = None
    limit: int = 50
