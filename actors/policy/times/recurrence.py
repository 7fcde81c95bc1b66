"""Recurrence: the next time of something recurring, and the rhythm of background jobs.

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

from msgspec import Struct

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


# ---- scheduling of background jobs: their rhythm by the wall clock, and their conditions
#
# A laptop sleeps for a week, a clock is set back, a daemon is restarted: each job keeps its rhythm
# and runs once for all the times it missed. Heavy jobs leave people alone: they wait for a pause, for
# mains and for an idle machine, but not for ever.


DAY: Final = 86_400.0  # seconds


class Settings(Struct, frozen=True):
    """Conditions for a heavy job."""

    idle: float = 1_800.0  # seconds without a hook event, an edit or a command: nobody is there
    settle: float = 300.0  # seconds after a start in which no heavy job begins
    spread: float = 60.0  # seconds over which what is due at a start is spread
    pause: float = 120.0  # seconds without anybody that do for a job that has waited a day
    load: float = 1.0  # of the machine, a processor, from which heavy jobs wait
    on_battery: bool = False  # whether heavy jobs run on battery as well
    look: float = 30.0  # seconds between two looks at what a job waits for


DEFAULT: Final = Settings()
PATIENT: Final = DAY  # overdue by this much, a job takes a short pause and a busy machine
LATEST: Final = 7 * DAY  # overdue by this much, a job runs on battery as well


class Conditions(Struct, frozen=True):
    """Conditions of the machine; ``None`` where the platform does not tell."""

    on_battery: bool | None = None
    load: float | None = None  # runnable processes a processor


class Moment(Struct, frozen=True):
    """Facts at a due job's moment."""

    overdue: float  # seconds
    up: float  # seconds since the start
    idle: float  # seconds since somebody last did something
    conditions: Conditions = Conditions()
    running: str = ""  # a heavy job that runs now


class Wait(Struct, frozen=True):
    """Reason why a job does not run yet, and when to look again."""

    why: str
    seconds: float


def next_due(due: float, every: float, now: float) -> float:
    """The first moment of the job's rhythm after ``now``; all in seconds."""
    if due > now:
        return due
    missed = int((now - due) // every)
    return due + (missed + 1) * every


def kept_near(due: float, every: float, now: float) -> float:
    """The due time, or one rhythm from now when the clock was set back and it lies further off."""
    return min(due, now + every)


def wait(moment: Moment, settings: Settings = DEFAULT) -> Wait | None:
    """Reason of a due heavy job to wait; ``None``: it may run.

    Overdue by a day it takes any pause of two minutes and a busy machine, overdue by a week it
    runs on battery as well; other heavy jobs and the first minutes are always waited for.
    """
    if moment.up < settings.settle:
        return Wait("reverie has just started", settings.settle - moment.up)
    if moment.running:
        return Wait(f"{moment.running} is running", settings.look)
    patient = moment.overdue < PATIENT
    quiet = settings.idle if patient else min(settings.pause, settings.idle)
    if moment.idle < quiet:
        return Wait("somebody is working", max(quiet - moment.idle, 1.0))
    waits_for_mains = moment.overdue < LATEST and not settings.on_battery
    if moment.conditions.on_battery and waits_for_mains:
        return Wait("on battery", settings.look)
    load = moment.conditions.load
    if patient and load is not None and load > settings.load:
        return Wait("the machine is busy", settings.look)
    return None
