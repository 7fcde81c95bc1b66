"""Phrases of time and the intervals they name at a moment: "two weeks ago", "in March 2025".

Weeks begin on Monday. Days are those of the zone, so a day may have 23 or 25 hours. Vague phrases
get room: "three weeks ago" is the seven days around that day, "a few days ago" two to six days. A
part of a day is the day. A month, weekday or date without a year is the latest one begun. The forms
and their reach are our choice. Whether a query means any of it
is told at the end.
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern

ALWAYS: Final = -math.inf  # where an interval without a beginning begins
DAY: Final = 86_400.0  # seconds
HOUR: Final = 3_600.0
MONTHS: Final[tuple[str, ...]] = tuple(
    "january february march april may june july august september october november december".split()
)
DAYS: Final[tuple[str, ...]] = tuple(
    "monday tuesday wednesday thursday friday saturday sunday".split()
)


def local_moment(day: date, hour: int, minute: int, zone: tzinfo | None) -> float:
    """Seconds UTC of a time of day in a zone."""
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone).timestamp()


class Interval(Struct, frozen=True):
    """Interval from ``begin`` up to but without ``end``, seconds UTC, and its words."""

    begin: float
    end: float
    words: str


_NUMBERS: Final = {
    name: float(number)
    for number, name in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1.0, "an": 1.0}
_VAGUE: Final = {"couple": (1.5, 3.0), "few": (2.0, 6.0), "several": (3.0, 8.0)}
_MANY: Final = rf"(?P<many>\d{{1,3}}|(?:a )?couple(?: of)?|(?:a )?few|several|{'|'.join(_NUMBERS)})"
_UNIT: Final = r"(?P<unit>minute|hour|day|night|week|month|quarter|year)s?"
_SECONDS: Final = {
    "minute": 60.0, "hour": HOUR, "day": DAY, "night": DAY, "week": 7 * DAY, "month": 30.44 * DAY,
    "quarter": 91.3 * DAY, "year": 365.25 * DAY,
}  # fmt: skip
_SIDED: Final = (
    r"(?:\b(?P<side>(?:ever )?since|after|before|prior to|until|till|up to) )?(?:\bthe )?"
)
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
_OF_DATA: Final = r"(?! (?:of|column|number|day)\b)(?![-_(])"

Read = Callable[[re.Match[str], datetime], tuple[float, float] | None]


def _moment(day: date, zone: tzinfo | None) -> float:
    """Seconds UTC of the beginning of a local day."""
    return local_moment(day, 0, 0, zone)


def _days(here: datetime, first: date, count: int) -> tuple[float, float]:
    return _moment(first, here.tzinfo), _moment(first + timedelta(days=count), here.tzinfo)


def _months(here: datetime, year: int, month: int, count: int = 1) -> tuple[float, float]:
    """The calendar months from one on; ``month`` may be under 1 or over 12."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + count
    return (
        _moment(date(first // 12, first % 12 + 1, 1), here.tzinfo),
        _moment(date(last // 12, last % 12 + 1, 1), here.tzinfo),
    )


def _yesterday(match: re.Match[str], here: datetime) -> tuple[float, float]:
    back = 2 if "day before" in match.group().lower() else 1
    return _days(here, here.date() - timedelta(days=back), 1)


def _today(_: re.Match[str], here: datetime) -> tuple[float, float]:
    return _days(here, here.date(), 1)


def _amount(said: str) -> tuple[float, float]:
    """Fewest and most of "3", "two", "a few"."""
    for word in said.lower().split():
        if word in _VAGUE:
            return _VAGUE[word]
    number = _NUMBERS.get(said.lower())
    count = float(said) if number is None else number
    return count, count


def _ago(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    least, most = _amount(match["many"])
    unit = match["unit"].lower()
    if most <= 0:
        return None
    if unit in ("minute", "hour"):
        room = max(0.25 * most, 0.5) * _SECONDS[unit]
        now = here.timestamp()
        return now - most * _SECONDS[unit] - room, min(now, now - least * _SECONDS[unit] + room)
    room_days = {"day": 0, "night": 0, "week": 3, "month": 15, "quarter": 45, "year": 182}[unit]
    latest = _back(here.date(), least, unit) + timedelta(days=room_days)
    earliest = _back(here.date(), most, unit) - timedelta(days=room_days)
    begin, end = _moment(earliest, here.tzinfo), _moment(latest + timedelta(days=1), here.tzinfo)
    return begin, end


def _back(day: date, count: float, unit: str) -> date:
    """The day so many units earlier; of a shorter month, the last day."""
    months = {"month": 1, "quarter": 3, "year": 12}.get(unit)
    if months is None:
        return day - timedelta(days=round(count * _SECONDS[unit] / DAY))
    index = day.year * 12 + day.month - 1 - round(count * months)
    year, month = index // 12, index % 12 + 1
    following = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day.day - 1), following - timedelta(days=1))


def _rolling(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    _, most = _amount(match.groupdict().get("many") or "one")
    unit = match["unit"].lower()
    if most <= 0:
        return None
    now = here.timestamp()
    if unit in ("minute", "hour"):
        return now - most * _SECONDS[unit], now
    return _moment(_back(here.date(), most, unit), here.tzinfo), now


def _last(match: re.Match[str], here: datetime) -> tuple[float, float]:
    """The calendar week, month, year before this one; the last weekend over."""
    what = match["what"].lower()
    today = here.date()
    if what == "weekend":
        return _days(here, today - timedelta(days=today.weekday() + 2), 2)
    return _calendar(here, what, back=1)


def _calendar(here: datetime, what: str, back: int) -> tuple[float, float]:
    today = here.date()
    if what == "week":
        return _days(here, today - timedelta(days=today.weekday() + 7 * back), 7)
    if what == "month":
        return _months(here, today.year, today.month - back)
    if what == "quarter":
        return _months(here, today.year, (today.month - 1) // 3 * 3 + 1 - 3 * back, 3)
    return _months(here, today.year - back, 1, 12)


def _this(match: re.Match[str], here: datetime) -> tuple[float, float]:
    return _calendar(here, match["what"].lower(), back=0)


def _weekday(match: re.Match[str], here: datetime) -> tuple[float, float]:
    return _days(here, _latest_weekday(here, match["weekday"]), 1)


def _latest_weekday(here: datetime, name: str) -> date:
    """The latest such day before today."""
    today = here.date()
    return today - timedelta(days=(today.weekday() - DAYS.index(name.lower()) - 1) % 7 + 1)


def _month(match: re.Match[str], here: datetime) -> tuple[float, float]:
    month = MONTHS.index(match["month"].lower()) + 1
    return _months(here, _year_of(match, here, month), month)


def _year_of(match: re.Match[str], here: datetime, month: int, day: int = 1) -> int:
    said = match.groupdict().get("year")
    if said:
        return int(said)
    return here.year - ((month, day) > (here.month, here.day))


def _whole_year(match: re.Match[str], here: datetime) -> tuple[float, float]:
    return _months(here, int(match["year"]), 1, 12)


def _dated(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    month, day = MONTHS.index(match["month"].lower()) + 1, int(match["day"])
    return _one_day(here, _year_of(match, here, month, day), month, day)


def _iso(match: re.Match[str], here: datetime) -> tuple[float, float] | None:
    return _one_day(here, *(int(match[part]) for part in ("year", "number", "day")))


def _one_day(here: datetime, year: int, month: int, day: int) -> tuple[float, float] | None:
    try:
        return _days(here, date(year, month, day), 1)
    except ValueError:
        return None  # the 31st of a month that has thirty days


def _form(text: str, read: Read, *, sure: bool) -> tuple[re.Pattern[str], Read, bool]:
    return pattern(text, re.IGNORECASE), read, sure


def _cased(text: str, read: Read) -> tuple[re.Pattern[str], Read, bool]:
    """A form in which capitals count: "in May", and not "may"."""
    return pattern(text), read, False


# In this order; what is surer and says more stands first.
_FORMS: Final = (
    _form(
        rf"{_SIDED}\b(?:the )?(?:day before yesterday|last night"
        r"|yesterday(?:'s)?)\b(?![-_(])",
        _yesterday,
        sure=True,
    ),
    _form(rf"\b{_MANY} {_UNIT} (?:ago|back)\b", _ago, sure=True),
    _form(r"\bthis (?:morning|afternoon|evening)\b|\bearlier today\b", _today, sure=True),
    _form(rf"\b(?:last|past|previous) {_MANY} {_UNIT}\b", _rolling, sure=True),
    _form(rf"\b(?:the (?:last|past)|past) {_UNIT}\b{_OF_DATA}", _rolling, sure=True),
    _form(
        rf"{_SIDED}\b(?:last|the previous) (?P<what>weekend|week|month|quarter|year)(?:'s)?\b{_OF_DATA}",
        _last,
        sure=True,
    ),
    _form(rf"{_SIDED}\blast {_WEEKDAY}\b", _weekday, sure=True),
    _form(r"\bearlier this (?P<what>week|month|quarter|year)\b", _this, sure=True),
    _form(rf"\b(?P<side>since) {_WEEKDAY}\b", _weekday, sure=True),
    _form(rf"(?:\b(?P<side>since|after|before|until|till) |\bon |\b){_YEAR}-(?P<number>[01]\d)-(?P<day>[0-3]\d)\b",
          _iso, sure=False),
    _cased(
        rf"(?:\b(?P<side>[Ss]ince|after|before|until|till) |\b[Oo]n )?(?:\bthe )?\b(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
        rf"(?: of)? {_MONTH}(?:,? {_YEAR})?\b",
        _dated,
    ),
    _cased(
        rf"(?:\b(?P<side>[Ss]ince|after|before|until|till) |\b[Oo]n )?\b{_MONTH} (?:the )?(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
        rf"\b(?:,? {_YEAR})?(?!\d)",
        _dated,
    ),
    _cased(
        rf"\b(?:(?P<side>[Ss]ince|after|before|until|till)|[Ii]n|[Dd]uring|[Ff]rom|[Oo]f)"
        rf" (?:(?:early|mid|late)[ -])?{_MONTH}(?:,? (?:of )?{_YEAR})?\b(?!-| (?:to|until|till)\b)",
        _month,
    ),
    _form(
        rf"\b(?:(?P<side>since|after|before|until|till)|in|during|from) (?:the year )?{_YEAR}\b(?![-.:\d]| \w+s\b)",
        _whole_year,
        sure=False,
    ),
    _form(rf"\b(?:(?P<side>after|before|until|till)|on) {_WEEKDAY}\b", _weekday, sure=False),
    _form(r"\bthis (?P<what>week|month|quarter|year)\b", _this, sure=False),
    _form(r"\btoday\b(?![-_(])", _today, sure=False),
)  # fmt: skip


def _sided(match: re.Match[str], found: tuple[float, float] | None, now: float) -> Interval | None:
    """The interval, or the time before or after it; None when all of it is yet to come."""
    if found is None or found[0] > now:
        return None
    begin, end = found
    match (match.groupdict().get("side") or "").lower():
        case "since" | "ever since":
            end = now
        case "after":
            begin, end = end, now
        case "before" | "prior to":
            begin, end = ALWAYS, begin
        case "until" | "till" | "up to":
            begin = ALWAYS
        case _:
            pass
    return Interval(begin, end, match.group().strip()) if begin < end else None


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
# A phrase of time becomes an interval of moments in the asker's zone. Precision first: a query not
# surely about a time is about none, and a wrong interval buries the answer. So
#
# - phrases that nearly always mean a time (yesterday, two days ago, last month) count everywhere but
#   in orders to write code about time ("a query for the orders of the last 7 days");
# - phrases that may mean anything ("on Monday", "in March", "in 2024") count only beside a sign that
#   the past is asked for: a past tense;
# - names in code (`yesterday()`, last_week.py) never count.
#
# The words are our choice; tests/policy/times/test_time_words.py holds the cases.


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
    interval's length, between 12 hours and 30 days. 0..1; use it as ``score * (1 + weight * it)``.
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
_CODE: Final = pattern(
    r"`[^`]{0,400}`|\b\w+\([^()]{0,80}\)|(?<![\w.~-])[\w.~-]*[/\\]\S*|\b\w+_\w+\b|\b[A-Za-z]\w*\.[A-Za-z]\w*"
)
_HINT: Final = pattern(
    rf"\b(?:yesterday|today|ago|back|last|past|previous|this|since|until|till|before|after|during"
    rf"|from|on|in|(?:19|20)\d\d|{'|'.join(MONTHS)}"
    rf"|{'|'.join(DAYS)})\b",
    re.IGNORECASE,
)
_WENT: Final = (
    r"(?:[a-z]{2,}[^e\W\d]ed|tried|agreed|said|told|wrote|made|chose|broke|went|came|got|built|found|began|ran|left"
    r"|met|saw|took|kept|gave|hit|shipped|cut|put|set|did|had|thought|spoke|sent|lost|won|changed|were"
    r"|was|read|bought|felt|knew|learnt|learned|let|paid|rewrote|spent|taught|froze|fell|drew|grew|held)"
)
_PAST: Final = pattern(
    rf"\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|(?:has|have|had)(?: \w+)? been|have (?:we|i|you)"
    rf"|(?:we|i|you|they|he|she|it|that|which|who|what|team|(?:we|i|they)'ve)(?: (?:already|just|have|has|also|never))?"
    rf" {_WENT}|back in|used to|happened|changelog"
    rf"|(?:changes?|changed|commits?|notes?|decisions?|discussions?|conversations?|sessions?|meetings?|bugs?"
    rf"|incidents?|merged|decided|discussed|everything|anything|work|worked)(?: \w+)? (?:from|in|on|since|between|during))\b",
    re.IGNORECASE,
)
_ORDER: Final = pattern(
    r"(?:(?:please|can you|could you|now|ok|let's) )*(?:write|implement|add|create|build|generate|make"
    r"|compute|calculate|return|format|parse|convert|schedule|run|delete|remove|fetch|select|get|query"
    r"|filter|count|group|fix|refactor|print|plot|sort|check if|keep|store|limit|expire|archive|display|export|drop|python|sql|bash|javascript|java|regex|function"
    r"|how (?:do|can|to|would|should))\b",
    re.IGNORECASE,
)
_DATA: Final = pattern(
    r"\b(?:datetime|timestamps?|date ?(?:range|picker|format)s?|epoch|cron|strftime|timedelta|timezone"
    r"|rows?|columns?|sql|select|dashboards?|charts?|widgets?|day of the|unix time)\b",
    re.IGNORECASE,
)
