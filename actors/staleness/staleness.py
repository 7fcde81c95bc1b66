"""Staleness: memories say so when their files and symbols are gone or changed.

A memory's references are read from its text when it is new, or, while unread, when its project is
opened; they are looked at when a session begins, when a turn with possible edits ends, when an editor
opens the file and when a person is shown the memory. The result stands beside the memory in the
store, so a prompt reads no file. Edits by the session that made a memory do not make it stale.
"""

import logging
import math
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import partial
from heapq import nlargest
from typing import Final, TypeVar, assert_never

import trio
from msgspec import Struct, field

from actors.core.equipment import Latest
from actors.core.mailbox import Inbox, Mailbox
from actors.intake.messages import Happened
from actors.memory.commit import LongTermMessage, answered, attempted, commit
from actors.memory.rows import MemoriesChanged, Memory
from actors.policy.events.edits import files_touched
from actors.policy.events.events import Event, EventKind
from actors.policy.events.trail import EDITORS, SHELLS
from actors.policy.references.naming import joined, relative
from actors.policy.references.references import Reference, phrase
from actors.staleness.messages import (
    FileOpened,
    HoldsStill,
    PlaceGiven,
    Referring,
    StalenessMessage,
    Stamp,
    WhatIsStale,
)
from actors.staleness.survey import HISTORY, UNSEEN, Survey, Unread, looked_over, paths_of, taken
from daemon.sources import DiskFolder, ProjectSources
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)
T = TypeVar("T")

SESSIONS: Final = 64  # with their touched files in memory
TOUCHED: Final = 16  # files of a session, the last ones
PAGE: Final = 100  # memories read at a time
TURN: Final = 4  # memories that nobody read yet, taken in together
BULK: Final = 24  # changed at once, as by an import: they are read in such turns, with pauses
PAUSE: Final = 1.0  # seconds after a turn, which takes a third of one
QUIET: Final = 3.0  # seconds without an event before a turn: a prompt beside one cost 88 ms, not 26
BUSIEST: Final = 30.0  # seconds that a turn waits for that: who works all day is read for, too
PROJECTS: Final = 64  # waiting for such turns
LOOKED_AT: Final = 200  # memories of a project that are looked at together, the newest
WITHIN: Final = 5.0  # seconds for one look
SURVEYED_WITHIN: Final = 60.0  # seconds: two thousand files of code take one of a processor's
STAMPS: Final = 4_000  # files whose last look is remembered
SURVEYS: Final = 4  # folders that are known file by file
LASTS: Final = 60.0  # seconds a survey counts when nobody edited, and
SHARE: Final = 50.0  # times as long as it took, at least
_LOOKS: Final = frozenset({EventKind.TURN_END, EventKind.SESSION_END})

Place = tuple[str, str]  # a project, and a path in it


class Staleness(Struct):
    """Keeps the references of memories, one message at a time."""

    reader: ReadingSide
    sources: ProjectSources
    long_term: Mailbox[LongTermMessage]
    known: dict[int, Referring] = field(default_factory=dict[int, Referring])
    projects: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    about: dict[Place, set[int]] = field(default_factory=dict[Place, set[int]])
    touched: Latest[str, deque[str]] = field(default_factory=lambda: Latest(SESSIONS))
    stamps: Latest[Place, Stamp | None] = field(default_factory=lambda: Latest(STAMPS))
    editing: Latest[str, bool] = field(default_factory=lambda: Latest(SESSIONS))
    # Of a session: where it works, and the root of that checkout.
    checkouts: Latest[str, tuple[str, str]] = field(default_factory=lambda: Latest(SESSIONS))
    looked_in: dict[str, str] = field(default_factory=dict[str, str])  # by project, the last one
    # Of a folder: until when its survey counts.
    surveys: Latest[str, tuple[float, Survey]] = field(default_factory=lambda: Latest(SURVEYS))
    heard: float = -math.inf  # when the last event came, on trio's clock
    read: Latest[str, bool] = field(default_factory=lambda: Latest(PROJECTS))  # or being read
    _opened: tuple[trio.MemorySendChannel[str], trio.MemoryReceiveChannel[str]] = field(
        default_factory=lambda: trio.open_memory_channel[str](PROJECTS)
    )
    _one_at_a_time: trio.Lock = field(default_factory=trio.Lock)  # messages, and such turns

    async def run(self, inbox: Inbox[StalenessMessage]) -> None:
        """Read the store, then handle messages until the mailbox is drained."""
        await self._try(self._learn())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._read_unread)
            async for message in inbox:
                async with self._one_at_a_time:
                    await self.handle(message)
            nursery.cancel_scope.cancel()

    async def handle(self, message: StalenessMessage) -> None:
        """One message."""
        match message:
            case Happened():
                await self._see(message)
            case MemoriesChanged(memory_ids):
                await self._try(self._take_in(memory_ids))
            case WhatIsStale(memory_ids):
                await answered(message, self._told(memory_ids))
            case HoldsStill(memory_ids):
                await self._try(self._look(memory_ids, anew=memory_ids))
            case PlaceGiven(memory_id, reference):
                await self._try(self._give(memory_id, reference))
            case FileOpened(path, project):
                self._open(project)
                about = self.about.get((project, relative(path, project)), ())
                await self._try(self._look(tuple(about)))
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> bool:
        """Return whether it was done; after a passing failure it is looked at when the next session begins."""
        return await attempted(work, log, "staleness_waits")

    # ---- what memories are about

    async def _learn(self) -> None:
        """Read the references there are."""
        after = 0
        while page := await self.reader.referring(after, PAGE):
            after = page[-1].memory_id
            for one in page:
                self._keep(one)

    def _open(self, project: str) -> None:
        """Have the unread texts of a project read, once it is opened."""
        if project not in self.read:
            with suppress(trio.WouldBlock):
                self._opened[0].send_nowait(project)
                self.read[project] = True

    async def _read_unread(self) -> None:
        """Take in texts from before there were references, or from times without a look."""
        async for project in self._opened[1]:
            before = sys.maxsize
            while before:
                async with self._one_at_a_time:
                    ids = await self._unread(project, before)
                if ids is None:
                    self.read.pop(project, None)  # when it is opened again
                before = ids[-1] if ids else 0
                await trio.sleep(PAUSE)
                await self._until_quiet()

    async def _until_quiet(self) -> None:
        """Wait until no event came for a while, but not for ever."""
        with trio.move_on_after(BUSIEST):
            while (left := self.heard + QUIET - trio.current_time()) > 0:  # noqa: ASYNC110 - each event puts it off
                await trio.sleep(left)

    async def _unread(self, project: str, before: int) -> list[int] | None:
        """Take in the newest unread texts with ids below ``before``: their ids; None on failure."""
        ids: list[int] = []

        async def turn() -> None:
            ids.extend(await self.reader.unread(project, before, TURN))
            await self._take((await self.reader.memories(ids)).values())

        return ids if await self._try(turn()) else None

    async def _take_in(self, memory_ids: Sequence[int]) -> None:
        memories = await self.reader.memories(memory_ids)
        for memory_id in memory_ids:
            if memory_id not in memories:  # erased
                self._drop(memory_id)
        living = [memory for memory in memories.values() if memory.ended is None]
        if len(living) > BULK:
            for project in {memory.project for memory in living if memory.project is not None}:
                self.read.pop(project, None)
                self._open(project)
            return
        await self._take(living)

    async def _take(self, memories: Iterable[Memory]) -> None:
        """Find the names in these texts, unless known; texts of a folder together."""
        folders: dict[str, list[Unread]] = {}
        for memory in memories:
            before, project = self.known.get(memory.id), memory.project
            if project is None or (
                before is not None
                and (before.content_hash, before.project) == (memory.content_hash, project)
            ):
                continue
            given = tuple(one for one in before.references if one.given) if before else ()
            about = Referring(memory.id, project, memory.session, memory.content_hash, given)
            touched = tuple(self.touched.get(memory.session or "", ()))
            _, folder = self.checkouts.get(memory.session or "", ("", project))
            folders.setdefault(folder, []).append(Unread(about, memory.text, touched))
        for folder, unread in folders.items():
            survey = await self._survey(folder)
            found = await self._visit(folder, partial(taken, unread, survey))
            await self._store(found or ())

    async def _survey(self, folder: str) -> Survey:
        """Files of a folder, looked through anew after an edit, and once in a while."""
        began = trio.current_time()
        until, survey = self.surveys.get(folder) or (began, Survey())
        if began >= until and await self._visit(folder, survey.renew, SURVEYED_WITHIN) is not None:
            now = trio.current_time()
            until = now + max(LASTS, SHARE * (now - began))
        self.surveys[folder] = (until, survey)
        return survey

    async def _give(self, memory_id: int, reference: Reference) -> None:
        """Put this place first among a memory's references."""
        await self._take_in([memory_id])
        memory = (await self.reader.memories([memory_id])).get(memory_id)
        if memory is None or memory.project is None:
            return
        known = self.known.get(memory_id)
        about = joined([reference], known.references if known else ())
        await self._store(
            [Referring(memory_id, memory.project, memory.session, memory.content_hash, about)]
        )

    # ---- what became of it

    async def _see(self, happened: Happened) -> None:
        self.heard = trio.current_time()
        event, project = happened.event, happened.project
        if project is None or not event.session:
            return
        folder = await self._checkout(event, project)
        if event.kind is EventKind.SESSION_START:
            self._open(project)
            await self._try(self._look(self._newest(project), folder=folder))
        elif event.tool is not None:
            self._note(event.session, files_touched(event), folder)
            if event.tool.name in EDITORS or event.tool.name in SHELLS:
                self.editing[event.session] = True
                if folder in self.surveys:
                    self.surveys[folder] = (-math.inf, self.surveys[folder][1])
        elif event.kind in _LOOKS and self.editing.pop(event.session, False):
            await self._try(self._look(self._newest(project), by=event.session, folder=folder))

    async def _checkout(self, event: Event, project: str) -> str:
        """Root of a session's checkout: a worktree's, or the project's own."""
        known = self.checkouts.get(event.session)
        if (
            known is not None
            and known[0] == event.cwd
            and event.kind is not EventKind.SESSION_START
        ):
            return known[1]
        folder = project
        with trio.move_on_after(WITHIN):
            folder = await self.sources.checkout(project, event.cwd)
        self.checkouts[event.session] = (event.cwd, folder)
        return folder

    def _note(self, session: str, paths: Iterable[str], folder: str) -> None:
        inside = [path for one in paths if (path := relative(one, folder))]
        if inside:
            before = self.touched.get(session) or deque[str](maxlen=TOUCHED)
            before.extendleft(inside)
            self.touched[session] = before

    async def _told(self, memory_ids: Sequence[int]) -> dict[int, str]:
        await self._look(memory_ids)
        return {i: phrase(self.known[i].references) for i in memory_ids if i in self.known}

    async def _look(
        self,
        memory_ids: Iterable[int],
        *,
        by: str | None = None,
        anew: Collection[int] = (),
        folder: str | None = None,
    ) -> None:
        """Look at the files of these memories, and so at all memories about them.

        Files not written since the last look are not read, unless it was in another checkout than
        this ``folder``. ``by``: the session at work on them; its own memories, and the ones
        ``anew``, are taken as of now.
        """
        projects: dict[str, set[str]] = {}
        for memory_id in memory_ids:
            if (one := self.known.get(memory_id)) is not None:
                projects.setdefault(one.project, set()).update(paths_of([one]))
        for project, paths in projects.items():
            about = set[int]().union(*(self.about[project, path] for path in paths))
            known = [self.known[one] for one in about]
            own = {one.memory_id for one in known if by is not None and one.session == by}
            here = folder or project
            again = self.looked_in.get(project, here) == here
            stamps = {
                path: self.stamps.get((project, path), UNSEEN) if again else UNSEEN
                for path in (*paths, *HISTORY)
            }
            work = partial(looked_over, known, stamps, own.union(anew))
            seen = await self._visit(here, work)
            if seen is None:
                continue
            changed, seen_stamps = seen
            self.looked_in[project] = here
            await self._store(changed)
            for path, stamp in seen_stamps.items():
                self.stamps[project, path] = stamp

    async def _visit(
        self, project: str, function: Callable[[DiskFolder], T], within: float = WITHIN
    ) -> T | None:
        with trio.fail_after(within):
            return await self.sources.visit(project, function)

    async def _store(self, changed: Sequence[Referring]) -> None:
        """Keep the references of memories; one erased or rewritten meanwhile comes again."""
        outcomes = await commit(self.long_term, tuple(changed)) if changed else ()
        for now, done in zip(changed, outcomes, strict=True):
            if done and now.references:
                self._keep(now)
            else:
                self._drop(now.memory_id)

    def _keep(self, one: Referring) -> None:
        self._drop(one.memory_id)
        self.known[one.memory_id] = one
        for name in paths_of([one]):
            self.about.setdefault((one.project, name), set()).add(one.memory_id)
        self.projects.setdefault(one.project, set()).add(one.memory_id)

    def _drop(self, memory_id: int) -> None:
        one = self.known.pop(memory_id, None)
        if one is not None:
            self.projects[one.project].discard(memory_id)
            for name in paths_of([one]):
                self.about[one.project, name].discard(memory_id)

    def _newest(self, project: str) -> list[int]:
        return nlargest(LOOKED_AT, self.projects.get(project, ()))
