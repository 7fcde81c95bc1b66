"""Consolidation: relevance fades, kinships are found, what nobody would miss is proposed (row J).

Three cycles, due by the schedule or ordered by a person. *Decay* computes the relevance of every
living memory into a column of its own, of which this actor is the only writer, and never into
importance. *Associations* compares a sample of each project's memories and stores
what the rules find as connections. *Forgetting*, off unless a person wants it, proposes a plan and
does nothing else. Pages are small, every write goes by the background lane, and between two pages
others have as much time as the page took; whoever gave up ends the cycle at the next page. The
rules are in ``actors.policy.{relevance,association_rules,forgetting,importance_score}``.
"""

import logging
from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, assert_never

import numpy as np
import trio

from actors.capture.writes import ImportanceRated
from actors.consolidation.messages import (
    Consolidate,
    ConsolidationMessage,
    Cycle,
    CycleReport,
    Step,
)
from actors.consolidation.rows import ConsolidationReader, UseRow
from actors.consolidation.writes import RelevanceComputed
from actors.core.mailbox import (
    Inbox,
    Mailbox,
)
from actors.dreams.writes import ConnectionsDrawn, ConnectionsFaded
from actors.memory.commit import PASSING, commit
from actors.memory.messages import LongTermMessage
from actors.memory.rows import Memory
from actors.observatory.observatory import Data, Observation, ObservationKind, Observatory
from actors.plans.writes import PlanProposed
from actors.plans.writes import Step as PlanStep
from actors.policy.capture import importance_score
from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import Standing
from actors.policy.decay.relevance import DAY, Use, relevances
from actors.policy.dreams import association_rules
from actors.policy.dreams.connection_graph import Connection
from actors.policy.session.citation import effectiveness

log = logging.getLogger(__name__)

PAGE: Final = 500  # memories in one page: 2 ms of reading, 1 ms of arithmetic, 3 ms of writing
WHOLE: Final = 100  # memories read whole in one page
DRAWN: Final = 50  # connections stored in one unit
PROJECTS: Final = 50  # whose memories are compared in one run
SAME: Final = 1e-3  # of a relevance: a smaller change is none
FADING: Final = 0.95  # of a connection's strength, each time associations run
LEAST: Final = 0.1  # below which a connection goes


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of the cycles: when they run, and thresholds."""

    decay_every: float = 86_400.0  # seconds
    associations_every: float = 604_800.0
    forgetting_every: float = 7_776_000.0
    forget: bool = False  # whether plans to forget are proposed by themselves
    evolves: bool = True  # rule 0 of the associations
    forget_below: float = 0.01  # relevance
    boost: float = 0.0  # importance that each new connection adds


class GaveUp(Exception):
    """Error: whoever wanted the cycle does not wait for it any more."""


@dataclass(slots=True)
class Consolidation:
    """Runs one cycle at a time."""

    settings: Settings
    reader: ConsolidationReader
    long_term: Mailbox[LongTermMessage]
    observatory: Observatory
    chance: Random
    runs: int = 0
    failed: int = 0
    rated: int = 0
    connected: int = 0
    proposed: int = 0

    def statistics(self) -> dict[str, Any]:
        """Cycles run, relevances computed, connections found and memories proposed since the start."""
        return {
            "cycles": self.runs,
            "failed": self.failed,
            "relevances": self.rated,
            "connections": self.connected,
            "proposed": self.proposed,
        }

    async def run(self, inbox: Inbox[ConsolidationMessage]) -> None:
        """Handle messages until the mailbox is drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, order: ConsolidationMessage) -> None:
        """One cycle after the other; the first error ends the run."""
        try:
            order.reply(tuple([await self._cycle(cycle, order) for cycle in order.cycles]))
        except GaveUp:
            log.info("consolidation_given_up")
        except PASSING as error:
            self.failed += 1
            order.reply.fail(error)

    async def _cycle(self, cycle: Cycle, order: Consolidate) -> CycleReport:
        began = trio.current_time()
        if not order.dry_run:
            self._tell(ObservationKind.CONSOLIDATION_STARTED, order.at, {"cycle": cycle})
        match cycle:
            case "decay":
                report = await self._decay(order)
            case "associations":
                report = await self._associations(order)
            case "forgetting":
                report = await self._forgetting(order)
            case _:
                assert_never(cycle)
        self.runs += 1
        report = replace(report, seconds=trio.current_time() - began)
        if not order.dry_run:
            figures = {"cycle": cycle, "looked_at": report.looked_at, "changed": report.changed}
            seconds = round(report.seconds, 3)
            self._tell(
                ObservationKind.CONSOLIDATION_COMPLETED, order.at, {**figures, "seconds": seconds}
            )
        return report

    def _tell(self, kind: ObservationKind, at: float, data: Data) -> None:
        """Whoever follows may see it; who is not there misses it."""
        self.observatory.keep(Observation(kind, at, data))

    # ---- decay

    async def _decay(self, order: Consolidate) -> CycleReport:
        """The relevance of every living memory, a page at a time."""
        total = await self.reader.living_count()
        looked_at = changed = after = 0
        while True:
            began = trio.current_time()
            rows = await self.reader.uses_of_living(after, PAGE)
            if not rows:
                return CycleReport("decay", looked_at, changed)
            values = _changed(rows, order.at)
            if values and not order.dry_run:
                await commit(self.long_term, (RelevanceComputed(values, order.at),))
                self.rated += len(values)
            looked_at, changed, after = (
                looked_at + len(rows),
                changed + len(values),
                rows[-1].memory_id,
            )
            await _breathe(order, Step("decay", looked_at, max(total, looked_at)), began)

    # ---- associations

    async def _associations(self, order: Consolidate) -> CycleReport:
        """Find what a sample of each project's memories has in common."""
        projects = await self.reader.projects_of_living(PROJECTS)
        looked_at, without, found = 0, 0, list[Connection]()
        for number, project in enumerate(projects, start=1):
            began = trio.current_time()
            recent = await self.reader.newest(project, association_rules.RECENT)
            sample = association_rules.sampled(
                recent, association_rules.SAMPLE, self.chance.randrange
            )
            vectors = await self._vectors(sample)
            looked_at, without = looked_at + len(sample), without + len(sample) - len(vectors)
            found += await _connected(sample, vectors, evolves=self.settings.evolves)
            await _breathe(order, Step("associations", number, len(projects)), began)
        skipped = (
            "no memory has a vector: is there an embedding model?"
            if (looked_at and without == looked_at)
            else ""
        )
        new = len(found)
        if not order.dry_run and not skipped:
            new = await self._draw(found, order.at)
        kinds = Counter(one.kind.value for one in found)
        return CycleReport(
            "associations", looked_at, new, skipped, tuple(sorted(kinds.items())),
            unvectored=without,
        )  # fmt: skip

    async def _vectors(self, sample: list[Memory]) -> dict[int, Any]:
        """The first vector of each memory that has one; the others are left out."""
        rows = await self.reader.first_vectors([one.id for one in sample])
        return {memory_id: np.frombuffer(vector, np.float32) for memory_id, vector in rows}

    async def _draw(self, found: list[Connection], at: float) -> int:
        """Store connections, after those of earlier runs have faded; how many are new."""
        await commit(self.long_term, (ConnectionsFaded("consolidation", FADING, LEAST),))
        new = 0
        for start in range(0, len(found), DRAWN):
            began = trio.current_time()
            new += await self._draw_some(found[start : start + DRAWN], at)
            await trio.sleep(trio.current_time() - began)
        self.connected += new
        return new

    async def _draw_some(self, found: list[Connection], at: float) -> int:
        """A few of them in one unit; how many are new. Each alone where new ones raise importance."""
        if not self.settings.boost:
            return sum(
                await commit(self.long_term, (ConnectionsDrawn(tuple(found), "consolidation", at),))
            )
        outcome = await commit(
            self.long_term, tuple(ConnectionsDrawn((one,), "consolidation", at) for one in found)
        )
        new = [one for one, was_new in zip(found, outcome, strict=True) if was_new]
        if new:
            await commit(self.long_term, boosts(new, self.settings.boost, at))
        return len(new)

    # ---- forgetting

    async def _forgetting(self, order: Consolidate) -> CycleReport:
        """Propose a plan for what nobody would miss; nothing is done."""
        if not self.settings.forget and not order.dry_run:
            return CycleReport(
                "forgetting", 0, 0, "it is off: consolidation.forget = true turns it on"
            )
        threshold = self.settings.forget_below
        living = await self.reader.living_count()
        before, after = order.at - forgettable.YOUNG * DAY, 0
        looked_at, hashes, found = 0, dict[int, bytes](), list[Standing]()
        while True:
            began = trio.current_time()
            rows = await self.reader.faded(before, threshold, after, WHOLE)
            if not rows:
                break
            looked_at, after = looked_at + len(rows), rows[-1][0].id
            for memory, relevance in rows:
                seen = standing(memory, relevance)
                if forgettable.is_forgettable(seen, order.at, threshold):
                    found.append(replace(seen, worth=worth(memory, order.at)))
                    hashes[memory.id] = memory.content_hash
                    await trio.lowlevel.checkpoint()  # a long text is read for a millisecond
            await _breathe(order, Step("forgetting", looked_at, max(living, looked_at)), began)
        chosen = forgettable.forgettable(found, living, order.at, threshold)
        plan_id = None
        if chosen and not order.dry_run:
            plan_id = await self._propose(chosen, hashes, order.at)
        self.proposed += len(chosen) if plan_id else 0
        proposed = plan_id is not None or order.dry_run
        return CycleReport(
            "forgetting", looked_at, len(chosen) if proposed else 0,
            plan_id=plan_id,
            memory_ids=tuple(memory.id for memory in chosen) if proposed else (),
        )  # fmt: skip

    async def _propose(
        self, chosen: list[Standing], hashes: dict[int, bytes], at: float
    ) -> int | None:
        """The number of the plan; ``None`` when it says nothing new."""
        steps = tuple(
            PlanStep(
                memory.id,
                "archive",
                hashes[memory.id],
                evidence=f"relevance {memory.relevance or 0.0:.4f},"
                f" {(at - memory.created_at) / DAY:.0f} days old",
            )
            for memory in chosen
        )
        reason = f"relevance under {self.settings.forget_below:g} and nothing that protects them"
        (number,) = await commit(
            self.long_term, (PlanProposed("archive", "consolidation", reason, steps, at),)
        )
        return number or None


async def _breathe(order: Consolidate, step: Step, began: float) -> None:
    """Between two pages: say how far it is, and leave others as much time as the page took.

    Raises ``GaveUp`` when nobody waits for the rest.
    """
    order.seen(step)
    if order.reply.abandoned:
        raise GaveUp
    await trio.sleep(trio.current_time() - began)


def _changed(rows: list[UseRow], now: float) -> tuple[tuple[int, float], ...]:
    """The relevances that are others than before."""
    values = relevances([use_of(row, now) for row in rows])
    return tuple(
        (row.memory_id, value)
        for row, value in zip(rows, values, strict=True)
        if row.relevance is None or abs(value - row.relevance) > SAME * row.relevance
    )


def use_of(row: UseRow, now: float) -> Use:
    """Facts that relevance is computed of, as the policy sees them."""
    unused = None if row.last_use is None else (now - row.last_use) / DAY
    age = (now - row.created_at) / DAY
    return Use(age, row.importance, unused, row.relations, row.confidence)


async def _connected(
    sample: list[Memory], vectors: dict[int, Any], *, evolves: bool
) -> list[Connection]:
    """What joins the memories of a sample: a text or a row of pairs in one turn, then others."""
    seen: list[association_rules.Observation] = []
    for memory in sample:
        if memory.id in vectors:
            seen.append(observation(memory))
            await trio.lowlevel.checkpoint()
    found: list[Connection] = []
    for place, one in enumerate(seen):
        for other in seen[place + 1 :]:
            alike = association_rules.cosine(vectors[one.id], vectors[other.id])
            joined = association_rules.connection(one, other, alike, evolves=evolves)
            if joined is not None:
                found.append(joined)
        await trio.lowlevel.checkpoint()
    return found


def observation(memory: Memory) -> association_rules.Observation:
    """A memory as the association rules see it."""
    text = f"{memory.title} {memory.text}"
    subjects = association_rules.subjects_of(text, (*memory.triggers, *memory.derived))
    return association_rules.Observation(
        memory.id, memory.kind, memory.created_at, memory.project, subjects
    )


def boosts(new: list[Connection], step: float, at: float) -> tuple[ImportanceRated, ...]:
    """A little importance for both ends of each new connection, once each."""
    return tuple(
        ImportanceRated(memory_id, "connected", f"{one.one}-{one.other}-{one.kind.value}", step, at)
        for one in new
        for memory_id in (one.one, one.other)
    )


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
