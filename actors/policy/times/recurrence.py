"""Recurrence of background jobs: their rhythm by the wall clock, and their conditions.

A laptop sleeps for a week, a clock is set back, a daemon is restarted: each job keeps its rhythm
and runs once for all the times it missed. Heavy jobs leave people alone: they wait for a pause, for
mains and for an idle machine, but not for ever.
"""

from typing import Final

from msgspec import Struct

DAY: Final = 86_400.0  # seconds


class Settings(Struct, frozen=True):
    """Conditions for a heavy job."""

    idle: float = 1_800.0  # seconds without a hook event, an edit or a command: nobody is there
    settle: float = 300.0  # seconds after a start in which no heavy job begins
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
    """Reason of a due heavy job to wait; ``None``: it may run."""
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
