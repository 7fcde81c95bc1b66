"""The project's page: what a session is told as it starts, from constitutional notes to waiting plans."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import trio

from actors.core.ports import Clock
from actors.intake.rows import event_of
from actors.memory.ports import Reader, Unreadable
from actors.memory.rows import Memory, Scope
from actors.policy.events.fence import fenced
from actors.policy.recall import notes
from actors.policy.session.stopping import where_it_stopped
from actors.policy.text import budget
from actors.recall.messages import Bring, Note
from actors.recall.ordering import Settings, block_of, true_now

STANDING = 20  # constitutional memories at a session's start
WISHES = 5  # of a person, beside them
MORE = 1_200  # characters of all that is not constitutional
QUIET = 600.0  # seconds after which a session that did not end has stopped
RECENT = 30 * 86_400.0  # seconds after which nobody goes on where a session stopped


@dataclass(frozen=True, slots=True)
class Known:
    """What there is to tell a session that starts."""

    constitutional: Sequence[Memory]
    wishes: Sequence[Memory]
    stopped: str = ""  # fenced: the session before a compaction, or else the last one
    untold_plans: Sequence[int] = ()

    def without(self, is_known: Callable[[Memory], bool]) -> "Known":
        """Leave out the memories that the session knows already."""
        return replace(
            self,
            constitutional=[one for one in self.constitutional if not is_known(one)],
            wishes=[one for one in self.wishes if not is_known(one)],
        )


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
        now, scope = self.clock.now(), Scope(question.project)
        constitutional = true_now(await self.reader.constitutional(scope, STANDING), now)
        wishes: Sequence[Memory] = ()
        plans: Sequence[int] = ()
        stopped = ""
        with (
            trio.move_on_after(self.settings.neighbour_wait),
            suppress(Unreadable, trio.TooSlowError),
        ):
            wishes = true_now(await self.reader.standing(scope, WISHES), now)
            # After a compaction it is the same session still: it has heard what there is.
            if question.event.source == "compact":
                stopped = await self._task(question.event.session)
            else:
                stopped = await self._stop(question, now)
                plans = await self.reader.untold_plans()
        return Known(constitutional, wishes, stopped, plans)

    def page(self, known: Known, told: str) -> Page:
        """The page beside the reminders that are told; constitutional memories first and whole."""
        room = less(self.settings.budget, told)
        whole = replace(room, note=room.characters)
        block, first = self._block(known.constitutional, whole, notes.STANDING_HEADING)
        left = replace(room, characters=min(MORE, room.characters - len(block)))
        stopped = known.stopped if len(known.stopped) <= left.characters else ""
        wishes, second = self._block(known.wishes, less(left, stopped), notes.WISHES_HEADING)
        block = joined(told, block, stopped, wishes)
        plans, waiting = self._plans(known.untold_plans, len(block))
        return Page(joined(block, plans), (*first, *second), waiting)

    def _block(
        self, memories: Sequence[Memory], room: budget.Settings, heading: str
    ) -> tuple[str, tuple[Note, ...]]:
        """These memories under a heading as far as they fit, and those that do, in their order."""
        chosen = [Note(memory, 1.0, "standing", {}) for memory in memories]
        block, ids = block_of(chosen, room, self.clock.now(), heading=heading)
        return block, tuple(note for note in chosen if note.memory.id in set(ids))

    async def _task(self, session: str) -> str:
        """What the session was at before its context was compacted."""
        row = await self.reader.session(session)
        return notes.task(row.task) if row is not None and row.task else ""

    async def _stop(self, question: Bring, now: float) -> str:
        """Where the project's last session stopped."""
        row = await self.reader.session_before(
            question.event.session, question.project, now - RECENT, now - QUIET
        )
        answer = None if row is None else await self.reader.last_answer(row.session)
        event = None if answer is None else event_of(answer)
        if row is None or event is None:
            return ""
        return notes.stopped(where_it_stopped(row.task, event.message), now - row.seen_at)

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
