"""The archivist's rule: memories to put away, by evidence.

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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0  # seconds
SHOWN: Final = 3  # sessions that were shown it and did not use it, at least: see above
QUIET: Final = 90 * 86_400.0  # seconds for which what a person brought back or left stays


@dataclass(frozen=True, slots=True)
class Settings:
    """The archivist."""

    enabled: bool = True
    applies: bool = False  # its proposals are put away at once as well (ADR 0013)
    age_days: float = 30.0  # older than


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Old:
    """Facts of a memory for the rule."""

    age_days: float
    factor: float  # of the age, by its context
    uses: int
    sessions: int  # with it shown unasked
    successor: str = ""  # a newer memory that says it, and since which it was not used
    protection: str = ""  # why it is protected, in words; empty when it is not
    listing: str = ""  # how often it was a line of the page that nobody needed, in words
    over_days: float = 0.0  # since its time was over
    is_stated: bool = False  # a person said, chose, confirmed, raised it or brought it back


def why_it_stays(old: Old, settings: Settings = DEFAULT) -> str:
    """The first reason not to archive it, in words; empty when it should be archived."""
    if old.protection:
        return old.protection
    if not old.is_stated and (old.listing or _is_over(old, settings)):
        return ""
    least = settings.age_days * old.factor
    if math.isinf(least):
        return "it does not fade"
    if not old.age_days > least:
        return f"it is {old.age_days:.0f} days old, not over {least:g}"
    if old.successor:
        return ""
    if old.uses:
        return f"it was used {_counted(old.uses, 'time')}"
    if old.sessions < SHOWN:
        return f"it was shown in {_counted(old.sessions, 'session')}, not in {SHOWN}"
    return ""


def goes_by_itself(old: Old, settings: Settings = DEFAULT) -> bool:
    """Return whether a memory to archive goes without a person's word."""
    return not old.is_stated and bool(old.listing or old.successor or _is_over(old, settings))


def _is_over(old: Old, settings: Settings) -> bool:
    return old.over_days > settings.age_days


def evidence(old: Old) -> str:
    """Evidence for archiving it, in figures: the same whatever the memory says."""
    if old.listing:
        return old.listing
    if old.over_days:
        return f"its time has been over for {old.over_days:.0f} days"
    if old.successor:
        return f"{old.successor} is newer and says it; not used since, {old.age_days:.0f} days old"
    shown = _counted(old.sessions, "session")
    return f"shown in {shown}, never used, {old.age_days:.0f} days old"


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def reason(evidence: Sequence[str]) -> str:
    """The evidence of a plan in a line, from its memories' evidence."""
    more = f"; and {len(evidence) - 1} more like it" if len(evidence) > 1 else ""
    return f"{evidence[0]}{more}"
