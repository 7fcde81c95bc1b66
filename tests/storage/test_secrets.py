"""Secrets in a store of earlier rules: found in every table, and in no file afterwards."""

from __future__ import annotations

from typing import Any

import msgpack
import pytest
import trio

from actors.gate.messages import Audited
from actors.memory.rows import Memory
from actors.memory.writes import Ended, Erased, ModelChosen, Rewritten
from actors.policy.events.cutting import Redact
from actors.policy.gate.gate_features import content_hash
from actors.session.shapes import SessionSeen
from daemon.home import Home
from daemon.storage import secrets
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.holders import holders
from tests.writing import DIMENSIONS, MODEL, event, key_of, new, vectors, written

pytestmark = pytest.mark.trio

SECRET = "marzipan"  # what a rule of today takes for a secret


def redact(text: str) -> tuple[str, list[str]]:
    """A rule that earlier versions did not have."""
    return text.replace(SECRET, "[REDACTED]"), ["new"] * text.count(SECRET)


async def looked_through(
    store: OpenStore, *, take_out: bool, rule: Redact = redact
) -> dict[str, int]:
    """Go through the store as the daemon does; how many secrets stood where."""
    counts: dict[str, int] = {}
    for place in await store.reading.read(secrets.places):
        after: tuple[Any, ...] | None = None
        while True:
            page = await store.reading.read(secrets.page, place, after, rule)
            for column, count in page.secrets.items():
                name = f"{place.table}.{column}"
                counts[name] = counts.get(name, 0) + count
            if take_out and page.writes:
                await written(store, *page.writes)
            after = page.last
            if after is None:
                break
    if take_out:
        await written(store, Erased(()))
        await store.writing.scrub()
    return counts


async def a_life(store: OpenStore) -> None:
    """A memory with its secret in many places, and one that has nothing to do with it."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    body: bytes = msgpack.packb({"prompt": f"the vault opens with {SECRET}", "n": 1})
    await written(store, event(1, body=body))
    text = f"the vault opens with {SECRET}"
    await written(
        store,
        new(text, title=f"vault {SECRET}", triggers=(f"{SECRET} vault", "vault")),
        Audited("CREATE", 0, None, None, text, None, content_hash(text), None, 1.0),
    )
    later = f"{text} again"
    await written(
        store, Rewritten(1, later, f"vault {SECRET}", ("vault",), (), content_hash(later), 2.0, "n")
    )
    await written(store, vectors(1, later, 17))
    await written(store, SessionSeen("s1", "claude", None, 3.0, "open", later, "", None))
    await written(store, new("the port is 5432"), event(2, body=msgpack.packb({"prompt": "hi"})))
    await written(store, vectors(2, "the port is 5432", 18))


async def test_every_place_of_a_secret_is_counted_and_nothing_changes(
    store: OpenStore, home: Home
) -> None:
    await a_life(store)
    counts = await looked_through(store, take_out=False)

    assert counts == {
        "decision.reason": 1,
        "journal.body": 1,
        "memory.text": 1,
        "memory.title": 1,
        "memory_version.text": 1,
        "memory_version.title": 1,
        "session.task": 1,
    }
    assert holders(home.root, SECRET)


async def test_what_was_taken_out_is_in_no_file_and_nothing_is_found_again(
    store: OpenStore, home: Home
) -> None:
    await a_life(store)
    await looked_through(store, take_out=True)

    assert holders(home.root, SECRET) == []
    assert await looked_through(store, take_out=False) == {}


async def test_a_memory_keeps_its_place_and_is_found_by_what_is_left(store: OpenStore) -> None:
    await a_life(store)
    before = (await store.reading.memories([1]))[1]
    await looked_through(store, take_out=True)
    after: Memory = (await store.reading.memories([1]))[1]

    assert after.text == "the vault opens with [REDACTED] again"
    assert after.title == "vault [REDACTED]"
    assert after.triggers == ("vault",)
    assert after.content_hash == content_hash(after.text)
    assert (after.stability, after.versions, after.created_at) == (
        before.stability, before.versions, before.created_at,
    )  # fmt: skip
    assert await words_of(store, "marzipan") == []
    assert await words_of(store, "vault") == [1]


async def words_of(store: OpenStore, word: str) -> list[int]:
    """The memories that full-text search finds by a word."""
    return await store.reading.read(
        Sql.column, "SELECT rowid FROM memory_words WHERE memory_words MATCH ?", (word,)
    )


async def test_what_was_made_of_the_old_text_is_made_anew(store: OpenStore) -> None:
    await a_life(store)
    first = content_hash(f"the vault opens with {SECRET}")
    await looked_through(store, take_out=True)

    def left(sql: Sql) -> tuple[list[int], int, int]:
        return (
            sql.column("SELECT memory_id FROM chunk"),
            sql.number(
                "SELECT count(*) FROM embedding_cache WHERE content_hash = ?", (key_of(17),)
            ),
            sql.number("SELECT count(*) FROM decision WHERE content_hash = ?", (first,)),
        )

    assert await store.reading.read(left) == ([2], 0, 0)
    unvectored = await store.reading.read(secrets_unvectored)
    assert unvectored == [1]


def secrets_unvectored(sql: Sql) -> list[int]:
    """Living memories that wait for their vectors."""
    return sql.column(
        "SELECT id FROM memory m WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE memory_id = m.id)"
    )


async def test_a_memory_that_ended_is_cleaned_and_stays_out_of_the_indexes(
    store: OpenStore, home: Home
) -> None:
    await a_life(store)
    await written(store, Ended(1, "forgotten", 4.0))
    await looked_through(store, take_out=True)

    assert holders(home.root, SECRET) == []
    assert await words_of(store, "vault") == []


async def test_a_memory_that_says_something_else_meanwhile_is_left_alone(store: OpenStore) -> None:
    await a_life(store)
    (place, *_) = await store.reading.read(secrets.places)
    page = await store.reading.read(secrets.page, place, None, redact)
    await written(
        store, Rewritten(1, "the vault is open", "vault", (), (), content_hash("x"), 5.0, "n")
    )
    await written(store, *page.writes)

    assert (await store.reading.memories([1]))[1].text == "the vault is open"


async def test_every_text_column_of_every_table_is_looked_at(store: OpenStore) -> None:
    def columns(sql: Sql) -> set[tuple[str, str]]:
        rows = sql.rows(
            "SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c"
            " WHERE t.schema = 'main' AND t.type = 'table' AND c.type = 'TEXT'"
            " AND t.name NOT LIKE 'sqlite~_%' ESCAPE '~'"
        )
        return {(str(table), str(column)) for table, column in rows}

    every = await store.reading.read(columns)
    looked_at = {
        (place.table, column)
        for place in await store.reading.read(secrets.places)
        for column in place.columns
    }
    aside = {
        (table, column)
        for table, column in every
        if table in secrets.ASIDE or column in secrets.IDENTIFIERS
    }

    assert looked_at == (every - aside) | {secrets.BODIES}


async def test_a_secret_in_any_text_column_is_taken_out(store: OpenStore, home: Home) -> None:
    """Planted wherever SQLite takes it: no table has a rule of its own."""
    await a_life(store)
    planted: list[str] = []

    def plant(sql: Sql) -> None:
        for place in secrets.places(sql):
            for column in place.columns:
                if (place.table, column) == secrets.BODIES:
                    continue
                try:
                    if sql.change(f'UPDATE "{place.table}" SET "{column}" = ?', (SECRET,)):
                        planted.append(f"{place.table}.{column}")
                except Exception:
                    continue

    await store.writing._do(plant)  # pyright: ignore[reportPrivateUsage] - as an older version
    await looked_through(store, take_out=True)

    assert len(planted) > 20
    assert holders(home.root, SECRET) == []


async def test_json_stays_json(store: OpenStore) -> None:
    await a_life(store)
    stored = f'{{"a": "{SECRET}", "b": [1, "{SECRET}!"]}}'
    await written(store, SessionSeen("s2", "claude", None, 3.0, "open", stored, "", None))
    await looked_through(store, take_out=True, rule=greedy)
    (task,) = await store.reading.read(Sql.column, "SELECT task FROM session WHERE session = 's2'")

    assert task == '{"a":"[REDACTED]","b":[1,"[REDACTED]"]}'


def greedy(text: str) -> tuple[str, list[str]]:
    """A rule that takes everything behind a secret with it."""
    head, found, _ = text.partition(SECRET)
    return (head + "[REDACTED]", ["new"]) if found else (text, [])


async def test_the_output_of_a_command_that_reads_a_secret_goes_from_old_events(
    store: OpenStore,
) -> None:
    told = {"tool_name": "Bash", "tool_input": {"command": "pass show db"},
            "tool_response": {"stdout": "velvet crow"}}  # fmt: skip
    await written(store, event(1, body=msgpack.packb(told)), event(2, body=b"\xc1"))
    counts = await looked_through(store, take_out=True)
    bodies = await store.reading.read(Sql.column, "SELECT body FROM journal ORDER BY seq")

    assert counts == {"journal.body": 2}
    assert msgpack.unpackb(bodies[0])["tool_response"] == {"stdout": "[REDACTED]"}
    assert bodies[1] == b""


async def test_a_page_is_bounded_and_the_next_one_goes_on(store: OpenStore) -> None:
    for number in range(1, 12):
        await written(store, new(f"{number} " + "word " * 4_000))
    (place, *_) = await store.reading.read(secrets.places)
    seen: list[int] = []
    after: tuple[Any, ...] | None = None
    while True:
        page = await store.reading.read(secrets.page, place, after, redact)
        seen.append(page.rows)
        after = page.last
        if after is None:
            break
        await trio.lowlevel.checkpoint()

    assert sum(seen) == 11
    assert max(seen) < 6
