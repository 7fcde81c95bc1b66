"""Capacity: numbers of memories of each lifecycle state that one answer holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.states import Lifecycle

# A state filled below its capacity lends its places, the liveliest overfull state first.
SEARCH: Final[Mapping[Lifecycle, int]] = {
    Lifecycle.HOT: 5,
    Lifecycle.WARM: 10,
    Lifecycle.COLD: 3,
    Lifecycle.DORMANT: 2,
    Lifecycle.ARCHIVED: 1,
}


@dataclass(frozen=True, slots=True)
class Settings:
    """Numbers of memories of each state that a prompt gets unasked."""

    hot: int = 5
    warm: int = 10
    cold: int = 0
    dormant: int = 0


def injection(settings: Settings) -> Mapping[Lifecycle, int]:
    """The settings as a capacity; what is archived has no place."""
    return {
        Lifecycle.HOT: settings.hot,
        Lifecycle.WARM: settings.warm,
        Lifecycle.COLD: settings.cold,
        Lifecycle.DORMANT: settings.dormant,
    }


def places(
    available: Mapping[Lifecycle, int], capacity: Mapping[Lifecycle, int] = SEARCH
) -> dict[Lifecycle, int]:
    """Number of places of each state among those ``available``.

    Places that a state cannot fill go to the overfull ones, HOT first. A state without a capacity
    gets none of them.
    """
    order = sorted(Lifecycle, reverse=True)
    open_to = {state: max(0, capacity.get(state, 0)) for state in order}
    there = {state: available.get(state, 0) for state in order}
    kept = {state: min(there[state], open_to[state]) for state in order}
    surplus = sum(open_to.values()) - sum(kept.values())
    for state in order:
        if open_to[state]:
            more = min(surplus, there[state] - kept[state])
            kept[state] += more
            surplus -= more
    return kept


def within_capacity(
    found: Iterable[tuple[str, Lifecycle]], capacity: Mapping[Lifecycle, int] = SEARCH
) -> list[str]:
    """Ids that an answer keeps of (id, state), best first; their order stays."""
    memories = list(found)
    available = dict.fromkeys(Lifecycle, 0)
    for _, state in memories:
        available[state] += 1
    left = places(available, capacity)
    kept: list[str] = []
    for memory_id, state in memories:
        if left[state]:
            left[state] -= 1
            kept.append(memory_id)
    return kept
