"""A bench for recall: the actor with everything it asks, on a real store."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.memory.observatory import Observatory
from actors.memory.rows import Scope
from actors.memory.writes import Origin
from actors.passages.shapes import FoundPassages, RankedPassage
from actors.policy.events.events import Event, EventKind
from actors.policy.recall import ranking
from actors.policy.session.pressure import Level
from actors.reader.messages import Cue, NoteRead
from actors.recall.archive import Archive
from actors.recall.channels import Channels, Pacing
from actors.recall.ordering import Settings
from actors.recall.recall import Recall, assembled
from actors.recall.shapes import Answer, Bring, Search
from actors.session.shapes import WereReminded, WhatIsDue
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.house import House, open_house, working_memory_of
from tests.actors.post import answering, mail, queue
from tests.clock import BEGINNING, FollowingClock

WHALE = "The blue whale database listens on port 5432 in staging."
SQUID = "Giant squid migrations run with alembic before every deploy."
ASKED = "which port does the blue whale database listen on in staging?"
TELLING = "port blue whale database listen staging"  # of it, by which a long prompt is embedded
UNRELATED = "please rename the variable in this loop"
ROOMY = Level.NONE
# The clock jumps while a thread reads the store, and a busy machine takes its time: neither is the
# channel's or a neighbour's.
SHIPPED = ranking.Settings()
UNHURRIED = Settings(channel_wait=math.inf, neighbour_wait=5.0)


class Bench(Struct):
    """Recall and everything it asks, with the pressure answered by the test."""

    house: House
    recall: Queue[Any]
    working_memory: Queue[Any]
    actor: Recall
    pressure: Level = ROOMY
    due: Any = ()  # of what a session is to be reminded
    told: list[Any] = field(default_factory=list[Any])  # what it was told and asked
    passages: tuple[RankedPassage, ...] = ()  # that the archive finds
    times: list[float] = field(default_factory=list[float])

    def hurried(self) -> None:
        """Give each part of a prompt's answer no more time than it has by default."""
        usual, briefing = Settings(), self.actor.briefing
        briefing.settings = briefing.session.settings = replace(
            briefing.settings, channel_wait=usual.channel_wait, neighbour_wait=usual.neighbour_wait
        )

    async def prompt(
        self, text: str, session: str = "s1", project: str | None = None, within: float = 10.0
    ) -> Answer:
        event = Event("claude", EventKind.PROMPT, session, prompt=text)
        return await self.bring(event, project, within)

    async def timed(
        self, text: str = ASKED, session: str = "s1", within: float = 0.080
    ) -> tuple[Answer, float]:
        """Answer to a prompt within the hook's 80 ms, and its virtual seconds: pauses do not count."""
        before = trio.current_time()
        found = await self.prompt(text, session, within=within)
        return found, trio.current_time() - before - 2

    async def start(
        self, source: str, session: str = "s1", project: str | None = None, *, again: bool = False
    ) -> Answer:
        """A session starts: it is told to everyone, as intake does, and asks for its notes."""
        event = Event("claude", EventKind.SESSION_START, session, source=source)
        now = BEGINNING + trio.current_time()
        found = await self.bring(event, project, again=again)
        await self.working_memory.mailbox.tell(Happened(1, now, event, project))
        return found

    async def bring(
        self, event: Event, project: str | None, within: float = 10.0, *, again: bool = False
    ) -> Answer:
        await trio.sleep(1)  # one thing a second
        at_ = BEGINNING + trio.current_time()
        answer = await self.recall.mailbox.ask(
            Bring(event, project, at_, within, again=again), within=60
        )
        await trio.sleep(1)
        return answer

    async def instructed(self, file: Path, session: str, project: str) -> None:
        """The client of a session loads this file."""
        loaded = Event(
            "claude", EventKind.INSTRUCTIONS, session, instructions=str(file), reason="include"
        )
        await self.working_memory.mailbox.tell(Happened(1, BEGINNING, loaded, project))

    async def read(
        self, text: str, *cues: Cue, said_by: str = "user", kind: str = "wish",
        scope: str = "when", at: float = BEGINNING, session: str = "s0", project: str = "/shop",
    ) -> int:  # fmt: skip
        """A note of the project's reader, of what somebody said in a session."""
        origin = Origin("reader" if said_by == "user" else "noticed-reader", session)
        kept = await self.house.keep(text, origin=origin, project=project, at=at, judged=False)
        await self.house.commit(
            NoteRead(kept.memory_id, 1, session, 1, kind, said_by, scope, text, at, cues=cues)
        )
        return kept.memory_id

    async def rehearsed(self, text: str, project: str | None = None) -> Answer:
        """The answer that a prompt of these words would get, for a person who looks."""
        event = Event("reverie", EventKind.PROMPT, "", prompt=text)
        return await self._rehearsed(event, project)

    async def rehearsed_start(self, project: str) -> Answer:
        """The page that a session would be told as it starts, for a person who looks."""
        event = Event("reverie", EventKind.SESSION_START, "", source="startup")
        return await self._rehearsed(event, project)

    async def _rehearsed(self, event: Event, project: str | None) -> Answer:
        return await self.recall.mailbox.ask(
            Bring(event, project, BEGINNING, 30.0, rehearsed=True), within=60
        )

    async def search(self, text: str, k: int = 5, **other: Any) -> Answer:
        asked: dict[str, Any] = {
            "scope": Scope(), "track": True, "within": 30.0, **other,
        }  # fmt: skip
        return await self.recall.mailbox.ask(Search(text, k, **asked), within=60)


class Apart:
    """A mailbox of which some kinds of messages go to another one."""

    def __init__(self, there: Any, kinds: Any, other: Any) -> None:
        self.there, self.kinds, self.other = there, kinds, other

    def _of(self, message: Any) -> Any:
        return self.other if isinstance(message, self.kinds) else self.there

    async def ask(self, question: Any, **how: Any) -> Any:
        return await self._of(question).ask(question, **how)

    async def tell(self, message: Any, **how: Any) -> None:
        await self._of(message).tell(message, **how)

    def offer(self, message: Any, **how: Any) -> None:
        self._of(message).offer(message, **how)


def apart(there: Any, kinds: Any, other: Any) -> Any:
    """The mailbox, but for some kinds of messages, which go to another one."""
    return Apart(there, kinds, other)


class SlowLedger:
    """A mailbox whose owner reads the store for a while before it answers one question."""

    def __init__(self, there: Any, question: type, takes: float) -> None:
        self.there, self.question, self.takes = there, question, takes

    def offer(self, message: Any, **more: Any) -> None:
        if isinstance(message, self.question):
            until = trio.current_time() + self.takes
            trio.lowlevel.spawn_system_task(self._later, message, until)
        else:
            self.there.offer(message, **more)

    async def _later(self, message: Any, until: float) -> None:
        await trio.sleep_until(until)
        self.there.offer(message)

    async def tell(self, message: Any, **more: Any) -> None:
        await self.there.tell(message, **more)


class Troubled(ReadingSide):
    """A reading side of which some questions, by their names, never end, or fail with an error."""

    def __init__(self, side: ReadingSide, **trouble: Exception | None) -> None:
        vars(self).update(vars(side))
        vars(self).update({name: partial(self._fail, how) for name, how in trouble.items()})

    async def _fail(self, error: Exception | None, *_: Any, **__: Any) -> Any:
        if error is not None:
            raise error
        await trio.sleep_forever()


def instructions(folder: Path, *lines: str) -> Path:
    """A file of instructions in a folder."""
    file = folder / "CLAUDE.md"
    file.write_text("".join(f"- {line}\n" for line in lines), encoding="utf-8")
    return file


def missing(found: Answer) -> dict[str, str]:
    """The channels that an answer lacks, and why."""
    return {one.channel: one.detail for one in found.missing}


def texts(found: Answer) -> list[str]:
    return [note.memory.text for note in found.notes]


@asynccontextmanager
async def open_bench(
    store: OpenStore,
    embedding: TableEmbedding,
    clock: FollowingClock,
    sources: ProjectSources | None = None,
    *,
    ranked: ranking.Settings = SHIPPED,
    **changes: Any,
) -> AsyncGenerator[Bench]:
    """Everything at work."""
    recall, working_memory = queue("recall"), queue("wm")
    pressure, reminding = queue("pressure"), queue("reminding")
    async with open_house(store, embedding, clock) as house, trio.open_nursery() as nursery:

        class Filled(Archive):
            async def find(self, *_: Any, **__: Any) -> FoundPassages:
                return FoundPassages(bench.passages)

        actor = assembled(
            replace(UNHURRIED, ranking=ranked, **changes), store.reading, clock,
            Channels(
                store.reading, Pacing(house.embedder.mailbox),
                house.triggers,
            ),
            apart(working_memory.mailbox, (WhatIsDue, WereReminded), reminding.mailbox),
            pressure.mailbox, house.strength.mailbox, house.long_term.mailbox,
            Filled(store.reading, clock, house.long_term.mailbox, house.embedder.mailbox), Observatory(), sources,
        )  # fmt: skip
        bench = Bench(house, recall, working_memory, actor)
        for other, box in (
            (actor, recall),
            (working_memory_of(store, house.long_term), working_memory),
        ):
            nursery.start_soon(other.run, box.inbox)
        async with (
            answering(pressure, lambda _: bench.pressure),
            answering(reminding, lambda _: bench.due) as told,
        ):
            bench.told = told
            yield bench
        nursery.cancel_scope.cancel()


@asynccontextmanager
async def open_two_notes(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """Recall over two memories with vectors; `ASKED` is near the first."""
    table = {WHALE: at(1.0), ASKED: at(0.8)}
    async with open_bench(store, TableEmbedding(table), clock) as opened:
        await opened.house.keep(WHALE)
        await opened.house.keep(SQUID, triggers=("red harvest",))
        await opened.house.vectored()
        mail(opened.house.strength)
        yield opened
