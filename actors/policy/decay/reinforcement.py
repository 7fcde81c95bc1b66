"""Reinforcement: what use and opinions make of a memory."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.decay.curve import (
    FSRS6_WEIGHTS,
    Grade,
    Strength,
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
    """Kind of use of a memory. Being shown is none."""

    OPENED = "opened"  # an agent opened it by its id
    CITED = "cited"  # an answer repeated it
    DONE = "done"  # a command or an edit repeated it, soon after it was told
    EDITED_AFTER = "edited_after"  # the place it is about was edited after it was shown
    CONFIRMED = "confirmed"  # the conversation went on to agree with it
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
# A verdict moves confidence and rank, and never the curve. Suppression is a flag beside a memory's
# state: each time weighs more. Nothing is deleted.


USEFUL: Final = 0.1
USELESS: Final = 0.05
DURATION: Final = 24 * 3600.0  # seconds during which suppression hides


def validated(confidence: float, *, useful: bool) -> float:
    """Confidence (0..1) after a verdict: +.1 up to 1, or -.05 down to 0."""
    step = USEFUL if useful else -USELESS
    # Rounded, so that four steps from .5 are .9 and not a hair less.
    return round(min(1.0, max(0.0, confidence + step)), 9)


def is_suppressed(at: float | None, now: float) -> bool:
    """Return whether a memory suppressed last at this time is hidden: for 24 hours."""
    return at is not None and now - at < DURATION


def remaining(times: int, confidence: float = 0.5) -> float:
    """Share of a score left by people's opinions: 1 without any.

    Each of the ``times`` it was suppressed takes .15, at most .8. Verdicts move the score by as
    much as its confidence: .95 after one ``useless``, 1.1 after one ``useful``.
    """
    return (1 - min(0.8, 0.15 * times)) * (0.5 + confidence)
