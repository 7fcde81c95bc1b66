"""Triggers of an intention: a time, a place in the work, or an event.

After Einstein and McDaniel (1990): time-based and event-based prospective memory. A trigger is
plain values, as the store and the wire have it: a map with one key, such as ``{"file":
"src/*.py"}`` or ``{"all": [...]}``. ``KINDS`` has for each key its allowed values, its condition
and its wording; ``holds`` evaluates any of them at a moment given as an argument.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any, Final, cast

from msgspec import Struct

from actors.policy.text.path_patterns import BadPattern, glob_matches
from actors.policy.text.words import stems
from actors.policy.times import recurrence
from actors.policy.times.recurrence import FARTHEST, BadSchedule, Schedule, next_occurrence
from actors.policy.times.time_phrases import DAYS

Trigger = dict[str, Any]

DEEPEST: Final = 4  # compounds within compounds
MOST: Final = 16  # triggers in a compound
LONGEST: Final = 300  # characters of the words of an event
LATELY: Final = 1_800.0  # seconds: what was touched or said longer ago is over

_stems: Final = lru_cache(maxsize=2048)(stems)  # every open intention asks of the same texts


class BadTrigger(ValueError):
    """Error: no trigger, an impossible one, or one nested too deep; the asker's fault."""


class Event(Struct, frozen=True):
    """An event: a prompt, a command, the path of a touched file."""

    kind: str
    text: str = ""
    at: float = math.inf  # seconds UTC; infinite: it happens now


class Surroundings(Struct, frozen=True):
    """Facts of this moment, and recent events; None where something is not known."""

    project: str | None = None
    branch: str | None = None
    files: tuple[Event, ...] = ()  # just opened or edited
    events: tuple[Event, ...] = ()


class Moment(Struct, frozen=True):
    """Moment and place of which a trigger is asked; times in seconds UTC."""

    now: float
    here: Surroundings = Surroundings()
    made_at: float = 0.0  # when the intention was made
    reminded_at: float | None = None  # when it was last brought to mind
    zone: tzinfo = UTC

    def lately(self, events: Iterable[Event]) -> Iterable[str]:
        """Texts of recent events since it was made or brought to mind."""
        since = max(self.made_at, self.reminded_at or 0.0, self.now - LATELY)
        return (event.text for event in events if event.at > since)


def checked(value: object, depth: int = 0) -> Trigger:
    """The value as a trigger. ``BadTrigger``, with the reason, when it is none."""
    if not isinstance(value, dict) or len(cast("Trigger", value)) != 1:
        raise BadTrigger("a trigger is a map with one key")
    ((name, given),) = cast("Trigger", value).items()
    if name in _COMPOUNDS:
        _check_compound(given, depth)
    elif name not in KINDS:
        raise BadTrigger("not a kind of trigger that is known")
    else:
        try:
            KINDS[name].check(given)
        except (BadPattern, BadSchedule) as wrong:
            raise BadTrigger(str(wrong)) from None
    return cast("Trigger", value)


def holds(trigger: Trigger, at: Moment) -> bool:
    """Return whether a trigger holds at this moment."""
    ((name, given),) = trigger.items()
    if name in _COMPOUNDS:
        return _COMPOUNDS[name](holds(one, at) for one in given)
    return KINDS[name].holds(given, at)


def recurs(trigger: Trigger) -> bool:
    """Return whether a trigger holds once for each occurrence and then rests until the next."""
    ((name, given),) = trigger.items()
    match name:
        case "all":
            return any(recurs(one) for one in given)
        case "any":
            return all(recurs(one) for one in given)
        case _:
            return name == "every"


def waits_for(trigger: Trigger, kind: str) -> bool:
    """Return whether a trigger, or a part of it, is of this kind."""
    ((name, given),) = trigger.items()
    return name == kind or (name in _COMPOUNDS and any(waits_for(one, kind) for one in given))


def worded(trigger: Trigger, zone: tzinfo = UTC) -> str:
    """Trigger in words."""
    ((name, given),) = trigger.items()
    if name in _COMPOUNDS:
        return f", {'and' if name == 'all' else 'or'} ".join(worded(one, zone) for one in given)
    return KINDS[name].words(given, zone)


# ---- what the kinds may hold


def _check_compound(given: object, depth: int) -> None:
    if not isinstance(given, list) or not 0 < len(cast("list[object]", given)) <= MOST:
        raise BadTrigger(f"a compound has 1 to {MOST} triggers")
    if depth >= DEEPEST:
        raise BadTrigger(f"compounds are nested deeper than {DEEPEST}")
    for one in cast("list[object]", given):
        checked(one, depth + 1)


def _check_number(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < FARTHEST:
        raise BadTrigger("not a number of seconds")


def _check_text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BadTrigger(f"not a text of {LONGEST} characters at most")
    return value


def _check_glob(value: object) -> None:
    if not isinstance(value, str):
        raise BadTrigger("a pattern is a text")
    glob_matches(value, "")


def _check_event(value: Any) -> None:
    match value:
        case [kind, words] if _check_text(kind) or stems(_check_text(words)):
            _check_text(words)
        case _:
            raise BadTrigger("an event is a kind, or words that happen in it")


# ---- when they hold


def _is_touched(pattern: str, at: Moment) -> bool:
    return any(glob_matches(pattern, path) for path in at.lately(at.here.files))


def _is_said(given: Sequence[str], at: Moment) -> bool:
    """An event of this kind, or of any, has all of the words, in any inflection."""
    kind, words = given
    meant = (event for event in at.here.events if kind in ("", event.kind))
    return any(_stems(words) <= _stems(text) for text in at.lately(meant))


def _recurred(given: Schedule, at: Moment) -> bool:
    since = at.made_at if at.reminded_at is None else at.reminded_at
    return next_occurrence(given, at.made_at, since, at.zone) <= at.now


# ---- how they are worded


def _event_worded(given: Sequence[str], _: tzinfo) -> str:
    kind, words = given
    what = f"a {kind}" if kind else "a prompt or a command"
    return f"when {what} says “{words}”" if words else f"at {what}"


def _schedule_worded(given: Schedule, _: tzinfo) -> str:
    match given:
        case ["daily", hour, minute]:
            return f"daily at {hour}:{minute:02}"
        case ["weekly", days, hour, minute]:
            names = ", ".join(name.capitalize() for day, name in enumerate(DAYS) if day in days)
            return f"every {names} at {hour}:{minute:02}"
        case ["monthly", day, hour, minute]:
            return f"monthly on the {day}. at {hour}:{minute:02}"
        case _:
            return f"every {_amount(given[1])}"


def _amount(seconds: float) -> str:
    for size, word in ((86_400.0, "day"), (3_600.0, "hour"), (60.0, "minute")):
        if seconds >= size and seconds % size == 0:
            count = int(seconds // size)
            return f"{count} {word}{'' if count == 1 else 's'}"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}"


class Kind(Struct, frozen=True):
    """A kind of trigger, by the value of its key."""

    check: Callable[[Any], object]  # raises where that could never hold
    holds: Callable[[Any, Moment], bool]
    words: Callable[[Any, tzinfo], str]


_COMPOUNDS: Final = {"all": all, "any": any}
KINDS: Final[dict[str, Kind]] = {
    "at": Kind(
        _check_number,
        lambda moment, at: at.now >= moment,
        lambda moment, zone: f"from {datetime.fromtimestamp(moment, zone):%Y-%m-%d %H:%M} on",
    ),
    "after": Kind(
        _check_number,
        lambda seconds, at: at.now - at.made_at >= seconds,
        lambda seconds, _: f"after {_amount(seconds)}",
    ),
    "every": Kind(recurrence.checked, _recurred, _schedule_worded),
    "file": Kind(
        _check_glob,
        _is_touched,
        lambda pattern, _: f"when a file like {pattern} is touched",
    ),
    "branch": Kind(
        _check_glob,
        lambda pattern, at: at.here.branch is not None and glob_matches(pattern, at.here.branch),
        lambda pattern, _: f"on the branch {pattern}",
    ),
    "event": Kind(_check_event, _is_said, _event_worded),
}
