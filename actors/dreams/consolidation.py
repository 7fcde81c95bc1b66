"""Consolidation, after Engram: kinships within a project, and what nobody would miss.

Two functions of the nightly work. The rules are in ``actors.policy.dreams.association_rules`` and
``actors.policy.decay.{relevance,forgettable}``. Nothing is ended here: forgetting is a plan.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import numpy as np

from actors.dreams.night import Night, Pace
from actors.dreams.rows import DreamReader
from actors.memory.rows import Memory
from actors.plans.writes import PlanProposed, Step
from actors.policy.capture import importance_score
from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import DAY, Standing
from actors.policy.decay.relevance import relevances
from actors.policy.dreams import association_rules
from actors.policy.dreams.connection_graph import Connection
from actors.policy.dreams.replay import Replayed
from actors.policy.session.citation import effectiveness

SOURCE: Final = "consolidation"  # who draws and proposes
PAGE: Final = 100  # living memories read at a time
PROJECTS: Final = 50  # whose memories are compared in one night: those with the newest
MOST: Final = 1_000  # kinships of one night: the strongest
FADING: Final = 0.95  # of a kinship's strength, each night
LEAST: Final = 0.1  # below which it goes


async def kinships(night: Night, reader: DreamReader, pace: Pace) -> list[Connection]:
    """Kinships in a sample of each project's newest memories, by kind, cosine and time.

    Drawn by the dream's number, so that a dream that is gone on with looks at the same.
    """
    chance = Random(night.row.id)
    found: list[Connection] = []
    for recent in _of_projects(night.memories):
        sample = association_rules.sampled(recent, association_rules.SAMPLE, chance.randrange)
        await pace.breathe()
        rows = await reader.first_vectors([one.id for one in sample])
        vectors = {number: np.frombuffer(vector, np.float32) for number, vector in rows}
        seen = [one for one in sample if one.id in vectors]
        found += await pace.think(partial(association_rules.connections, seen, vectors))
    return sorted(found, key=lambda one: (-one.strength, one.one, one.other))[:MOST]


def _of_projects(memories: Sequence[Replayed]) -> Iterator[list[Replayed]]:
    """The newest memories of each project, newest projects first."""
    held: defaultdict[str | None, list[Replayed]] = defaultdict(list)
    for one in sorted(memories, key=lambda each: (-each.at, -each.id)):
        if one.project in held or len(held) < PROJECTS:
            held[one.project].append(one)
    return (each[: association_rules.RECENT] for each in held.values())


async def forgetting(reader: DreamReader, pace: Pace, at: float) -> list[PlanProposed]:
    """A plan to put away what nobody would miss, or none."""
    stored: dict[int, Memory] = {}
    found: list[Standing] = []
    living = after = 0
    while uses := await reader.uses_of_living(at, after, PAGE):
        await pace.breathe()
        living, after = living + len(uses), uses[-1][0]
        values = dict(
            zip((one for one, _ in uses), relevances([use for _, use in uses]), strict=True)
        )
        old = [one for one, use in uses if use.age >= forgettable.YOUNG]
        for memory in await reader.dreamt_memories(old):
            one = standing(memory, values[memory.id])
            if forgettable.is_forgettable(one, at):
                stored[memory.id] = memory
                found.append(replace(one, worth=worth(memory, at)))
    chosen = forgettable.forgettable(found, living, at)
    steps = tuple(
        Step(
            one.id,
            "archive",
            stored[one.id].content_hash,
            evidence=f"relevance {one.relevance:.4f}, {(at - one.created_at) / DAY:.0f} days old",
        )
        for one in chosen
    )
    reason = f"relevance under {forgettable.THRESHOLD:g} and nothing that protects them"
    return [PlanProposed("archive", SOURCE, reason, steps, at)] if steps else []


def standing(memory: Memory, relevance: float) -> Standing:
    """A memory that may have to go; what it is worth is not known yet."""
    return Standing(
        memory.id, memory.kind, memory.tier, memory.pinned, memory.created_at, memory.last_use,
        memory.importance, relevance,
    )  # fmt: skip


def worth(memory: Memory, now: float) -> float:
    """Worth of a memory by how it served and how well it is told."""
    served = importance_score.Served(
        memory.kind,
        importance_score.source_of(memory.source),
        (now - memory.created_at) / DAY,
        feedback=2.0 * memory.confidence - 1.0,
        retrievals=memory.uses,
        retrieved=None if memory.last_use is None else (now - memory.last_use) / DAY,
        effectiveness=effectiveness(memory.uses, memory.exposures),
        injections=memory.exposures,
    )
    return importance_score.score(served) * importance_score.narrative_quality(memory.text)
