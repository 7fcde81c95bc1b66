"""Times that a person states: a moment, a duration; and the time in which a memory holds.

"tomorrow 9:00", "in 2 hours", "2h", "monday", "2026-12-01 14:30". Days are of the given zone. A text not
understood is refused with examples; nothing is guessed.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.patterns import pattern
from actors.policy.times.time_phrases import DAYS, NUMBERS, local_moment

MORNING: Final = (9, 0)  # of a day that is named without a time
FARTHEST: Final = 10 * 366 * 86_400.0  # seconds

UNITS: Final[Mapping[str, float]] = {
    "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0, "w": 604_800.0,
}  # fmt: skip
# Longer forms come first: an alternative that matches is taken.
_UNIT: Final = (
    r"(?:seconds?|secs?|s|minutes?|mins?|min|m|hours?|hrs?|hr|h|days?|d|weeks?|wks?|wk|w)"
)
_DIGITS: Final = r"\d{1,6}(?:\.\d{1,3})?"
_WORD: Final = rf"(?:{'|'.join(NUMBERS)})"
# A number in words stands apart from its unit: "and" is no day, "as" no second.
AMOUNT: Final = rf"(?:{_DIGITS}[ -]?|{_WORD}[ -]){_UNIT}\b"
TIME: Final = r"(?:\d{1,2}:\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m|(?<=at )\d{1,2})"
WEEKDAY: Final = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|thu|fri|sat"
    r"|sun)"
)
DAY_NAMED: Final = rf"(?:today|tonight|tomorrow|(?:on |next )?{WEEKDAY})"

_AMOUNTS: Final = pattern(rf"({_DIGITS}|{_WORD})[ -]?({_UNIT})\b(?:,| and)? ?")
_WHOLE_AMOUNT: Final = pattern(rf"(?:in )?(?:{AMOUNT}(?:,| and)? ?)+")
_AT: Final = pattern(
    rf"(?:(?P<day>{DAY_NAMED})(?:,? (?:at )?(?P<time>{TIME}))?|(?:at )?(?P<alone>{TIME}))"
)
_CLOCK: Final = pattern(r"(\d{1,2})(?::(\d{2}))?(?: ?([ap])m)?")


class BadTime(ValueError):
    """A moment or duration not understood: the asker's fault."""


def duration_named(text: str) -> float:
    """Seconds of "90s", "2h", "1 day 6 hours", "two days". ``BadTime`` for anything else."""
    plain = _plain(text).removeprefix("in ")
    if not _WHOLE_AMOUNT.fullmatch(plain):
        raise BadTime(f"{text!r} is no duration: say 30m, 2h, 3 days, 1 week")
    seconds = sum(
        float(number if NUMBERS.get(number) is None else NUMBERS[number]) * UNITS[unit[0]]
        for number, unit in _AMOUNTS.findall(plain)
    )
    if not 0 < seconds <= FARTHEST:
        raise BadTime(f"{text!r} is out of reach: more than nothing, and at most ten years")
    return seconds


def moment_named(text: str, now: float, zone: tzinfo = UTC) -> float:
    """Seconds UTC of a moment named by a person in ``zone``. ``BadTime`` when it is not one.

    A time of day alone is the next one; a weekday is the next of its name, never today; a day
    without a time is its morning, 9:00; "today" and "tonight" want a time still to come.
    """
    plain = _plain(text)
    if _WHOLE_AMOUNT.fullmatch(plain):
        return now + duration_named(plain)
    found = _AT.fullmatch(plain)
    moment = _at_day(found, now, zone) if found else _iso(text, zone)
    if not now - 60 <= moment <= now + FARTHEST:
        raise BadTime(f"{text!r} is over, or more than ten years away")
    return moment


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _weekday(name: str) -> int:
    return next(number for number, day in enumerate(DAYS) if day.startswith(name[:3]))


def _clock(said: str, text: str) -> tuple[int, int]:
    found = _CLOCK.fullmatch(said)
    assert found is not None  # TIME has let it through
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= 12:
            raise BadTime(f"{text!r} has no time of day: am and pm go with 1 to 12")
        hour = hour % 12 + (12 if found[3] == "p" else 0)
    if hour > 23 or minute > 59:
        raise BadTime(f"{text!r} has no time of day: 0:00 to 23:59")
    return hour, minute


def _at_day(found: re.Match[str], now: float, zone: tzinfo) -> float:
    here = datetime.fromtimestamp(now, zone)
    named = found["day"]
    said = found["time"] or found["alone"]
    if said is None and named in ("today", "tonight"):
        raise BadTime(f"{found[0]!r} lacks a time of day: say today 17:00")
    hour, minute = _clock(said, found[0]) if said else MORNING
    ahead = 0
    if named == "tomorrow":
        ahead = 1
    elif named is not None and named not in ("today", "tonight"):
        ahead = (_weekday(named.split()[-1]) - here.weekday() - 1) % 7 + 1
    moment = local_moment(here.date() + timedelta(days=ahead), zone, hour, minute)
    if named is None and moment <= now:
        moment = local_moment(here.date() + timedelta(days=1), zone, hour, minute)
    return moment


def _iso(text: str, zone: tzinfo) -> float:
    stripped = text.strip()
    try:
        moment = datetime.fromisoformat(stripped)
        if len(stripped) == len("2026-12-01"):
            moment = moment.replace(hour=MORNING[0], minute=MORNING[1])
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp()
    except (ValueError, OverflowError):
        seconds = math.nan
    if math.isnan(seconds):
        raise BadTime(
            f"{text!r} is no moment: say 2026-12-01 14:30, tomorrow 9:00, friday, in 2 hours"
        )
    return seconds


# ---- validity of a memory: from, until
#
# Times are seconds UTC; an end itself is outside of it. A memory past its time is expired: it stays,
# ranked last, and answers questions about its time.


DAY: Final = 86_400.0  # seconds
STATE_LIFETIME: Final = 30 * DAY  # of the kind ``state``


class Validity(Struct, frozen=True):
    """Interval of a memory's truth; None is without an end on that side."""

    valid_from: float | None = None  # seconds UTC, included
    valid_until: float | None = None  # seconds UTC, not included


ALWAYS: Final = Validity()


def is_valid(validity: Validity, at: float) -> bool:
    """Return whether it is true at this moment: from its beginning until before its end."""
    begun = validity.valid_from is None or validity.valid_from <= at
    return begun and (validity.valid_until is None or at < validity.valid_until)


def with_lifetime(validity: Validity, kind: str, created_at: float) -> Validity:
    """The validity a kind gives: a ``state`` ends 30 days after it began, if nothing else."""
    if kind != "state" or validity.valid_until is not None:
        return validity
    begun = created_at if validity.valid_from is None else validity.valid_from
    return replace(validity, valid_until=begun + STATE_LIFETIME)


def ended(validity: Validity, at: float) -> Validity:
    """The validity cut off at ``at``; an earlier end stays."""
    if validity.valid_until is not None and validity.valid_until <= at:
        return validity
    return replace(validity, valid_until=at)
