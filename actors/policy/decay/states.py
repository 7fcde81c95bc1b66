"""Lifecycle states: how far a memory has faded, and how much of it is shown.

One of two axes: this one goes by forgetting and disuse (HOT ... ARCHIVED); accessibility
(active ... unavailable) is the other and lives elsewhere.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

SUMMARY_CHARACTERS: Final = 150
PROTECTED_TIERS: Final = frozenset({"constitutional", "critical"})


class Lifecycle(IntEnum):
    """Lifecycle state by fading; a higher value is livelier."""

    ARCHIVED = 0
    DORMANT = 1
    COLD = 2
    WARM = 3
    HOT = 4


class Detail(Enum):
    """Amount of a memory shown in a state."""

    FULL = "full"
    SUMMARY = "summary"
    METADATA = "metadata"
    NOTHING = "nothing"


# Days without use up to which, and with which, a memory is in a state at best; the borders of R
# are what a person turns, as they say how much of a memory is shown.
HOT_DAYS: Final = 2.0
WARM_DAYS: Final = 14.0
COLD_DAYS: Final = 60.0
DORMANT_DAYS: Final = 90.0  # after which it is archivable


@dataclass(frozen=True, slots=True)
class Settings:
    """Borders of the states: R at or above."""

    hot: float = 0.80
    warm: float = 0.25
    cold: float = 0.05
    dormant: float = 0.02


@dataclass(frozen=True, slots=True)
class LifeStage:
    """A memory's place in its life."""

    state: Lifecycle
    archivable: bool = False  # past the last border; the archivist goes by evidence


_DETAIL: Final = {
    Lifecycle.HOT: Detail.FULL,
    Lifecycle.WARM: Detail.SUMMARY,
    Lifecycle.COLD: Detail.METADATA,
    Lifecycle.DORMANT: Detail.METADATA,
    Lifecycle.ARCHIVED: Detail.NOTHING,
}


def validated(settings: Settings) -> Settings:
    """The settings when HOT > WARM > COLD > DORMANT, else the defaults."""
    in_order = 1 >= settings.hot > settings.warm > settings.cold > settings.dormant >= 0
    return settings if in_order else Settings()


def is_protected(tier: str | None, *, pinned: bool) -> bool:
    """Return whether a memory never leaves HOT: constitutional, critical or pinned."""
    return pinned or tier in PROTECTED_TIERS


def band_of_strength(retrievability: float, settings: Settings) -> Lifecycle:
    """State by retrievability alone; borders belong to the livelier state."""
    if retrievability >= settings.hot:
        return Lifecycle.HOT
    if retrievability >= settings.warm:
        return Lifecycle.WARM
    if retrievability >= settings.cold:
        return Lifecycle.COLD
    if retrievability >= settings.dormant:
        return Lifecycle.DORMANT
    return Lifecycle.ARCHIVED


def band_of_idleness(idle_days: float, factor: float) -> Lifecycle:
    """State by days without use alone; ``factor`` (of type and importance) stretches the borders."""
    if not idle_days > HOT_DAYS * factor:
        return Lifecycle.HOT
    if idle_days <= WARM_DAYS * factor:
        return Lifecycle.WARM
    if idle_days <= COLD_DAYS * factor:
        return Lifecycle.COLD
    if idle_days <= DORMANT_DAYS * factor:
        return Lifecycle.DORMANT
    return Lifecycle.ARCHIVED


def life_stage(
    retrievability: float,
    idle_days: float,
    *,
    factor: float = 1.0,
    protected: bool = False,
    settings: Settings | None = None,
) -> LifeStage:
    """The lower of the band of R and the idle band.

    ``retrievability``: of ``fsrs``, the figure shown beside the state; ``factor`` is
    ``fsrs.classification_factor``. A memory past the last border stays DORMANT and shows
    ``archivable``: only the archivist or a person archives it. A protected memory is always HOT.
    """
    settings = settings or Settings()
    if protected:
        return LifeStage(Lifecycle.HOT)
    by_strength = band_of_strength(retrievability, settings)
    by_idleness = band_of_idleness(idle_days, factor)
    lower = min(by_strength, by_idleness)
    if lower is Lifecycle.ARCHIVED:
        return LifeStage(Lifecycle.DORMANT, archivable=True)
    return LifeStage(lower)


def detail(state: Lifecycle) -> Detail:
    """Amount shown of a memory in this state."""
    return _DETAIL[state]


def summary(text: str, characters: int = SUMMARY_CHARACTERS) -> str:
    """The first ``characters`` of a text, cut at a word, with an ellipsis when cut."""
    flat = " ".join(text.split())
    if len(flat) <= characters:
        return flat
    cut = flat[: characters - 1]
    at_word = cut.rpartition(" ")[0]
    return (at_word or cut).rstrip(" ,;:") + "…"
