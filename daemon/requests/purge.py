"""Erasing what was forgotten, a project, or everything."""

from typing import Literal

from daemon.requests.shapes import Done, Request


class Purge(Request[Done], frozen=True, kw_only=True):
    """Erase everything forgotten, or everything of a project, or everything."""

    NAME = "purge"
    what: Literal["forgotten", "project", "everything"] = "forgotten"
    project: str | None = None
