"""The project's page: what a session is told as it starts, from constitutional notes to waiting plans."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import trio

from actors.core.ports import Clock
from actors.memory.ports import Reader, Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.events.fence import fenced
from actors.policy.recall import notes
from actors.policy.text import budget
from actors.recall.messages import Bring, Note
from actors.recall.ordering import Settings, block_of, true_now

STANDING = 20  # constitutional memories at a session's start


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to tell a session that starts."""

    constitutional: Sequence[Memory]
    task: str = ""  # fenced, after a compaction
    untold_plans: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """What it is told, the notes of it, and the plans that it is told of."""

    block: str
    notes: tuple[Note, ...]
    plan_ids: tuple[int, ...]


@dataclass(slots=True)
class Opening:
    """Gathers and words the page."""

    settings: Settings
    reader: Reader
    clock: Clock

    async def known(self, question: Bring) -> Known:
        """What the store knows; what is late is left out, but for constitutional memories."""
        found = await self.reader.constitutional(Scope(question.project), STANDING)
        found = true_now(found, self.clock.now())
        # After a compaction it is the same session still: it has heard what there is.
        if question.event.source == "compact":
            return Known(found, task=await self._task(question.event.session))
        return Known(found, untold_plans=await self._untold_plans())

    def page(self, known: Known, told: str) -> Page:
        """The page beside the reminders that are told."""
        chosen = [Note(memory, 1.0, "constitutional", {}) for memory in known.constitutional]
        room = less(self.settings.budget, told)
        block, ids = block_of(chosen, room, self.clock.now(), heading=notes.STANDING_HEADING)
        shown = tuple(note for note in chosen if note.memory.id in set(ids))
        block = joined(told, block, known.task)
        plans, waiting = self._plans(known.untold_plans, len(block))
        return Page(joined(block, plans), shown, waiting)

    async def _task(self, session: str) -> str:
        """What the session was at before its context was compacted."""
        with (
            trio.move_on_after(self.settings.neighbour_wait),
            suppress(Unreadable, trio.TooSlowError),
        ):
            row = await self.reader.session(session)
            return notes.task(row.task) if row is not None and row.task else ""
        return ""

    async def _untold_plans(self) -> Sequence[int]:
        with (
            trio.move_on_after(self.settings.neighbour_wait),
            suppress(Unreadable, trio.TooSlowError),
        ):
            return await self.reader.untold_plans()
        return ()

    def _plans(self, plan_ids: Sequence[int], taken: int) -> tuple[str, tuple[int, ...]]:
        """That plans wait for a decision: one line, once for each plan, when there is room."""
        line = notes.waiting(len(plan_ids))
        block = fenced([line], notes.PLANS_HEADING) if line else ""
        fits = taken + 1 + len(block) <= room_of(self.settings.budget)
        return (block, tuple(plan_ids)) if block and fits else ("", ())


def room_of(room: budget.Settings) -> int:
    """Characters of an answer at most."""
    return min(room.characters, budget.HARD)


def less(room: budget.Settings, told: str) -> budget.Settings:
    """The budget that is left beside these reminders."""
    taken = len(told) + 1 if told else 0
    return replace(room, characters=max(0, room_of(room) - taken))


def joined(*blocks: str) -> str:
    """These blocks below each other, without the empty ones."""
    return "\n".join(block for block in blocks if block)
