"""The five stages of a dream: what each finds, as writes that are carried out together.

Content is never changed. What is safe by construction (connections, strengths, insights, episodes)
is written at once; whatever would move, sum up or put away a memory is proposed as a plan.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.dreams import consolidation
from actors.dreams.night import Night, Pace, connections_between, uses_among
from actors.dreams.rows import DreamReader
from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsStrengthened,
    EpisodesDrawn,
    Figures,
    InsightFound,
    Stage,
)
from actors.gate.drafts import content_hash, title_of
from actors.memory.unit import Write
from actors.plans.writes import Act, PlanProposed, Step
from actors.policy.dreams import connection_graph, noticing, plans, proposals, replay
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.noticing import Theme
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.replay import Replayed

SOURCE: Final = "dreaming"  # who proposes
# An insight about several projects quotes each of them, so it belongs to none: it is shown where
# one asks for insights or for everything, and never brought up in a project.
SEVERAL: Final = "several projects"
EPISODES: Final = 500  # of one dream: the largest
INSIGHTS: Final = 500  # earlier ones that are not told again: as many as stand


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of dreaming: when, about what, and whether it proposes to forget."""

    enabled: bool = True  # dreams by themselves; a person can always order one
    every: float = 1_800.0  # seconds between two looks whether one is due
    at_session_start: bool = True  # whether a session's start may begin one, a day after the last
    forget: bool = False  # whether what nobody would miss is proposed
    focus: tuple[str, ...] = ()  # what to dream about; empty: everything


@dataclass(frozen=True, slots=True)
class Work:
    """Memories, vectors and settings of a stage."""

    night: Night
    reader: DreamReader
    pace: Pace
    settings: Settings
    at: float


@dataclass(frozen=True, slots=True)
class Findings:
    """Writes that a stage wants, together or not at all, and its figures."""

    writes: tuple[Write, ...]
    figures: Figures


async def replay_latest(work: Work) -> Findings:
    """Go through the latest hundred in order of time, and see what keeps coming up."""
    order = _sequence(work)
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
    """Connect what is alike."""
    night = work.night
    found = await work.pace.work(
        connection_graph.connecting(night.memories, night.alike, night.causes)
    )
    kin = await consolidation.kinships(night, work.reader, work.pace)
    kinds = Counter(one.kind.value for one in (*found, *kin))
    drawn = (
        ConnectionsDrawn(tuple(found), SOURCE, work.at),
        ConnectionsDrawn(tuple(kin), consolidation.SOURCE, work.at),
    )
    return Findings(
        tuple(one for one in drawn if one.connections),
        {"connections": len(found) + len(kin), **kinds},
    )


async def strengthen(work: Work) -> Findings:
    """Strengthen the connections of what was replayed together."""
    order = _sequence(work)
    held = await connections_between(work.reader, work.night.ids, work.pace)
    pairs = {(min(one.one, one.other), max(one.one, one.other)) for one in held}
    gains = await work.pace.think(
        lambda: connection_graph.gains([one.id for one in order], replay.patterns(order), pairs)
    )
    return Findings(
        (ConnectionsStrengthened(tuple(gains), connection_graph.CAP, work.at),) if gains else (),
        {"strengthened": len(gains)},
    )


async def fade(work: Work) -> Findings:
    """Every connection fades a little, and the weakest go."""
    await work.pace.breathe()
    factor, floor = connection_graph.FADE, connection_graph.FLOOR
    kin = ConnectionsFaded(consolidation.SOURCE, consolidation.FADING, consolidation.LEAST)
    return Findings((ConnectionsFaded(SOURCE, factor, floor), kin), {"fade": factor})


async def conclude(work: Work) -> Findings:
    """Tell what was noticed, group what belongs together, propose what is left to a person.

    Insights, episodes, transfers to general knowledge, near twins, what did well in several
    projects.
    """
    night = work.night
    rows = await work.reader.insights(None, INSIGHTS)
    known = [Insight(one.kind, one.text, one.sources, (), 0.0, 0.0) for one in rows]
    linked = await work.pace.work(noticing.linking(night.memories, night.alike))
    themes = await work.pace.work(noticing.grouping(night.memories, linked))
    noticed = await work.pace.work(
        noticing.noticing(night.memories, night.alike, linked, themes, night.said, known)
    )
    drawn = await connections_between(work.reader, night.ids, work.pace)
    held = [one for one in drawn if not connection_graph.is_bridge(one)]
    groups = await work.pace.think(lambda: connection_graph.clusters(held))
    proposed = await work.pace.think(lambda: proposals.transfers(night.memories, held))
    proposed += await _lifts(work, themes)
    proposed += await work.pace.work(proposals.twins(night.memories, night.alike))
    proposed += proposals.outdated(noticed)
    planned = [_plan(one, work) for one in proposed]
    if work.settings.forget:
        planned += await consolidation.forgetting(work.reader, work.pace, work.at)
    return Findings(
        (
            *(_insight(one, work) for one in noticed),
            EpisodesDrawn(tuple(groups[:EPISODES])),
            *planned,
        ),
        {"episodes": len(groups)},  # what of the rest is new, only the store knows
    )


async def _lifts(work: Work, themes: Sequence[Theme]) -> list[Proposal]:
    """Find what holds in several projects and did well wherever it was used."""
    night, pace = work.night, work.pace
    if len(_projects(night.ids, night)) < 2:
        return []
    uses = await uses_among(work.reader, night.ids, pace)
    return await pace.think(lambda: proposals.lifts(themes, uses)) if uses else []


DOING: Final[Mapping[Stage, Callable[[Work], Awaitable[Findings]]]] = {
    "replay": replay_latest,
    "cross_reference": connect,
    "strengthen": strengthen,
    "prune": fade,
    "transfer": conclude,
}


def _sequence(work: Work) -> list[Replayed]:
    return replay.sequence(work.night.memories)


def _projects(ids: Sequence[int], night: Night) -> set[str]:
    found = (night.stored[one].project for one in ids if one in night.stored)
    return {project for project in found if project is not None}


def _folder(project: str | None) -> str:
    return (project or "").rstrip("/").rpartition("/")[2]


def _insight(one: Insight, work: Work) -> InsightFound:
    projects = _projects(one.memory_ids, work.night)
    return InsightFound(
        dream_id=work.night.row.id,
        kind=one.kind,
        text=one.text,
        title=title_of(one.text),
        content_hash=content_hash(one.text),
        sources=one.memory_ids,
        project=SEVERAL if len(projects) > 1 else next(iter(projects), one.project),
        novelty=one.novelty,
        confidence=one.confidence,
        evidence=one.evidence,
        at=work.at,
        session=one.session,
    )


def _plan(one: Proposal, work: Work) -> PlanProposed:
    """A proposal as a plan that a person can apply and undo."""
    stored = [work.night.stored[number] for number in one.memory_ids]

    def planned(act: Act, argument: str = "", told: str = "") -> PlanProposed:
        steps = tuple(
            Step(
                memory.id,
                act,
                memory.content_hash,
                argument,
                told and f"{told} in {_folder(memory.project)} alone",
            )
            for memory in stored
        )
        return PlanProposed(act, SOURCE, one.reason, steps, work.at)

    match one.act:
        case "transfer":
            return planned("retype", "semantic")
        case "twins" | "outdated":
            return planned("archive")
        case "lift":
            return planned("rescope", plans.USER, "now")
