"""Working memory: what each session was told, made and attends to, and what it was doing, over restarts."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest
import trio
from msgspec import Struct

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.memory.commit import Write
from actors.memory.use import Credited, Exposed
from actors.memory.writes import Origin
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.session import ledger
from actors.policy.session.ledger import LISTED, Attended, Tier
from actors.policy.text.short_ids import short_id
from actors.session.shapes import Delivered, IsSilent, SessionRow, WhatItHas
from actors.session.working_memory import LEDGERS, WorkingMemory
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import open_house, working_memory_of
from tests.actors.post import queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event as journaled
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

PROJECT = "/p"
A, B, C = b"a" * 16, b"b" * 16, b"c" * 16


class Bench(Struct):
    """Working memory at work on a real store."""

    actor: WorkingMemory
    inbox: Queue[Any]

    async def new(self, *hashes: bytes, session: str = "s1", at: float = BEGINNING) -> set[bytes]:
        return set(hashes) - (await self.context(session, at)).told

    async def context(self, session: str = "s1", at: float = BEGINNING) -> ledger.Context:
        return await self.inbox.mailbox.ask(WhatItHas(session, PROJECT, at), within=5)

    async def deliver(self, *hashes: bytes, session: str = "s1", at: float = BEGINNING) -> None:
        await self.inbox.mailbox.tell(Delivered(session, hashes, at))

    async def held(self, session: str = "s1") -> dict[int, Attended]:
        asked = WhatItHas(session, PROJECT, self.actor.clock.now(), attends=True)
        return dict((await self.inbox.mailbox.ask(asked, within=5)).held)

    async def happen(
        self, kind: EventKind, at: float = BEGINNING, session: str = "s1", **fields: Any
    ) -> None:
        event = Event("claude", kind, session, **fields)
        await self.inbox.mailbox.tell(Happened(1, at, event, PROJECT))

    async def row(self, session: str = "s1") -> SessionRow | None:
        await trio.sleep(1)  # its write is durable
        return await self.actor.reader.session(session)


@asynccontextmanager
async def open_bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Working memory and long-term memory."""
    inbox = queue("wm", room=500)
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        actor = working_memory_of(store, house.long_term)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(actor.run, inbox.inbox)
            yield Bench(actor, inbox)
            await trio.sleep(1)  # what it told is durable
            nursery.cancel_scope.cancel()


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Working memory at work."""
    async with open_bench(store) as opened:
        yield opened


async def test_the_ledger_survives_being_crowded_out(bench: Bench) -> None:
    await bench.deliver(A, session="first")
    await trio.sleep(1)
    for number in range(LEDGERS + 1):
        await bench.new(A, session=f"other {number}")

    assert len(bench.actor.ledgers) == LEDGERS
    assert await bench.new(A, session="first") == set()


@pytest.mark.parametrize(
    ("source", "new"),
    [("clear", {A}), ("compact", {A}), ("resume", set[bytes]()), ("startup", set[bytes]())],
)
async def test_a_context_that_was_emptied_holds_nothing(
    bench: Bench, source: str, new: set[bytes]
) -> None:
    await bench.deliver(A)
    await bench.happen(EventKind.SESSION_START, BEGINNING + 10, source=source)

    assert await bench.new(A, at=BEGINNING + 11) == new


async def test_a_memory_that_was_opened_by_its_id_is_in_the_context(
    store: OpenStore, bench: Bench
) -> None:
    opened, _ = await written(store, new("Cents.", content_hash=A), new("Other.", content_hash=B))
    opening = Tool("Bash", {"command": f"reverie show {short_id(opened)}"})
    await bench.happen(EventKind.TOOL, BEGINNING + 1, tool=opening)

    assert await bench.new(A, B, at=BEGINNING + 2) == {B}


async def fork(bench: Bench, at: float = BEGINNING + 20) -> None:
    """A session is made of s1, which answered ten seconds ago."""
    answered = {"kind": "turn_end", "received_at": at - 10, "body": msgpack.packb({})}
    await bench.actor.long_term.tell(Write((journaled(10, **answered),)))
    await bench.happen(EventKind.TURN_END, at - 10)
    await trio.sleep(1)
    of_s1 = {"source": "fork", "answered_ago": 10}
    await bench.happen(EventKind.SESSION_START, at, "s2", **of_s1)


async def test_a_fork_has_in_its_context_what_the_session_has_that_it_was_made_of(
    store: OpenStore,
) -> None:
    made = {"origin": Origin("decision", "s1"), "project": PROJECT, "at": BEGINNING + 1}
    await written(store, new("Cents.", content_hash=C, **made))
    async with open_bench(store) as bench:
        await bench.happen(EventKind.SESSION_START)
        await bench.deliver(A)
        await bench.inbox.mailbox.tell(Delivered("s1", (B,), BEGINNING + 1, LISTED))
        await bench.happen(EventKind.TOOL, BEGINNING + 2, tool=WRITTEN)
        await fork(bench)
        had = await bench.context("s2", BEGINNING + 21)

    async with open_bench(store) as bench:
        after_restart = await bench.context("s2", BEGINNING + 21)
    assert (set(had.told), set(had.at_start)) == ({A, B, C}, {B})
    assert had.read == {"docs/design.md": BEGINNING + 2}
    assert (set(after_restart.told), set(after_restart.at_start)) == ({A, B, C}, {B})


async def test_a_fork_of_a_session_without_notes_is_told_none(bench: Bench) -> None:
    await bench.happen(EventKind.PROMPT, prompt="/memory off")
    await fork(bench)
    is_silent = await bench.inbox.mailbox.ask(IsSilent("s2"), within=5)

    assert is_silent


async def test_what_left_a_context_is_not_in_that_of_a_fork_and_neither_is_what_comes_later(
    bench: Bench,
) -> None:
    await bench.deliver(A)
    await bench.happen(EventKind.SESSION_START, BEGINNING + 5, source="compact")
    await fork(bench)
    await bench.deliver(B, at=BEGINNING + 21)

    assert await bench.new(A, B, session="s2", at=BEGINNING + 22) == {A, B}


async def test_an_emptied_ledger_stays_empty_over_a_restart(store: OpenStore) -> None:
    async with open_bench(store) as bench:
        await bench.deliver(A)
        await bench.happen(EventKind.SESSION_START, BEGINNING + 10, source="compact")
    async with open_bench(store) as bench:
        assert await bench.new(A, at=BEGINNING + 11) == {A}
        assert (await bench.context(at=BEGINNING + 11)).since == BEGINNING + 10


async def test_an_emptying_that_is_told_late_counts_all_the_same(store: OpenStore) -> None:
    """An event out of the spool is older than what was seen meanwhile."""
    async with open_bench(store) as bench:
        await bench.happen(EventKind.PROMPT, BEGINNING + 20, prompt="go on")
        await bench.happen(EventKind.SESSION_START, BEGINNING + 10, source="compact")
    async with open_bench(store) as bench:
        assert (await bench.context(at=BEGINNING + 21)).since == BEGINNING + 10


WRITTEN = Tool("Write", {"file_path": f"{PROJECT}/docs/design.md", "content": "x"})


async def test_a_document_that_was_written_is_in_the_context_until_it_is_emptied(
    bench: Bench,
) -> None:
    await bench.happen(EventKind.TOOL, BEGINNING, tool=WRITTEN)
    before = await bench.context()
    await bench.happen(EventKind.SESSION_START, BEGINNING + 10, source="compact")
    after = await bench.context(at=BEGINNING + 11)

    assert before.read == {"docs/design.md": BEGINNING}
    assert after.read == {}


async def test_what_a_subagent_reads_is_not_in_the_context(bench: Bench) -> None:
    await bench.happen(EventKind.TOOL, BEGINNING, tool=WRITTEN, agent_id="a1")

    assert (await bench.context()).read == {}


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A file of instructions."""
    place = tmp_path / "CLAUDE.md"
    place.write_text("# Rules\n\n- Never push to main.\n", encoding="utf-8")
    return place


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that may hold secrets."""
    place = tmp_path / ".env"
    place.write_text("# Never push to main.\n\nNever push to main.\n", encoding="utf-8")
    return place


async def load(bench: Bench, rules: Path, reason: str = "session_start", **fields: Any) -> None:
    where = str(rules)
    await bench.happen(EventKind.INSTRUCTIONS, instructions=where, reason=reason, **fields)


def says(context: ledger.Context) -> bool:
    return ledger.is_loaded(context, "never push to main")


async def test_what_the_loaded_instructions_say_is_in_the_context(
    bench: Bench, rules: Path
) -> None:
    before = await bench.context()
    await load(bench, rules)
    after = await bench.context()

    assert (says(before), says(after)) == (False, True)
    assert not ledger.is_loaded(after, "never push to the release branch")


async def test_instructions_survive_a_restart_and_are_read_as_they_are_then(
    store: OpenStore, rules: Path
) -> None:
    body = {
        "hook_event_name": "InstructionsLoaded", "session_id": "s1",
        "file_path": str(rules), "load_reason": "session_start",
    }  # fmt: skip
    row = journaled(1, session="s1", kind="instructions", body=msgpack.packb(body))
    await written(store, row)
    async with open_bench(store) as bench:
        assert says(await bench.context())


async def test_a_session_that_has_not_told_yet_has_what_its_projects_last_one_loaded(
    bench: Bench, rules: Path
) -> None:
    await load(bench, rules, session="s0")

    assert says(await bench.context("s1"))


async def test_instructions_of_a_subagent_and_those_that_hold_secrets_are_not_in_the_context(
    bench: Bench, rules: Path, secret: Path
) -> None:
    await load(bench, secret)
    await load(bench, rules, agent_id="a1")

    assert not says(await bench.context())


async def test_a_session_attends_to_what_it_was_told_the_most_attended_first(
    store: OpenStore,
) -> None:
    listed, told = await written(store, new("it was listed"), new("it was told"))
    hashes = {one.id: one.content_hash for one in (await store.reading.memories([1, 2])).values()}
    async with open_bench(store) as bench:
        await bench.inbox.mailbox.tell(Delivered("s1", (hashes[listed],), BEGINNING, LISTED))
        await bench.deliver(hashes[told])
        await bench.happen(EventKind.PROMPT, BEGINNING + 1, prompt="go on")
        found = await bench.held()

    assert list(found) == [told, listed]
    assert found[told] == Attended(0.85, Tier.HOT)
    assert found[listed] == Attended(0.4 * 0.85, Tier.WARM)


async def test_it_attends_to_what_it_made_and_used_until_a_person_begins_anew(
    store: OpenStore,
) -> None:
    made, used = await written(
        store,
        new("it was decided", origin=Origin("decision", "s1"), project=PROJECT, at=BEGINNING + 5),
        new("it was cited", at=BEGINNING),
    )
    shown = Exposed((used,), "s1", "prompt", BEGINNING)
    await written(store, shown, Credited(used, "s1", "cited", BEGINNING + 5))
    async with open_bench(store) as bench:
        await bench.happen(EventKind.SESSION_START, BEGINNING)
        await trio.sleep(1)
        held = await bench.held()
        await bench.happen(EventKind.SESSION_START, BEGINNING + 10, source="clear")
        cleared = await bench.held()
    async with open_bench(store) as bench:
        assert (set(held), cleared, await bench.held()) == ({made, used}, {}, {})


async def test_attention_survives_a_restart_and_a_compaction(store: OpenStore) -> None:
    (told,) = await written(store, new("it was told"))
    (memory,) = (await store.reading.memories([told])).values()
    await written(store, *(journaled(number) for number in (1, 2, 3)))
    async with open_bench(store) as bench:
        await bench.deliver(memory.content_hash)
        await bench.happen(EventKind.SESSION_START, BEGINNING + 9, source="compact")
        before = await bench.held()
    async with open_bench(store) as bench:
        assert await bench.held() == before == {told: Attended(0.85**3, Tier.HOT)}
        assert await bench.new(memory.content_hash) == {memory.content_hash}


async def test_a_session_is_known_by_what_was_last_asked_of_it(bench: Bench) -> None:
    await bench.happen(EventKind.SESSION_START, BEGINNING, transcript="/t.jsonl")
    await bench.happen(EventKind.PROMPT, BEGINNING + 1, prompt="fix the port")
    await bench.happen(EventKind.PROMPT, BEGINNING + 2, prompt="mend the cache " + "x" * 1000)
    await bench.happen(EventKind.PROMPT, BEGINNING + 2, prompt="yes, do it")
    await bench.happen(
        EventKind.PROMPT, BEGINNING + 3, prompt="<task-notification>x</task-notification>"
    )
    await bench.happen(EventKind.POST_COMPACT, BEGINNING + 4, summary="about ports")
    await bench.happen(EventKind.SESSION_END, BEGINNING + 5)
    row = await bench.row()

    assert row is not None
    assert (row.started_at, row.seen_at, row.status) == (BEGINNING, BEGINNING + 5, "ended")
    assert row.task.startswith("mend the cache xxx")
    assert len(row.task) <= 200
    assert (row.summary, row.transcript, row.project) == ("about ports", "/t.jsonl", "/p")


async def test_an_event_without_a_session_is_nobodys(bench: Bench) -> None:
    await bench.happen(EventKind.PROMPT, session="", prompt="x")

    assert await bench.row("") is None
