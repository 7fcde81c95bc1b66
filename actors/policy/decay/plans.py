"""Plans: acts open to memories nobody named, their bounds, and whether they still may be done.

A plan is rows: a memory, its columns before and after an act. Earlier versions also summed up, moved
to another project and set types: such acts are shown and taken back, and not done any more. Three
rules hold for every proposer:

- a pinned, constitutional or critical memory is outside of every plan; one judged useful by a person is outside of plans to take something away;
- a run takes at most 5 % of the living store away, and at least one memory, however small the store;
- a plan is carried out only on the texts it was made for: another text makes all of it stale, and memories pinned, judged useful, used or ended since then are left out.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from actors.policy.decay.states import is_protected
from actors.policy.decay.tiers import IMPORTANCE
from actors.policy.text.words import coverage, stems

Act = Literal["archive", "forget", "retier"]
Values = dict[str, str | float | None]  # columns of a memory

SHARE: Final = 0.05  # of the living store, taken away by one run at most
QUIET: Final = 90 * 86_400.0  # seconds for which what a person left is not proposed again
USEFUL: Final = 0.5  # confidence over which verdicts say that a memory helped; all begin there
TAKING_AWAY: Final = frozenset({"archive", "forget"})
ACTS: Final = TAKING_AWAY | {"retier"}
# Of 68 linked pairs of two real projects three had over .8, each a fuller account; the next had .67.
SAID: Final = 0.8
CHANGED: Final = "a memory says something else than when this was proposed"
OVER: Final = "an earlier version proposed it: it is not done any more"


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a plan on one memory, and its result."""

    memory_id: int
    act: str  # an ``Act``; an earlier version's may be another
    content_hash: bytes  # of the text that the proposer saw: another text is not touched
    argument: str = ""  # retier: the tier
    evidence: str = ""  # one line of figures, never a memory's text
    uses: int = 0  # of the memory, until the proposal
    outcome: str = ""  # "", done, restored; else why not, in words
    done: bool = False  # it was carried out and not taken back


@dataclass(frozen=True, slots=True)
class Subject:
    """A memory as a plan sees it."""

    memory_id: int
    content_hash: bytes
    tier: str
    ended: str | None = None
    pinned: bool = False
    uses: int = 0
    confidence: float = 0.5  # 0..1
    validations: int = 0  # verdicts of people


def effect(step: Step) -> Values:
    """Return the columns a step sets in its memory."""
    match step.act:
        case "archive":
            return {"ended": "archived"}
        case "forget":
            return {"ended": "forgotten"}
        case _:
            return {"tier": step.argument}


def undoing(before: Values, after: Values, now: Values) -> Values | None:
    """Return the columns for taking a step back; ``None`` when one of them was changed since."""
    changed = [name for name in before if name in now and before[name] != after[name]]
    if any(now[name] != after[name] for name in changed):
        return None
    return {name: before[name] for name in changed}


def protection(act: str, subject: Subject) -> str:
    """Reason why this may not be done to a memory, in words; empty when it may."""
    if subject.pinned:
        return "it is pinned"
    if is_protected(subject.tier, pinned=False):
        return f"it is {subject.tier}"
    if act in TAKING_AWAY and subject.validations > 0 and subject.confidence > USEFUL:
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
    if why := protection(step.act, subject):
        return why
    if step.act in TAKING_AWAY:
        return "it was used since" if subject.uses > step.uses else ""
    if step.argument not in IMPORTANCE:
        return f"there is no tier {step.argument}"
    return "it is so already" if step.argument == subject.tier else ""


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
