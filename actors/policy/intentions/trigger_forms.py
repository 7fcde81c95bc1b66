"""A trigger as plain values, for the store and the wire, and in words, for people.

A form is a map with one key: ``{"file": "src/*.py"}``, ``{"all": [...]}``. What is not a form, or
is the form of a trigger that could never hold, is ``BadTrigger``.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from typing import Final, cast

from actors.policy.intentions.intention_triggers import (
    After,
    AllOf,
    AnyOf,
    At,
    BadTrigger,
    Happened,
    OnBranch,
    Recurs,
    Touched,
    Trigger,
    Within,
)
from actors.policy.text.path_patterns import BadPattern
from actors.policy.times.recurrence import BadSchedule, Daily, Every, Monthly, Schedule, Weekly
from actors.policy.times.time_phrases import DAYS

CONTEXT: Final = 4  # project, topic, mode, activity
MOST: Final = 16  # triggers in a compound
LONGEST: Final = 300  # characters of the words of an event, or of a topic
Form = dict[str, object]


def form(trigger: Trigger) -> Form:
    """The trigger as plain values; ``formed`` gives it back."""
    match trigger:
        case At(at=at):
            return {"at": at}
        case After(seconds=seconds):
            return {"after": seconds}
        case Happened(kind=kind, words=words):
            return {"event": [kind, words]}
        case Touched(pattern=pattern, regex=regex):
            return {"file_regex" if regex else "file": pattern}
        case OnBranch(pattern=pattern):
            return {"branch": pattern}
        case Within():
            return {"within": [trigger.project, trigger.topic, trigger.mode, trigger.activity]}
        case Recurs(schedule=schedule):
            return {"every": _schedule_form(schedule)}
        case AllOf(triggers=triggers):
            return {"all": [form(one) for one in triggers]}
        case _:
            return {"any": [form(one) for one in trigger.triggers]}


def formed(value: object) -> Trigger:
    """The trigger of a form. ``BadTrigger``, with the reason, when it is none."""
    try:
        return _formed(value, 0)
    except (BadPattern, BadSchedule) as wrong:
        raise BadTrigger(str(wrong)) from None


def worded(trigger: Trigger, zone: tzinfo = UTC) -> str:
    """Trigger in words."""
    match trigger:
        case At(at=at):
            return f"from {datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M} on"
        case After(seconds=seconds):
            return f"after {_amount(seconds)}"
        case Happened(kind=kind, words=words):
            what = f"a {kind}" if kind else "a prompt or a command"
            return f"when {what} says “{words}”" if words else f"at {what}"
        case Touched(pattern=pattern, regex=regex):
            return f"when a file {'with' if regex else 'like'} {pattern} is touched"
        case OnBranch(pattern=pattern):
            return f"on the branch {pattern}"
        case Within():
            named = {
                "in": trigger.project, "about": trigger.topic, "in mode": trigger.mode,
                "while": trigger.activity,
            }  # fmt: skip
            return " ".join(f"{word} {value}" for word, value in named.items() if value)
        case Recurs(schedule=schedule):
            return _schedule_worded(schedule)
        case AllOf(triggers=triggers):
            return ", and ".join(worded(one, zone) for one in triggers)
        case _:
            return ", or ".join(worded(one, zone) for one in trigger.triggers)


def _formed(value: object, depth: int) -> Trigger:
    if not isinstance(value, Mapping) or len(cast("Mapping[object, object]", value)) != 1:
        raise BadTrigger("a trigger is a map with one key")
    ((name, given),) = cast("Mapping[object, object]", value).items()
    match name, given:
        case "at", int() | float():
            return At(_number(given))
        case "after", int() | float():
            return After(_number(given))
        case "event", [str(kind), str(words)]:
            return Happened(_short(kind), _short(words))
        case "file", str():
            return Touched(given)
        case "file_regex", str():
            return Touched(given, regex=True)
        case "branch", str():
            return OnBranch(given)
        case "within", list() if len(cast("list[object]", given)) == CONTEXT:
            return Within(*(_optional(one) for one in cast("list[object]", given)))
        case "every", _:
            return Recurs(_schedule_formed(given))
        case "all" | "any", list():
            return _compound(str(name), cast("list[object]", given), depth)
        case _:
            raise BadTrigger("not a kind of trigger that is known, or not with such a value")


def _compound(name: str, given: list[object], depth: int) -> Trigger:
    # The classes themselves look at the nesting; this only bounds the work until they do.
    if len(given) > MOST or depth > MOST:
        raise BadTrigger(f"a compound has {MOST} triggers at most")
    triggers = tuple(_formed(one, depth + 1) for one in given)
    return AllOf(triggers) if name == "all" else AnyOf(triggers)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e11:
        raise BadTrigger("not a number of seconds")
    return float(value)


def _short(text: str) -> str:
    if len(text) > LONGEST:
        raise BadTrigger(f"longer than {LONGEST} characters")
    return text


def _optional(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value if value is None else _short(value)
    raise BadTrigger("a context is named in words")


def _schedule_form(schedule: Schedule) -> list[object]:
    match schedule:
        case Every(seconds=seconds):
            return ["seconds", seconds]
        case Daily(hour=hour, minute=minute):
            return ["daily", hour, minute]
        case Weekly(weekdays=weekdays, hour=hour, minute=minute):
            return ["weekly", sorted(weekdays), hour, minute]
        case _:
            return ["monthly", schedule.day, schedule.hour, schedule.minute]


def _schedule_formed(value: object) -> Schedule:
    match value:
        case ["seconds", int() | float() as seconds]:
            return Every(_number(seconds))
        case ["daily", int(hour), int(minute)]:
            return Daily(hour, minute)
        case ["weekly", list(), int(hour), int(minute)]:
            numbers = cast("list[list[object]]", value)[1]
            if all(isinstance(day, int) for day in numbers):
                return Weekly(frozenset(cast("list[int]", numbers)), hour, minute)
        case ["monthly", int(day), int(hour), int(minute)]:
            return Monthly(day, hour, minute)
        case _:
            pass
    raise BadTrigger("not a schedule")


def _schedule_worded(schedule: Schedule) -> str:
    match schedule:
        case Every(seconds=seconds):
            return f"every {_amount(seconds)}"
        case Daily(hour=hour, minute=minute):
            return f"daily at {hour}:{minute:02}"
        case Weekly(weekdays=weekdays, hour=hour, minute=minute):
            names = ", ".join(DAYS[day].capitalize() for day in sorted(weekdays))
            return f"every {names} at {hour}:{minute:02}"
        case _:
            return f"monthly on the {schedule.day}. at {schedule.hour}:{schedule.minute:02}"


def _amount(seconds: float) -> str:
    for size, word in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size and seconds % size == 0:
            count = int(seconds // size)
            return f"{count} {word}{'' if count == 1 else 's'}"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"
