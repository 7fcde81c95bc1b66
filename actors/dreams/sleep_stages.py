"""The stages of a dream in the four phases of sleep: another way to dream (I15).

As in ``actors.dreams.stages``, but for what is replayed (seven in ten by value, three by chance), in
which portions (waves of 15), what is connected across projects (from a confidence of .3 on), and
what fades: only what is of little importance and was not replayed. Connections under .4 do not last
the night. A connection across projects makes nothing known across them: whoever reads one looks
whether its memories are in scope.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Final

from actors.dreams.night import connections_between
from actors.dreams.stages import DOING, Found, Work, gone_through, graph_of
from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsSettled,
    ConnectionsStrengthened,
    Stage,
)
from actors.policy.dreams import connection_graph, replay, sleep_profile
from actors.policy.dreams.connection_graph import Connection, ConnectionKind, Neighbours
from actors.policy.dreams.replay import Replayed

# What dreaming draws; the other kinds are consolidation's.
DRAWN: Final = frozenset(
    {
        ConnectionKind.SHARED_CONCEPT,
        ConnectionKind.TEMPORAL,
        ConnectionKind.SEMANTIC,
        ConnectionKind.COMPLEMENTARY,
        ConnectionKind.CAUSAL_CHAIN,
    }
)


async def replayed(work: Work) -> Found:
    """NREM 1: choose a hundred by value and by chance, and see what keeps coming up."""
    order = await _chosen(work)
    found = await gone_through(work, order)
    waves = len(sleep_profile.waves(order))
    return Found(found.writes, {**found.figures, "waves": waves, "drawn": work.drawn})


async def cross_referenced(work: Work) -> Found:
    """Connect what is alike; REM: across projects with less confidence."""
    night, pace, graph = work.night, work.pace, graph_of(work.settings)
    known = {one.id: one for one in night.memories}
    within, across = await pace.think(lambda: _parted(night.neighbours, known))
    near = await pace.work(connection_graph.connecting(night.memories, within, night.causes, graph))
    far = await pace.work(
        connection_graph.connecting(
            night.memories,
            across,
            night.causes,
            replace(graph, similarity=sleep_profile.DEFAULT.rem),
        )
    )
    bold = sleep_profile.across(far, known)
    found = [one for one in near if known[one.one].project == known[one.other].project] + bold
    found = sorted(found, key=lambda one: (-one.strength, one.one, one.other))[: graph.most]
    kinds = Counter(one.kind.value for one in found)
    return Found(
        (ConnectionsDrawn(tuple(found), "dreaming", work.at),) if found else (),
        {"connections": len(found), **kinds, "across_projects": len(bold)},
    )


async def strengthened(work: Work) -> Found:
    """NREM 3: what one wave replayed together is connected more strongly."""
    if not work.settings.strengthening:
        return Found((), {"strengthened": 0})
    graph = graph_of(work.settings)
    held = await connections_between(work.reader, work.night.ids, work.pace)
    pairs = {(min(one.one, one.other), max(one.one, one.other)) for one in held}
    gained: defaultdict[tuple[int, int], float] = defaultdict(float)
    for wave in sleep_profile.waves(await _chosen(work)):
        for one, other, gain in await work.pace.think(partial(_gains, wave, pairs, graph)):
            gained[one, other] += gain
    gains = tuple((one, other, gain) for (one, other), gain in sorted(gained.items()))
    return Found(
        (ConnectionsStrengthened(gains, graph.cap, work.at),) if gains else (),
        {"strengthened": len(gains)},
    )


async def settled(work: Work) -> Found:
    """NREM 3 turns down what is unimportant and was not replayed; integration keeps what is sure."""
    replayed_ids = frozenset(one.id for one in await _chosen(work))
    known = {one.id: one for one in work.night.memories}
    stored = await connections_between(work.reader, work.night.ids, work.pace)
    held = [one for one in stored if one.kind in DRAWN]
    now = await work.pace.think(lambda: [_downscaled(one, known, replayed_ids) for one in held])
    kept = await work.pace.think(lambda: frozenset(map(_name, sleep_profile.integrated(now))))
    weaker = tuple(
        _name(after)
        for before, after in zip(held, now, strict=True)
        if after.strength < before.strength and _name(after) in kept
    )
    gone = tuple(name for name in map(_name, now) if name not in kept)
    factor = sleep_profile.DEFAULT.downscale
    return Found(
        (ConnectionsSettled("dreaming", weaker, factor, gone),),
        {"fade": factor, "weaker": len(weaker), "let_go": len(gone)},
    )


PHASES: Final[Mapping[Stage, Callable[[Work], Awaitable[Found]]]] = MappingProxyType(
    {
        "replay": replayed,
        "cross_reference": cross_referenced,
        "strengthen": strengthened,
        "prune": settled,
        "transfer": DOING["transfer"],
    }
)


async def _chosen(work: Work) -> list[Replayed]:
    """What this dream replays, in order of time: the same in each of its stages."""
    chance = random.Random(work.drawn).random
    return await work.pace.think(
        lambda: sleep_profile.triage(work.night.memories, replay.RECENT, chance)
    )


def _parted(
    neighbours: Neighbours, known: Mapping[int, Replayed]
) -> tuple[dict[int, list[tuple[int, float]]], dict[int, list[tuple[int, float]]]]:
    """The neighbours in the same project, and those in another."""
    within: dict[int, list[tuple[int, float]]] = {}
    across: dict[int, list[tuple[int, float]]] = {}
    for one, near in neighbours.items():
        for other, alike in near:
            if one in known and other in known:
                same = known[one].project == known[other].project
                (within if same else across).setdefault(one, []).append((other, alike))
    return within, across


def _gains(
    wave: Sequence[Replayed], pairs: Iterable[tuple[int, int]], graph: connection_graph.Settings
) -> list[tuple[int, int, float]]:
    ids = [one.id for one in wave]
    return connection_graph.gains(ids, replay.patterns(wave), frozenset(pairs), graph)


def _downscaled(
    edge: Connection, known: Mapping[int, Replayed], replayed_ids: frozenset[int]
) -> Connection:
    """A connection after deep sleep: as important as the more important end, and replayed with
    either: what leads to something that matters stays as it is."""
    importance = max(known[edge.one].importance, known[edge.other].importance)
    seen = edge.one in replayed_ids or edge.other in replayed_ids
    after = sleep_profile.downscaled(edge.strength, importance, replayed=seen)
    return replace(edge, strength=after)


def _name(edge: Connection) -> tuple[int, int, str]:
    return (edge.one, edge.other, edge.kind.value)
