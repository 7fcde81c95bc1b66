"""All insights of one dream, put together: who looks first, and who may say what is left (I10).

Causes and trends explain a theme better than "it recurs" does, so they are looked for first, and
a theme that they tell of is not told of again.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams import conflicts, effects, insights, lessons, themes, trends
from actors.policy.dreams.connection_graph import Neighbours
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import Pieces


@dataclass(frozen=True, slots=True)
class Settings:
    """Of each of the rules that find insights."""

    grouping: themes.Settings = themes.DEFAULT
    opposing: conflicts.Settings = conflicts.DEFAULT
    following: effects.Settings = effects.DEFAULT
    changing: trends.Settings = trends.DEFAULT
    teaching: lessons.Settings = lessons.DEFAULT
    telling: insights.Settings = insights.DEFAULT
    told: float = 0.6  # share of a theme that a cause or a conflict tells of already
    within_theme: float = 0.6  # confidence of a conflict of two memories of one theme


DEFAULT: Final = Settings()


def noticing(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
    misses: Sequence[Replayed] = (),
    settings: Settings = DEFAULT,
) -> Pieces[list[Insight]]:
    """``found`` in pieces."""
    linked = yield from themes.linking(memories, neighbours, settings.grouping)
    sequences = effects.followed(memories, linked, causes, settings.following)
    yield
    stated = yield from effects.stating(memories, linked, settings.following)
    told = [*effects.sequences(sequences), *effects.statements(stated)]
    causal = frozenset(one for insight in told for one in insight.memory_ids)
    opposed = yield from conflicts.searched(memories, neighbours, settings.opposing)
    groups = yield from themes.grouping(memories, linked, settings.grouping)
    taught, explained = yield from _taught(memories, groups, linked, causal, opposed, settings)
    doubtful = {one: theme.ids[0] for theme in groups for one in theme.ids}
    sure = [one for one in opposed if _stands(one, doubtful, explained, causal, settings)]
    yield
    told += [*taught, *conflicts.contradictions(sure)]
    yield
    told += lessons.unanswered(misses, memories, settings.teaching)
    yield
    covered = [one.memory_ids for one in told]
    hidden = yield from lessons.hiding(memories, linked, covered, settings.teaching)
    told += hidden
    return insights.chosen(told, settings.telling)


def _taught(
    memories: Sequence[Replayed],
    groups: Sequence[themes.Theme],
    linked: effects.Links,
    causal: Collection[int],
    opposed: Sequence[conflicts.Conflict],
    settings: Settings,
) -> Pieces[tuple[list[Insight], set[int]]]:
    """What themes teach, but for those told of already, and the memories that trends or measures explain."""
    known = {one.id: one for one in memories}
    pairs = [{one.older.id, one.newer.id} for one in opposed]
    told: list[Insight] = []
    explained: set[int] = set()
    for theme in groups:
        yield
        ids = set(theme.ids)
        if sum(one in causal for one in ids) >= settings.told * len(ids):
            continue
        trend = trends.trend(theme, settings.changing)
        if trend is not None:
            told.append(trends.told(theme, trend))
            explained |= ids
            continue
        explained |= trends.series(theme, settings.changing)
        if any(pair <= ids and len(pair) >= settings.told * len(ids) for pair in pairs):
            continue
        around = {other for one in ids for other in linked[one]} - ids
        told += lessons.lesson(theme, [known[one] for one in sorted(around)], settings.teaching)
    return told, explained


def _stands(
    one: conflicts.Conflict,
    theme_of: Mapping[int, int],
    explained: Collection[int],
    causal: Collection[int],
    settings: Settings,
) -> bool:
    """Whether a conflict is told: within a theme of like notes it must be surer."""
    ends = (one.older.id, one.newer.id)
    if all(end in explained for end in ends) or all(end in causal for end in ends):
        return False
    together = theme_of.get(ends[0], -1) == theme_of.get(ends[1], -2)
    return not together or one.confidence >= settings.within_theme
