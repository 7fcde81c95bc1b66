"""Spans in which something is true, in words: of the daemon's answers and of commands."""

from datetime import UTC, datetime
from typing import Protocol

DAY = 86_400.0  # seconds
FOR_EVER = 1e6  # days of stability; what lasts longer does not fade


class Claimed(Protocol):
    """Fields common to a result of a recall and a memory."""

    @property
    def status(self) -> str: ...
    @property
    def valid_from(self) -> float | None: ...
    @property
    def valid_until(self) -> float | None: ...
    @property
    def valid(self) -> bool: ...
    @property
    def stale(self) -> str: ...


def span(claimed: Claimed) -> str:
    """``from 2026-03-04 until 2026-04-01``; empty without either."""
    parts = [("from", claimed.valid_from), ("until", claimed.valid_until)]
    return " ".join(f"{word} {date(at)}" for word, at in parts if at is not None)


def date(at: float) -> str:
    """A day in UTC, with the time where it is not the day's beginning.

    A time outside of the calendar is left as a number.
    """
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{at:.0f}"
    return f"{moment:%Y-%m-%d}" if at % DAY == 0 else f"{moment:%Y-%m-%d %H:%M} UTC"
