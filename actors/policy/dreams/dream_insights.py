"""All insights of one dream, put together: who looks first, and who may say what is left.

Causes and trends explain a theme better than "it fails again" does, so they are looked for first,
and a theme that they tell of is not told of again.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from actors.policy.dreams import conflicts, effects, insights, lessons, repetition, themes, trends
from actors.policy.dreams.connection_graph import Neighbours
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.repetition import Said
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import Pieces

TOLD: Final = 0.6  # share of a theme that a cause tells of already
WITHIN_THEME: Final = 0.6  # confidence of a conflict of two memories of one theme


def noticing(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
    said: Sequence[Said] = (),
    known: Sequence[Insight] = (),
    most: int = insights.MOST,
) -> Pieces[list[Insight]]:
    """The insights of one dream beside the ``known`` ones, at most ``most``, in pieces."""
    linked = yield from themes.linking(memories, neighbours)
    told = effects.sequences(effects.followed(memories, linked, causes))
    yield
    causal = frozenset(one for insight in told for one in insight.memory_ids)
    opposed = yield from conflicts.searched(memories, neighbours)
    groups = yield from themes.grouping(memories, linked)
    taught, explained = yield from _taught(memories, groups, linked, causal)
    doubtful = {one: theme.ids[0] for theme in groups for one in theme.ids}
    sure = [one for one in opposed if _stands(one, doubtful, explained, causal)]
    yield
    told += [*taught, *conflicts.contradictions(sure)]
    texts = [one.text for one in known]
    repeated = yield from repetition.repeating(said, memories, texts)
    return insights.chosen([*told, *repeated], most, known)


def _taught(
    memories: Sequence[Replayed],
    groups: Sequence[themes.Theme],
    linked: effects.Links,
    causal: Collection[int],
) -> Pieces[tuple[list[Insight], set[int]]]:
    """Lessons of themes, but for those told of already, and the memories that a measure explains."""
    known = {one.id: one for one in memories}
    told: list[Insight] = []
    explained: set[int] = set()
    for theme in groups:
        yield
        ids = set(theme.ids)
        explained |= trends.series(theme)
        if sum(one in causal for one in ids) >= TOLD * len(ids):
            continue
        around = {other for one in ids for other in linked[one]} - ids
        near = [known[one] for one in sorted(around)]
        found = trends.trend(theme) or lessons.lesson(theme, near)
        if found is not None:
            told.append(found)
    return told, explained


def _stands(
    one: conflicts.Conflict,
    theme_of: Mapping[int, int],
    explained: Collection[int],
    causal: Collection[int],
) -> bool:
    """Return whether a conflict is told: within a theme of like notes it must be surer."""
    ends = (one.older.id, one.newer.id)
    if all(end in explained for end in ends) or all(end in causal for end in ends):
        return False
    together = theme_of.get(ends[0], -1) == theme_of.get(ends[1], -2)
    return not together or one.confidence >= WITHIN_THEME
