"""The archivist: every two hours, what has long been of no use is proposed to be put away.

It looks through what is old in batches on the background lane, for what was shown and never used and
for what a newer memory says. What it finds becomes one plan; while that waits there is no other one. With ``archivist.applies`` the plan is
carried out at once, at most 5 % of the store a day. It also notes which plans a session was told of.
What is archived is in no index and in no answer, stays as it is, and comes back exactly.
"""

import logging
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, Final, assert_never

import trio

from actors.core.mailbox import Inbox, Mailbox
from actors.memory.commit import answered, attempted, commit
from actors.memory.messages import LongTermMessage
from actors.memory.ports import Reader
from actors.memory.rows import Memory
from actors.plans.messages import ArchivistMessage, Preview, Scan, WhatWouldBeArchived
from actors.plans.rows import PlanReader
from actors.plans.writes import PlanApplied, PlanProposed, PlansTold, Scanned
from actors.policy.decay.archival import (
    DAY,
    QUIET,
    SHOWN,
    Old,
    Settings,
    evidence,
    reason,
    why_it_stays,
)
from actors.policy.dreams.plans import Step, Subject, is_said_by, most, protection
from actors.policy.text.short_ids import short_id
from actors.strength.curve import factor_of
from actors.strength.rows import Opinion

log = logging.getLogger(__name__)

SOURCE: Final = "archivist"
BATCH: Final = 50  # memories looked at in one turn: others have theirs in between
PAIRS: Final = 1_000  # of an old and a newer memory that are compared in one look
OPEN_LIMIT: Final = 1_000  # plans that wait, looked through for one's own


@dataclass(slots=True)
class Archivist:
    """Looks for what may be put away, one message at a time."""

    settings: Settings
    reader: Reader
    plans: PlanReader
    long_term: Mailbox[LongTermMessage]
    errors: int = 0  # since the last scan that was counted
    scans: int = 0
    proposed: int = 0

    def statistics(self) -> dict[str, Any]:
        """Scans of this daemon, and plans that came of them; the store counts the rest."""
        return {"scans": self.scans, "proposed": self.proposed, "errors": self.errors}

    async def run(self, inbox: Inbox[ArchivistMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: ArchivistMessage) -> None:
        """One message."""
        match message:
            case Scan(at):
                if self.settings.enabled:
                    await self._try(self._scan(at))
            case PlansTold():
                await self._try(commit(self.long_term, (message,)))
            case WhatWouldBeArchived(at, reply):
                await answered(reply, self._looked(at, whole=True))
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> None:
        """What passes is counted; the next scan finds it again."""
        self.errors += not await attempted(work, log, "archival_waits")

    async def _scan(self, at: float) -> None:
        preview = await self._looked(at, whole=False)
        await self._propose(preview, at)
        errors, self.errors = self.errors, 0
        self.scans += 1
        await commit(self.long_term, (Scanned(preview.scanned, errors, at),))

    async def _looked(self, at: float, *, whole: bool) -> Preview:
        """What the rule holds for now, but for what a person wanted left alone.

        All of it, or no more than one run may take.
        """
        room = most((await self.reader.counts()).memories)
        before = at - self.settings.age_days * DAY
        alone = await self.plans.left_alone(at - QUIET)
        successors = await self._successors(before)
        shown = await self.plans.ignored(before, SHOWN)
        wanted = [one for one in {**shown, **successors} if one not in alone]
        steps: list[Step] = []
        for start in range(0, len(wanted), BATCH):
            ids = wanted[start : start + BATCH]
            memories = await self.reader.memories(ids)
            opinions = await self.reader.opinions(ids)
            for memory in (memories[one] for one in ids if one in memories):
                opinion = opinions.get(memory.id, Opinion())
                old = old_of(
                    memory, opinion, at, shown.get(memory.id, 0), successors.get(memory.id)
                )
                if memory.ended is None and not why_it_stays(old, self.settings):
                    why = evidence(old)
                    steps.append(Step(memory.id, "archive", memory.content_hash, evidence=why))
            if len(steps) >= room and not whole:
                break
        return Preview(await self.plans.older_than(before), tuple(steps), room)

    async def _successors(self, before: float) -> dict[int, int]:
        """For each old memory that a newer one has superseded in substance, the newer one."""
        pairs = await self.plans.followed(before, PAIRS)
        memories = await self.reader.memories(sorted({one for pair in pairs for one in pair}))
        newer: dict[int, int] = {}
        for old, new in pairs:
            if old in memories and new in memories:
                if is_said_by(memories[old].text, memories[new].text):
                    newer[old] = new
                await trio.lowlevel.checkpoint()  # reading two texts takes up to a millisecond
        return newer

    async def _propose(self, preview: Preview, at: float) -> None:
        """A plan of as much as may go, unless one waits; carried out when nobody is to be asked.

        One that waits is carried out on a day that has room for all of it.
        """
        room = preview.room
        if self.settings.applies:
            room -= await self.plans.archived_lately(at - DAY)
        going = preview.candidates[: max(0, room)]
        waiting = await self.plans.plans("open", OPEN_LIMIT)
        number, size = next(
            ((plan.id, len(plan.steps)) for plan in waiting if plan.source == SOURCE),
            (0, len(going)),
        )
        if not number and going:
            why = reason([step.evidence for step in going])
            plan = PlanProposed("archive", SOURCE, why, going, at)
            (number,) = await commit(self.long_term, (plan,))
            self.proposed += bool(number)
        if number and self.settings.applies and size <= room:
            await commit(self.long_term, (PlanApplied(number, at, by="archivist"),))


def old_of(
    memory: Memory, opinion: Opinion, at: float, sessions: int, successor: int | None
) -> Old:
    """Facts that the rule goes by, of a memory that so many sessions were shown."""
    subject = Subject(
        memory.id, memory.content_hash, memory.tier, memory.ended, memory.pinned, memory.uses,
        memory.confidence, opinion.validations,
    )  # fmt: skip
    return Old(
        age_days=(at - memory.created_at) / DAY,
        factor=factor_of(memory),
        uses=memory.uses,
        sessions=sessions,
        successor="" if successor is None else short_id(successor),
        protection=protection("archive", subject),
    )
