"""Notes for a subagent beside the evidence of its task: notes for all work, and notes about its files.

Its context is empty: of its session's knowledge it has the client's instructions, and no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from actors.core.equipment import Clock, Latest
from actors.memory.rows import Memory
from actors.policy.events.events import Event
from actors.policy.recall import notes, page
from actors.policy.recall.candidate import Candidate
from actors.policy.recall.task_names import told_of
from actors.policy.references.naming import named
from actors.policy.session import tasks
from actors.policy.session.ledger import Context, is_loaded
from actors.policy.session.tasks import Task
from actors.policy.text.wording import joined, less
from actors.recall.blocks import block_of
from actors.recall.messages import Bring
from actors.recall.ordering import Settings
from actors.recall.scripts import is_scripted
from actors.recall.standing import SHARE, always, constitutional, in_time, true_and_wanted, wanted
from daemon.storage.reader import ReadingSide

DELEGATING: Final = 64  # sessions whose tasks for subagents are held
NAMED: Final = 4  # notes about files and symbols of a task
AMONG: Final = 200  # pairs of a note and what it is about that are looked at


@dataclass(frozen=True, slots=True)
class Given:
    """Notes for a subagent whatever the evidence of its task."""

    constitutional: Sequence[Memory] = ()
    wishes: Sequence[Memory] = ()  # of a person, for all work
    named: Sequence[Memory] = ()  # about files and symbols of its task


@dataclass(slots=True)
class Delegating:
    """Holds the tasks of subagents about to start, and gathers notes for them."""

    settings: Settings
    reader: ReadingSide
    clock: Clock
    tasks: Latest[str, tuple[Task, ...]] = field(default_factory=lambda: Latest(DELEGATING))

    def hold(self, event: Event, at: float) -> None:
        """Keep the task until its subagent starts, which is told by its type alone."""
        if event.session and self.settings.to_subagents:
            task = Task(event.task, event.agent_type, at)
            self.tasks[event.session] = tasks.given(self.tasks.get(event.session, ()), task)

    def task(self, event: Event, at: float) -> str:
        """The task of a starting subagent; "" where it is not known."""
        waiting = self.tasks.get(event.session, ())
        task, self.tasks[event.session] = tasks.started(waiting, event.agent_type, at)
        return task.text.strip() if task is not None else ""

    async def given(self, question: Bring, task: str) -> Given:
        """Gather its notes; late ones are left out, except constitutional memories."""
        now, project = self.clock.now(), question.project
        found = Given(await constitutional(self.reader, project, now))
        with in_time(question.within * SHARE):
            if not await is_scripted(self.reader, question):
                want = await wanted(self.reader, project, now)
                found = replace(found, wishes=always(self.settings, want, now))
            return replace(found, named=await self._named(project, task, now))
        return found

    def subagent_block(
        self, given: Given, had: Context
    ) -> tuple[str, tuple[Candidate[Memory], ...]]:
        """The block of notes absent from its instructions, and these notes."""
        now, left = self.clock.now(), self.settings.budget
        blocks, told = list[str](), list[Candidate[Memory]]()
        for memories, heading, why, most in (
            (given.constitutional, notes.STANDING_HEADING, "standing", left.characters),
            (given.wishes, notes.WISHES_HEADING, "a standing wish", page.WISHES + page.SECTION),
            (given.named, notes.NAMED_HEADING, "about what its task names", left.characters),
        ):
            seen = {note.memory.id for note in told}
            new = [
                Candidate(one, why=why)
                for one in memories
                if one.id not in seen and not is_loaded(had, one.text)
            ]
            most = min(left.characters, most)
            room = replace(left, characters=most, note=most)  # whole or not at all
            block, ids = block_of(new, room, now, heading=heading)
            blocks.append(block)
            told += [note for note in new if note.memory.id in set(ids)]
            left = less(left, block)
        return joined(*blocks), tuple(told)

    async def _named(self, project: str | None, task: str, now: float) -> list[Memory]:
        """Notes about files and symbols named in the task."""
        if project is None or not task:
            return []
        what = named(task, "", project)
        found = await self.reader.cued_by(project, tuple(what.files), what.symbols, AMONG)
        ids = told_of(found, task, NAMED)
        memories = await self.reader.memories(ids)
        there = [memories[one] for one in ids if one in memories]
        return await true_and_wanted(self.reader, there, project, now)
