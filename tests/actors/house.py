"""Some actors together on a real store, with a fake embedding and a bare neighbour or two."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC
from functools import partial
from typing import Any

import trio
from msgspec import Struct
from trio.testing import wait_all_tasks_blocked

from actors.core.mailbox import Queue
from actors.gate.drafts import kept_as_is
from actors.gate.gate import Gate
from actors.gate.messages import Keep, KeepAll, Proposed, Verdict
from actors.gate.neighbours import Neighbours
from actors.memory.commit import Commit, EraseNow, StoreWrite
from actors.memory.embedder import Embedder
from actors.memory.links import Links
from actors.memory.long_term import LongTerm
from actors.memory.observatory import Observatory
from actors.memory.rows import Memory
from actors.memory.writes import Draft, Erased, ErasedEverything
from actors.passages.passages import Idle
from actors.policy.decay.curve import FSRS6_DECAY
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.gate.gate import Settings as GateSettings
from actors.policy.secrets.redaction import redacted
from actors.policy.session import ledger
from actors.policy.statements.statement_rules import Candidate
from actors.recall.triggers import Triggers
from actors.session.prospective import Prospective
from actors.session.working_memory import WorkingMemory
from daemon.conditions import Activity
from daemon.projects import place_in
from daemon.settings import Passages as Bounds
from daemon.settings import Storage
from daemon.sources import ProjectSources
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding, at
from tests.actors.post import queue
from tests.clock import BEGINNING, FollowingClock
from tests.writing import draft, event, written

# The gate by its four thresholds alone: what it decides goes by the cosines that a test gives.
THRESHOLDS = GateSettings()

# Texts by how near they are to the first one: rewritten, opposite, related, hardly near.
PORT = "the service listens on port 5432"
PORTS = {
    PORT: at(1.0),
    "the service listens on port 5432 of every single host": at(0.9),
    "we no longer let the service listen on port 5432": at(0.88),
    "the service has a port somewhere": at(0.75),
    "PORT: the service": at(0.6),
}


def working_memory_of(store: OpenStore, long_term: Queue[Any]) -> WorkingMemory:
    """The working memory of a store's sessions, which reads instructions at once."""
    box = long_term.mailbox
    return WorkingMemory(
        ledger.Settings(), store.reading, FollowingClock(), box, place_in,
        ProjectSources(Here()), redacted,
        Prospective(store.reading, UTC, box),
    )  # fmt: skip


def gate_of(
    store: OpenStore, clock: FollowingClock, embedder: Queue[Any], long_term: Queue[Any],
    strength: Queue[Any], own: Queue[Any],
) -> Gate:  # fmt: skip
    """A gate between these queues."""
    near = Neighbours(THRESHOLDS, store.reading, embedder.mailbox)
    return Gate(
        near, store.reading, clock, long_term.mailbox, strength.mailbox, own.mailbox, FSRS6_DECAY
    )


class House(Struct):
    """Long-term memory, the embedder and the gate at work; the rest is bare.

    The gate goes by cosines alone, so that a reader can tell what it will decide.
    """

    store: OpenStore
    embedding: TableEmbedding
    gate: Queue[Any]
    long_term: Queue[Any]
    embedder: Queue[Any]
    triggers: Triggers
    strength: Queue[Any]
    tagging: Queue[Any]
    staleness: Queue[Any]
    links: Links
    judge: Gate
    maker: Embedder

    async def keep(self, text: str, *, judged: bool = True, **other: Any) -> Verdict:
        """Keep one text."""
        (verdict,) = await self.keep_all(draft(text, **other), judged=judged)
        return verdict

    async def keep_all(self, *drafts: Draft, judged: bool = True) -> list[Verdict]:
        """Keep these texts."""
        verdicts: list[Verdict] = await self.gate.mailbox.ask(
            (Keep(drafts))
            if judged
            else (KeepAll(tuple(map(partial(kept_as_is, decay=FSRS6_DECAY), drafts)))),
            within=60,
        )
        return verdicts

    async def propose(
        self, seq: int, *candidates: Candidate, session: str = "s1", project: str | None = "/p",
        said: tuple[CorrectingSentence, ...] = (),
    ) -> None:  # fmt: skip
        """Proposal that extraction makes of an event, a minute after the beginning; until it is seen to."""
        await written(self.store, event(seq, session=session))
        at_ = BEGINNING + 60 + seq
        proposed = Proposed(seq, at_, session, project, candidates, said)
        await self.gate.mailbox.tell(proposed)
        await self.settled()

    async def commit(self, *unit: StoreWrite) -> list[int]:
        """Write this unit, and let everybody who hears of it see to it."""
        done = await self.long_term.mailbox.ask(Commit(unit), within=30)
        await self.settled()
        return done

    async def erase(self, order: Erased | ErasedEverything) -> int:
        """Leave nothing of these memories."""
        return await self.long_term.mailbox.ask(EraseNow((order,)), within=60)

    async def settled(self) -> None:
        """Until the actors and the store have nothing left to do."""
        await trio.sleep(1)
        await wait_all_tasks_blocked()

    @asynccontextmanager
    async def joined_by(self, actor: Any, inbox: Queue[Any]) -> AsyncGenerator[None]:
        """One more actor at work, which has caught up, until the end of the block."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(actor.run, inbox.inbox)
            await trio.sleep(1)
            yield
            nursery.cancel_scope.cancel()

    async def memory(self, memory_id: int) -> Memory:
        """One memory as it is stored now."""
        return (await self.store.reading.memories([memory_id]))[memory_id]

    async def texts(self) -> list[str]:
        """What lives, in the order of ids."""
        return [memory.text for memory in await self.store.reading.living(0, 99)]

    async def vectored(self) -> None:
        """Until every living memory has its vectors."""

        async def all_made() -> bool:
            return (await self.store.reading.counts()).unvectored == 0

        await until(all_made)

    async def judged(self) -> None:
        """Until the gate has judged everything that it kept without vectors."""

        async def all_judged() -> bool:
            waiting = "SELECT count(*) FROM memory WHERE unjudged AND ended IS NULL"
            return await self.store.reading.read(lambda sql: sql.number(waiting)) == 0

        await until(all_judged)


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Until this holds, at most a virtual minute."""
    with trio.fail_after(60):
        while not await holds():  # noqa: ASYNC110 - it looks into the store
            await trio.sleep(0.1)


def nothing() -> None:
    """Nobody watches."""


@asynccontextmanager
async def open_house(
    store: OpenStore,
    embedding: TableEmbedding,
    clock: FollowingClock,
    *,
    activity: Activity | None = None,
    kept: Bounds | None = None,
) -> AsyncGenerator[House]:
    """The house at work until the end of the block; nobody is there but by ``activity``."""
    gate, long_term, embedder = queue("gate"), queue("long_term"), queue("embedder")
    triggers, strength = Triggers(store.reading), queue("strength", room=500)
    tagging = queue("tagging", room=500)
    staleness = queue("staleness", room=500)
    links = Links(store.reading, clock, long_term.mailbox)
    judge = gate_of(store, clock, embedder, long_term, strength, gate)
    kept = kept or Bounds()
    idle = Idle(
        kept.days,
        kept.most,
        store.reading,
        clock,
        activity or Activity(),
        embedding,
        long_term.mailbox,
    )
    maker = Embedder(
        embedding, store.reading, clock, gate.mailbox, links, idle, long_term.mailbox,
    )  # fmt: skip
    owner = LongTerm(
        Storage().journal_kept, store.writing, store.reading, clock, triggers.changed,
        embedder.mailbox, nothing, Observatory(), staleness.mailbox,
        queue("recall", room=500).mailbox,
    )  # fmt: skip
    async with trio.open_nursery() as nursery:
        nursery.start_soon(owner.run, long_term.inbox)
        nursery.start_soon(maker.run, embedder.inbox)
        nursery.start_soon(judge.run, gate.inbox)
        chosen = "SELECT count(*) FROM store WHERE name = 'model'"
        while embedding.state.state == "ready":
            if await store.reading.read(lambda sql: sql.number(chosen)):
                break
            await trio.sleep(0.1)
        await trio.sleep(0.01)  # the embedder hears of its commit
        yield House(
            store,
            embedding,
            gate,
            long_term,
            embedder,
            triggers,
            strength,
            tagging,
            staleness,
            links,
            judge,
            maker,
        )
        nursery.cancel_scope.cancel()
