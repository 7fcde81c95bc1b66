"""Considered: the memories weighed for a prompt's answer, and the fate of each.

Kept with the answer, so a person can ask later why something was told or not: ids and figures, no
memory's text.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from actors.policy.recall.evidence import Reason, Verdict
from actors.policy.recall.page import MOST_WEIGHT, Part, Place

NEAR: Final = 5  # of what was not told, those that came closest
LEAST: Final = 0.1  # confidence; below it nothing came close. Choice


class Fate(StrEnum):
    """Fate of a memory weighed for a prompt."""

    TOLD = "told"
    LISTED = "a line"
    LEFT = "left out of the page"
    FAR = "not close enough"
    WASTED = "of no use when it was told before"
    NOTICED = "a dream noticed it, for a person"
    CORRECTED = "the prompt corrects it"
    SUPPRESSED = "a person suppressed it"
    INVALID = "not true at this time"
    READ = "a reader has read it, and its notes are told"
    KNOWN = "known in this session"
    SAID = "a note says the same"
    ORDER = "only a question is told a quotation"
    LONG = "the prompt is long, so that likeness says little"
    LESS_SURE = "others are surer"
    CROWDED = "over the budget"


class Considered(NamedTuple):
    """A memory or a passage weighed for a prompt: the confidence in its bearing, and its fate."""

    identity: int  # of a passage below zero
    confidence: float  # 0..1
    reason: str  # by which evidence
    fate: Fate


_PLACED: Final = {
    Part.WISHES: Fate.TOLD,
    Part.DECISIONS: Fate.TOLD,
    Part.LINES: Fate.LISTED,
    Part.LEFT: Fate.LEFT,
}


def considered(verdicts: Iterable[Verdict], fates: Mapping[int, Fate]) -> tuple[Considered, ...]:
    """Told notes, then the closest others, each the surest first; ``fates``: of notes left out."""
    weighed = [
        Considered(
            one.identity, one.confidence, str(one.reason), fates.get(one.identity, Fate.TOLD)
        )
        for one in sorted(verdicts, key=lambda one: -one.confidence)
        if one.relevant or one.confidence >= LEAST or one.reason is Reason.WASTED
    ]
    told = [one for one in weighed if one.fate is Fate.TOLD]
    kept_back = [one for one in weighed if one.fate is not Fate.TOLD]
    return (*told, *kept_back[:NEAR])


def of_page(places: Iterable[Place]) -> tuple[Considered, ...]:
    """List a page's notes, and the strongest left out of it; the confidence is the share of the most weight."""
    weighed = [
        Considered(one.identity, one.weight / MOST_WEIGHT, one.reason, _PLACED[one.part])
        for one in places
    ]
    left = sorted(
        (one for one in weighed if one.fate is Fate.LEFT), key=lambda one: -one.confidence
    )
    return (*(one for one in weighed if one.fate is not Fate.LEFT), *left[:NEAR])
