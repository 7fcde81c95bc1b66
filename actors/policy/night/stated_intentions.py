"""Intentions stated by a person in a prompt: "remind me to X when I touch Y".

Conservative: a sentence counts when it asks for a reminder of something and says when, or when it
says "next time we <do this>, <check that>". A mere likeness ("remind me what that does", "next time
I run it, it crashes") gives nothing: an unwanted reminder is worse than none.
"""

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import Final

from actors.policy.night.triggers import BadTrigger, Trigger, checked
from actors.policy.patterns import pattern
from actors.policy.text.budget import shortened
from actors.policy.text.lexicon import forms
from actors.policy.text.turn import Turn, with_quotations
from actors.policy.text.words import caseless, informative, table
from actors.policy.times.naming_times import (
    AMOUNT,
    DAY,
    TIME,
    WEEKDAY,
    BadTime,
    moment_named,
    schedule_named,
)
from actors.policy.times.recurrence import BadSchedule

TEXT: Final = 600  # characters of what is to be done
LONGEST: Final = 400  # characters of a sentence that states one
WORDS: Final = 5  # words of an event: more describe a situation, and never happen literally

_WORDS: Final = table(__name__)["words"]
_TIMES: Final = {"amount": AMOUNT, "day": DAY, "hour": TIME, "weekday": WEEKDAY}
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


@dataclass(frozen=True, slots=True)
class Stated:
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
