"""The five stages of a dream: their findings, as writes carried out together.

Content is never changed. Writes safe by construction (connections, strengths, insights, episodes)
are done at once; putting away a memory is only proposed as a plan.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from actors.memory.unit import StoreWrite
from actors.night.dream_writes import (
    SOURCE,
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsStrengthened,
    EpisodesDrawn,
    Figures,
    InsightFound,
    Stage,
)
from actors.night.pace import PAGE, Night, Pace
from actors.night.plan_writes import PlanProposed
from actors.policy.decay.forgettable import THRESHOLD, is_forgettable
from actors.policy.decay.plans import Step, most
from actors.policy.decay.relevance import relevances
from actors.policy.night import connection_graph, noticing, replay
from actors.policy.night.connection_graph import Connection
from actors.policy.night.insights import Insight, Proposal, outdated
from actors.policy.night.repetition import ArchivedPrompt
from actors.policy.night.replay import Replayed
from actors.policy.reader.night import Concluded
from daemon.storage.reader import ReadingSide

# An insight about several projects quotes each of them, so it belongs to none: it is shown where
# one asks for insights or for everything, and never brought up in a project.
SEVERAL: Final = "several projects"
SAID: Final = 5_000  # prompts of the archive: the newest
EPISODES: Final = 500  # of one dream: the largest
INSIGHTS: Final = 500  # earlier ones that are not told again: as many as stand


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of dreaming: when, and whether it proposes to forget."""

    enabled: bool = True  # dreams by themselves; a person can always order one
    every: float = 1_800.0  # seconds between two looks whether one is due
    at_session_start: bool = True  # whether a session's start may begin one, a day after the last
    forget: bool = False  # whether what nobody would miss is proposed


Reading: TypeAlias = Callable[[Mapping[int, Replayed]], Awaitable[Concluded]]
"""A reader of notes: what it concludes of those of one project."""


async def unread(_: Mapping[int, Replayed]) -> Concluded:
    """Nobody reads notes."""
    return Concluded((), (), {})


@dataclass(frozen=True, slots=True)
class Work:
    """Memories, vectors and settings of a stage."""

    night: Night
    reader: ReadingSide
    pace: Pace
    settings: Settings
    at: float
    reads: Reading


@dataclass(frozen=True, slots=True)
class Findings:
    """Writes of a stage, together or not at all, and its figures."""

    writes: tuple[StoreWrite, ...]
    figures: Figures


async def replay_latest(work: Work) -> Findings:
    """Go through the latest hundred in order of time, and find recurring patterns."""
    order = replay.sequence(work.night.memories)
    patterns = await work.pace.think(lambda: replay.patterns(order))
    return Findings(
        (),
        {
            "memories": len(work.night.memories),
            "replayed": len(order),
            "first": order[0].id if order else 0,
            "last": order[-1].id if order else 0,
            "patterns": len(patterns),
            "by": "vectors" if work.night.by_vectors else "words",
        },
    )


async def connect(work: Work) -> Findings:
    """Connect similar memories."""
    night = work.night
    edges = await work.pace.work(connection_graph.connecting(night.memories, night.alike))
    kinds = Counter(one.kind.value for one in edges)
    return Findings(
        (ConnectionsDrawn(tuple(edges), work.at),) if edges else (),
        {"connections": len(edges), **kinds},
    )


async def strengthen(work: Work) -> Findings:
    """Strengthen the connections of memories replayed together."""
    order = replay.sequence(work.night.memories)
    ids = [one.id for one in order]
    edges = await _connections(work, ids)
    pairs = {(min(one.one, one.other), max(one.one, one.other)) for one in edges}
    gains = await work.pace.think(
        lambda: connection_graph.gains(ids, replay.patterns(order), pairs)
    )
    return Findings(
        (ConnectionsStrengthened(tuple(gains), connection_graph.CAP, work.at),) if gains else (),
        {"strengthened": len(gains)},
    )


async def fade(_: Work) -> Findings:
    """Every connection fades a little, and the weakest go."""
    factor, floor = connection_graph.FADE, connection_graph.FLOOR
    return Findings((ConnectionsFaded(factor, floor),), {"fade": factor})


async def conclude(work: Work) -> Findings:
    """Find insights, group connected memories, propose the steps left to a person."""
    stored = await _connections(work, work.night.ids)
    edges = [one for one in stored if not connection_graph.is_bridge(one)]
    groups = await work.pace.think(lambda: connection_graph.clusters(edges))
    insights: list[Insight] = []
    plans: list[PlanProposed] = []
    for concluding in CONCLUDING:
        noticed, proposed = await concluding(work, edges)
        insights += noticed
        plans += proposed
    return Findings(
        (*(_told(one, work) for one in insights), EpisodesDrawn(tuple(groups[:EPISODES])), *plans),
        {"episodes": len(groups)},  # what of the rest is new, only the store knows
    )


Conclusions = tuple[list[Insight], list[PlanProposed]]


async def by_rules(work: Work, edges: Sequence[Connection]) -> Conclusions:
    """Conclusions from kinds, likeness and times."""
    night, pace = work.night, work.pace
    rows = await work.reader.insights(None, INSIGHTS)
    earlier = [Insight(one.kind, one.text, one.sources, (), 0.0, 0.0) for one in rows]
    said = await _said(work)
    noticed = await pace.work(noticing.noticing(night.memories, night.alike, edges, said, earlier))
    return noticed, [_plan(one, work) for one in outdated(noticed)]


async def by_reading(work: Work, _: Sequence[Connection]) -> Conclusions:
    """Conclusions of a reader about a project's notes, where a person agreed to one."""
    memories = {one.id: one for one in work.night.memories}
    found = await work.pace.wait_for(partial(work.reads, memories))
    return list(found.insights), [_plan(one, work) for one in found.proposals]


async def what_nobody_would_miss(work: Work, _: Sequence[Connection]) -> Conclusions:
    """A plan to forget, when a person wants such."""
    wanted = work.settings.forget
    return [], await _forgetting(work) if wanted else []


# Who concludes: each gives insights and plans, which are written together.
CONCLUDING: Final = (by_rules, what_nobody_would_miss, by_reading)

DOING: Final[Mapping[Stage, Callable[[Work], Awaitable[Findings]]]] = {
    "replay": replay_latest,
    "cross_reference": connect,
    "strengthen": strengthen,
    "prune": fade,
    "transfer": conclude,
}


async def _forgetting(work: Work) -> list[PlanProposed]:
    """A plan to put away memories of no use, the least relevant and important first, or none.

    The rules are Engram's (``actors.policy.decay.{relevance,forgettable}``). Nothing is ended here.
    """
    going: list[tuple[float, float, Step]] = []
    living = after = 0
    while uses := await work.reader.uses_of_living(work.at, after, PAGE):
        await work.pace.breathe()
        living, after = living + len(uses), uses[-1][0]
        values = relevances([use for _, use in uses])
        faint = {
            number: (use, value)
            for (number, use), value in zip(uses, values, strict=True)
            if value < THRESHOLD
        }
        for one in await work.reader.dreamt_memories([*faint]):
            use, value = faint[one.id]
            if is_forgettable(one.kind, one.tier, use, value, pinned=one.pinned):
                why = f"relevance {value:.4f}, {use.age:.0f} days old"
                step = Step(one.id, "archive", one.content_hash, evidence=why)
                going.append((value, use.importance, step))
    going.sort(key=lambda one: (one[0], one[1], one[2].memory_id))
    steps = tuple(step for _, _, step in going[: most(living)])
    reason = f"relevance under {THRESHOLD:g} and nothing that protects them"
    return [PlanProposed("archive", SOURCE, reason, steps, work.at)] if steps else []


async def _connections(work: Work, ids: Sequence[int]) -> list[Connection]:
    """The stored connections with both ends among these."""
    members = frozenset(ids)
    edges = await work.pace.read(partial(work.reader.connections_of, limit=64 * PAGE), ids)
    inside = (one for one in edges if one.one in members and one.other in members)
    return [*{(one.one, one.other, one.kind): one for one in inside}.values()]


async def _said(work: Work) -> list[ArchivedPrompt]:
    """Prompts of the archive, whole where the journal still has them."""
    said = await work.reader.said(SAID)
    whole = dict(await work.pace.read(work.reader.prompts, [one.seq for one in said]))
    return [replace(one, prompt=whole.get(one.seq, "")) for one in said]


def _told(one: Insight, work: Work) -> InsightFound:
    """An insight of this dream, in the project of all its sources."""
    rests_on = frozenset(one.memory_ids)
    projects = {each.project for each in work.night.memories if each.id in rests_on} - {None}
    project = SEVERAL if len(projects) > 1 else next(iter(projects), one.project)
    return InsightFound(work.night.dream_id, replace(one, project=project), work.at)


def _plan(one: Proposal, work: Work) -> PlanProposed:
    """A proposal as a plan for a person to apply or undo."""
    steps = tuple(
        Step(number, "archive", work.night.hashes[number], evidence=evidence)
        for number, evidence in one.steps
    )
    return PlanProposed("archive", SOURCE, one.reason, steps, work.at)
