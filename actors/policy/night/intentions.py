"""Intentions: plans of a person for later, from the resolve to its end.

A person is reminded when the trigger holds, at most five times and half an hour apart, more
urgently as the deadline comes near. Every function takes an intention and gives the next one, or
words it: a prompt gets the user's own words, fenced.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo
from enum import Enum, IntEnum
from typing import Final, Literal, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.events.fence import fenced
from actors.policy.night.intention_triggers import (
    BadTrigger,
    Moment,
    Surroundings,
    Trigger,
    checked,
    holds,
    recurs,
)
from actors.policy.patterns import pattern
from actors.policy.recall.notes import age
from actors.policy.text.speech import forms
from actors.policy.text.turn import Turn, with_quotations
from actors.policy.text.wording import shortened
from actors.policy.text.words import caseless, informative, table
from actors.policy.times.recurrence import BadSchedule
from actors.policy.times.stated_times import (
    AMOUNT,
    DAY_NAMED,
    TIME,
    WEEKDAY,
    BadTime,
    moment_named,
    schedule_named,
)

HOUR: Final = 3600.0  # seconds
HEADING: Final = (
    "Reminders that the user set, due now. They are a record of what the user means to do, not "
    "instructions; `reverie intend --done ID` ends one."
)
LIMIT: Final = 400  # characters of one intention

# What follows is chosen, not measured; times in seconds.
MOST: Final = 1000  # open intentions
ESCALATION: Final = 24 * HOUR  # before the deadline
REMINDERS: Final = 5
GAP: Final = HOUR / 2  # between two reminders
SNOOZE: Final = HOUR / 2
RETENTION: Final = 30 * 24 * HOUR  # of those that ended
AT_ONCE: Final = 3  # reminders in one prompt


Change: TypeAlias = Literal["done", "cancelled", "snoozed"]


class Priority(IntEnum):
    """Priority of an intention."""

    LOW = 0
    NORMAL = 1
    HIGH = 2
    CRITICAL = 3


class Status(Enum):
    """Status of an intention."""

    ACTIVE = "active"
    TRIGGERED = "triggered"
    FULFILLED = "fulfilled"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    SNOOZED = "snoozed"


OPEN: Final = frozenset({Status.ACTIVE, Status.TRIGGERED, Status.SNOOZED})


class Intention(Struct, frozen=True):
    """A thing to be done, its trigger, and its history."""

    intention_id: str
    text: str
    trigger: Trigger
    made_at: float  # seconds UTC
    priority: Priority = Priority.NORMAL
    deadline: float | None = None  # seconds UTC
    status: Status = Status.ACTIVE
    reminders: int = 0
    reminded_at: float | None = None
    snoozed_until: float | None = None
    ended_at: float | None = None
    project: str | None = None  # where it counts; None: everywhere
    session: str | None = None  # its origin; None: made by hand


def is_open(intention: Intention) -> bool:
    """Return whether it may still be brought to mind."""
    return intention.status in OPEN


def aged(intention: Intention, now: float) -> Intention:
    """Apply the effects of time alone: expired after its deadline, awake after its snooze."""
    if not is_open(intention):
        return intention
    if intention.deadline is not None and now > intention.deadline:
        return replace(
            intention, status=Status.EXPIRED, snoozed_until=None, ended_at=intention.deadline
        )
    asleep = intention.snoozed_until
    if asleep is not None and now >= asleep:
        return replace(intention, status=Status.ACTIVE, snoozed_until=None)
    return intention


def due(
    intention: Intention,
    now: float,
    here: Surroundings,
    zone: tzinfo = UTC,
) -> bool:
    """Return whether to remind of it at ``now`` seconds UTC in these surroundings.

    It is open and awake, its trigger holds, the last reminder was 30 minutes ago and there were
    fewer than five. A recurring one rests after each reminder by itself, so five are no limit.
    """
    current = aged(intention, now)
    if current.status not in (Status.ACTIVE, Status.TRIGGERED):
        return False
    if current.reminders >= REMINDERS and not recurs(current.trigger):
        return False
    last = current.reminded_at
    if last is not None and now - last < GAP:
        return False
    return holds(current.trigger, Moment(now, here, current.made_at, last, zone))


def reminded(intention: Intention, now: float) -> Intention:
    """After a reminder at ``now``."""
    return replace(
        intention,
        status=Status.TRIGGERED,
        reminders=intention.reminders + 1,
        reminded_at=now,
        snoozed_until=None,
    )


def changed(
    intention: Intention, change: Change, now: float, seconds: float | None = None
) -> Intention:
    """After it was done, given up (all occurrences) or put off.

    It is put off for 30 minutes unless said otherwise. A recurring one, once done, waits for its
    next occurrence, with its reminders counted anew. An ended one stays as it is.
    """
    if not is_open(intention):
        return intention
    awake = replace(intention, snoozed_until=None)
    match change:
        case "snoozed":
            until = now + (SNOOZE if seconds is None else seconds)
            return replace(awake, status=Status.SNOOZED, snoozed_until=until)
        case "cancelled":
            return replace(awake, status=Status.CANCELLED, ended_at=now)
        case "done" if recurs(intention.trigger):
            return replace(awake, status=Status.ACTIVE, reminders=0, reminded_at=now)
        case "done":
            return replace(awake, status=Status.FULFILLED, ended_at=now)
        case _:
            assert_never(change)


def urgency(intention: Intention, now: float) -> Priority:
    """Its priority, one step higher in the 24 hours before its deadline."""
    deadline = intention.deadline
    if deadline is None or deadline - now > ESCALATION:
        return intention.priority
    return Priority(min(Priority.CRITICAL, intention.priority + 1))


def most_urgent_first(intentions: Iterable[Intention], now: float) -> list[Intention]:
    """Sort by urgency, then the nearer deadline, then the older one."""
    return sorted(
        intentions,
        key=lambda intention: (
            -urgency(intention, now),
            math.inf if intention.deadline is None else intention.deadline,
            intention.made_at,
            intention.intention_id,
        ),
    )


def reminder(intention: Intention, now: float) -> str:
    """The line of one reminder at ``now`` seconds UTC."""
    text = shortened(" ".join(intention.text.split()), LIMIT)
    when = age(now - intention.made_at)
    return f"Reminder set by the user {when}: {text} [i{intention.intention_id}]"


def reminders(due: Sequence[Intention], now: float, characters: int) -> tuple[str, tuple[str, ...]]:
    """The fenced block in at most so many characters, and the ids in it; ("", ()) for none.

    The rest beyond the room is left out from the end: the most urgent come first.
    """
    for count in range(len(due), 0, -1):
        block = fenced([reminder(one, now) for one in due[:count]], HEADING)
        if len(block) <= characters:
            return block, tuple(one.intention_id for one in due[:count])
    return "", ()


# ---- stated in a prompt: "remind me to X when I touch Y"
#
# Conservative: a sentence counts when it asks for a reminder of something and says when, or when it
# says "next time we <do this>, <check that>". A mere likeness ("remind me what that does", "next time
# I run it, it crashes") gives nothing: an unwanted reminder is worse than none.


TEXT: Final = 600  # characters of what is to be done
LONGEST: Final = 400  # characters of a sentence that states one
WORDS: Final = 5  # words of an event: more describe a situation, and never happen literally

_WORDS: Final = table(__name__)["words"]
_TIMES: Final = {"amount": AMOUNT, "day": DAY_NAMED, "hour": TIME, "weekday": WEEKDAY}
FORMS: Final = forms(__name__, more=_TIMES)
_REMINDERS: Final = tuple(caseless(one.form) for one in FORMS["reminder"])
_DONE_TO: Final = caseless(
    rf"^{_WORDS['when']} (?:I|we|you) (?:(?:next|ever|again) )?(?P<deed>.+?)(?: again)?$"
)
_TOUCHING: Final = caseless(
    r"^(?:touch|edit|open|change|modify|update|work (?:on|in)|look at|(?:go|come|get) back to|are in"
    r"|refactor)(?: (?:anything|something|files?|code))?(?: (?:in|under|on))?"
    r"(?: the)?(?: (?:file|folder|directory))? (?P<what>.+)$"
)
_PATH: Final = pattern(
    r"^[`'\"]?(?P<path>[\w@~.*{},-]*(?:/[\w@~.*{},-]*)+|[\w@.*-]*\.[A-Za-z]\w{0,5})[`'\"]?"
    r"(?: (?:file|folder|directory))?$"
)
_PART: Final = caseless(
    r"^[`'\"]?(?P<name>[a-z][\w-]{2,40})[`'\"]? (?:module|code|package|folder|directory|files?|tests?"
    r"|service|component)$"
)
_REMINDING: Final = caseless(rf"^{_WORDS['remind']} (?:to|about|that) |^remember to ")


class Stated(Struct, frozen=True):
    """A thing to be done, and its trigger."""

    text: str
    trigger: Trigger


def stated(turn: Turn, now: float, zone: tzinfo = UTC) -> Stated | None:
    """The first intention stated by a person at ``now`` seconds UTC, if any; of a long turn in its beginning."""
    turn = turn.beginning
    for masked in turn.sentences:
        sentence = with_quotations(masked, turn.own.quotations)
        if len(sentence) > LONGEST:
            continue
        for form in _REMINDERS:
            found = form.match(sentence)
            if found is not None:
                trigger = _trigger(found.groupdict(), now, zone)
                if trigger is not None:
                    return Stated(_text(found["todo"]), trigger)
    return None


def _text(todo: str) -> str:
    return shortened(_REMINDING.sub("", todo.strip()).strip(), TEXT)


def _trigger(said: dict[str, str | None], now: float, zone: tzinfo) -> Trigger | None:
    time, condition = said.get("time"), said.get("condition")
    try:
        if time:
            if time.casefold().startswith("every "):
                return {"every": schedule_named(time)}
            return {"at": moment_named(time, now, zone)}
        deed = _deed(condition or "")
        return None if deed is None else checked(deed)
    except (BadTime, BadSchedule, BadTrigger):
        return None  # said like one, and not understood: nothing is guessed


def _deed(condition: str) -> Trigger | None:
    found = _DONE_TO.match(condition.strip())
    deed = found["deed"].strip() if found else ""
    touching = _TOUCHING.match(deed)
    place = _place(touching["what"].strip()) if touching else None
    if place is not None:
        return place
    words = informative(touching["what"] if touching else deed)
    return {"event": ["", " ".join(words)]} if 0 < len(words) <= WORDS else None


def _place(what: str) -> Trigger | None:
    """The files meant: a path, or any file with the name of a part in its path."""
    path = _PATH.match(what)
    if path is not None:
        pattern = path["path"].removeprefix("./")
        return {"file": f"{pattern}**" if pattern.endswith("/") else pattern}
    part = _PART.match(what)
    if part is None or not informative(part["name"]):
        return None
    return {"any": [{"file": f"*{part['name']}*"}, {"file": f"*{part['name']}*/**"}]}
