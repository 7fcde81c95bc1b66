"""What sessions make of what they are shown."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.mailbox import Queue
from actors.intake.messages import Happened, Journaled
from actors.memory.rows import Memory
from actors.memory.strength import StrengthKeeper
from actors.memory.use import Credited, Exposed, Review, Suppressed, Validated
from actors.memory.writes import Erased, Linked, Rewritten
from actors.policy.decay.curve import Settings, Use
from actors.policy.events.events import Event, parsed
from daemon.storage import strength
from daemon.storage.database.sql import Value
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.house import open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import new, written

pytestmark = VIRTUAL_TIME

DAY = 86_400.0
PORT = "The staging database listens on port 5433."
LEDGER = "Refunds are booked in billing/ledger.py by post_refund."


class Bench(Struct):
    """Strength at work on a real store; events are journaled as intake would."""

    actor: StrengthKeeper
    inbox: Queue[Any]
    store: OpenStore
    seq: int = 0
    at: float = field(default=BEGINNING)

    async def show(self, *ids: int, session: str | None = "s", where: str = "prompt") -> None:
        await self.inbox.mailbox.tell(Exposed(ids, session, where, self.at))
        await self.rest()

    async def event(self, name: str, session: str = "s", **fields: Any) -> None:
        """An event a minute after the one before."""
        self.at += 60
        raw = {"hook_event_name": name, "session_id": session, **fields}
        (seq,) = await written(
            self.store,
            Journaled(
                f"{session}{self.at}".encode(), "claude", self.at, name, session, None,
                msgspec.msgpack.encode(raw), done=True,
            ),
        )  # fmt: skip
        event = parsed("claude", raw)
        assert isinstance(event, Event)
        await self.inbox.mailbox.tell(Happened(seq, self.at, event, None))
        await self.rest()

    async def prompt(self, text: str, session: str = "s") -> None:
        await self.event("UserPromptSubmit", session, prompt=text)

    async def answer(self, text: str, session: str = "s") -> None:
        await self.event("Stop", session, last_assistant_message=text)

    async def tool(
        self, name: str, given: Mapping[str, Any], output: str = "", **more: Any
    ) -> None:
        event = "PostToolUseFailure" if "error" in more else "PostToolUse"
        await self.event(event, tool_name=name, tool_input=given, tool_response=output, **more)

    async def rest(self) -> None:
        await trio.sleep(0.5)

    async def review(self, use: Use, memory_id: int = 1) -> bool:
        return await self.inbox.mailbox.ask(Review(memory_id, use, self.at), within=20)

    async def memory(self, memory_id: int = 1) -> Memory:
        return (await self.store.reading.memories([memory_id]))[memory_id]

    async def credits(self, memory_id: int = 1) -> list[Credited]:
        return await self.store.reading.read(
            lambda sql: sql.records(
                Credited,
                "SELECT memory_id, session, cause, at FROM credit WHERE memory_id = ?"
                " ORDER BY at, session, cause",
                (memory_id,),
            )
        )

    async def causes(self, memory_id: int = 1) -> list[str]:
        return [credit.cause for credit in await self.credits(memory_id)]

    async def reviewed(self) -> list[Value]:
        found = await self.store.reading.read(
            lambda sql: sql.rows("SELECT cause FROM review ORDER BY id")
        )
        return [cause for (cause,) in found]


@asynccontextmanager
async def open_bench(
    store: OpenStore, *, at: float = BEGINNING, settings: Settings | None = None
) -> AsyncGenerator[Bench]:
    """Strength and long-term memory."""
    inbox: Queue[Any] = Queue("strength", room=64)
    async with open_house(store, TableEmbedding(), FollowingClock()) as house:
        actor = StrengthKeeper(settings or Settings(), store.reading, house.long_term.mailbox)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(actor.run, inbox.inbox)
            yield Bench(actor, inbox, store, at=at)
            nursery.cancel_scope.cancel()


@pytest.fixture
async def bench(store: OpenStore) -> AsyncGenerator[Bench]:
    """Strength at work, with two memories."""
    await written(store, new(PORT), new(LEDGER))
    async with open_bench(store) as opened:
        yield opened


# ---- citations


async def test_an_answer_that_cites_what_was_shown_is_a_use(bench: Bench) -> None:
    before = await bench.memory()
    await bench.prompt("which port was the staging database on?")
    await bench.show(1)
    bench.at += DAY - 120
    await bench.answer("It is on 5433.")
    after = await bench.memory()

    assert await bench.causes() == ["cited"]
    assert await bench.reviewed() == ["cited"]
    assert after.stability > before.stability


async def test_what_was_recalled_and_is_then_used_counts_for_the_session_of_its_project(
    bench: Bench,
) -> None:
    await bench.prompt("where is staging?")
    await bench.show(1, session=None, where="recall")
    await bench.tool("Bash", {"command": "reverie recall staging"}, PORT)
    unused = await bench.reviewed()
    await bench.answer("It is on 5433.")
    await bench.prompt("Yes, exactly.")

    assert unused == []
    assert [(one.session, one.cause) for one in await bench.credits()] == [
        ("s", "cited"), ("s", "confirmed"),
    ]  # fmt: skip
    assert await bench.reviewed() == ["cited"]  # the other one on the same day


async def test_a_recall_from_another_project_belongs_to_no_session_of_this_one(
    bench: Bench,
) -> None:
    await bench.prompt("where is staging?")
    await bench.inbox.mailbox.tell(Exposed((1,), None, "recall", bench.at, "/elsewhere"))
    await bench.answer("It is on 5433.")

    assert await bench.reviewed() == []


async def test_a_recall_long_after_the_last_event_belongs_to_no_session(bench: Bench) -> None:
    await bench.prompt("where is staging?")
    bench.at += DAY
    await bench.show(1, session=None, where="recall")
    await bench.answer("It is on 5433.")

    assert await bench.reviewed() == []


async def test_an_edit_of_what_it_is_about_is_a_stronger_sign(bench: Bench) -> None:
    await bench.show(2)
    await bench.tool(
        "Edit", {"file_path": "/p/billing/ledger.py", "old_string": "a", "new_string": "b"}
    )

    assert await bench.causes(2) == ["edited_after"]
    assert await bench.reviewed() == ["edited_after"]


async def test_opening_a_memory_is_a_use_and_what_it_says_is_looked_out_for(bench: Bench) -> None:
    await bench.tool("mcp__reverie__open", {"id": "m1"}, PORT)
    opened = await bench.reviewed()
    await bench.tool("Bash", {"command": "psql -p 5433"})

    assert opened == ["opened"]
    assert await bench.causes() == ["opened", "done"]
    assert await bench.reviewed() == ["opened"]  # the other one on the same day


async def test_opening_what_is_not_there_is_no_use(bench: Bench) -> None:
    await bench.tool("Bash", {"command": "reverie show m99"})

    assert await bench.credits(99) == []


async def test_a_cause_counts_once_a_session_and_a_review_once_a_day(bench: Bench) -> None:
    await bench.show(1)
    await bench.answer("It is on 5433.")
    await bench.answer("As I said, 5433.")
    await bench.show(1, session="t")
    await bench.answer("It is on 5433.", "t")

    assert [credit.session for credit in await bench.credits()] == ["s", "t"]
    assert await bench.reviewed() == ["cited"]


async def test_an_answer_a_day_later_or_in_another_session_shows_nothing(bench: Bench) -> None:
    await bench.show(1)
    await bench.answer("It is on 5433.", "elsewhere")
    bench.at += DAY
    await bench.answer("It is on 5433.")

    assert await bench.causes() == []


async def test_a_search_in_no_session_is_looked_out_for_by_nobody(bench: Bench) -> None:
    await bench.show(1, session=None, where="recall")
    await bench.answer("It is on 5433.", "")

    assert bench.actor.sittings == {}


async def test_a_session_goes_on_after_a_restart(store: OpenStore) -> None:
    """What was shown and what was heard is in the store: killed between showing and answer."""
    await written(store, new(PORT), new(LEDGER))
    async with open_bench(store) as bench:
        await bench.prompt("what calls post_refund in billing/ledger.py?")
        await bench.show(1, 2)
        at = bench.at
    async with open_bench(store, at=at) as bench:
        await bench.answer("5433, and post_refund in billing/ledger.py.")

        assert await bench.causes(1) == ["cited"]
        assert await bench.causes(2) == []  # the prompt had said that
    async with open_bench(store, at=bench.at) as bench:
        await bench.answer("Again: 5433.")

        assert await bench.causes(1) == ["cited"]


# ---- exposure


async def test_cited_and_shown_are_counted_by_session(bench: Bench) -> None:
    """Finding 12: the share of what was shown unasked that was cited."""
    for session in "abcd":
        await bench.show(1, session=session)
        await bench.show(1, session=session, where="session_start")
    await bench.show(2, session=None, where="recall")
    await bench.answer("It is on 5433.", "a")

    read = bench.store.reading.read
    assert await read(lambda sql: strength.citations(sql, BEGINNING - 1)) == (4, 1)
    assert await read(lambda sql: strength.citations(sql, BEGINNING + DAY)) == (0, 0)
    assert await read(lambda sql: strength.sessions_shown(sql, 1)) == 4
    assert await read(lambda sql: strength.sessions_citing(sql, 1)) == 1


# ---- edits


def edit(text: str, at: float) -> Rewritten:
    """An edit by hand."""
    return Rewritten(1, text, text, (), (), text.encode(), at, "edited by hand", joins=True)


async def versions(bench: Bench) -> list[Value]:
    rows = await bench.store.reading.read(
        lambda sql: sql.rows("SELECT text FROM memory_version WHERE memory_id = 1 ORDER BY version")
    )
    return [text for (text,) in rows]


async def test_what_somebody_else_wrote_between_two_edits_is_kept(bench: Bench) -> None:
    learnt = replace(edit("learnt", bench.at + 2), reason="said again", joins=False)
    for change in (edit("first", bench.at + 1), learnt, edit("second", bench.at + 3)):
        await written(bench.store, change)

    assert await versions(bench) == [PORT, "first", "learnt"]
    assert (await bench.memory()).versions == 4


# ---- erasing


async def test_erasing_leaves_nothing_of_what_people_and_sessions_made_of_it(bench: Bench) -> None:
    await written(bench.store, Linked(2, 1, "related", 0.5, bench.at))
    await bench.show(1)
    await bench.answer("It is on 5433.")
    await written(bench.store, Validated(1, 0.6, "useful", bench.at), Suppressed(1, bench.at))
    await written(bench.store, edit("changed", bench.at))
    tables = ("credit", "opinion")

    async def left() -> dict[str, int]:
        read = bench.store.reading.read
        return {name: await read(lambda sql, n=name: sql.number(f"SELECT count(*) FROM {n}"))  # type: ignore[misc]
                for name in tables}  # fmt: skip

    assert min((await left()).values()) >= 1
    await written(bench.store, Erased((1,)))

    assert set((await left()).values()) == {0}
