"""Memories leave recall and come back, are refuted and confirmed, or are erased for good."""

from typing import Literal

from daemon.requests.shapes import Done, Request


class Forget(Request[Done], frozen=True, kw_only=True):
    """Take these out of recall; with ``erase``, out of every file, for good.

    With ``with_events`` every event, passage and session goes too that says one in another form.
    With ``looks`` nothing is done: the note tells what would still say one after an erasure.
    An agent takes out what it may change, and erases nothing.
    """

    NAME = "forget"
    MEMORIES = ("ids",)
    ids: list[str]
    erase: bool = False
    with_events: bool = False
    looks: bool = False


class Unforget(Request[Done], frozen=True, kw_only=True):
    """Bring these back."""

    NAME = "unforget"
    ids: list[str]


class Purge(Request[Done], frozen=True, kw_only=True):
    """Erase everything forgotten, or everything of a project, or everything."""

    NAME = "purge"
    what: Literal["forgotten", "project", "everything"] = "forgotten"
    project: str | None = None


class Confirm(Request[Done], frozen=True, kw_only=True):
    """These are so; refuted ones are back."""

    NAME = "confirm"
    ids: list[str]


class Refute(Request[Done], frozen=True, kw_only=True):
    """These are not so: out of recall, until somebody confirms them."""

    NAME = "refute"
    ids: list[str]
    because: str = ""
