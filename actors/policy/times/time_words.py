"""Times that a query is about: "last week", "since Monday", "in March", "before the release".

A phrase of time becomes an interval of moments in the asker's zone, or, when it names an event, an
anchor whose time the caller has to look up. Precision first: a query that is not surely about a
time is about none, and a wrong interval buries the answer. So

- phrases that nearly always mean a time (yesterday, two days ago, last month) count everywhere but
  in orders to write code about time ("a query for the orders of the last 7 days");
- phrases that may mean anything ("on Monday", "in March", "in 2024", "before the release") count
  only beside a sign that the past is asked for: a past tense, or a question;
- names in code (`yesterday()`, last_week.py) never count.

The words are our choice; tests/policy/times/test_time_words.py holds the cases.
"""

import math
import re
from dataclasses import dataclass
from datetime import UTC, tzinfo
from enum import Enum
from typing import Final

from actors.policy.times.time_phrases import DAY, DAYS, HOUR, MONTHS, Interval, interval

READ: Final = 1_000  # characters of a query that are looked at


# How a memory's time counts against the time that was asked for.
SHARE: Final = 0.5  # of the interval's length: the distance at which half is left
LEAST: Final = 12 * HOUR  # seconds: that distance at least
MOST: Final = 30 * DAY  # and at most
AROUND_EVENT: Final = 30 * DAY  # seconds before or after an event that count as before or after it
DURING_EVENT: Final = DAY  # seconds to each side of an event during which things happened


class Side(Enum):
    """Side of an event on which the time that is asked for lies."""

    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    DURING = "during"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A time that is known only when the event is: "before the release"."""

    side: Side
    event: str
    words: str


def asked(query: str, now: float, zone: tzinfo = UTC) -> Interval | Anchor | None:
    """The time that ``query`` is about at ``now`` seconds UTC, or None when it names none for sure."""
    said = _SPACES.sub(" ", _CODE.sub(" ` ", query[:READ])).replace("’", "'").strip()
    if not _HINT.search(said):
        return None
    past = _PAST.search(said) is not None
    if not past and (_ORDER.match(said) or _DATA.search(said)):
        return None
    found = interval(said, now, zone, past=past)
    if found is not None:
        return found
    wants = past or _QUESTION.match(said) is not None
    return _anchor(said) if wants and not _TO_DO.search(said) else None


def against(anchor: Anchor, at: float, now: float) -> Interval:
    """The interval that ``anchor`` means once its event is known to have been ``at``."""
    latest = max(now, at)
    begin, end = {
        Side.BEFORE: (at - AROUND_EVENT, at),
        Side.AFTER: (at, min(latest, at + AROUND_EVENT)),
        Side.SINCE: (at, latest),
        Side.DURING: (at - DURING_EVENT, at + DURING_EVENT),
    }[anchor.side]
    return Interval(begin, end, anchor.words)


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

_SPACES: Final = re.compile(r"\s+")
# Code, paths, names joined by marks, calls: what stands in them is a name.
_CODE: Final = re.compile(
    r"`[^`]{0,400}`|\b\w+\([^()]{0,80}\)|(?<![\w.~-])[\w.~-]*[/\\]\S*|\b\w+_\w+\b|\b[A-Za-z]\w*\.[A-Za-z]\w*"
)
_HINT: Final = re.compile(
    rf"\b(?:yesterday|today|ago|back|last|past|previous|this|since|until|till|before|after|prior|during"
    rf"|following|when|other day|between|from|on|in|at the time|around|(?:19|20)\d\d|{'|'.join(MONTHS)}"
    rf"|{'|'.join(DAYS)})\b",
    re.IGNORECASE,
)
_WENT: Final = (
    r"(?:[a-z]{2,}[^e\W\d]ed|tried|agreed|said|told|wrote|made|chose|broke|went|came|got|built|found|began|ran|left"
    r"|met|saw|took|kept|gave|hit|shipped|cut|put|set|did|had|thought|spoke|sent|lost|won|changed|were"
    r"|was|read|bought|felt|knew|learnt|learned|let|paid|rewrote|spent|taught|froze|fell|drew|grew|held)"
)
_PAST: Final = re.compile(
    rf"\b(?:did|didn't|was|wasn't|were|weren't|had|hadn't|(?:has|have|had)(?: \w+)? been|have (?:we|i|you)"
    rf"|(?:we|i|you|they|he|she|it|that|which|who|what|team|(?:we|i|they)'ve)(?: (?:already|just|have|has|also|never))?"
    rf" {_WENT}|back in|used to|happened|changelog"
    rf"|(?:changes?|changed|commits?|notes?|decisions?|discussions?|conversations?|sessions?|meetings?|bugs?"
    rf"|incidents?|merged|decided|discussed|everything|anything|work|worked)(?: \w+)? (?:from|in|on|since|between|during))\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"(?:(?:please|can you|could you|now|ok|let's) )*(?:write|implement|add|create|build|generate|make"
    r"|compute|calculate|return|format|parse|convert|schedule|run|delete|remove|fetch|select|get|query"
    r"|filter|count|group|fix|refactor|print|plot|sort|check if|keep|store|limit|expire|archive|display|export|drop|python|sql|bash|javascript|java|regex|function"
    r"|how (?:do|can|to|would|should))\b",
    re.IGNORECASE,
)
_DATA: Final = re.compile(
    r"\b(?:datetime|timestamps?|date ?(?:range|picker|format)s?|epoch|cron|strftime|timedelta|timezone"
    r"|rows?|columns?|sql|select|dashboards?|charts?|widgets?|day of the|unix time)\b",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(
    r"(?:and |so )?(?:what|which|who|when|why|how|where|did|was|were|have|has|had|remind me (?:what|why|how|who)"
    r"|tell me|recall|show me|find)\b",
    re.IGNORECASE,
)
_TO_DO: Final = re.compile(
    r"\b(?:should|must|can|could|will|would|do|to|need|shall) (?:i|we|you|they|it|be)\b|\bhow to\b"
    r"|\b(?:need|have|want|going|remember|supposed|forget) to\b|\b(?:will|must|should|tomorrow|next|upcoming)\b",
    re.IGNORECASE,
)


# -- events -------------------------------------------------------------------------------------

_EVENTS: Final = (
    r"(?:releases?|launch|migration|outage|incident|merge|deploy(?:ment)?|refactor(?:ing)?|rewrite|upgrade"
    r"|meeting|demo|review|retro(?:spective)?|sprint|freeze|cut-?over|rollback|rollout|hotfix|stand-?up"
    r"|conference|hackathon|offsite|trip|wedding|race|holidays?|vacation|interview|post-?mortem|switch"
    r"|redesign|reorg|kick-?off|workshop|audit|beta|crash|fire|accident|surgery|move|party|concert"
    r"|call|onboarding|launch day|go-?live|port|split|rename|break-?up|graduation|roadtrip|road trip)"
)
_SIDES: Final = (
    r"\b(?P<side>(?:right |just |shortly |long )?(?:before|after)|prior to|following|(?:ever )?since|until|till|during"
    r"|around the time of|at the time of)"
)
_NAMED_EVENT: Final = re.compile(
    rf"{_SIDES} (?:the|our|that|my|her|his|their|this|last) (?P<event>(?:[\w'-]+ ){{0,3}}?{_EVENTS}"
    r"(?: (?:to|of|from|in|with|on) (?:the )?[\w.'-]+)?)\b(?! (?:function|method|class|script|button|command|hook|event)s?\b)",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(
    rf"{_SIDES} (?:the )?(?P<event>(?:(?:version|release) )?v?\d+\.\d+(?:\.\d+)?(?: release)?)(?![\w%])",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    rf"(?:{_SIDES}|\b(?P<when>when|while)) (?P<event>(?:we|i|you|they|he|she) (?:(?:first|finally|last|all) )?"
    rf"{_WENT}(?: [\w.'-]+){{0,5}})",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"^(?:we|i|you|they|he|she) (?:(?:first|finally|last|all) )?", re.IGNORECASE
)


def _anchor(said: str) -> Anchor | None:
    """The event that says when, if one does (before the release, after we moved to Postgres)."""
    for form in (_NAMED_EVENT, _VERSION, _CLAUSE):
        match = form.search(said)
        if match is not None:
            side = (match["side"] or "during").lower()
            event = _SUBJECT.sub("", match["event"]).strip(" .'-")
            return Anchor(_side(side), event, match.group().strip())
    return None


def _side(said: str) -> Side:
    if said.endswith(("before", "prior to", "until", "till")):
        return Side.BEFORE
    if said.endswith("since"):
        return Side.SINCE
    return Side.AFTER if said.endswith(("after", "following")) else Side.DURING
