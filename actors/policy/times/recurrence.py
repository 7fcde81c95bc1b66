"""Recurrence: the next time of something recurring.

A schedule is plain values, as the store and the wire have it: ``["seconds", 1800]``, ``["daily", 9,
0]``, ``["weekly", [0, 3], 14, 0]`` (Monday is 0), ``["monthly", 31, 9, 0]``. A thing due on the 31st
is due on the last day of a shorter month and on the 31st again after it. Times of day are in the
given zone, through its changes of summer time. ``datetime`` appears only as the calendar; the moment
is always an argument.
"""

import math
from calendar import monthrange
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, Final

Schedule = list[Any]

LEAST: Final = 60.0  # seconds between two occurrences
FARTHEST: Final = 1e11  # seconds
LONGEST_WAIT: Final = 62  # days: two months hold an occurrence of every schedule


class BadSchedule(ValueError):
    """A schedule with a number out of its range: the asker's fault; the message says which."""


def checked(schedule: Any) -> Schedule:
    """The value as a schedule. ``BadSchedule``, with the rule, when it is none."""
    match schedule:
        case ["seconds", int() | float() as apart]:
            _require(LEAST <= apart < FARTHEST, f"at least {LEAST:.0f} seconds apart")
            return ["seconds", apart]
        case ["daily", int(hour), int(minute)]:
            pass
        case ["weekly", [*days], int(hour), int(minute)]:
            named = bool(days) and all(isinstance(day, int) and 0 <= day <= 6 for day in days)
            _require(named, "weekdays are 0 (Monday) to 6, at least one")
        case ["monthly", int(day), int(hour), int(minute)]:
            _require(1 <= day <= 31, "days of a month are 1 to 31")
        case _:
            raise BadSchedule("not a schedule")
    _require(0 <= hour <= 23 and 0 <= minute <= 59, "a time of day is 0:00 to 23:59")
    return [*schedule]


def next_occurrence(schedule: Schedule, made_at: float, after: float, zone: tzinfo = UTC) -> float:
    """The first occurrence later than ``after``, in seconds UTC.

    ``made_at`` is when the schedule began, which alone counts for ``seconds``.
    """
    kind, *on = schedule
    if kind == "seconds":
        (apart,) = on
        moment = made_at + (math.floor((max(after, made_at) - made_at) / apart) + 1) * apart
        # A division that came out a hair too low would name the occurrence that just was.
        return float(moment if moment > after else moment + apart)
    *day, hour, minute = on
    first = datetime.fromtimestamp(after, zone).date()
    days = (first + timedelta(days=number) for number in range(LONGEST_WAIT))
    falling = (one for one in days if _falls_on(one, kind, *day))
    moments = (local_moment(one, hour, minute, zone) for one in falling)
    return next(moment for moment in moments if moment > after)


def _falls_on(day: date, kind: str, on: Any = None) -> bool:
    if kind == "weekly":
        return day.weekday() in on
    return kind == "daily" or day.day == min(on, monthrange(day.year, day.month)[1])


def local_moment(day: date, hour: int, minute: int, zone: tzinfo | None) -> float:
    """Seconds UTC of a time of day in a zone."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).timestamp()


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise BadSchedule(rule)
