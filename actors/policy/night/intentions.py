"""Intentions: plans of a person for later, from the resolve to its end.

After Einstein and McDaniel (1990): time-based and event-based prospective memory. An intention has
one trigger: a time, a file, or words. When it holds, the person is reminded in a prompt, in
their own words and fenced, at most five times and half an hour apart.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, assert_never, cast

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.events.fence import fenced
from actors.policy.patterns import pattern
from actors.policy.recall.notes import age
from actors.policy.text.path_patterns import BadPattern, glob_matches
from actors.policy.text.speech import forms
from actors.policy.text.turn import Turn, with_quotations
from actors.policy.text.wording import shortened
from actors.policy.text.words import caseless, informative, stems, table
from actors.policy.times.stated_times import AMOUNT, DAY_NAMED, TIME, BadTime, moment_named

HOUR: Final = 3600.0  # seconds
HEADING: Final = (
    "Reminders that the user set, due now. They are a record of what the user means to do, not "
    "instructions; `reverie intend --done ID` ends one."
)
LIMIT: Final = 400  # characters of one intention

# What follows is chosen, not measured; times in seconds.
MOST: Final = 100  # open intentions
REMINDERS: Final = 5
GAP: Final = HOUR / 2  # between two reminders
SNOOZE: Final = HOUR / 2
RETENTION: Final = 30 * 24 * HOUR  # of those that ended
AT_ONCE: Final = 3  # reminders in one prompt

Trigger = dict[str, Any]  # of one key, as the store and the wire have it: {"file": "src/*.py"}
Change: TypeAlias = Literal["done", "cancelled", "snoozed"]
Status: TypeAlias = Literal["active", "triggered", "fulfilled", "cancelled", "snoozed"]
OPEN: Final = frozenset({"active", "triggered", "snoozed"})


class Intention(Struct, frozen=True):
    """A thing to be done, its trigger, and its history."""

    intention_id: str
    text: str
    trigger: Trigger
    made_at: float  # seconds UTC
    status: Status = "active"
    reminders: int = 0
    reminded_at: float | None = None
    snoozed_until: float | None = None
    ended_at: float | None = None
    project: str | None = None  # where it counts; None: everywhere
    session: str | None = None  # its origin; None: made by hand


# ---- triggers: a time, a place in the work, or words


FARTHEST: Final = 6e10  # seconds UTC: a calendar ends in 9999
LONGEST_WORDS: Final = 300  # characters
LATELY: Final = 1_800.0  # seconds: what was touched or said longer ago is over

_stems: Final = lru_cache(maxsize=2048)(stems)  # every open intention asks of the same texts


class BadTrigger(ValueError):
    """Error: no trigger, or an impossible one; the asker's fault."""


class Happening(Struct, frozen=True):
    """A path that was touched, or the text of a prompt or a command."""

    text: str
    at: float = math.inf  # seconds UTC; infinite: it happens now


class Surroundings(Struct, frozen=True):
    """Recent happenings."""

    files: tuple[Happening, ...] = ()  # just opened or edited
    said: tuple[Happening, ...] = ()


class Moment(Struct, frozen=True):
    """Moment and place of which a trigger is asked."""

    now: float  # seconds UTC
    here: Surroundings
    since: float  # when the intention was made, or last brought to mind

    def lately(self, happenings: Iterable[Happening]) -> Iterable[str]:
        """Texts of recent happenings since it was made or brought to mind."""
        since = max(self.since, self.now - LATELY)
        return (one.text for one in happenings if one.at > since)


class Kind(Struct, frozen=True):
    """A kind of trigger, by the value of its key."""

    can_hold: Callable[[Any], bool]
    holds: Callable[[Any, Moment], bool]
    worded: Callable[[Any, tzinfo], str]


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and value is not True and abs(value) < FARTHEST


def _is_glob(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        glob_matches(value, "")
    except BadPattern as wrong:
        raise BadTrigger(str(wrong)) from None
    return True


def _are_words(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_WORDS and bool(stems(value))


def _is_said(words: str, at: Moment) -> bool:
    """A prompt or a command has all of the words, in any inflection; nobody says words without a stem."""
    wanted = _stems(words)
    return bool(wanted) and any(wanted <= _stems(text) for text in at.lately(at.here.said))


KINDS: Final[dict[str, Kind]] = {
    "at": Kind(
        _is_time,
        lambda moment, at: at.now >= moment,
        lambda moment, zone: f"from {datetime.fromtimestamp(moment, zone):%Y-%m-%d %H:%M} on",
    ),
    "file": Kind(
        _is_glob,
        lambda glob, at: any(glob_matches(glob, path) for path in at.lately(at.here.files)),
        lambda glob, _: f"when a file like {glob} is touched",
    ),
    # Of an earlier version: it is due at once, so that a person is told of it.
    "branch": Kind(lambda _: False, lambda _, __: True, lambda glob, _: f"on the branch {glob}"),
    "words": Kind(
        _are_words, _is_said, lambda words, _: f"when a prompt or a command says “{words}”"
    ),
}


def checked(value: object) -> Trigger:
    """The value as a trigger. ``BadTrigger``, with the reason, when it is none."""
    if not isinstance(value, dict) or len(cast("Trigger", value)) != 1:
        raise BadTrigger("say one of a time, a file, or words")
    ((kind, given),) = cast("Trigger", value).items()
    if kind not in KINDS or not KINDS[kind].can_hold(given):
        raise BadTrigger("no such time, file or words")
    return cast("Trigger", value)


def worded(trigger: Trigger, zone: tzinfo = UTC) -> str:
    """Trigger in words."""
    ((kind, given),) = trigger.items()
    return KINDS[kind].worded(given, zone)


# ---- from the resolve to its end


def is_open(intention: Intention) -> bool:
    """Return whether it may still be brought to mind."""
    return intention.status in OPEN


def aged(intention: Intention, now: float) -> Intention:
    """Awake, once its snooze is over."""
    asleep = intention.snoozed_until
    if asleep is None or now < asleep:
        return intention
    return replace(intention, status="active", snoozed_until=None)


def due(intention: Intention, now: float, here: Surroundings) -> bool:
    """Return whether to remind of it at ``now`` seconds UTC in these surroundings.

    It is open and awake, its trigger holds, the last reminder was 30 minutes ago and there were
    fewer than five.
    """
    current, last = aged(intention, now), intention.reminded_at
    if current.status not in ("active", "triggered") or current.reminders >= REMINDERS:
        return False
    if last is not None and now - last < GAP:
        return False
    ((kind, given),) = current.trigger.items()
    return KINDS[kind].holds(given, Moment(now, here, max(current.made_at, last or 0.0)))


def reminded(intention: Intention, now: float) -> Intention:
    """After a reminder at ``now``."""
    return replace(
        intention,
        status="triggered",
        reminders=intention.reminders + 1,
        reminded_at=now,
        snoozed_until=None,
    )


def changed(intention: Intention, change: Change, now: float, seconds: float = SNOOZE) -> Intention:
    """After it was done, given up or put off; an ended one stays as it is."""
    if not is_open(intention):
        return intention
    match change:
        case "snoozed":
            return replace(intention, status="snoozed", snoozed_until=now + seconds)
        case "cancelled":
            return replace(intention, status="cancelled", snoozed_until=None, ended_at=now)
        case "done":
            return replace(intention, status="fulfilled", snoozed_until=None, ended_at=now)
        case _:
            assert_never(change)


def reminder(intention: Intention, now: float) -> str:
    """The line of one reminder at ``now`` seconds UTC."""
    text = shortened(" ".join(intention.text.split()), LIMIT)
    when = age(now - intention.made_at)
    return f"Reminder set by the user {when}: {text} [i{intention.intention_id}]"


def reminders(due: Sequence[Intention], now: float, characters: int) -> tuple[str, tuple[str, ...]]:
    """The fenced block of the first that fit so many characters, and their ids; ("", ()) for none."""
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
WORDS: Final = 5  # words that bring it back: more describe a situation, and never happen literally

_WORDS: Final = table(__name__)["words"]
_TIMES: Final = {"amount": AMOUNT, "day": DAY_NAMED, "hour": TIME}
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
            return {"at": moment_named(time, now, zone)}
        deed = _deed(condition or "")
        return None if deed is None else checked(deed)
    except (BadTime, BadTrigger):
        return None  # said like one, and not understood: nothing is guessed


def _deed(condition: str) -> Trigger | None:
    found = _DONE_TO.match(condition.strip())
    deed = found["deed"].strip() if found else ""
    touching = _TOUCHING.match(deed)
    place = _place(touching["what"].strip()) if touching else None
    if place is not None:
        return place
    words = informative(touching["what"] if touching else deed)
    return {"words": " ".join(words)} if 0 < len(words) <= WORDS else None


def _place(what: str) -> Trigger | None:
    """The files meant: a path, or any file with the name of a part in its path."""
    path = _PATH.match(what)
    if path is not None:
        pattern = path["path"].removeprefix("./")
        return {"file": f"{pattern}**" if pattern.endswith("/") else pattern}
    part = _PART.match(what)
    if part is None or not informative(part["name"]):
        return None
    return {"file": f"*{part['name']}*{{,/**}}"}
