"""Intake: durable first, told on afterwards, clean always, and each event once."""

from __future__ import annotations

import json
import threading
import tracemalloc
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from trio.testing import wait_all_tasks_blocked

from actors.core.failures import Unreadable, Unwritable
from actors.core.mailbox import Lane, Queue
from actors.intake.intake import COPIES, FRESH, SPOOLED, Intake, Listeners, recalled
from actors.intake.messages import (
    Accepted,
    Derived,
    DrainSpool,
    Happened,
    JournalRow,
    Receive,
    ReceiveOversized,
)
from actors.memory.long_term import LongTerm
from actors.memory.observatory import Observatory
from actors.policy.events.cutting import Redact
from actors.policy.events.events import EventKind
from actors.policy.events.fence import fenced
from actors.policy.secrets.redaction import redacted
from actors.session.shapes import IsSilent
from daemon.assembly import always_on
from daemon.files import SpoolFolder
from daemon.home import Home
from daemon.recording import Recording
from daemon.settings import Storage
from daemon.storage import journal as journal_stored
from daemon.storage.database.schema import MIGRATIONS
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.store import OpenStore
from daemon.supervisor import Here, WorkThread
from tests.actors.post import answering, mail, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock, be_patient, until
from tests.writing import event, written

pytestmark = VIRTUAL_TIME

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"  # no real one


def raw(name: str = "UserPromptSubmit", **fields: Any) -> bytes:
    """A hook's standard input."""
    return json.dumps({"hook_event_name": name, "session_id": "s1", "cwd": "/p", **fields}).encode()


class Bench(Struct):
    """Intake on a real store and a real spool folder, with bare listeners."""

    actor: Intake
    inbox: Queue[Any]
    listeners: dict[str, Queue[Any]]
    store: OpenStore
    home: Home
    unanswered: list[tuple[str, str | None, float]]

    async def receive(self, number: int, data: bytes, at: float = BEGINNING) -> Accepted:
        event_id = number.to_bytes(16, "big")
        return await self.inbox.mailbox.ask(Receive("claude", event_id, at, data), within=20)

    async def journal(self) -> list[JournalRow]:
        return await self.store.reading.read(
            lambda sql: journal_stored.journal_page(sql, 0, 10_000)
        )

    async def bodies(self) -> list[Any]:
        return [msgspec.msgpack.decode(row.body) for row in await self.journal()]

    def told(self, name: str = "extraction") -> list[Happened]:
        return mail(self.listeners[name])

    def spool(self, number: int, **fields: Any) -> Path:
        content = {
            "v": 1,
            "agent": "claude",
            "event_id": number.to_bytes(16, "big").hex(),
            "at": int((BEGINNING + number) * 1e9),
            "event": json.loads(raw(prompt=f"prompt {number}")),
            **fields,
        }
        path = self.home.spool / f"{int((BEGINNING + number) * 1e9):020d}-{number:032x}.json"
        path.write_text(json.dumps(content))
        return path


def nothing() -> None:
    """Nobody watches."""


@asynccontextmanager
async def open_bench(
    store: OpenStore,
    home: Home,
    *,
    room: int = 1000,
    long_term: Queue[Any] | None = None,
    redact: Redact = redacted,
) -> AsyncGenerator[Bench]:
    """Intake at work; with ``long_term`` the test answers its orders itself."""
    listeners = {name: queue(name, room=room) for name in Listeners.__struct_fields__}
    orders = long_term or queue("long_term", room=1000)
    inbox = queue("intake", room=1000)
    files = WorkThread("files")
    unanswered: list[tuple[str, str | None, float]] = []
    async with trio.open_nursery() as nursery:
        be_patient(lambda: files.in_flight)
        actor = Intake(
            store.reading,
            SpoolFolder(files, home.spool),
            orders.mailbox,
            Listeners(**{name: of.mailbox for name, of in listeners.items()}),
            inbox.mailbox,
            lambda directory: f"project of {directory}",
            Recording(home).off,
            files,
            lambda event, project, at: unanswered.append((event.prompt, project, at)),
            redact,
        )
        if long_term is None:
            aside = queue("aside", room=1000).mailbox
            owner = LongTerm(
                Storage().journal_kept, store.writing, store.reading, FollowingClock(), lambda _: None, aside,
                nothing, Observatory(), aside, aside,
            )  # fmt: skip
            nursery.start_soon(owner.run, orders.inbox)
        nursery.start_soon(actor.run, inbox.inbox)
        yield Bench(actor, inbox, listeners, store, home, unanswered)
        nursery.cancel_scope.cancel()


@pytest.fixture
async def bench(store: OpenStore, home: Home) -> AsyncGenerator[Bench]:
    """Intake with listeners that have room."""
    async with open_bench(store, home) as opened:
        yield opened


async def settled(bench: Bench) -> None:
    """Until everything journaled so far has been told on."""
    await trio.sleep(0.01)
    await until(lambda: not (bench.actor.behind or bench.actor.fresh))


# -- durable first


async def test_an_event_is_in_the_journal_before_it_is_acknowledged(bench: Bench) -> None:
    accepted = await bench.receive(1, raw(prompt="hello"))
    (row,) = await bench.journal()

    assert accepted.seq == row.seq
    assert not accepted.duplicate
    assert (row.event_id, row.agent, row.kind) == ((1).to_bytes(16, "big"), "claude", "prompt")
    assert (row.session, row.project, row.done) == ("s1", "project of /p", False)
    assert accepted.event is not None
    assert accepted.event.prompt == "hello"


async def test_every_listener_is_told_in_the_order_of_the_journal(bench: Bench) -> None:
    for number in range(5):
        await bench.receive(number, raw(prompt=f"prompt {number}"))
    await settled(bench)

    for name in bench.listeners:
        told = bench.told(name)
        assert [happened.event.prompt for happened in told] == [f"prompt {n}" for n in range(5)]
        assert [happened.seq for happened in told] == sorted(happened.seq for happened in told)


async def test_an_event_that_arrives_again_is_acknowledged_and_told_once(bench: Bench) -> None:
    first = await bench.receive(1, raw(prompt="hello"))
    again = await bench.receive(1, raw(prompt="hello"))
    await settled(bench)

    assert (first.duplicate, again.duplicate) == (False, True)
    assert len(await bench.journal()) == 1
    assert len(bench.told()) == 1
    assert bench.actor.statistics()["duplicates"] == 1


# What Claude Code sends for one run of a tool, one prompt and one end of a turn.
ONCE = {
    "a tool": raw("PostToolUse", tool_name="Bash", tool_use_id="toolu_1", tool_response="hi"),
    "a prompt": raw(prompt="hello", prompt_id="p1"),
    "a start": raw("SessionStart", source="startup"),
    "a turn's end": raw("Stop", prompt_id="p1", last_assistant_message="Done."),
}


@pytest.mark.parametrize("data", ONCE.values(), ids=ONCE.keys())
async def test_an_event_that_two_installations_report_counts_once(
    bench: Bench, data: bytes
) -> None:
    first = await bench.receive(1, data)
    copy = await bench.receive(2, data, BEGINNING + 0.2)
    await settled(bench)

    assert (first.duplicate, copy.duplicate) == (False, True)
    assert len(await bench.journal()) == len(bench.told()) == 1


async def test_a_call_that_two_installations_announce_is_answered_once(bench: Bench) -> None:
    data = raw("PreToolUse", tool_name="Edit", tool_use_id="toolu_1")
    found = [await bench.receive(number, data) for number in range(2)]

    assert [accepted.duplicate for accepted in found] == [False, True]
    assert all(accepted.upcoming is not None for accepted in found)
    assert await bench.journal() == []


async def test_two_copies_in_one_batch_count_once(bench: Bench) -> None:
    data = ONCE["a turn's end"]
    found: list[Accepted] = []

    async def receive(number: int) -> None:
        found.append(await bench.receive(number, data))

    async with trio.open_nursery() as nursery:
        for number in (1, 2):
            nursery.start_soon(receive, number)

    assert sorted(accepted.duplicate for accepted in found) == [False, True]
    assert len(await bench.journal()) == 1


async def test_the_same_start_minutes_later_counts_again(bench: Bench) -> None:
    await bench.receive(1, ONCE["a start"])
    again = await bench.receive(2, ONCE["a start"], BEGINNING + 60)

    assert not again.duplicate
    assert len(await bench.journal()) == 2


async def test_a_copy_in_the_spool_counts_once_with_the_one_that_was_delivered(
    bench: Bench,
) -> None:
    for number, data in enumerate(ONCE.values()):
        await bench.receive(number, data)
        bench.spool(100 + number, event=json.loads(data), at=int((BEGINNING + 1) * 1e9))
        bench.spool(200 + number, event=json.loads(data), at=int((BEGINNING + 2) * 1e9))
    bench.inbox.mailbox.offer(DrainSpool())
    await until(lambda: not list(bench.home.spool.glob("*.json")))

    assert len(await bench.journal()) == len(ONCE)
    assert bench.actor.statistics()["duplicates"] == 2 * len(ONCE)


async def test_a_copy_of_what_could_not_be_stored_is_stored(store: OpenStore, home: Home) -> None:
    orders = queue("long_term", room=1000)
    async with open_bench(store, home, long_term=orders) as bench:
        outcomes: list[object] = [Unwritable("full"), [1]]
        async with answering(orders, lambda _: outcomes.pop(0)):
            with pytest.raises(Unwritable):
                await bench.receive(1, ONCE["a start"])
            copy = await bench.receive(2, ONCE["a start"])

    assert not copy.duplicate


async def test_what_is_known_of_copies_is_bounded(bench: Bench) -> None:
    for number in range(COPIES + 10):
        await bench.receive(number, raw("Stop", last_assistant_message=str(number)))

    assert len(bench.actor.copies) == COPIES


async def test_an_event_that_says_nothing_is_kept_as_done_and_told_to_nobody(bench: Bench) -> None:
    accepted = await bench.receive(1, raw("Notification", message="hi"))
    (row,) = await bench.journal()
    await settled(bench)

    assert accepted.event is None
    assert (row.kind, row.done) == ("Notification", True)
    assert bench.told() == []


async def test_a_call_that_is_about_to_be_made_is_answered_and_kept_by_nobody(bench: Bench) -> None:
    call = raw("PreToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_use_id="t1")
    accepted = await bench.receive(1, call)
    bench.spool(2, event=json.loads(call))
    bench.inbox.mailbox.offer(DrainSpool())
    await until(lambda: not list(bench.home.spool.glob("*.json")))

    assert accepted.event is None
    assert accepted.upcoming is not None
    assert accepted.upcoming.tool.command == "make"
    assert await bench.journal() == []
    assert bench.told() == []


async def test_an_oversized_event_leaves_a_note_of_its_size(bench: Bench) -> None:
    accepted = await bench.inbox.mailbox.ask(
        ReceiveOversized("claude", b"x" * 16, BEGINNING, 20_000_000), within=5
    )
    (row,) = await bench.journal()

    assert accepted.event is None
    assert (row.kind, row.done) == ("oversize", True)
    assert await bench.bodies() == [{"size": 20_000_000}]


# -- whatever a client sends

NASTY = {
    "nothing": b"",
    "half": b'{"hook_event_name": "UserPromptSub',
    "a list": b"[1, 2]",
    "bytes": bytes(range(256)),
    "no utf-8": b'{"hook_event_name": "UserPromptSubmit", "prompt": "\xff\xfe"}',
    "NUL": raw(prompt="a\x00b"),
    "raw NUL": b'{"prompt": "a\x00b"}',
    "half a surrogate": b'{"hook_event_name": "UserPromptSubmit", "prompt": "a\\ud83d b"}',
    "half a surrogate as key": b'{"hook_event_name": "UserPromptSubmit", "\\udc00": 1}',
    "surrogate in the session": b'{"hook_event_name": "Stop", "session_id": "\\ud800"}',
    "surrogate in the name": b'{"hook_event_name": "\\ud800"}',
    "large integer": raw(n=10**40, m=-(10**30)),
    "endless integer": b'{"n": ' + b"9" * 5000 + b"}",
    "infinity": b'{"hook_event_name": "Stop", "n": 1e999, "m": NaN}',
    "deep": b'{"a":' * 5000 + b"1" + b"}" * 5000,
    "quite deep": b'{"a":' * 500 + b"1" + b"}" * 500,
    "wrong types": raw(session_id=7, prompt=["x"], cwd={"a": 1}, tool_input=3, tool_name=None),
    "cwd with NUL": raw(cwd="/a\x00b", prompt="x"),
    "a long name": raw("x" * 100_000),
    "the same key twice": b'{"hook_event_name": "Stop", "hook_event_name": "UserPromptSubmit"}',
}


@pytest.mark.parametrize("data", NASTY.values(), ids=NASTY.keys())
async def test_whatever_arrives_is_journaled_and_what_follows_is_served(
    bench: Bench, data: bytes
) -> None:
    first = await bench.receive(1, data)
    second = await bench.receive(2, raw(prompt="after it"))

    assert first.seq > 0
    assert second.seq > first.seq
    assert [row.event_id[-1] for row in await bench.journal()] == [1, 2]
    assert len(await bench.bodies()) == 2


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
_FIELDS = st.sampled_from(
    [
        "session_id", "cwd", "prompt", "tool_name", "tool_input", "tool_response", "error",
        "source", "transcript_path", "context_tokens", "compact_summary", "duration_ms",
    ]
)  # fmt: skip
_NAMES = st.sampled_from(
    ["UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SessionStart", "Stop", "X", ""]
)


@settings(deadline=None)
@given(fields=st.dictionaries(_FIELDS, _JSON), name=_NAMES)
async def test_any_json_is_a_row_that_can_be_stored_and_told_again(
    name: str, fields: dict[str, Any]
) -> None:
    unasked: Any = None  # a row needs neither a store nor a spool
    actor = Intake(
        unasked, unasked, queue().mailbox, Listeners(*(queue().mailbox for _ in Listeners.__struct_fields__)),
        queue().mailbox, lambda directory: directory[:5], always_on, Here(), unasked,
    )  # fmt: skip
    text = json.dumps({"hook_event_name": name, **fields})
    found = await actor._row(  # pyright: ignore[reportPrivateUsage]
        Receive("claude", b"x" * 16, 1.0, text.encode())
    )
    assert not isinstance(found, Accepted)
    row, known = found
    sql = Sql(apsw.Connection(":memory:"))
    MIGRATIONS[0](sql)
    outcomes = carry_out(sql, [(row,)])
    stored = journal_stored.journal_page(sql, 0, 9)
    again = recalled(stored[0])

    assert outcomes == [[1]]
    assert row.done is (known is None)
    # Compared as written: a NaN, which JSON readers take, does not equal itself.
    assert repr(again) == repr(known and Happened(1, 1.0, known, row.project))


async def test_an_event_above_16_kb_is_read_on_a_thread_and_a_small_one_here(
    store: OpenStore, home: Home
) -> None:
    where: dict[str, str] = {}

    def noting(text: str) -> tuple[str, list[str]]:
        where[text[:5]] = threading.current_thread().name
        return redacted(text)

    here = threading.current_thread().name
    async with open_bench(store, home, redact=noting) as bench:
        await bench.receive(1, raw(prompt="small"))
        await bench.receive(2, raw(prompt="large" + "x" * 16 * 1024))
        await bench.receive(3, raw(prompt="lists", many=[[10**20, {"a": None}]] * 30_000))

    assert [where[word] for word in ("small", "large", "lists")] == [here, "files", "files"]
    assert len(await bench.journal()) == 3


async def test_others_have_a_turn_between_many_events_of_one_batch(
    store: OpenStore, home: Home
) -> None:
    seen: set[str] = set()

    def noting(text: str) -> tuple[str, list[str]]:
        seen.add(text[:8])
        return text, []

    async def watch(turns: list[int]) -> None:
        while True:
            await trio.lowlevel.checkpoint()
            turns.append(sum(text.startswith("event") for text in seen))

    turns: list[int] = []
    async with open_bench(store, home, redact=noting) as bench, trio.open_nursery() as nursery:
        nursery.start_soon(watch, turns)
        messages = [
            Receive("claude", bytes([n]) * 16, BEGINNING, raw(prompt=f"event {n:02}" + "x" * 5_000))
            for n in range(30)
        ]
        await bench.actor.handle(messages)
        nursery.cancel_scope.cancel()

    read = [after - before for before, after in pairwise(turns)]
    # Three are 16 KB; who goes first in a turn of the loop is chance, so two of them may come between.
    assert max(read) <= 6


async def test_five_megabytes_of_output_are_cut_and_both_ends_kept(bench: Bench) -> None:
    output = "the beginning " + "x" * 5_000_000 + " the end"
    await bench.receive(1, raw("PostToolUse", tool_name="Bash", tool_response={"stdout": output}))
    (row,) = await bench.journal()
    (body,) = await bench.bodies()
    kept = body["tool_response"]["stdout"]

    assert len(row.body) < 64 * 1024
    assert kept.startswith("the beginning ")
    assert kept.endswith(" the end")
    assert "characters left out" in kept


async def test_secrets_never_reach_any_file(bench: Bench) -> None:
    accepted = await bench.receive(
        1,
        raw(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": f"curl -H 'Authorization: Bearer {TOKEN}' x"},
            tool_response={"stdout": "x" * 20_000 + TOKEN + "y" * 20_000, "stderr": TOKEN},
            **{TOKEN: 1},
        ),
    )
    await bench.receive(2, f'{{"half of it": "{TOKEN}"'.encode())
    await settled(bench)
    holders = [
        path.name
        for path in bench.home.root.rglob("*")
        if path.is_file() and TOKEN.encode() in path.read_bytes()
    ]

    assert holders == []
    assert TOKEN not in repr(accepted)
    assert TOKEN not in repr(bench.told())
    assert bench.actor.statistics()["redactions"] >= 4


async def test_what_a_command_read_of_secrets_is_masked_before_the_journal(bench: Bench) -> None:
    said = {"stdout": "velvet crow", "stderr": ""}
    given = {"command": "pass show servers/db"}
    accepted = await bench.receive(
        1, raw("PostToolUse", tool_name="Bash", tool_input=given, tool_response=said)
    )
    await settled(bench)

    assert accepted.event is not None
    assert accepted.event.tool is not None
    assert accepted.event.tool.output == "[REDACTED]"
    assert b"velvet" not in (await bench.journal())[0].body
    assert bench.actor.statistics()["redactions"] == 1


async def test_our_own_notes_do_not_come_back_as_news(bench: Bench) -> None:
    block = fenced(["[today] the port is 5432"], "Notes from earlier sessions")
    accepted = await bench.receive(1, raw(prompt=f"{block}\nwhich port?"))

    assert accepted.event is not None
    assert accepted.event.prompt.strip() == "which port?"
    assert b"5432" not in (await bench.journal())[0].body


# -- a listener that is slow or away


async def test_a_slow_listener_delays_no_hook_and_is_told_everything_in_order(
    store: OpenStore, home: Home
) -> None:
    count = FRESH + 60
    async with open_bench(store, home, room=2) as bench:
        for number in range(count):
            await bench.receive(number, raw(prompt=str(number)))
        behind = bench.actor.behind
        told: list[str] = []
        while len(told) < count:
            for name in bench.listeners:
                heard = bench.told(name)
                told += [h.event.prompt for h in heard] if name == "extraction" else []
            await wait_all_tasks_blocked()
            await trio.sleep(0.001)
        late = await bench.receive(count, raw(prompt="late"))
        await settled(bench)
        heard_late = [happened.seq for happened in bench.told()]

    assert behind
    assert told == [str(number) for number in range(count)]
    assert heard_late == [late.seq]


async def test_the_ledger_hears_of_a_switch_before_the_next_prompt_asks_it(bench: Bench) -> None:
    await bench.receive(1, raw("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}))
    await bench.receive(2, raw(prompt=".memory off"))
    await settled(bench)
    sessions = bench.listeners["working_memory"]
    await sessions.put(IsSilent("s1"), Lane.INTERACTIVE)

    heard = [getattr(one, "event", one) for one in bench.told("working_memory")]

    assert [type(one).__name__ for one in heard] == ["Event", "IsSilent", "Event"]
    assert getattr(heard[0], "prompt", None) == ".memory off"


async def test_a_listener_that_is_off_does_not_keep_the_others_from_hearing(bench: Bench) -> None:
    bench.listeners["working_memory"].switch_off("sessions is off")
    bench.listeners["pressure"].close()
    await bench.receive(1, raw(prompt="hello"))
    await settled(bench)

    assert len(bench.told("extraction")) == 1


async def test_what_was_journaled_and_not_derived_is_told_at_the_start(
    store: OpenStore, home: Home
) -> None:
    body = msgspec.msgpack.encode(json.loads(raw(prompt="from before")))
    await written(store, event(1, body=body), event(2, body=body), event(3, body=b""))
    await written(store, event(4, body=body), Derived(1))
    async with open_bench(store, home) as bench:
        await settled(bench)
        told = bench.told()

    assert [happened.seq for happened in told] == [2, 4]
    assert told[0].event.kind is EventKind.PROMPT


async def test_a_journal_with_a_damaged_page_stops_no_event_and_is_tried_again(
    store: OpenStore, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = msgspec.msgpack.encode(json.loads(raw(prompt="from before")))
    await written(store, event(1, body=body))
    undone, damaged = store.reading.undone, [True]

    async def read(after: int, limit: int) -> list[JournalRow]:
        if damaged:
            raise Unreadable("a page is damaged")
        return await undone(after, limit)

    monkeypatch.setattr(store.reading, "undone", read)
    async with open_bench(store, home) as bench:
        accepted = await bench.receive(2, raw(prompt="now"))
        damaged.clear()
        await trio.sleep(60)
        await settled(bench)
        told = bench.told()

    assert accepted.seq == 2
    assert [happened.seq for happened in told] == [1, 2]


# -- a store that cannot be written


async def test_an_event_that_cannot_be_made_durable_is_not_acknowledged_nor_told(
    store: OpenStore, home: Home
) -> None:
    orders = queue("long_term")
    async with (
        open_bench(store, home, long_term=orders) as bench,
        answering(orders, lambda _: Unwritable("the disk is full")),
    ):
        with pytest.raises(Unwritable, match="the disk is full"):
            await bench.receive(1, raw(prompt="hello"))
        await settled(bench)

        assert bench.told() == []
        assert bench.actor.statistics()["received"] == 0


async def test_a_store_that_does_not_answer_is_unwritable_after_a_while(
    store: OpenStore, home: Home
) -> None:
    async with open_bench(store, home, long_term=queue("long_term")) as bench:
        with pytest.raises(Unwritable, match="in time"):
            await bench.receive(1, raw(prompt="hello"))


@pytest.mark.parametrize("how", ["close", "switch_off"])
async def test_a_store_that_is_gone_is_unwritable(store: OpenStore, home: Home, how: str) -> None:
    orders = queue("long_term")
    async with open_bench(store, home, long_term=orders) as bench:
        await wait_all_tasks_blocked()
        if how == "close":
            orders.close()
        else:
            orders.switch_off("long_term is off")
        with pytest.raises(Unwritable):
            await bench.receive(1, raw(prompt="hello"))


# -- the spool


async def drained(bench: Bench) -> None:
    """Let intake look into the spool, and wait until it has taken everything."""
    await bench.inbox.mailbox.tell(DrainSpool())
    await trio.sleep(1)  # virtual: only real work holds the clock up
    await bench.receive(999_999, raw("Notification"))
    await settled(bench)


async def test_spooled_events_are_taken_in_once_and_in_order(bench: Bench) -> None:
    for number in (3, 1, 2):
        bench.spool(number)
    await drained(bench)
    rows = await bench.journal()

    assert [row.event_id[-1] for row in rows[:3]] == [1, 2, 3]
    assert [row.received_at for row in rows[:3]] == [BEGINNING + n for n in (1, 2, 3)]
    assert [happened.event.prompt for happened in bench.told()] == [
        f"prompt {number}" for number in (1, 2, 3)
    ]
    assert list(bench.home.spool.iterdir()) == []


async def test_who_answers_late_is_told_of_spooled_events_and_of_no_others(bench: Bench) -> None:
    await bench.receive(9, raw(prompt="delivered"))
    bench.spool(1)
    await drained(bench)

    assert bench.unanswered == [("prompt 1", "project of /p", BEGINNING + 1)]


async def test_more_spooled_events_than_one_group_all_come_in(bench: Bench) -> None:
    for number in range(3 * SPOOLED + 1):
        bench.spool(number)
    await drained(bench)

    assert len(await bench.journal()) == 3 * SPOOLED + 1 + 1
    assert list(bench.home.spool.iterdir()) == []


async def test_an_event_that_was_spooled_and_also_received_counts_once(bench: Bench) -> None:
    await bench.receive(1, raw(prompt="hello"))
    bench.spool(1)
    await drained(bench)

    assert [row.event_id[-1] for row in await bench.journal()][:1] == [1]
    assert len(bench.told()) == 1
    assert list(bench.home.spool.iterdir()) == []


BAD_FILES = {
    "empty": "",
    "no json": "{",
    "no object": "[]",
    "no event": '{"agent": "claude"}',
    "a short id": '{"v":1,"agent":"a","event_id":"00","at":1,"event":{}}',
    "a list for an event": '{"v":1,"agent":"a","event_id":"' + "0" * 32 + '","at":1,"event":[]}',
    "an endless time": '{"agent":"a","event_id":"' + "0" * 32 + '","at":1e999,"event":{}}',
    "a huge time": '{"agent":"a","event_id":"' + "0" * 32 + '","at":1' + "0" * 400 + ',"event":{}}',
    "no number for a time": '{"agent":"a","event_id":"' + "0" * 32 + '","at":"x","event":{}}',
    "deep": "[" * 100_000,
    "values without end": '{"event":[' + "{}," * 200_000 + "1]}",
}


async def test_an_event_of_values_without_end_is_kept_by_its_ends_and_none_of_them_is_made(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    raw = b'{"session_id":"s1","cwd":"/p","x":[' + b"{}," * 500_000 + b"1]}"
    tracemalloc.start()
    try:
        accepted = await bench.receive(1, raw)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    (row,) = await bench.journal()
    body = msgspec.msgpack.decode(row.body)

    assert most < 6 * len(raw)  # made, they are 24 times as large
    assert accepted.event is None
    assert (row.kind, body["size"]) == ("unreadable", len(raw))
    assert body["why"] == "it holds more than 200,000 values"
    assert "event_unreadable agent='claude'" in caplog.text


@pytest.mark.parametrize("text", BAD_FILES.values(), ids=BAD_FILES.keys())
async def test_a_spooled_file_that_is_no_event_is_set_aside_and_the_rest_comes_in(
    bench: Bench, text: str
) -> None:
    bad = bench.home.spool / f"{0:020d}-{0:032x}.json"
    bad.write_text(text)
    bench.spool(1)
    await drained(bench)
    left = [path.name for path in bench.home.spool.iterdir()]

    assert left == [bad.name + ".unreadable"]
    assert [row.event_id[-1] for row in await bench.journal()][:1] == [1]


@pytest.mark.parametrize("name", [[], {"a": 1}, 5, None])
async def test_an_event_whose_name_is_no_text_crashes_nothing(bench: Bench, name: object) -> None:
    """It ended intake, at each start again while it lay in the spool."""
    strange = {"hook_event_name": name, "session_id": "s1"}
    await bench.receive(9, json.dumps(strange).encode())
    bench.spool(1, event=strange)
    bench.spool(2)
    await drained(bench)

    assert list(bench.home.spool.iterdir()) == []
    assert 2 in [row.event_id[-1] for row in await bench.journal()]


async def test_a_half_written_spool_file_is_left_to_its_hook(bench: Bench) -> None:
    unfinished = bench.home.spool / ".00001.json.tmp"
    unfinished.write_text("{")
    await drained(bench)

    assert unfinished.exists()


@pytest.mark.parametrize("how", ["unwritable", "switched off", "silent"])
async def test_the_spool_waits_while_the_store_cannot_be_written(
    store: OpenStore, home: Home, how: str
) -> None:
    orders = queue("long_term")
    async with open_bench(store, home, long_term=orders) as bench:
        path = bench.spool(1)
        await wait_all_tasks_blocked()
        if how == "switched off":
            orders.switch_off("long_term is off")
        if how == "silent":
            await bench.inbox.mailbox.tell(DrainSpool())
            await trio.sleep(60)
        else:
            async with answering(orders, lambda _: Unwritable("the disk is full")):
                await bench.inbox.mailbox.tell(DrainSpool())
                with pytest.raises(Unwritable):
                    await bench.receive(2, raw(prompt="after it"))

        assert path.exists()


async def test_an_event_withheld_by_its_hook_comes_in_without_its_text(bench: Bench) -> None:
    bench.spool(
        1, withheld=True, event={"hook_event_name": "PostToolUse", "tool_name": "Bash", "size": 9}
    )
    await drained(bench)

    assert (await bench.journal())[0].kind == "tool"
