"""The passage archive: searched, and one passage whole."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Reply, Request


class PassageView(msgspec.Struct, frozen=True, kw_only=True):
    """One passage as a person sees it."""

    id: str
    kind: Literal["document", "summary", "turn"]
    project: str | None
    place: str  # a document's path; the session and first event of others
    session: str | None
    title: str  # headings, or the prompt in one line
    text: str
    at: float  # seconds UTC, when it was written the last time
    score: float | None = None  # 0…1, of a search


class PassagesFound(Reply, frozen=True, kw_only=True):
    """Passages about a query, best first."""

    passages: list[PassageView]
    degraded: str | None  # why words answer alone


class FindPassages(Request[PassagesFound], frozen=True, kw_only=True):
    """Request for the passages about a query."""

    NAME = "passages"
    query: str
    k: int = 10
    project: str | None = None
    everywhere: bool = False
    track: bool = True  # whether what is found counts as used


class PassageShown(Reply, frozen=True, kw_only=True):
    """One passage, whole."""

    passage: PassageView


class ShowPassage(Request[PassageShown], frozen=True, kw_only=True):
    """Request for one passage."""

    NAME = "passage"
    id: str
