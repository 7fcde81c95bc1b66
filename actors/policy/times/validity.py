"""Validity of a memory: from, until, and the dates in texts.

Times are seconds UTC; an end itself is outside of it. A memory past its time is expired: it stays,
ranked last, and answers questions about its time.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.times.time_phrases import interval

DAY: Final = 86_400.0  # seconds
STATE_LIFETIME: Final = 30 * DAY  # of the kind ``state``

_AS_OF: Final = pattern(r"\bas (?=(of [^;()\n]{4,30}))", re.IGNORECASE)
_YEAR: Final = pattern(r"\b(?:19|20)\d\d\b")
_LAST: Final = 4_102_444_800.0  # seconds UTC: the years that are understood end with 2099


@dataclass(frozen=True, slots=True)
class Validity:
    """Interval of a memory's truth; None is without an end on that side."""

    valid_from: float | None = None  # seconds UTC, included
    valid_until: float | None = None  # seconds UTC, not included


ALWAYS: Final = Validity()


def is_valid(validity: Validity, at: float) -> bool:
    """Return whether it is true at this moment: from its beginning until before its end."""
    begun = validity.valid_from is None or validity.valid_from <= at
    return begun and (validity.valid_until is None or at < validity.valid_until)


def days_until_expiry(validity: Validity, now: float) -> float:
    """Days until its end, 0 when past, infinite when there is none."""
    if validity.valid_until is None:
        return math.inf
    return max(0.0, validity.valid_until - now) / DAY


def expiring_soon(
    memories: Mapping[str, Validity], now: float, days: float = 7.0
) -> list[tuple[str, float]]:
    """Ids of valid memories ending within so many days, and the days left, soonest first."""
    soon = [
        (memory_id, days_until_expiry(validity, now))
        for memory_id, validity in memories.items()
        if is_valid(validity, now) and days_until_expiry(validity, now) <= days
    ]
    return sorted(soon, key=lambda pair: (pair[1], pair[0]))


def with_lifetime(validity: Validity, kind: str, created_at: float) -> Validity:
    """The validity a kind gives: a ``state`` ends 30 days after it began, if nothing else."""
    if kind != "state" or validity.valid_until is not None:
        return validity
    begun = created_at if validity.valid_from is None else validity.valid_from
    return replace(validity, valid_until=begun + STATE_LIFETIME)


def as_of(text: str) -> float | None:
    """The day a text says it holds for, as its first second UTC; None unless it says one.

    "as of 2026-03-04", "as of March 4, 2026", "as of 4 March 2026", "as of March 2026" (its
    first day). Of two different dates neither is believed.
    """
    if "as of" not in text.casefold():  # in few texts, and found thirty times as fast
        return None
    named = (interval(match[1], _LAST, UTC, past=True) for match in _AS_OF.finditer(text))
    dates = {day.begin for day in named if day is not None and _YEAR.search(day.words)}
    return dates.pop() if len(dates) == 1 else None


def ended(validity: Validity, at: float) -> Validity:
    """The validity cut off at ``at``; an earlier end stays."""
    if validity.valid_until is not None and validity.valid_until <= at:
        return validity
    return replace(validity, valid_until=at)
