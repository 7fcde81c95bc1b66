"""Times of events that a query names: "before the release", "since we moved to Postgres".

The event is looked for among memories. One that tells of it on a day that it names is the surest:
"we released 2.0 on 4 March 2026". Without such a day, one that tells that it happened counts with
the moment it was kept. Memories that tell of it on different days make the event ambiguous: then
the query has no time at all, because a wrong interval buries the answer. What is a choice here:
the verbs, and how near days must be to be one event.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final

from actors.policy.text.short_ids import short_id
from actors.policy.text.words import caseless, informative, stem, stems
from actors.policy.times import time_words
from actors.policy.times.time_phrases import DAY, Interval, interval
from actors.policy.times.time_words import Anchor, Side

READ: Final = 600  # characters of a memory that are looked at: an event is told in a note
FEW: Final = 90 * DAY  # what a text names as its time is at most this long: "in 2024" is no event
_HAPPENED: Final = caseless(
    r"\b(?:released|launched|shipped|migrated|moved|switched|deployed|merged|finished|completed|done"
    r"|happened|took place|went live|rolled (?:out|back)|upgraded|rewrote|rewritten|split|renamed"
    r"|replaced|started|began|ended|cut over|broke|crashed|fixed|opened|closed|met|held|refactored"
    r"|adopted|introduced|was|were|has been|have been|is (?:over|live|out|complete))\b"
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_TO_COME: Final = caseless(
    r"\b(?:will|should|must|plan(?:s|ned)? to|going to|before (?:the|we|every|each|any)|until (?:the|we)"
    r"|after (?:the|every|each|any)|next|upcoming|every|always|never|whenever|if)\b"
)


# When two memories tell of one event.
APART: Final = 2 * DAY  # seconds that their days may differ by


@dataclass(frozen=True, slots=True)
class Told:
    """A memory that may tell of the event."""

    identity: int
    text: str
    at: float  # seconds UTC when it was kept


@dataclass(frozen=True, slots=True)
class Event:
    """Time of an event, and the memory that says so."""

    identity: int
    begin: float
    end: float
    dated: bool  # its text names the day


def event_of(
    anchor: Anchor, memories: Iterable[Told], now: float, zone: tzinfo = UTC
) -> Event | None:
    """Event of ``anchor``, or None when no memory tells of it, or several on several days."""
    wanted = frozenset(map(stem, informative(anchor.event)))
    if not wanted:
        return None
    told = [one for one in memories if one.at <= now and wanted <= stems(one.text[:READ])]
    events = [event for one in told if (event := _event(one, now, zone)) is not None]
    for sort in (True, False):
        same = sorted(
            (one for one in events if one.dated is sort), key=lambda one: (one.begin, one.identity)
        )
        if same:
            near = (
                max(one.end for one in same) - same[0].begin <= APART + same[0].end - same[0].begin
            )
            return same[0] if near else None
    return None


def asked_time(anchor: Anchor, event: Event, now: float) -> Interval:
    """The time that the query is about: before it began, after it was over, or around it."""
    at = event.end if anchor.side in (Side.AFTER, Side.SINCE) and event.dated else event.begin
    return time_words.against(anchor, at, now)


def _event(one: Told, now: float, zone: tzinfo) -> Event | None:
    """What a memory says of when it happened; None when it tells of something to come, or a rule."""
    text = " ".join(one.text[:READ].split())
    if not _HAPPENED.search(text) or _TO_COME.search(text):
        return None
    named = interval(text, one.at, zone, past=True)
    if named is not None and named.end - named.begin <= FEW and named.begin <= now:
        return Event(one.identity, named.begin, min(named.end, now), dated=True)
    if named is not None or _YEAR.search(text):
        return None  # it names a time that is no day: when it happened is not known
    return Event(one.identity, one.at, one.at, dated=False)


def said(anchor: Anchor, event: Event, zone: tzinfo = UTC) -> str:
    """Anchor as it was understood, in words: "before the release: 2026-03-04 (m12)"."""
    day = datetime.fromtimestamp(event.begin, zone).date().isoformat()
    return f"{anchor.words}: {day} ({short_id(event.identity)})"
