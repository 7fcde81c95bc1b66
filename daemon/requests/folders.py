"""Folders of projects, each in one sentence of its own document."""

import msgspec

from daemon.requests.shapes import Reply, Request


class FolderView(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in one sentence."""

    project: str
    folder: str  # its path in the project; "" is the project itself
    description: str
    matched: float  # share of the terms asked for, 0..1


class FolderPage(Reply, frozen=True, kw_only=True):
    """Folders, the best match first; without a question by project and path."""

    folders: list[FolderView]
    total: int  # that match


class Folders(Request[FolderPage], frozen=True, kw_only=True):
    """Request for the folders that a question is about; without one, for all.

    Of a project; ``everywhere``: of every one that has memories.
    """

    NAME = "folders"
    query: str = ""
    project: str | None = None
    everywhere: bool = False
    limit: int = 20
