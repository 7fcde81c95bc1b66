"""Intentions: what somebody means to do later, and what becomes of it."""

from typing import Any, Literal

import msgspec

from daemon.requests.shapes import Done, Reply, Request

Priority = Literal["low", "normal", "high", "critical"]
Change = Literal["done", "cancelled", "snoozed"]


class IntentionView(msgspec.Struct, frozen=True, kw_only=True):
    """An intention."""

    id: str  # i1
    text: str
    when: str  # what brings it back to mind, in words
    trigger: dict[str, Any]  # the same, for programs
    priority: Priority
    status: str  # active, triggered, fulfilled, cancelled, expired, snoozed
    due: bool  # its moment came, or the user was reminded, and it is not done
    made_at: float
    deadline: float | None
    reminders: int
    reminded_at: float | None
    snoozed_until: float | None
    ended_at: float | None
    project: str | None  # where it counts; None: everywhere
    session: str | None  # that it was said or made in; None: made by hand


class Intended(Reply, frozen=True, kw_only=True):
    """An intention as it is now."""

    intention: IntentionView


class Intend(Request[Intended], frozen=True, kw_only=True):
    """Keep this intention, and remind me of it when the trigger holds.

    A trigger is a map with one key: ``{"at": seconds}``, ``{"after": seconds}``,
    ``{"every": ["daily", 9, 0]}``, ``{"file": glob}``, ``{"branch": glob}``,
    ``{"event": [kind, words]}``, ``{"all": [...]}``, ``{"any": [...]}``.
    """

    NAME = "intend"
    text: str
    trigger: dict[str, Any]
    priority: Priority = "normal"
    deadline: float | None = None
    project: str | None = None
    session: str | None = None  # of the agent that makes it


class IntentionsListed(Reply, frozen=True, kw_only=True):
    """Intentions: what is due first, then by urgency; ended ones last."""

    intentions: list[IntentionView]
    total: int


class ListIntentions(Request[IntentionsListed], frozen=True, kw_only=True):
    """Request for the intentions of a project and of everywhere."""

    NAME = "list-intentions"
    project: str | None = None
    everywhere: bool = False
    ended: bool = False  # those as well
    limit: int = 100


class IntentionPast(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to an intention."""

    at: float
    what: str
    session: str | None


class IntentionShown(Reply, frozen=True, kw_only=True):
    """One intention, and what happened to it, oldest first."""

    intention: IntentionView
    past: list[IntentionPast]


class ShowIntention(Request[IntentionShown], frozen=True, kw_only=True):
    """Show me this intention."""

    NAME = "show-intention"
    id: str


class ChangeIntention(Request[Intended], frozen=True, kw_only=True):
    """Order to note that it was done, is given up, or is put off by so many seconds."""

    NAME = "change-intention"
    id: str
    change: Change
    seconds: float | None = None


class EraseIntention(Request[Done], frozen=True, kw_only=True):
    """Let no byte of this intention stay."""

    NAME = "erase-intention"
    id: str
