"""Recurrence: the next due time of something that recurs.

Occurrences keep their own day: what is due on the 31st is due on the last day of a shorter month
and on the 31st again after it. Times of day are in the zone that is given, through its changes of
summer time. ``datetime`` appears only as the calendar; the moment is always an argument.
"""

import math
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

LONGEST_WAIT: Final = 62  # days: two months hold an occurrence of every schedule below


class BadSchedule(ValueError):
    """A schedule with a number out of its range: the asker's fault; the message says which."""


@dataclass(frozen=True, slots=True)
class Every:
    """Recurrence so many seconds apart, from when it was made."""

    seconds: float

    def __post_init__(self) -> None:
        _require(60 <= self.seconds < math.inf, "at least 60 seconds apart")


@dataclass(frozen=True, slots=True)
class Daily:
    """Every day at a time of day."""

    hour: int
    minute: int = 0

    def __post_init__(self) -> None:
        _require_time(self.hour, self.minute)


@dataclass(frozen=True, slots=True)
class Weekly:
    """Recurrence on some days of the week (Monday is 0) at a time of day."""

    weekdays: frozenset[int]
    hour: int
    minute: int = 0

    def __post_init__(self) -> None:
        _require_time(self.hour, self.minute)
        known = bool(self.weekdays) and self.weekdays <= frozenset(range(7))
        _require(known, "weekdays are 0 (Monday) to 6, at least one")


@dataclass(frozen=True, slots=True)
class Monthly:
    """Recurrence on a day of the month, 1..31, or its last if shorter, at a time of day."""

    day: int
    hour: int
    minute: int = 0

    def __post_init__(self) -> None:
        _require_time(self.hour, self.minute)
        _require(1 <= self.day <= 31, "days of a month are 1 to 31")


Schedule = Every | Daily | Weekly | Monthly


def next_occurrence(schedule: Schedule, made_at: float, after: float, zone: tzinfo = UTC) -> float:
    """The first occurrence later than ``after``, in seconds UTC.

    ``made_at`` is when the schedule began, which alone counts for ``Every``.
    """
    if isinstance(schedule, Every):
        rounds = math.floor((max(after, made_at) - made_at) / schedule.seconds) + 1
        moment = made_at + rounds * schedule.seconds
        # A division that came out a hair too low would name the occurrence that just was.
        return moment if moment > after else moment + schedule.seconds
    first = datetime.fromtimestamp(after, zone).date()
    days = (first + timedelta(days=number) for number in range(LONGEST_WAIT))
    falling = (day for day in days if _falls_on(schedule, day))
    moments = (local_moment(day, schedule.hour, schedule.minute, zone) for day in falling)
    return next(moment for moment in moments if moment > after)


def _falls_on(schedule: Daily | Weekly | Monthly, day: date) -> bool:
    match schedule:
        case Daily():
            return True
        case Weekly(weekdays=weekdays):
            return day.weekday() in weekdays
        case _:
            _, last = monthrange(day.year, day.month)
            return day.day == min(schedule.day, last)


def local_moment(day: date, hour: int, minute: int, zone: tzinfo | None) -> float:
    """Seconds UTC of a time of day in a zone."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).timestamp()


def _require_time(hour: int, minute: int) -> None:
    _require(0 <= hour <= 23 and 0 <= minute <= 59, "a time of day is 0:00 to 23:59")


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise BadSchedule(rule)
