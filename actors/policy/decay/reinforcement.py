"""Reinforcement: events with an effect on a memory's strength. Use has one, mere exposure has none.

A memory shown again and again by recall must not become unforgettable by it. Only its use counts,
and an inferred use counts at most once a day.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from actors.policy.decay.curve import FSRS6_WEIGHTS, Grade, Strength, graded

DAY: Final = 86_400.0  # seconds
# What is only inferred counts once a day: a memory that one session cites ten times is not learnt ten times.
IMPLICIT_GAP: Final = DAY  # seconds between two implicit reinforcements of one memory


class Use(Enum):
    """Kind of use, or of another event, of a memory."""

    EXPOSED = "exposed"  # it was shown; nobody is known to have used it
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


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of how use strengthens."""

    weights: tuple[float, ...] = FSRS6_WEIGHTS

    @property
    def decay(self) -> float:
        """Exponent of the forgetting curve: .1542 is FSRS-6, .5 is FSRS-4.5."""
        return self.weights[-1]


def grade(use: Use) -> Grade | None:
    """The grade a kind of use stands for; None for exposure and opinions, which are no use."""
    return GRADES.get(use)


def reviewed(
    memory_strength: Strength, use: Use, now: float, settings: Settings | None = None
) -> Strength | None:
    """The strength after this use at ``now`` seconds UTC, or None when nothing changes.

    Nothing changes by exposure or an opinion, nor by an implicit use within 24 h of the last one.
    The gate's reinforcement always counts, under the same-day rule.
    """
    settings = settings or Settings()
    given = grade(use)
    if given is None:
        return None
    if use not in IMPLICIT:
        return graded(memory_strength, given, now, settings.weights)
    last = memory_strength.implicit_at
    if last is not None and now - last < IMPLICIT_GAP:
        return None
    stronger = graded(memory_strength, given, now, settings.weights)
    return replace(stronger, implicit_at=now)


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
