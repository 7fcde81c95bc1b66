"""Two homes of one person: the valid state of a text once they were merged.

Of a text each home says when a person last said it, when it was erased, and whether it lives and
since when. The later word holds of each (a register in which the last writer wins: Shapiro and
others, *Conflict-free replicated data types*, 2011), so merges in any order, and any number of them,
end in one state. Times are seconds since the epoch, UTC, by the clock of the writing machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Fate(Enum):
    """Fate of a text from another home."""

    HERE = "HERE"  # it is here, or ended here later than it was said there
    ERASED = "ERASED"  # it stays away
    BACK = "BACK"  # it ended here, and a person said it there later
    NEW = "CREATE"


@dataclass(frozen=True, slots=True)
class Life:
    """Life or end of a text, and since when."""

    lives: bool
    since: float
    stated: bool = True  # by a person: what was only noticed outlives no end

    @property
    def stated_at(self) -> float | None:
        """Time when a person said it, if one did and it lives."""
        return self.since if self.lives and self.stated else None


def latest(lives: Iterable[Life]) -> Life | None:
    """The latest of these; at the same time an end wins. ``None`` when there is none."""
    return max(lives, key=_weight, default=None)


def _weight(life: Life) -> tuple[bool, float, bool]:
    return (life.stated or not life.lives, life.since, not life.lives)


def is_erased(erased_at: float | None, said: float | None) -> bool:
    """Return whether a text is erased: unless a person said it again later."""
    return erased_at is not None and (said is None or said <= erased_at)


def fate(now: Life | None, former: Life | None, there: Life, *, erased: bool) -> Fate:
    """Fate of a text living there.

    ``now``: its state here in memories with it; ``former``: in memories rewritten since.
    """
    if now is None and erased:
        return Fate.ERASED
    own = latest(one for one in (now, former) if one is not None)
    if own is not None and ((now is not None and now.lives) or latest((own, there)) == own):
        return Fate.HERE
    return Fate.NEW if now is None else Fate.BACK


def says_more(now: Life, there: Life) -> bool:
    """Return whether a person said a living text there later than here, or there alone."""
    return there.stated_at is not None and (
        now.stated_at is None or now.stated_at < there.stated_at
    )
