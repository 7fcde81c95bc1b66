"""Plans: what may be done to a memory that nobody named, how much of it, and whether it still may.

A plan is rows: a memory, what its columns are, and what an act makes of them. Three things hold
whoever proposes:

- what is pinned, constitutional or critical is outside of every plan; what a person judged useful is
  outside of those that take something away;
- a run takes at most 5 % of the living store away, and at least one memory, however small the store;
- a plan is carried out only on what it was made for: another text makes all of it stale, and what was
  pinned, judged useful, used or ended since then is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.decay.fsrs import HALF_LIVES
from actors.policy.decay.states import is_protected
from actors.policy.decay.tiers import IMPORTANCE
from actors.policy.text.words import coverage, stems

SHARE: Final = 0.05  # of the living store, taken away by one run at most
QUIET: Final = 90 * 86_400.0  # seconds for which what a person left is not proposed again
USEFUL: Final = 0.5  # confidence over which verdicts say that a memory helped; all begin there


class Act(Enum):
    """Act of a step on a memory."""

    ARCHIVE = "archive"
    FORGET = "forget"
    RETIER = "retier"
    RETYPE = "retype"
    RESCOPE = "rescope"  # out of its project: recalled in every one


# Of 68 linked pairs of two real projects three had over .8, each a fuller account; the next had .67.
SAID: Final = 0.8
TAKING_AWAY: Final = frozenset({Act.ARCHIVE, Act.FORGET})
USER: Final = "user"  # the one scope that a memory may be moved to by a plan
Values = dict[str, str | float | None]  # columns of a memory


@dataclass(frozen=True, slots=True)
class Subject:
    """A memory as a plan sees it."""

    memory_id: int
    content_hash: bytes
    tier: str
    memory_type: str
    ended: str | None = None
    pinned: bool = False
    uses: int = 0
    confidence: float = 0.5  # 0..1
    validations: int = 0  # verdicts of people
    project: str | None = None  # None: the user's own scope
    is_claim: bool = False  # it says what is current: of its project, and of no other


@dataclass(frozen=True, slots=True)
class Proposed:
    """A step, and what its proposer saw."""

    memory_id: int
    act: Act
    content_hash: bytes
    argument: str = ""
    uses: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision about a plan: the steps to be carried out, those left out, or why it is stale."""

    doing: tuple[Proposed, ...] = ()
    left: tuple[tuple[int, str], ...] = ()  # memory, why in words
    stale: str = ""  # nothing is done when this says anything


def effect(act: Act, argument: str) -> Values:
    """Return what an act makes of a memory's columns."""
    match act:
        case Act.ARCHIVE:
            return {"ended": "archived"}
        case Act.FORGET:
            return {"ended": "forgotten"}
        case Act.RETIER:
            return {"tier": argument}
        case Act.RETYPE:
            return {"memory_type": argument}
        case Act.RESCOPE:
            return {"project": None}


def undoing(before: Values, after: Values, now: Values) -> Values | None:
    """Return the columns that take a step back; ``None`` when one of them was changed since."""
    changed = [name for name in before if name in now and before[name] != after[name]]
    if any(now[name] != after[name] for name in changed):
        return None
    return {name: before[name] for name in changed}


def is_judged_useful(confidence: float, validations: int) -> bool:
    """Return whether people's verdicts on the whole say that it helped."""
    return validations > 0 and confidence > USEFUL


def protection(act: Act, subject: Subject) -> str:
    """Reason why this may not be done to a memory, in words; empty when it may."""
    if subject.pinned:
        return "it is pinned"
    if is_protected(subject.tier, pinned=False):
        return f"it is {subject.tier}"
    if act in TAKING_AWAY and is_judged_useful(subject.confidence, subject.validations):
        return "it was judged useful"
    if act is Act.RESCOPE and subject.is_claim:
        return "it says what is current in its project"
    return ""


def is_said_by(text: str, newer: str) -> bool:
    """Return whether a newer text says what this one says: it has four fifths of its words."""
    return coverage(dict.fromkeys(stems(text), 1.0), stems(newer)) >= SAID


def fault(act: Act, argument: str) -> str:
    """Fault of a step as such, in words; empty when there is none."""
    if act is Act.RETIER and argument not in IMPORTANCE:
        return "there is no such tier"
    if act is Act.RETYPE and argument not in HALF_LIVES:
        return "there is no such memory type"
    if act is Act.RESCOPE and argument != USER:
        return "there is no such scope"
    return ""


def most(living: int) -> int:
    """Number of memories one run may take away: 5 % of the living, and at least one."""
    return max(1, int(living * SHARE))


def objection(step: Proposed, subject: Subject | None) -> str:
    """Reason why a step is not carried out now, in words; empty when it is."""
    if subject is None:
        return "it is gone"
    if subject.ended is not None:
        return f"it is {subject.ended} already"
    if why := protection(step.act, subject):
        return why
    if step.act in TAKING_AWAY and subject.uses > step.uses:
        return "it was used since"
    standing: Values = {
        "tier": subject.tier, "memory_type": subject.memory_type, "project": subject.project,
        "ended": subject.ended,
    }  # fmt: skip
    become = effect(step.act, step.argument)
    return "it is so already" if standing | become == standing else ""


def decided(steps: Sequence[Proposed], subjects: Sequence[Subject]) -> Decision:
    """Decide what is to be done of a plan now.

    Another text than the proposed one makes the whole plan stale: somebody is to look anew.
    """
    there = {subject.memory_id: subject for subject in subjects}
    for step in steps:
        subject = there.get(step.memory_id)
        if subject is not None and subject.content_hash != step.content_hash:
            return Decision(stale="a memory says something else than when this was proposed")
    objections = {step.memory_id: objection(step, there.get(step.memory_id)) for step in steps}
    left = tuple((memory_id, why) for memory_id, why in objections.items() if why)
    doing = tuple(step for step in steps if not objections[step.memory_id])
    if not doing:
        return Decision(left=left, stale="there is nothing left to do")
    return Decision(doing, left)
