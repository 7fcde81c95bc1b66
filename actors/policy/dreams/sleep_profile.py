"""The four phases of sleep, as another way to dream (I15, I16). Optional, off by default.

NREM 1 chooses what is replayed: seven in ten by value, three by chance, so that what is rare gets
a turn. NREM 3 replays in waves of 15 and turns down what is unimportant and was not replayed. REM
connects across projects, with little confidence. Integration keeps what is sure enough.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.replay import Replayed

Chance = Callable[[], float]
"""Where randomness comes from: the next number, 0 to less than 1."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The phases (I15) and what sleep does to strengths (I16)."""

    valuable: float = 0.7  # share of a replay that is chosen by value
    wave: int = 15
    downscale: float = 0.95
    unimportant: float = 0.4  # importance below it
    rem: float = 0.3  # least confidence of a connection across projects
    integrated: float = 0.4  # least confidence of what is kept
    felt: float = 0.5  # strength of feeling above which a memory is promoted
    promotion: float = 1.5
    storage_cap: float = 10.0
    prune: bool = False  # never by default (I16)
    pruned_below: float = 0.1
    pruned_after: float = 30.0  # days
    embeddings: int = 100  # of one run


DEFAULT: Final = Settings()


def value(one: Replayed) -> float:
    """How much a memory is worth replaying, 0..1: its importance, and how often it is used."""
    return 0.7 * one.importance + 0.3 * min(1.0, one.accesses / 10)


def triage(
    memories: Sequence[Replayed], most: int, chance: Chance, settings: Settings = DEFAULT
) -> list[Replayed]:
    """What is replayed, in order of time: 70 % by value, the rest by chance (I15)."""
    size = min(most, len(memories))
    best = round(settings.valuable * size)
    ranked = sorted(memories, key=lambda one: (-value(one), one.id))
    drawn = sorted(((chance(), one.id, one) for one in ranked[best:]), key=lambda d: d[:2])
    chosen = [*ranked[:best], *[one for _, _, one in drawn[: size - best]]]
    return sorted(chosen, key=lambda one: (one.at, one.id))


def waves(memories: Sequence[Replayed], settings: Settings = DEFAULT) -> list[tuple[Replayed, ...]]:
    """A replay in waves of 15: between two of them it may stop (I15)."""
    size = settings.wave
    return [tuple(memories[at : at + size]) for at in range(0, len(memories), size)]


def downscaled(
    strength: float, importance: float, *, replayed: bool, settings: Settings = DEFAULT
) -> float:
    """A connection's strength after deep sleep: .95 of it for what is of little importance and
    was not replayed (I15)."""
    down = importance < settings.unimportant and not replayed
    return strength * settings.downscale if down else strength


def across(
    found: Iterable[Connection], memories: Mapping[int, Replayed], settings: Settings = DEFAULT
) -> list[Connection]:
    """The connections between two projects that REM sleep admits: from .3 on (I15)."""
    return [
        edge
        for edge in found
        if edge.strength >= settings.rem
        and edge.one in memories
        and edge.other in memories
        and memories[edge.one].project != memories[edge.other].project
    ]


def integrated(found: Iterable[Connection], settings: Settings = DEFAULT) -> list[Connection]:
    """What is kept in the morning: connections from .4 on (I15)."""
    return [edge for edge in found if edge.strength >= settings.integrated]


def promoted(storage: float, feeling: float, settings: Settings = DEFAULT) -> float:
    """Storage strength of a memory after sleep: half more when it was felt strongly (I16).

    ``feeling`` is 0..1 whichever way it goes. At most 10; what is over that is left alone.
    """
    if feeling <= settings.felt:
        return storage
    return max(storage, min(settings.storage_cap, storage * settings.promotion))


def may_be_pruned(retention: float, days: float, settings: Settings = DEFAULT) -> bool:
    """Whether sleep may propose to drop a memory: never, unless pruning is switched on (I16)."""
    forgotten = retention < settings.pruned_below and days > settings.pruned_after
    return settings.prune and forgotten


def embedded_now(waiting: Collection[int], settings: Settings = DEFAULT) -> list[int]:
    """Which memories without a vector get one in this run: the first 100 (I16)."""
    return sorted(waiting)[: settings.embeddings]
