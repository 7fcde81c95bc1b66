"""Memories by the time they were made."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec.structs import replace

from daemon.api.operation import Argument, Here, Line, Operation, Option, Title, Verb
from daemon.commands.terminal.words import age, counted, duration, local, now, one_line, shown_of
from daemon.shapes.replies import Count, Reply
from daemon.views import memory_view, view

if TYPE_CHECKING:
    from actors.memory.rows import Scope
    from daemon.context import Parts, Progress

MINUTE = 60.0  # seconds
YEAR = 527_040  # minutes


class Past(msgspec.Struct, frozen=True, kw_only=True):
    """Something that happened to a memory."""

    at: float
    what: str  # create, reinforce, …, rewritten, reviewed, shown, or how it ended
    detail: str


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in time, with what happened to it, oldest first."""

    id: str
    title: str
    kind: str
    project: str | None
    created_at: float
    state: str  # lifecycle state, or how it ended
    apart: float | None  # seconds from the memory that was asked about; negative is before it
    past: list[Past]


class TimelinePage(Reply, frozen=True, kw_only=True):
    """Memories by their time, newest first; or the neighbours of one, nearest first."""

    memories: list[Remembered]
    total: int
    about: Remembered | None  # the memory that was asked about


class Timeline(Operation[TimelinePage], frozen=True, kw_only=True):
    """Show what was remembered when.

    The newest first, with what happened to each since. With an ID: its own history, and
    what was remembered around the same time, the nearest first.
    """

    NAME = "timeline"
    MEMORIES = ("id",)
    id: Annotated[str | None, Argument("[ID]")] = None
    project: Annotated[
        str | None,
        Here("--project", "Of this project instead of the current one, or of ID's.", unless="id"),
    ] = None
    everywhere: Annotated[bool, Option("--all", "Of every project.")] = False
    minutes: Annotated[
        int,
        msgspec.Meta(ge=1, le=YEAR),
        Option("--minutes", "With ID: how far around it.", True, within=(1, YEAR)),
    ] = 60
    limit: Annotated[Count, Option("--limit", "How many at most.", True, within=(1, 1_000))] = 50
    begin: float | str | None = None  # seconds UTC, or an ISO date
    end: float | str | None = None
    type: str | None = None

    VERBS = (Verb("timeline"),)

    async def answer(self, parts: Parts, _: Progress) -> TimelinePage:
        from actors.memory.rows import Scope
        from daemon.shapes.rows import moment
        from daemon.storage import journal

        scope = Scope(parts.project_meant(self.project), everywhere=self.everywhere)
        if self.id is not None:
            return await self._neighbours(parts, self.id, scope)
        span = (moment(self.begin, -math.inf, "begin"), moment(self.end, math.inf, "end"))
        total, found = await parts.reader.read(journal.newest, scope, self.limit, span, self.type)
        memories = await _remembered(parts, [(number, None) for number, _ in found])
        return TimelinePage(memories=memories, total=total, about=None)

    async def _neighbours(self, parts: Parts, name: str, scope: Scope) -> TimelinePage:
        from daemon.storage import journal

        (memory,) = await parts.known_memories([name])
        if self.project is None:
            scope = replace(scope, project=memory.project)
        made, window = memory.created_at, self.minutes * MINUTE
        found = await parts.reader.read(journal.moments, scope, made - window, made + window)
        apart = [(number, at - made) for number, at in found if number != memory.id]
        near = sorted(apart, key=lambda one: (abs(one[1]), one[0]))
        (about,) = await _remembered(parts, [(memory.id, None)])
        first = await _remembered(parts, near[: self.limit])
        return TimelinePage(memories=first, total=len(near), about=about)

    def lines(self, page: TimelinePage) -> Iterator[Line]:
        if page.about is not None:
            yield from self._around(page, page.about)
            return
        for memory in page.memories:
            yield from _told(memory, f"made {age(now() - memory.created_at)}")
        if not page.memories:
            yield "there are no memories"
        elif len(page.memories) < page.total:
            yield f"{len(page.memories)} of {counted(page.total, 'memory', 'memories')}"

    def _around(self, page: TimelinePage, about: Remembered) -> Iterator[Line]:
        yield from _told(about, f"made {age(now() - about.created_at)}")
        around = f"within {self.minutes} minutes of it"
        yield f"\n{around}" if page.memories else f"\nnothing else was remembered {around}"
        for memory in page.memories:
            apart = memory.apart or 0.0
            side = "before" if apart < 0 else "after"
            yield from _told(memory, f"{duration(abs(apart))} {side} it")
        if more := shown_of(page.memories, page.total):
            yield more


def _told(memory: Remembered, when: str) -> Iterator[Line]:
    moment = now()
    title, kind = one_line(memory.title), one_line(memory.kind)
    yield Title(
        f"{local(memory.created_at):%Y-%m-%d %H:%M}  {memory.id}  {kind}  {memory.state}  {title}"
    )
    yield f"  {when}"
    for one in memory.past:
        yield ["", age(moment - one.at), one.what, one.detail]


async def _remembered(parts: Parts, wanted: Sequence[tuple[int, float | None]]) -> list[Remembered]:
    from daemon.states import state_of
    from daemon.storage import journal

    ids = [number for number, _ in wanted]
    memories = await parts.reader.memories(ids)
    happened: dict[int, list[Past]] = defaultdict(list)
    for one in await parts.reader.read(journal.happened, ids):
        happened[one.memory_id].append(view(Past, one))
    now = parts.clock.now()
    return [
        memory_view(
            Remembered,
            memory,
            state=state_of(memory, now, parts.settings.fading),
            apart=apart,
            past=happened[number],
        )
        for number, apart in wanted
        if (memory := memories.get(number)) is not None  # erased meanwhile
    ]
