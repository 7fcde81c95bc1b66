"""Consolidation, after Engram: kinships within a project, and what nobody would miss.

Two functions of the nightly work. The rules are in ``actors.policy.dreams.kinships`` and
``actors.policy.decay.{relevance,forgettable}``. Nothing is ended here: forgetting is a plan.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Final

from actors.dreams.night import PAGE, Night, Pace
from actors.dreams.rows import DreamReader
from actors.plans.writes import PlanProposed
from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import DAY, THRESHOLD, Candidate
from actors.policy.decay.relevance import relevances
from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.kinships import kinships_among
from actors.policy.dreams.plans import Step, most
from actors.policy.dreams.replay import Replayed
from actors.policy.gate import nearest

SOURCE: Final = "consolidation"  # who draws and proposes
PROJECTS: Final = 50  # whose memories are compared in one night: those with the newest
RECENT: Final = 100  # memories of a project that a sample is drawn from
SAMPLE: Final = 20  # memories compared with each other: 190 pairs
MOST: Final = 1_000  # kinships of one night: the strongest


async def kinships(night: Night, reader: DreamReader, pace: Pace) -> list[Connection]:
    """Kinships in a sample of each project's newest memories, by kind, cosine and time.

    Drawn by the dream's number, so that a dream that is gone on with looks at the same.
    """
    chance = Random(night.dream_id)
    edges: list[Connection] = []
    for recent in _of_projects(night.memories):
        sample = {one.id: one for one in chance.sample(recent, min(SAMPLE, len(recent)))}
        await pace.breathe()
        pairs = await reader.first_vectors([*sample])
        vectors = nearest.matrix([vector for _, vector in pairs])
        seen = [sample[number] for number, _ in pairs]
        edges += await pace.think(partial(kinships_among, seen, vectors))
    return sorted(edges, key=lambda one: (-one.strength, one.one, one.other))[:MOST]


def _of_projects(memories: Sequence[Replayed]) -> list[list[Replayed]]:
    """The newest memories of each project, newest projects first."""
    by_project: defaultdict[str | None, list[Replayed]] = defaultdict(list)
    for one in sorted(memories, key=lambda each: (-each.at, -each.id)):
        if one.project in by_project or len(by_project) < PROJECTS:
            by_project[one.project].append(one)
    return [each[:RECENT] for each in by_project.values()]


async def forgetting(reader: DreamReader, pace: Pace, at: float) -> list[PlanProposed]:
    """A plan to put away what nobody would miss, or none."""
    hashes: dict[int, bytes] = {}
    faint: list[Candidate] = []
    living = after = 0
    while uses := await reader.uses_of_living(at, after, PAGE):
        await pace.breathe()
        living, after = living + len(uses), uses[-1][0]
        values = relevances([use for _, use in uses])
        relevance = {
            number: value
            for (number, _), value in zip(uses, values, strict=True)
            if value < THRESHOLD
        }
        for one in await reader.dreamt_memories([*relevance]):
            hashes[one.id] = one.content_hash
            faint.append(
                Candidate(
                    one.id, one.kind, one.tier, one.pinned, one.created_at, one.last_use,
                    one.importance, relevance[one.id],
                )
            )  # fmt: skip
    steps = tuple(
        Step(
            one.id,
            "archive",
            hashes[one.id],
            evidence=f"relevance {one.relevance:.4f}, {(at - one.created_at) / DAY:.0f} days old",
        )
        for one in forgettable.forgettable(faint, at)[: most(living)]
    )
    reason = f"relevance under {THRESHOLD:g} and nothing that protects them"
    return [PlanProposed("archive", SOURCE, reason, steps, at)] if steps else []
