"""Acceptance of a text to keep: asked by who reads it from a file, and by the daemon again."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

from actors.memory.particulars import LIMIT, NAMES
from daemon.shapes.replies import BadRequest, Tier

TEXT_LIMIT = 100_000  # characters of one memory
END_OF_TIME = 6e10  # seconds: the year 3871; a calendar ends in 9999


class GivenText(Protocol):
    """A text to keep, with its fields."""

    @property
    def text(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def tier(self) -> Tier: ...
    @property
    def project(self) -> str | None: ...
    @property
    def triggers(self) -> Sequence[str]: ...
    @property
    def status(self) -> str: ...
    @property
    def valid_from(self) -> float | str | None: ...
    @property
    def valid_until(self) -> float | str | None: ...


def check(row: GivenText) -> None:
    """Raise ``BadRequest`` for a text empty or too long, and for impossible times."""
    check_length(row.text, "text")
    check_length(row.title, "title")
    for phrase in row.triggers:
        check_length(phrase, "trigger")
    for name in NAMES:
        check_length(getattr(row, name), name, LIMIT)
    if not row.text.strip():
        raise BadRequest("the text is empty: there is nothing to remember")
    interval(row)


def check_length(text: str, what: str, limit: int = TEXT_LIMIT) -> None:
    """Raise ``BadRequest`` for a longer text; the default limit is a memory's."""
    if len(text) > limit:
        raise BadRequest(f"the {what} has {len(text)} characters, the limit is {limit}")


def interval(row: GivenText) -> tuple[float | None, float | None]:
    """From when until when a text is said to be true.

    Raises ``BadRequest`` for an impossible time or an empty span.
    """
    begun = None if row.valid_from is None else moment(row.valid_from, 0.0, "valid_from")
    over = None if row.valid_until is None else moment(row.valid_until, 0.0, "valid_until")
    if begun is not None and over is not None and over <= begun:
        raise BadRequest("valid_until is not after valid_from: it would never be true")
    return begun, over


def moment(value: float | str | None, otherwise: float, what: str = "created_at") -> float:
    """Seconds since the epoch of a number (seconds or milliseconds) or an ISO date.

    Raises ``BadRequest`` for anything else.
    """
    if value is None:
        return otherwise
    if isinstance(value, str):
        try:
            stamp = datetime.fromisoformat(value)
        except ValueError:
            raise BadRequest(f"{what} {value[:40]!r} is no ISO 8601 date") from None
        return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    seconds = value / 1000 if value > 1e11 else value  # milliseconds since 1973 are larger
    if not abs(seconds) < END_OF_TIME:  # NaN is neither
        raise BadRequest(f"{what} {value} is no time that a calendar has")
    return seconds
