"""Phrases of time and the intervals they name at a moment: "two weeks ago", "in March 2025".

Weeks begin on Monday. Days are those of the zone, so a day may have 23 or 25 hours. "Three weeks ago" is the seven
days around that day; a month or weekday without a year is the latest one begun. The forms and their reach are our
choice.
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import partial
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)
ALWAYS: Final = -math.inf  # where an interval without a beginning begins
DAY: Final = 86_400.0  # seconds
HOUR: Final = 3_600.0
MONTHS: Final[tuple[str, ...]] = tuple(
    "january february march april may june july august september october november december".split()
)
DAYS: Final[tuple[str, ...]] = tuple(
    "monday tuesday wednesday thursday friday saturday sunday".split()
)


def local_moment(day: date, zone: tzinfo | None, hour: int = 0, minute: int = 0) -> float:
    """Seconds UTC of a time of day in a zone."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).timestamp()


class Interval(Struct, frozen=True):
    """Interval from ``begin`` up to but without ``end``, seconds UTC."""

    begin: float
    end: float


NUMBERS: Final = {
    name: number
    for number, name in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1, "an": 1}
_MANY: Final = rf"(?P<many>\d{{1,3}}|{'|'.join(NUMBERS)})"
_UNIT: Final = r"(?P<unit>minute|hour|day|week|month|year)s?"
_SECONDS: Final = {"minute": 60.0, "hour": HOUR}
_DAYS: Final = {"day": 1, "week": 7}
_MONTHS: Final = {"month": 1, "year": 12}
_ROOM: Final = {"day": 0, "week": 3, "month": 15, "year": 182}  # days to both sides of one ago
_SIDED: Final = r"(?:\b(?P<side>since|after|before|until) )?(?:\bthe )?"
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(DAYS)})"
# "may" and "march" are words as well: they are months with a capital only.
_MONTH: Final = (
    "(?P<month>"
    + "|".join(
        f"[{name[0].upper()}]{name[1:]}" if name in ("may", "march") else f"(?i:{name})"
        for name in MONTHS
    )
    + ")"
)
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY: Final = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_ON: Final = r"(?:\b(?P<side>[Ss]ince|after|before|until) |\b[Oo]n |\b)"
_OF_DATA: Final = r"(?! (?:of|column|number|day)\b)(?![-_(])"

Read = Callable[[re.Match[str], datetime], tuple[float, float] | None]


def _days(here: datetime, first: date, count: int) -> tuple[float, float]:
    after = first + timedelta(days=count)
    return local_moment(first, here.tzinfo), local_moment(after, here.tzinfo)


def _months(here: datetime, year: int, month: int, count: int = 1) -> tuple[float, float]:
    """The calendar months from one on; ``month`` may be under 1."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + count
    return (
        local_moment(date(first // 12, first % 12 + 1, 1), here.tzinfo),
        local_moment(date(last // 12, last % 12 + 1, 1), here.tzinfo),
    )


def _day(_: re.Match[str], here: datetime, *, back: int) -> tuple[float, float]:
    """The day so many before this one."""
    return _days(here, here.date() - timedelta(days=back), 1)


def _many(match: re.Match[str]) -> int:
    said = (match.groupdict().get("many") or "one").lower()
    return NUMBERS[said] if said in NUMBERS else int(said)


def _ago(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    count, unit = _many(match), match["unit"].lower()
    if not count:
        return None
    if unit in _SECONDS:
        room = max(0.25 * count, 0.5) * _SECONDS[unit]
        now = here.timestamp()
        return now - count * _SECONDS[unit] - room, min(now, now - count * _SECONDS[unit] + room)
    day, room_days = _back(here.date(), count, unit), _ROOM[unit]
    return _days(here, day - timedelta(days=room_days), 2 * room_days + 1)


def _back(day: date, count: int, unit: str) -> date:
    """The day so many units earlier; of a shorter month, the last day."""
    if unit in _DAYS:
        return day - timedelta(days=count * _DAYS[unit])
    index = day.year * 12 + day.month - 1 - count * _MONTHS[unit]
    year, month = index // 12, index % 12 + 1
    following = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day.day - 1), following - timedelta(days=1))


def _rolling(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    count, unit = _many(match), match["unit"].lower()
    if not count:
        return None
    now = here.timestamp()
    if unit in _SECONDS:
        return now - count * _SECONDS[unit], now
    return local_moment(_back(here.date(), count, unit), here.tzinfo), now


def _calendar(match: re.Match[str], here: datetime, *, back: int) -> tuple[float, float]:
    """The calendar week, month or year so many before this one."""
    today, what = here.date(), match["what"].lower()
    if what == "week":
        return _days(here, today - timedelta(days=today.weekday() + 7 * back), 7)
    if what == "month":
        return _months(here, today.year, today.month - back)
    return _months(here, today.year - back, 1, 12)


def _weekday(match: re.Match[str], here: datetime) -> tuple[float, float]:
    """The latest such day before today."""
    today, day = here.date(), DAYS.index(match["weekday"].lower())
    return _days(here, today - timedelta(days=(today.weekday() - day - 1) % 7 + 1), 1)


def _month(match: re.Match[str], here: datetime) -> tuple[float, float]:
    month = MONTHS.index(match["month"].lower()) + 1
    return _months(here, _year_of(match, here, month), month)


def _year_of(match: re.Match[str], here: datetime, month: int, day: int = 1) -> int:
    return int(match["year"] or here.year - ((month, day) > (here.month, here.day)))


def _dated(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    named, day = match["month"], int(match["day"])
    month = int(named) if named.isdecimal() else MONTHS.index(named.lower()) + 1
    try:
        return _days(here, date(_year_of(match, here, month, day), month, day), 1)
    except ValueError:
        return None  # the 31st of a month that has thirty days


def _form(text: str, read: Read, *, sure: bool) -> tuple[re.Pattern[str], Read, bool]:
    return caseless(text), read, sure


_YESTERDAY: Final = partial(_day, back=1)
_TODAY: Final = partial(_day, back=0)
_LAST: Final = partial(_calendar, back=1)
_THIS: Final = partial(_calendar, back=0)
# In this order; what is surer and says more stands first.
_FORMS: Final = (
    _form(rf"{_SIDED}\b(?:last night|yesterday(?:'s)?)\b(?![-_(])", _YESTERDAY, sure=True),
    _form(rf"\b{_MANY} {_UNIT} (?:ago|back)\b", _ago, sure=True),
    _form(r"\bthis (?:morning|afternoon|evening)\b|\bearlier today\b", _TODAY, sure=True),
    _form(rf"\b(?:last|past|previous) {_MANY} {_UNIT}\b", _rolling, sure=True),
    _form(rf"\b(?:the (?:last|past)|past) {_UNIT}\b{_OF_DATA}", _rolling, sure=True),
    _form(rf"{_SIDED}\b(?:last|the previous) (?P<what>week|month|year)(?:'s)?\b{_OF_DATA}", _LAST, sure=True),
    _form(rf"{_SIDED}\blast {_WEEKDAY}\b", _weekday, sure=True),
    _form(r"\bearlier this (?P<what>week|month|year)\b", _THIS, sure=True),
    _form(rf"\b(?P<side>since) {_WEEKDAY}\b", _weekday, sure=True),
    _form(rf"{_ON}{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)\b", _dated, sure=False),
    # Capitals count: "in May", and not "may".
    (pattern(rf"{_ON}(?:\bthe )?\b{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?\b"), _dated, False),
    (pattern(rf"{_ON}\b{_MONTH} (?:the )?{_DAY}\b(?:,? {_YEAR})?(?!\d)"), _dated, False),
    (
        pattern(
            rf"\b(?:(?P<side>[Ss]ince|after|before|until)|[Ii]n|[Dd]uring|[Ff]rom|[Oo]f)"
            rf" {_MONTH}(?:,? {_YEAR})?\b(?!-| (?:to|until)\b)"
        ),
        _month,
        False,
    ),
    _form(rf"\b(?:(?P<side>after|before|until)|on) {_WEEKDAY}\b", _weekday, sure=False),
    _form(r"\bthis (?P<what>week|month|year)\b", _THIS, sure=False),
    _form(r"\btoday\b(?![-_(])", _TODAY, sure=False),
)  # fmt: skip


def _sided(match: re.Match[str], found: tuple[float, float] | None, now: float) -> Interval | None:
    """The interval, or the time before or after it; None when all of it is yet to come."""
    if found is None or found[0] > now:
        return None
    begin, end = found
    match (match.groupdict().get("side") or "").lower():
        case "since":
            end = now
        case "after":
            begin, end = end, now
        case "before":
            begin, end = ALWAYS, begin
        case "until":
            begin = ALWAYS
        case _:
            pass
    return Interval(begin, end) if begin < end else None


def interval(said: str, now: float, zone: tzinfo, *, past: bool) -> Interval | None:
    """The first interval named in ``said`` at ``now`` seconds UTC, in a text of single spaces.

    Phrases of a second meaning beside a time count only where the ``past`` is asked for.
    """
    here = datetime.fromtimestamp(now, zone)
    for form, read, sure in _FORMS:
        if sure or past:
            for match in form.finditer(said):
                found = _sided(match, read(match, here), now)
                if found is not None:
                    return found
    return None


# ---- times in a query: "last week", "since Monday", "in March"
#
# Precision first: a query not surely about a time is about none, and a wrong interval buries the answer. So
#
# - phrases that nearly always mean a time (yesterday, two days ago, last month) count everywhere but
#   in orders to write code about time ("a query for the orders of the last 7 days");
# - phrases that may mean anything ("on Monday", "in March", "in 2024") count only beside a sign that
#   the past is asked for: a past tense;
# - names in code (`yesterday()`, last_week.py) never count.


READ: Final = 1_000  # characters of a query that are looked at

# How a memory's time counts against the time that was asked for.
SHARE: Final = 0.5  # of the interval's length: the distance at which half is left
LEAST: Final = 12 * HOUR  # seconds: that distance at least
MOST: Final = 30 * DAY  # and at most


def asked(query: str, now: float, zone: tzinfo = UTC) -> Interval | None:
    """The time of ``query`` at ``now`` seconds UTC, or None when it names none for sure."""
    said = _SPACES.sub(" ", _CODE.sub(" ` ", query[:READ])).replace("’", "'").strip()
    if not _HINT.search(said):
        return None
    past = _PAST.search(said) is not None
    if not past and (_ORDER.match(said) or _DATA.search(said)):
        return None
    return interval(said, now, zone, past=past)


def boost(at: float, interval: Interval) -> float:
    """Fit of a memory of the moment ``at``, 0..1: 1 within, halved with each distance outside.

    ``2 ** (-away / half)``: ``away`` is the distance to the nearer end, ``half`` is half the
    interval's length, between 12 hours and 30 days. Use it as ``score * (1 + weight * it)``.
    """
    if not math.isfinite(at):
        return 0.0
    away = max(interval.begin - at, at - interval.end, 0.0)
    length = interval.end - interval.begin
    half = min(max(SHARE * length, LEAST), MOST)
    return float(2.0 ** -min(away / half, 1_000.0))


# -- what says that a time is asked for ---------------------------------------------------------

_SPACES: Final = pattern(r"\s+")
# Code, paths, names joined by marks, calls: what stands in them is a name.
_CODE: Final = pattern(_EXPRESSIONS["code"])
_HINT: Final = caseless(_EXPRESSIONS["hint"])
_PAST: Final = caseless(_EXPRESSIONS["past"])
_ORDER: Final = caseless(_EXPRESSIONS["order"])
_DATA: Final = caseless(_EXPRESSIONS["data"])
