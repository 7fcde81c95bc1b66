"""Effects: what came after what, on more than one day.

A change and a failure within a day after it prove nothing. The same change and the same failure
again, in most cases where that change was made, is worth telling. Found among the next few
memories in time, as a replay pairs them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.happenings import Happening
from actors.policy.dreams.insights import (
    DAY,
    Insight,
    InsightKind,
    counted,
    dated,
    insight,
    listed,
    quoted,
    spanned,
)
from actors.policy.dreams.replay import REACH, Replayed, shared, spelled

HOUR: Final = 3_600.0  # seconds
Links = Mapping[int, Mapping[int, float]]
"""By id what each memory is linked with (``themes.linking``)."""


# When a sequence is taken for a cause.
HOURS: Final = 24.0  # from the change to the failure
TIMES: Final = 2  # on as many days
SHARE: Final = 0.5  # of the times that the change was made


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that was followed by the same several times."""

    causes: tuple[Replayed, ...]
    effects: tuple[Replayed, ...]  # each after the cause in the same place


def followed(
    memories: Iterable[Replayed], linked: Links, causes: Collection[tuple[int, int]] = ()
) -> list[Effect]:
    """Changes that were followed by the same failure two times or more, most often first.

    ``causes`` are pairs (cause, effect) that the causal graph knows; they count as seen.
    """
    known = {one.id: one for one in memories}
    chains = _chains(known, causes)
    after: dict[int, list[int]] = defaultdict(list)
    for cause, effect in chains:
        after[cause].append(effect)
    used: set[int] = set()
    found: list[Effect] = []
    for cause, effect in sorted(chains, key=lambda chain: -len(linked.get(chain[0], ()))):
        if cause in used or effect in used:
            continue
        alike = [one for one in linked.get(cause, ()) if _is_change(known, one)]
        again = _again(effect, alike, after, linked, used)
        days = {known[one].at // DAY for one, _ in ((cause, effect), *again)}
        if len(days) < TIMES or len(again) + 1 < SHARE * (len(alike) + 1):
            continue
        repeated = sorted([(cause, effect), *again], key=lambda chain: known[chain[0]].at)
        used.update(one for chain in repeated for one in chain)
        found.append(
            Effect(
                tuple(known[one] for one, _ in repeated),
                tuple(known[other] for _, other in repeated),
            )
        )
    return sorted(found, key=lambda one: (-len(one.causes), one.causes[0].id))


def sequences(found: Iterable[Effect]) -> list[Insight]:
    """An insight of each repeated sequence."""
    told: list[Insight] = []
    for one in found:
        times = len(one.causes)
        hours = max(late.at - early.at for early, late in _paired(one)) / HOUR
        last = max(one.effects, key=lambda each: each.at)
        sources = (*one.causes, *one.effects)
        text = (
            f"{counted(times)} {spanned(one.causes[0].at, last.at)} the same thing went wrong"
            f" after the same change, each time within {_hours(hours)}: {_named(one.causes)} →"
            f" {_named(one.effects)}. Last on {dated(last.at)}: {quoted(one.causes[-1])}, then"
            f" {quoted(one.effects[-1])} ({listed(sources)}). One may cause the other."
        )
        evidence = ("causal chain", f"{times} times", f"within {_hours(hours)}")
        sure = min(0.9, 0.5 + 0.1 * times)
        told.append(insight(InsightKind.HIDDEN_CONNECTION, text, sources, evidence, sure))
    return told


def _chains(
    known: Mapping[int, Replayed], causes: Collection[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Each change with the failures among what comes next in its project, within a day."""
    places: dict[str | None, list[Replayed]] = defaultdict(list)
    for one in sorted(known.values(), key=lambda each: (each.at, each.id)):
        places[one.project].append(one)
    found = {pair: None for pair in causes if pair[0] in known and pair[1] in known}
    for held in places.values():
        for at, one in enumerate(held):
            if one.happening is not Happening.CHANGE:
                continue
            for other in held[at + 1 : at + 1 + REACH]:
                soon = 0 < other.at - one.at <= HOURS * HOUR
                if soon and other.happening is Happening.FAILURE:
                    found[one.id, other.id] = None
    return list(found)


def _again(
    effect: int,
    alike: Iterable[int],
    after: Mapping[int, Sequence[int]],
    linked: Links,
    used: Collection[int],
) -> list[tuple[int, int]]:
    """The same change with the same failure, at other times."""
    taken = {effect, *used}
    again: list[tuple[int, int]] = []
    for cause in alike:
        for other in after.get(cause, ()):
            if cause not in taken and other not in taken and other in linked.get(effect, ()):
                taken |= {cause, other}
                again.append((cause, other))
                break
    return again


def _is_change(known: Mapping[int, Replayed], one: int) -> bool:
    return one in known and known[one].happening is Happening.CHANGE


def _paired(one: Effect) -> Iterable[tuple[Replayed, Replayed]]:
    return zip(one.causes, one.effects, strict=True)


def _named(group: Sequence[Replayed]) -> str:
    words = [spelled(concept, group) for concept in shared(group)[:3]]
    return f"“{', '.join(words)}”" if words else quoted(group[0])


def _hours(hours: float) -> str:
    return f"{max(1, round(hours * 60))} minutes" if hours < 1 else f"{round(hours)} hours"
