"""Rotation of backups: which go when there are more than are kept. Pure: names and times in."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

from msgspec import Struct

MEGABYTE = 1_000_000  # bytes


class Settings(Struct, frozen=True):
    """Settings of backups."""

    enabled: bool = True  # whether one is made on each day of use
    days: int = 7  # of which the newest is kept
    weeks: int = 4  # before those days, of which the newest is kept
    megabytes: int = 2_000  # of all together; the newest is kept in any case


class Dated(NamedTuple):
    """A backup as rotation sees it."""

    name: str
    at: float  # seconds UTC
    size: int  # bytes


def surplus(backups: Iterable[Dated], settings: Settings) -> list[Dated]:
    """Return the backups to delete, oldest first.

    Kept is the newest of each of the last days with one, and of each of the last weeks before these
    days. Only days and weeks with a backup count: a holiday takes nothing away. Of the kept ones
    the oldest go until all fit into the bound. The newest stays always.
    """
    newest_first = sorted(backups, key=lambda one: (one.at, one.name), reverse=True)
    daily = _newest_of_each(newest_first, _day, max(settings.days, 1))
    before = newest_first[newest_first.index(daily[-1]) + 1 :] if daily else []
    earlier = [one for one in before if _day(one) != _day(daily[-1])]
    kept = _fitting([*daily, *_newest_of_each(earlier, _week, settings.weeks)], settings.megabytes)
    return [one for one in reversed(newest_first) if one not in kept]


def _newest_of_each(
    newest_first: Sequence[Dated], period: Callable[[Dated], Hashable], most: int
) -> list[Dated]:
    """The first of each period, of so many periods at most."""
    first: dict[Hashable, Dated] = {}
    for one in newest_first:
        first.setdefault(period(one), one)
    return list(first.values())[:most]


def _fitting(newest_first: Sequence[Dated], megabytes: int) -> list[Dated]:
    """As many of the newest as fit, and one at least."""
    kept: list[Dated] = []
    size = 0
    for one in newest_first:
        size += one.size
        if kept and size > megabytes * MEGABYTE:
            break
        kept.append(one)
    return kept


def day_of(at: float) -> date:
    """The day of this moment, UTC."""
    return datetime.fromtimestamp(at, UTC).date()


def _day(one: Dated) -> date:
    return day_of(one.at)


def _week(one: Dated) -> tuple[int, int]:
    year, week, _ = day_of(one.at).isocalendar()
    return year, week
