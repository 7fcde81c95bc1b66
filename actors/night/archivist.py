"""The archivist: every two hours, memories long of no use are put away, or proposed to be.

It looks through old memories in batches on the background lane. A useless memory of no person's
words (a newer one says it, its time is over, thirty starts listed it in vain) is put away by
itself, by a plan carried out at once, at most 5 % of the store a day; the rest becomes one plan
waiting for a person, with no other beside it. An
archived memory is in no index and in no answer, stays as it is, and comes back exactly.
"""

import logging
from collections.abc import Sequence
from typing import Any, Final

import trio
from msgspec import Struct

from actors.core.mailbox import Inbox, Mailbox
from actors.memory.commit import LongTermMessage, attempted, commit
from actors.memory.rows import Memory
from actors.memory.use import Opinion, factor_of
from actors.night.shapes import ArchivistMessage, PlanApplied, PlanProposed, PlanRow
from actors.policy.decay.archival import (
    DAY,
    QUIET,
    SHOWN,
    Old,
    Settings,
    Step,
    Subject,
    evidence,
    goes,
    is_said_by,
    most,
    protection,
    reason,
)
from actors.policy.night.demands import demanded_in
from actors.policy.recall.page import NEVER, SEARCHED, STARTS
from actors.policy.statements.trust import KEPT_TIERS, is_stated
from actors.policy.text.short_ids import short_id
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

SOURCE: Final = "archivist"
BATCH: Final = 50  # memories looked at in one turn: others have theirs in between
PAIRS: Final = 1_000  # of an old and a newer memory that are compared in one look
ALIKE: Final = 0.9  # likeness from which two memories may be one; the gate's own is .92
OPEN_LIMIT: Final = 1_000  # plans that wait, looked through for one's own


class Archivist(Struct):
    """Looks for memories to put away, one message at a time."""

    settings: Settings
    reader: ReadingSide
    long_term: Mailbox[LongTermMessage]
    scans: int = 0

    def statistics(self) -> dict[str, Any]:
        """Scans since the start; the store counts what they put away."""
        return {"scans": self.scans}

    async def run(self, inbox: Inbox[ArchivistMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: ArchivistMessage) -> None:
        """One message; after a passing failure the next scan finds it again."""
        if self.settings.enabled:
            await attempted(self._scan(message.at), log, "archival_waits")

    async def _scan(self, at: float) -> None:
        """Put away memories without asking, as far as a day has room, and propose the rest unless a plan waits."""
        open_ = await self.reader.plans("open", OPEN_LIMIT)
        at_most = most((await self.reader.counts()).memories)
        going, left = await self._found(at, open_, at_most)
        room = at_most - await self.reader.archived_lately(at - DAY)
        number = await self._planned(going[: max(0, room)], at)
        if number:
            await commit(self.long_term, (PlanApplied(number, at, by="archivist"),))
        if not any(plan.source == SOURCE for plan in open_):
            await self._planned(left[:at_most], at)
        self.scans += 1

    async def _found(
        self, at: float, open_: Sequence[PlanRow], at_most: int
    ) -> tuple[list[Step], list[Step]]:
        """Memories that go by themselves, ``at_most`` at least where there are so many, and those left to a person.

        Without what waits in these plans, and what a person wanted left alone.
        """
        reader, before = self.reader, at - self.settings.age_days * DAY
        waits = {(step.memory_id, step.content_hash) for plan in open_ for step in plan.steps}
        alone = await reader.left_alone(at - QUIET)
        successors = await _successors(reader, before)
        shown = await reader.ignored(before, SHOWN)
        over = await reader.outlived(before)
        listed = await reader.unneeded(STARTS, at - SEARCHED)
        wanted = [one for one in {**listed, **over, **successors, **shown} if one not in alone]
        going: list[Step] = []
        left: list[Step] = []
        for start in range(0, len(wanted), BATCH):
            ids = wanted[start : start + BATCH]
            memories = await reader.memories(ids)
            opinions = await reader.opinions(ids)
            by_hand = await reader.kept_by_hand(ids)
            for memory in (memories[one] for one in ids if one in memories):
                if memory.ended is not None or (memory.id, memory.content_hash) in waits:
                    continue
                newer = successors.get(memory.id)
                old = Old(
                    age_days=(at - memory.created_at) / DAY,
                    factor=factor_of(memory),
                    uses=memory.uses,
                    sessions=shown.get(memory.id, 0),
                    successor="" if newer is None else short_id(newer),
                    is_protected=_is_protected(memory, opinions.get(memory.id, Opinion())),
                    listing=listed.get(memory.id, NEVER).excess(),
                    over_days=(at - over[memory.id]) / DAY if memory.id in over else 0.0,
                    is_stated=memory.id in by_hand or _is_kept_by_a_person(memory),
                )
                by_itself = goes(old, self.settings)
                if by_itself is not None:
                    step = Step(memory.id, memory.content_hash, evidence=evidence(old))
                    (going if by_itself else left).append(step)
            if len(going) >= at_most:
                break
        return going, left

    async def _planned(self, steps: Sequence[Step], at: float) -> int:
        """Number of a plan of these steps; 0 where there is nothing new to do."""
        if not steps:
            return 0
        why = reason([step.evidence for step in steps])
        (number,) = await commit(self.long_term, (PlanProposed(SOURCE, why, tuple(steps), at),))
        return int(number)


async def _successors(reader: ReadingSide, before: float) -> dict[int, int]:
    """The newer memory for each old one superseded in substance."""
    pairs = await reader.followed(before, ALIKE, PAIRS)
    memories = await reader.memories(sorted({one for pair in pairs for one in pair}))
    newer: dict[int, int] = {}
    for old, new in pairs:
        if old in memories and new in memories:
            if is_said_by(memories[old].text, memories[new].text):
                newer[old] = new
            await trio.lowlevel.checkpoint()  # reading two texts takes up to a millisecond
    return newer


def _is_protected(memory: Memory, opinion: Opinion) -> bool:
    subject = Subject(
        memory.id, memory.content_hash, memory.tier, memory.ended, memory.pinned, memory.uses,
        memory.confidence, opinion.validations,
    )  # fmt: skip
    return bool(protection(subject))


def _is_kept_by_a_person(memory: Memory) -> bool:
    """Return whether a person said, chose, confirmed, demands or raised it; a dream quotes demands."""
    said = is_stated(memory.source, memory.confidence)
    return said or memory.tier in KEPT_TIERS or demanded_in(memory.text) != ""
