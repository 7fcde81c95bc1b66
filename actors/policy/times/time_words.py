"""Times in a query: "last week", "since Monday", "in March".

A phrase of time becomes an interval of moments in the asker's zone. Precision first: a query not
surely about a time is about none, and a wrong interval buries the answer. So

- phrases that nearly always mean a time (yesterday, two days ago, last month) count everywhere but
  in orders to write code about time ("a query for the orders of the last 7 days");
- phrases that may mean anything ("on Monday", "in March", "in 2024") count only beside a sign that
  the past is asked for: a past tense;
- names in code (`yesterday()`, last_week.py) never count.

The words are our choice; tests/policy/times/test_time_words.py holds the cases.
"""

import math
import re
from datetime import UTC, tzinfo
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.times.time_phrases import DAY, DAYS, HOUR, MONTHS, Interval, interval

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
