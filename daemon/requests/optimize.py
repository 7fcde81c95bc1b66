"""The log of reviews, for whoever fits a forgetting curve to it."""

import msgspec

from daemon.requests.shapes import Reply, Request, Row


class Graded(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """One review."""

    memory: str
    at: float  # seconds since the epoch, UTC
    grade: int  # 1..4


class ReviewPage(Reply, frozen=True, kw_only=True):
    """Reviews, oldest first; ``after`` asks for the next page, ``None`` says it was the last."""

    reviews: list[Graded]
    total: int  # in the whole log
    after: int | None


class Reviews(Request[ReviewPage], frozen=True, kw_only=True):
    """Request for the log of reviews, a page."""

    NAME = "reviews"
    after: Row = 0
    limit: int = 5_000
