"""Archival: the archivist's rule, plans, and the relevance of a memory.

Some memories go by themselves, never a person's: a line of the session's start nobody needs any
more, a memory with its time over for a month, or an old and unused one superseded in substance by a
newer one, old enough for its context. Of a person's the last is proposed, and so is a memory shown
to several sessions and used by none. Nothing protected goes. Being shown is no use, and a memory
never shown has no evidence against it.

On two projects of real sessions (34 sessions in 7 and 12 days, 208 memories) 43 memories were used,
each first within 11 days of being made; of 15 shown to three sessions without a use, 3 were used
later, all in the same time. So 30 days and three sessions would have proposed none of the used
ones.
"""

import math
from collections.abc import Collection, Sequence
from typing import Final

from msgspec import Struct

from actors.policy.decay.states import is_protected
from actors.policy.text.words import coverage, stems

DAY: Final = 86_400.0  # seconds
SHOWN: Final = 3  # sessions that were shown it and did not use it, at least: see above
QUIET: Final = 90 * 86_400.0  # seconds for which what a person brought back or left stays


class Settings(Struct, frozen=True):
    """The archivist."""

    enabled: bool = True
    age_days: float = 30.0  # older than


DEFAULT: Final = Settings()


class Old(Struct, frozen=True):
    """Facts of a memory for the rule."""

    age_days: float
    factor: float  # of the age, by its context
    uses: int
    sessions: int  # with it shown unasked
    successor: str = ""  # a newer memory that says it, and since which it was not used
    is_protected: bool = False
    listing: str = ""  # how often it was a line of the page that nobody needed, in words
    over_days: float = 0.0  # since its time was over
    is_stated: bool = False  # a person said, chose, confirmed, raised it or brought it back


def goes(old: Old, settings: Settings = DEFAULT) -> bool | None:
    """Return whether a memory goes by itself, or only by a person's word; ``None``: it stays."""
    if old.is_protected:
        return None
    if not old.is_stated and (old.listing or old.over_days > settings.age_days):
        return True
    if not old.age_days > settings.age_days * old.factor:
        return None
    if old.successor:
        return not old.is_stated
    return False if not old.uses and old.sessions >= SHOWN else None


def evidence(old: Old) -> str:
    """Evidence for archiving it, in figures: the same whatever the memory says."""
    if old.listing:
        return old.listing
    if old.over_days:
        return f"its time has been over for {old.over_days:.0f} days"
    if old.successor:
        return f"{old.successor} is newer and says it; not used since, {old.age_days:.0f} days old"
    return f"shown in {old.sessions} sessions, never used, {old.age_days:.0f} days old"


def reason(evidence: Sequence[str]) -> str:
    """The evidence of a plan in a line, from its memories' evidence."""
    more = f"; and {len(evidence) - 1} more like it" if len(evidence) > 1 else ""
    return f"{evidence[0]}{more}"


# ---- plans: their bounds, and whether they still may be done
#
# A plan puts memories away. Earlier versions had other acts, which are shown and not done or taken back any more. Three
# rules hold for every proposer:
#
# - a pinned, constitutional or critical memory is outside of every plan, and so is one judged useful by a person;
# - a run takes at most 5 % of the living store away, and at least one memory, however small the store;
# - a plan is carried out only on the texts it was made for: another text makes all of it stale, and memories pinned, judged useful, used or ended since then are left out.


SHARE: Final = 0.05  # of the living store, taken away by one run at most
USEFUL: Final = 0.5  # confidence over which verdicts say that a memory helped; all begin there
# Of 68 linked pairs of two real projects three had over .8, each a fuller account; the next had .67.
SAID: Final = 0.8
CHANGED: Final = "a memory says something else than when this was proposed"


class Step(Struct, frozen=True):
    """One memory that a plan puts away, and its result."""

    memory_id: int
    content_hash: bytes  # of the text that the proposer saw: another text is not touched
    evidence: str = ""  # one line of figures, never a memory's text
    uses: int = 0  # of the memory, until the proposal
    outcome: str = ""  # "", done, restored; else why not, in words
    done: bool = False  # it was carried out and not taken back


class Subject(Struct, frozen=True):
    """A memory as a plan sees it."""

    memory_id: int
    content_hash: bytes
    tier: str
    ended: str | None = None
    pinned: bool = False
    uses: int = 0
    confidence: float = 0.5  # 0..1
    validations: int = 0  # verdicts of people


def protection(subject: Subject) -> str:
    """Reason why a memory may not be put away, in words; empty when it may."""
    if subject.pinned:
        return "it is pinned"
    if is_protected(subject.tier, pinned=False):
        return f"it is {subject.tier}"
    if subject.validations > 0 and subject.confidence > USEFUL:
        return "it was judged useful"
    return ""


def objection(step: Step, subject: Subject | None) -> str:
    """Reason why a step is not carried out now, in words; empty when it is."""
    if subject is None:
        return "it is gone"
    if step.content_hash != subject.content_hash:
        return CHANGED
    if subject.ended is not None:
        return f"it is {subject.ended} already"
    return protection(subject) or ("it was used since" if subject.uses > step.uses else "")


def staleness(objections: Collection[str]) -> str:
    """Reason why nothing of a plan is done, from its steps' objections; empty when something is."""
    if CHANGED in objections:
        return CHANGED  # somebody is to look anew
    return "there is nothing left to do" if all(objections) else ""


def is_said_by(text: str, newer: str) -> bool:
    """Return whether a newer text covers this one: it has four fifths of its words."""
    return coverage(dict.fromkeys(stems(text), 1.0), stems(newer)) >= SAID


def most(living: int) -> int:
    """Number of memories one run may take away: 5 % of the living, and at least one."""
    return max(1, int(living * SHARE))


# ---- relevance: how much a memory still matters today
#
# A figure of its own, computed when it is asked for. It is never written to importance: where a
# source did so and read it back the next day, an importance of 1 fell under its own protection within
# a day and a half of .5 was gone after a month.


FLOOR: Final = 0.001  # Nothing is less relevant
NEUTRAL: Final = 0.5  # The confidence of what has no connection


class Use(Struct, frozen=True):
    """Facts for computing relevance."""

    age: float  # days since it was made
    importance: float  # 0..1
    unused: float | None = None  # days since it was last of use; None: it never was
    relations: int = 0
    confidence: float | None = None  # mean of its relations, 0..1; None: there are none


def relevance(use: Use) -> float:
    """Relevance of a memory: .001 and up, about 2 at most.

    ``exp(-.1 age) (.3 + .3 exp(-.05 unused)) (1 + .3 ln(1 + relations)) (.5 + importance) (.7 + .3
    confidence)``; a memory never used counts as unused since it was made. Times ahead, after a
    clock went back, count as now.
    """
    age = max(0.0, use.age)
    unused = age if use.unused is None else max(0.0, use.unused)
    sure = NEUTRAL if use.confidence is None else use.confidence
    found = (
        math.exp(-0.1 * age)
        * (0.3 + 0.3 * math.exp(-0.05 * unused))
        * (1.0 + 0.3 * math.log1p(use.relations))
        * (0.5 + use.importance)
        * (0.7 + 0.3 * sure)
    )
    return max(found, FLOOR)
