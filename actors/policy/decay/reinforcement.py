"""Reinforcement: what use and opinions make of a memory, and how easily it comes to mind."""

import math
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.decay.curve import (
    FSRS6_WEIGHTS,
    STABILITY_MAX,
    STABILITY_MIN,
    Grade,
    Strength,
    days_until,
    graded,
)

# ---- reinforcement: events with an effect on a memory's strength
#
# Use has one, mere exposure has none. A memory shown again and again by recall must not become unforgettable by it. Only its use counts,
# and an inferred use counts at most once a day.


DAY: Final = 86_400.0  # seconds
# What is only inferred counts once a day: a memory that one session cites ten times is not learnt ten times.
IMPLICIT_GAP: Final = DAY  # seconds between two implicit reinforcements of one memory


class Use(Enum):
    """Kind of use of a memory, or what a person says of it. Being shown is none."""

    OPENED = "opened"  # an agent opened it by its id
    CITED = "cited"  # an answer repeated it
    DONE = "done"  # a command or an edit repeated it, soon after it was told
    EDITED_AFTER = "edited_after"  # the place it is about was edited after it was shown
    CONFIRMED = "confirmed"  # the conversation went on to agree with it
    USEFUL = "useful"  # a person said so
    USELESS = "useless"  # a person said so
    REINFORCED = "reinforced"  # the gate saw the same fact arrive again


GRADES: Final[Mapping[Use, Grade]] = {
    Use.OPENED: Grade.GOOD,
    Use.CITED: Grade.GOOD,
    Use.DONE: Grade.GOOD,
    Use.EDITED_AFTER: Grade.EASY,
    Use.CONFIRMED: Grade.EASY,
    Use.REINFORCED: Grade.GOOD,
}
# Inferred from behaviour: capped. The gate's own finding is not.
IMPLICIT: Final = frozenset({Use.OPENED, Use.CITED, Use.DONE, Use.EDITED_AFTER, Use.CONFIRMED})
# What a person says of it: it moves confidence and rank, and never the curve.
OPINIONS: Final = frozenset({Use.USEFUL, Use.USELESS})


class Settings(Struct, frozen=True):
    """Settings of how use strengthens."""

    weights: tuple[float, ...] = FSRS6_WEIGHTS

    @property
    def decay(self) -> float:
        """Exponent of the forgetting curve: .1542 is FSRS-6, .5 is FSRS-4.5."""
        return self.weights[-1]


def reviewed(
    memory_strength: Strength, use: Use, now: float, weights: tuple[float, ...] = FSRS6_WEIGHTS
) -> Strength | None:
    """The strength after this use at ``now`` seconds UTC, or None when nothing changes.

    Nothing changes by an implicit use within 24 h of the last one. The gate's reinforcement always
    counts, under the same-day rule.
    """
    last, is_implicit = memory_strength.implicit_at, use in IMPLICIT
    if is_implicit and last is not None and now - last < IMPLICIT_GAP:
        return None
    after = graded(memory_strength, GRADES[use], now, weights)
    return replace(after, implicit_at=now) if is_implicit else after


# ---- opinions of people: verdicts, and that one wants not to be reminded, for now
#
# A verdict moves confidence and rank, and never the curve. Promotion is only ever proposed; a person
# or an explicit command promotes. Suppression is a flag beside both axes of a memory's state: each
# time weighs more; within a day it can be taken back. Nothing is
# deleted.


PROMOTED: Final = frozenset({"constitutional", "critical"})  # nothing above to promote to
USEFUL: Final = 0.1
USELESS: Final = 0.05
BAR: Final = 0.9  # confidence from which promotion is proposed, after so many verdicts:
VALIDATIONS: Final = 5
DURATION: Final = 24 * 3600.0  # seconds during which suppression hides and can be taken back


def validated(confidence: float, *, useful: bool) -> float:
    """Confidence (0..1) after a verdict: +.1 up to 1, or -.05 down to 0."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    return round(min(1.0, max(0.0, confidence + step)), 9)


def promotion_proposed(confidence: float, validations: int, tier: str | None) -> bool:
    """Return whether to propose the critical tier: .9 or more after 5 verdicts or more.

    Four positive verdicts make .9 and are not enough; five are.
    """
    return confidence >= BAR and validations >= VALIDATIONS and tier not in PROMOTED


def is_suppressed(at: float | None, now: float) -> bool:
    """Return whether a memory suppressed last at this time is hidden: for 24 hours."""
    return at is not None and now - at < DURATION


def remaining(times: int, confidence: float = 0.5) -> float:
    """Share of a score left by people's opinions: 1 without any.

    Each of the ``times`` it was suppressed takes .15, at most .8. Verdicts move the score by as
    much as its confidence: .95 after one ``useless``, 1.1 after one ``useful``.
    """
    return (1 - min(0.8, 0.15 * times)) * (0.5 + confidence)


# ---- accessibility: how easily a memory comes to mind now; the second axis of its state
#
# The first axis, ``states.Lifecycle``, goes by forgetting and disuse over months. This one goes by
# strength and by attention over hours. Both have a state called dormant, so each is always named
# with its axis. Being suppressed is neither: it is a flag of its own.
#
# Two strengths are behind it, after Bjork and Bjork (1992): storage strength only grows; retrieval
# strength fades and returns with use. Retrieval is R of the one ``curve``, so neither is stored.


class Accessibility(IntEnum):
    """Ease with which a memory comes to mind; a higher value comes more easily."""

    UNAVAILABLE = 0
    SILENT = 1
    DORMANT = 2
    ACTIVE = 3


class Cause(Enum):
    """Cause of a change of state."""

    ACCESS = "access"
    CUE = "cue"  # something like it came up
    TIME = "time"


# The lower border of each state, by strength.
BORDERS: Final = (
    (0.70, Accessibility.ACTIVE),
    (0.40, Accessibility.DORMANT),
    (0.10, Accessibility.SILENT),
)
# Seconds without access until the next lower state.
LASTING: Final = {Accessibility.ACTIVE: 4 * 3600.0, Accessibility.DORMANT: 30 * 86_400.0}
STORAGE_RANGE: Final = (1.0, 10.0)
LOWEST: Final = 0.05  # retrieval after a demotion


def accessibility(retention: float, retrieval: float, stored: float) -> float:
    """Ease with which a memory comes to mind, 0..1: .5, .3 and .2 of its strengths.

    Storage strength is 1..10. Retention here is how likely a recall is, not the blend with storage,
    which holds .73 for a new memory and would call it dormant before its four hours are over. So a
    new memory has .82.
    """
    return 0.5 * retention + 0.3 * retrieval + 0.2 * stored / STORAGE_RANGE[1]


def state_of(value: float) -> Accessibility:
    """The state by strength alone: .70, .40 and .10 are the lower borders."""
    return next((state for least, state in BORDERS if value >= least), Accessibility.UNAVAILABLE)


def lived(made_at: float, happened: Iterable[tuple[float, Cause]], now: float) -> Accessibility:
    """State of a memory by ``now``, told from its log alone.

    Active for 4 h after it was made or accessed, then dormant for 30 days, then silent; a cue wakes
    a silent memory to dormant. ``happened`` are accesses and cues in seconds UTC, in any order. The
    same log always tells the same story, so nothing of it needs to be stored.
    """
    state, since = Accessibility.ACTIVE, made_at
    log = sorted(happened, key=lambda one: one[0])
    for at, cause in (*log, (now, Cause.TIME)):
        while at >= (due := since + LASTING.get(state, math.inf)):
            state, since = Accessibility(state - 1), due
        after = _after(state, cause)
        if after is not state or cause is Cause.ACCESS:
            state, since = after, max(since, at)
    return state


def _after(state: Accessibility, cause: Cause) -> Accessibility:
    if cause is Cause.ACCESS:
        return Accessibility.ACTIVE
    woken = cause is Cause.CUE and state is Accessibility.SILENT
    return Accessibility.DORMANT if woken else state


# ---- two strengths: how well it is stored, and how easily it comes back


def storage_of(uses: int, lapses: int) -> float:
    """Storage strength after so many uses and lapses: it grows by .1 and .3, and never fades.

    It follows from the store's counts, so it is no column of its own.
    """
    lowest, highest = STORAGE_RANGE
    return min(highest, lowest + 0.1 * max(0, uses) + 0.3 * max(0, lapses))


def promoted(retrieval: float, stability: float) -> tuple[float, float]:
    """Retrieval and stability (days) after a person said it is good: +.20, half as much again."""
    return min(1.0, retrieval + 0.20), min(STABILITY_MAX, stability * 1.5)


def demoted(retrieval: float, stability: float) -> tuple[float, float]:
    """Retrieval and stability (days) after a person said it is bad: -.30 (at least .05), half."""
    return max(LOWEST, retrieval - 0.30), max(STABILITY_MIN, stability * 0.5)


def anchor(retrieval: float, stability: float, now: float, decay: float) -> float:
    """Beginning of a curve, seconds UTC, at this retrieval (0..1) at ``now``.

    At most a hundred years ago: a lower retrieval becomes the curve's value for a hundred years.
    """
    if retrieval >= 1 or not stability > 0 or math.isinf(stability):
        return now
    passed = days_until(max(retrieval, LOWEST), stability, decay)
    return now - min(passed, STABILITY_MAX) * 86_400
