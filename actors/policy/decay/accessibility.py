"""Accessibility: how easily a memory comes to mind now; the second axis of its state.

The first axis, ``states.Lifecycle``, goes by forgetting and disuse over months. This one goes by
strength and by attention over hours. Both have a state called dormant, so each
is always named with its axis. Being suppressed is neither: it is a flag of its own
(``reinforcement``).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final

from actors.policy.decay.curve import STABILITY_MAX, STABILITY_MIN, days_until

# ---- two strengths: how well it is stored, and how easily it comes back
#
# After Bjork and Bjork (1992): storage strength only grows; retrieval strength fades and returns
# with use. Retrieval is R of the one ``curve``, so neither is stored.
#
# People's opinions of a memory move both, and our confidence in it. Promotion is only ever proposed;
# a person or an explicit command promotes.


STORAGE_RANGE: Final = (1.0, 10.0)
LOWEST: Final = 0.05  # retrieval and retention after a demotion
PROMOTED: Final = frozenset({"constitutional", "critical"})  # nothing above to promote to
# Steps and the bar for promotion.
USEFUL: Final = 0.1
USELESS: Final = 0.05
BAR: Final = 0.9
VALIDATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Condition:
    """Retrieval and retention (0..1) with the stability (days) behind them."""

    retrieval: float
    retention: float
    stability: float


@dataclass(frozen=True, slots=True)
class Confidence:
    """Confidence, 0..1, and the number of verdicts behind it."""

    score: float = 0.5
    validations: int = 0


def retention(retrieval: float, storage: float) -> float:
    """Retention of the two strengths: .7 * retrieval + .3 * storage / 10.

    A new memory (retrieval 1, storage 1) has .73.
    """
    return 0.7 * retrieval + 0.3 * storage / STORAGE_RANGE[1]


def promoted(condition: Condition) -> Condition:
    """After a person said it is good: +.20, +.10, stability half as much again."""
    return Condition(
        retrieval=min(1.0, condition.retrieval + 0.20),
        retention=min(1.0, condition.retention + 0.10),
        stability=min(STABILITY_MAX, condition.stability * 1.5),
    )


def demoted(condition: Condition) -> Condition:
    """After a person said it is bad: -.30, -.15 (at least .05), half the stability."""
    return Condition(
        retrieval=max(LOWEST, condition.retrieval - 0.30),
        retention=max(LOWEST, condition.retention - 0.15),
        stability=max(STABILITY_MIN, condition.stability * 0.5),
    )


def validated(confidence: Confidence, *, useful: bool) -> Confidence:
    """After a verdict: +.1 up to 1, or -.05 down to 0."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    score = round(min(1.0, max(0.0, confidence.score + step)), 9)
    return Confidence(score, confidence.validations + 1)


def promotion_proposed(confidence: Confidence, tier: str | None) -> bool:
    """Return whether to propose the critical tier: .9 or more after 5 verdicts or more.

    Four positive verdicts make .9 and are not enough; five are.
    """
    sure = confidence.score >= BAR
    often = confidence.validations >= VALIDATIONS
    return sure and often and tier not in PROMOTED


def storage_of(uses: int, lapses: int) -> float:
    """Storage strength after so many uses and lapses: it grows by .1 and .3, and never fades.

    It follows from the store's counts, so it is no column of its own.
    """
    lowest, highest = STORAGE_RANGE
    return min(highest, lowest + 0.1 * max(0, uses) + 0.3 * max(0, lapses))


def anchor(retrieval: float, stability: float, now: float, decay: float) -> float:
    """Beginning of a curve, seconds UTC, at this retrieval (0..1) at ``now``.

    At most a hundred years ago: a lower retrieval becomes the curve's value for a hundred years.
    """
    if retrieval >= 1 or not stability > 0 or math.isinf(stability):
        return now
    passed = days_until(max(retrieval, LOWEST), stability, decay)
    return now - min(passed, STABILITY_MAX) * 86_400


class Accessibility(IntEnum):
    """Ease with which a memory comes to mind; a higher value comes more easily."""

    UNAVAILABLE = 0
    SILENT = 1
    DORMANT = 2
    ACTIVE = 3


class Cause(Enum):
    """Cause of a change of state."""

    ACCESS = "access"
    CUE = "cue"
    TIME = "time"
    STRENGTH = "strength"


# Borders and times.
ACTIVE: Final = 0.70  # accessibility at or above
DORMANT: Final = 0.40
SILENT: Final = 0.10
ACTIVE_FOR: Final = 4 * 3600.0  # seconds without access until dormant
DORMANT_FOR: Final = 30 * 86_400.0  # seconds until silent
CUE: Final = 0.8  # similarity that wakes a silent memory
HISTORY: Final = 50  # transitions kept


@dataclass(frozen=True, slots=True)
class Transition:
    """One change of state."""

    at: float  # seconds UTC
    before: Accessibility
    after: Accessibility
    cause: Cause


@dataclass(frozen=True, slots=True)
class Presence:
    """State of a memory, its beginning, the last change, and the time spent in each state."""

    state: Accessibility
    since: float  # seconds UTC: when the state's clock was last started
    counted_at: float  # seconds UTC: up to here time is in ``spent``
    spent: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # seconds, by state
    history: tuple[Transition, ...] = ()


def accessibility(retention: float, retrieval: float, storage: float) -> float:
    """Ease with which a memory comes to mind, 0..1: .5, .3 and .2 of its strengths.

    Each is 0..1, so storage strength is divided by its highest. .9, .8 and .5 make .79.
    """
    return 0.5 * retention + 0.3 * retrieval + 0.2 * storage


def state_of(value: float) -> Accessibility:
    """The state by strength alone: .70, .40 and .10 are the lower borders."""
    if value >= ACTIVE:
        return Accessibility.ACTIVE
    if value >= DORMANT:
        return Accessibility.DORMANT
    return Accessibility.SILENT if value >= SILENT else Accessibility.UNAVAILABLE


def strength_value(retention: float, retrieval: float, stored: float) -> float:
    """Accessibility with storage on its own scale, 1..10.

    Retention here is how likely a recall is, not the blend with storage, which holds .73 for a
    new memory and would call it dormant before its four hours are over. So a new memory has .82.
    """
    return accessibility(retention, retrieval, stored / STORAGE_RANGE[1])


def encoded(at: float) -> Presence:
    """A memory made at ``at`` seconds UTC: active."""
    return Presence(Accessibility.ACTIVE, since=at, counted_at=at)


def passed(presence: Presence, now: float) -> Presence:
    """Apply the changes due to time alone by ``now``.

    Active for 4 h, then dormant for 30 days, then silent. Each change carries the time it was due,
    so looking twice or late makes no difference.
    """
    while True:
        lasting = _lasting(presence.state)
        due = presence.since + lasting
        if math.isinf(lasting) or now < due:
            return presence
        lower = Accessibility(presence.state - 1)
        presence = _moved(presence, due, lower, Cause.TIME)


def accessed(presence: Presence, now: float) -> Presence:
    """After a direct access: active, and its four hours start anew."""
    presence = passed(presence, now)
    if presence.state is Accessibility.ACTIVE:
        return replace(presence, since=max(presence.since, now))
    return _moved(presence, now, Accessibility.ACTIVE, Cause.ACCESS)


def cued(presence: Presence, similarity: float, now: float) -> Presence:
    """After something like it came up: a silent memory wakes to dormant from .8 on."""
    presence = passed(presence, now)
    if presence.state is Accessibility.SILENT and similarity >= CUE:
        return _moved(presence, now, Accessibility.DORMANT, Cause.CUE)
    return presence


def weighed(presence: Presence, value: float, now: float) -> Presence:
    """The lower of the states allowed by time and by the strength ``value``.

    Strength never lifts a memory above the state left by time, except out of unavailable, a state
    set by strength alone.
    """
    presence = passed(presence, now)
    band = state_of(value)
    if band < presence.state:
        return _moved(presence, now, band, Cause.STRENGTH)
    if presence.state is Accessibility.UNAVAILABLE and band > presence.state:
        return _moved(presence, now, Accessibility.SILENT, Cause.STRENGTH)
    return presence


def lived(made_at: float, happened: Iterable[tuple[float, Cause]], now: float) -> Presence:
    """Presence of a memory by ``now``, told from its log alone.

    ``happened`` are moments in seconds UTC, in any order, at which it was accessed or something
    like it came up; other causes are not events. The same log always tells the same story, so
    nothing of it needs to be stored.
    """
    presence = encoded(made_at)
    for at, cause in sorted(happened, key=lambda one: one[0]):
        if cause is Cause.ACCESS:
            presence = accessed(presence, at)
        elif cause is Cause.CUE:
            presence = cued(presence, CUE, at)
    return passed(presence, now)


def time_in_states(presence: Presence, now: float) -> dict[Accessibility, float]:
    """Seconds spent in each state until ``now``."""
    presence = _counted(passed(presence, now), now)
    return {state: presence.spent[state] for state in Accessibility}


def percentages(presence: Presence, now: float) -> dict[Accessibility, float]:
    """Per cent of its life spent in each state; all 0 for a life without length."""
    seconds = time_in_states(presence, now)
    life = sum(seconds.values())
    return {state: 100 * spent / life if life else 0.0 for state, spent in seconds.items()}


def _lasting(state: Accessibility) -> float:
    if state is Accessibility.ACTIVE:
        return ACTIVE_FOR
    return DORMANT_FOR if state is Accessibility.DORMANT else math.inf


def _moved(presence: Presence, at: float, state: Accessibility, cause: Cause) -> Presence:
    counted = _counted(presence, at)
    transition = Transition(at, presence.state, state, cause)
    return replace(
        counted,
        state=state,
        since=at,
        history=(*presence.history, transition)[-HISTORY:],
    )


def _counted(presence: Presence, until: float) -> Presence:
    # A clock that went back adds nothing and takes nothing away.
    more = max(0.0, until - presence.counted_at)
    spent = list(presence.spent)
    spent[presence.state] += more
    unavailable, silent, dormant, active = spent
    return replace(
        presence,
        spent=(unavailable, silent, dormant, active),
        counted_at=max(presence.counted_at, until),
    )
