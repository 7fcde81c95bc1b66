"""What happened when: events as they arrived, the log, memories by their time, a day, and following it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from daemon.api.injections import prompts_of
from daemon.api.operation import Limit, Line, OfEveryProject, OfProject, Operation, Verb
from daemon.commands.terminal.words import age, local, now, shown_of
from daemon.shapes.journal import Day, DayPrompt
from daemon.shapes.replies import PAGE, Count, Reply, Row
from daemon.views import memory_view, short_id, view

if TYPE_CHECKING:
    from actors.memory.observatory import Observation, Observations
    from daemon.answers.journal import Span
    from daemon.context import Parts, Progress


FRAME: Final = 200  # observations in a frame
NAMES: Final = ("id", "one", "other")  # what holds the id of a memory
# How a person reads what happened: the gate's answers, or how a memory ended.
HAPPENED: Final = {
    "create": "learnt",
    "create_linked": "learnt",
    "reinforce": "heard again",
    "update": "reworded",
    "supersede": "learnt anew",
    "deprecated": "replaced",
    "returned": "brought back",
}


class JournalPage(Reply, frozen=True, kw_only=True):
    """Journaled events, oldest first, without their contents."""

    events: list[dict[str, Any]]
    after: int | None


class Journal(Operation[JournalPage], frozen=True, kw_only=True):
    """Request for a page of the events that arrived, without contents."""

    NAME = "journal"
    after: Row = 0
    limit: int = 1000

    async def answer(self, parts: Parts, _: Progress) -> JournalPage:
        from daemon.storage import journal

        limit = max(1, min(self.limit, PAGE))
        rows = await parts.reader.read(journal.journal_page, self.after, limit)
        events = [
            {
                "event_id": row.event_id.hex(),
                "received_at": row.received_at,
                "kind": row.kind,
                "session": row.session,
                "done": row.done,
            }
            for row in rows
        ]
        return JournalPage(events=events, after=rows[-1].seq if len(rows) == limit else None)

    def lines(self, page: JournalPage) -> Iterator[Line]:
        moment = now()
        for event in page.events:
            yield [
                age(moment - float(event["received_at"])),
                str(event["kind"]),
                "done" if event["done"] else "open",
                str(event["event_id"])[:12],
                str(event["session"] or ""),
            ]


class LogPage(Reply, frozen=True, kw_only=True):
    """Entries of what was learnt, changed and shown, oldest first."""

    entries: list[dict[str, Any]]


class Log(Operation[LogPage], frozen=True, kw_only=True):
    """Request for what was learnt, changed and shown."""

    NAME = "log"
    since: float = 0.0
    limit: int = 200

    async def answer(self, parts: Parts, _: Progress) -> LogPage:
        from daemon.storage import journal

        limit = max(1, min(self.limit, PAGE))
        entries = await parts.reader.read(journal.happenings, self.since, limit)
        for entry in entries:
            number = entry["memory"]
            entry["memory"] = short_id(number) if isinstance(number, int) else None
        return LogPage(entries=entries)

    def lines(self, page: LogPage) -> Iterator[Line]:
        moment = now()
        for entry in page.entries:
            said = [str(entry[name]) for name in ("title", "detail") if entry.get(name)]
            yield [
                age(moment - float(entry["at"])),
                HAPPENED.get(str(entry["what"]), str(entry["what"])),
                str(entry["memory"] or ""),
                ": ".join(said),
            ]
        if not page.entries:
            yield "nothing happened"


# ---- memories by the time they were made


class Remembered(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in time."""

    id: str
    title: str
    kind: str
    project: str | None
    created_at: float
    ended_at: float | None
    state: str  # lifecycle state, or how it ended


class TimelinePage(Reply, frozen=True, kw_only=True):
    """Memories by their time, newest first."""

    memories: list[Remembered]
    total: int


class Timeline(Operation[TimelinePage], frozen=True, kw_only=True):
    """Show what was remembered when.

    The newest first, with how and when each ended.
    """

    NAME = "timeline"
    FOR_AGENTS = True
    project: OfProject = None
    everywhere: OfEveryProject = False
    limit: Limit = 50

    VERBS = (Verb("timeline"),)

    async def answer(self, parts: Parts, _: Progress) -> TimelinePage:
        from actors.memory.rows import Scope
        from actors.memory.use import state_of
        from daemon.storage import journal

        scope = Scope(parts.project_meant(self.project), everywhere=self.everywhere)
        total, ended = await parts.reader.read(journal.newest, scope, self.limit)
        memories = await parts.reader.memories([*ended])
        at, rules = parts.clock.now(), parts.settings.fading
        shown = [
            memory_view(Remembered, memory, state=state_of(memory, at, rules), ended_at=over)
            for number, over in ended.items()
            if (memory := memories.get(number)) is not None  # erased meanwhile
        ]
        return TimelinePage(memories=shown, total=total)

    def lines(self, page: TimelinePage) -> Iterator[Line]:
        moment = now()
        for memory in page.memories:
            when = f"{local(memory.created_at):%Y-%m-%d %H:%M}"
            over = "" if memory.ended_at is None else age(moment - memory.ended_at)
            yield [when, memory.id, memory.kind, memory.state, memory.title, over]
        if not page.memories:
            yield "there are no memories"
        elif more := shown_of(page.memories, page.total):
            yield more


# ---- a day

SESSIONS: Final = 50  # of a day, those seen last
DAY: Final = 86_400.0  # seconds


class DayOf(Operation[Day], frozen=True, kw_only=True):
    """Request for a day of the memory: what was learnt, told, corrected and forgotten, and how each is taken back."""

    NAME = "day"
    since: float | None = None  # seconds UTC; None: a day before ``until``
    until: float | None = None  # None: now
    project: str | None = None
    everywhere: bool = True  # unless a project is given
    limit: Count = 200  # of each

    async def answer(self, parts: Parts, _: Progress) -> Day:
        from daemon.answers.journal import Span, happened

        until = parts.clock.now() if self.until is None else self.until
        project = parts.project_meant(self.project)
        everywhere = self.everywhere and project is None
        span = Span(until - DAY if self.since is None else self.since, until, project, everywhere)
        return await happened(parts, span, self.limit, await _told(parts, span, self.limit))


async def _told(parts: Parts, span: Span, limit: int) -> list[DayPrompt]:
    """Prompts and starts of a span with the notes told to each, the newest first."""
    from daemon.storage import sessions

    found = await parts.reader.read(sessions.sessions_between, span.since, span.until, SESSIONS)
    told = [
        view(DayPrompt, one, **{name: session[name] for name in ("session", "agent", "project")})
        for session in found
        if span.everywhere or session["project"] == span.project
        for one in await prompts_of(parts, str(session["session"]), limit)
        if span.since <= one.at < span.until
    ]
    return sorted(told, key=lambda one: -one.at)


# ---- as it happens


class FollowEnded(Reply, frozen=True, kw_only=True):
    """The daemon stops: nothing more will happen in it."""


class Follow(Operation[FollowEnded], frozen=True, kw_only=True):
    """Tell me what happens, until I leave or the daemon stops.

    Each progress frame is ``{"events": [{"number", "at", "type", "data"}], "dropped"}``:
    what happened since the frame before, and how much of it was not kept for one who reads so
    slowly.
    """

    NAME = "follow"
    ASKED_BY = "onlooker"
    SLOW = True
    titles: bool = False  # with the titles of the memories, for a person

    async def answer(self, parts: Parts, progress: Progress) -> FollowEnded:
        after = -1  # nothing of what is still kept
        while True:
            found = await parts.observatory.after(after, FRAME)
            after = found.last
            if found.observations or found.dropped:
                events = [_shown(number, one) for number, one in found.observations]
                if self.titles:
                    await _add_titles(parts, events, found)
                await progress({"events": events, "dropped": found.dropped})


def _shown(number: int, one: Observation) -> dict[str, Any]:
    data = {
        name: short_id(value) if name in NAMES and isinstance(value, int) else value
        for name, value in one.data.items()
    }
    return {"number": number, "at": one.at, "type": one.kind.value, "data": data}


async def _add_titles(parts: Parts, events: list[dict[str, Any]], found: Observations) -> None:
    """Add the titles of the memories in the data, ended ones too."""
    named = [
        [value for name in NAMES if isinstance(value := one.data.get(name), int)]
        for _, one in found.observations
    ]
    memories = await parts.reader.memories(sorted({one for ids in named for one in ids}))
    for event, ids in zip(events, named, strict=True):
        event["titles"] = {short_id(one): memories[one].title for one in ids if one in memories}
