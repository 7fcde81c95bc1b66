"""Everything that lives, page by page."""

from typing import Any

from daemon.requests.shapes import Reply, Request


class Exported(Reply, frozen=True, kw_only=True):
    """A page of an export; ``after`` asks for the next one, ``None`` says it was the last."""

    rows: list[dict[str, Any]]
    after: int | None


class Export(Request[Exported], frozen=True, kw_only=True):
    """Give me everything that lives, page by page."""

    NAME = "export"
    after: int = 0
    limit: int = 500
    project: str | None = None
