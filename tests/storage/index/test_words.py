"""Words in memory give what FTS5 gives, before and after every kind of write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import apsw
import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from actors.memory.commit import StoreWrite
from actors.memory.rows import Scope
from actors.memory.writes import Ended, Erased, ErasedEverything, Pruned, Revived, Rewritten
from actors.policy.text.words import query_terms
from daemon.home import Home
from daemon.storage import recall
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.index import words as words_index
from daemon.storage.index.words import FEW, KEPT, WordIndex
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING, open_patiently
from tests.new_store import in_memory
from tests.writing import EVERYWHERE, new, written

TEXTS = (
    "The database port is 5432.",
    "数据库的端口是五四三二。",
    "Порт базы данных — 5432, а не 3306.",
    "getUserName returns the display name of the port",
    "Café naïveté: Straße in München",
    "नमस्ते दुनिया",
)


NOWHERE = Path("/nowhere")  # no snapshot is written


def carried_out(sql: Sql, *writes: StoreWrite) -> None:
    """Carry these out, each as a unit."""
    assert not [o for o in carry_out(sql, [(w,) for w in writes]) if isinstance(o, Exception)]


def ready(sql: Sql) -> WordIndex:
    """The words of the store, all taken up."""
    words = WordIndex(NOWHERE)
    while words.take_up(sql):
        pass
    return words


def by_fts5(sql: Sql, terms: Sequence[str], scope: Scope = EVERYWHERE) -> dict[int, float]:
    """What FTS5 says; score by memory."""
    return recall.words(sql, terms, scope, 50)


@pytest.fixture
def sql() -> Sql:
    """A store with texts in several scripts."""
    sql = in_memory()
    projects = (None, "/a", "/b")
    carried_out(
        sql,
        *(new(t, project=projects[n % 3], triggers=("port of call",)) for n, t in enumerate(TEXTS)),
    )
    return sql


@pytest.mark.parametrize(
    "query",
    ["which port does the database use?", "数据库端口", "какой порт у базы данных", "user name",
     "cafe munchen", "दुनिया", "port ports PORT", "nothing of this sort", "", '"'],
)  # fmt: skip
@pytest.mark.parametrize("scope", [EVERYWHERE, Scope("/a"), Scope(None), Scope("/new")])
def test_scores_are_those_of_fts5(sql: Sql, query: str, scope: Scope) -> None:
    terms = query_terms(query)
    hits = ready(sql).words(sql, terms, scope, 50)

    assert hits == pytest.approx(by_fts5(sql, terms, scope), rel=1e-4)


def test_the_comparison_is_not_of_nothing_with_nothing(sql: Sql) -> None:
    assert len(by_fts5(sql, ["port"])) == len(TEXTS)
    assert len(by_fts5(sql, ["दुनिया"])) == 1


def test_a_lone_cjk_character_is_a_prefix_and_asked_of_fts5(sql: Sql) -> None:
    hits = ready(sql).words(sql, ["端"], EVERYWHERE, 9)

    assert [*hits] == [2]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=80))
def test_any_text_is_a_query(sql: Sql, query: str) -> None:
    words = ready(sql)
    hits = words.words(sql, query_terms(query), EVERYWHERE, 9)
    total, frequencies, _ = words.counted(sql, query_terms(query), [], EVERYWHERE, 9)

    assert set(hits) <= set(range(1, len(TEXTS) + 1))
    assert all(0 <= count <= total for count in frequencies.values())


WRITES: dict[str, Callable[[], StoreWrite]] = {
    "created": lambda: new("a port that is new"),
    "rewritten": lambda: Rewritten(
        1, "no more of that", "no more", ("call",), (), b"1" * 16, BEGINNING, "said anew"
    ),
    "ended": lambda: Ended(1, "forgotten", BEGINNING),
    "revived": lambda: Revived(6, BEGINNING),
    "erased": lambda: Erased((1,)),
    "all erased": lambda: ErasedEverything(None, whole_store=True),
}


@pytest.mark.parametrize("what", WRITES)
def test_every_write_of_words_is_followed(sql: Sql, what: str) -> None:
    carried_out(sql, Ended(6, "forgotten", BEGINNING))
    words = ready(sql)
    carried_out(sql, WRITES[what]())
    terms = ["port", "call", "more", "new"]
    hits = words.words(sql, terms, EVERYWHERE, 50)
    counted = words.counted(sql, terms, [], EVERYWHERE, 9)

    assert set(hits) == set(by_fts5(sql, terms))
    assert counted[:2] == recall.document_frequencies(sql, terms)


def test_nothing_is_asked_of_fts5_once_all_is_taken_up(
    sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ready(sql)
    carried_out(sql, new("a port that is new"))
    sql.rows("DELETE FROM memory_words")

    assert len(words.words(sql, ["port"], EVERYWHERE, 50)) == len(TEXTS) + 1
    assert words.counted(sql, ["new"], [], EVERYWHERE, 9)[:2] == (len(TEXTS) + 1, {"new": 1})


def test_fts5_answers_until_all_is_taken_up(sql: Sql) -> None:
    words = WordIndex(NOWHERE)
    before = words.words(sql, ["port"], EVERYWHERE, 50)
    words.take_up(sql)

    assert len(words) == len(TEXTS)
    assert before == by_fts5(sql, ["port"])


def test_fts5_answers_while_many_changes_wait(sql: Sql) -> None:
    words = ready(sql)
    carried_out(sql, *(new(f"port {n}", content_hash=bytes([n] * 16)) for n in range(FEW + 1)))
    hits = words.words(sql, ["port"], EVERYWHERE, 500)

    assert len(hits) == len(TEXTS) + FEW + 1
    assert len(words) == len(TEXTS)
    assert len(ready(sql)) == len(TEXTS) + FEW + 1


def test_what_is_written_while_all_is_read_is_there_once(sql: Sql) -> None:
    words = WordIndex(NOWHERE)
    words.take_up(sql)
    carried_out(sql, new("a port that is new"), Ended(2, "forgotten", BEGINNING))
    while words.take_up(sql):
        pass

    assert len(words) == len(TEXTS)
    assert len(words.words(sql, ["port"], EVERYWHERE, 50)) == len(TEXTS)


def test_who_missed_changes_reads_everything_again(
    sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words_index, "KEPT", 2)
    words = ready(sql)
    carried_out(sql, *(Ended(number, "forgotten", BEGINNING) for number in (1, 2, 3, 4)))
    carried_out(sql, Pruned(BEGINNING))
    while words.take_up(sql):
        pass

    assert sql.number("SELECT count(*) FROM word_change") == 2
    assert len(words) == 2


def test_changes_are_kept_within_bounds(sql: Sql) -> None:
    sql.rows("UPDATE sqlite_sequence SET seq = 100000 WHERE name = 'word_change'")
    carried_out(sql, new("one more"), Pruned(BEGINNING))

    assert KEPT < 100_000
    assert sql.rows("SELECT memory_id FROM word_change") == [(len(TEXTS) + 1,)]


# -- in the store


@pytest.mark.trio
async def test_memory_is_reported(store: OpenStore) -> None:
    await written(store, *map(new, TEXTS))
    await store.reading.warm()
    held = await store.reading.in_memory()

    assert held["memories"] == len(TEXTS)
    assert held["words"] > 0


@pytest.mark.trio
async def test_what_is_written_is_taken_up_without_being_asked_for(
    home: Home, autojump_clock: MockClock
) -> None:
    async with open_patiently(home) as store, trio.open_nursery() as nursery:
        nursery.start_soon(store.reading.follow)
        await trio.sleep(1)
        await written(store, *map(new, TEXTS))
        await trio.sleep(1)
        held = await store.reading.in_memory()
        nursery.cancel_scope.cancel()

    assert held["memories"] == len(TEXTS)


@pytest.mark.trio
async def test_an_erasure_that_takes_nothing_away_leaves_no_search_to_fts5(
    home: Home, autojump_clock: MockClock
) -> None:
    async with open_patiently(home) as store, trio.open_nursery() as nursery:
        nursery.start_soon(store.reading.follow)
        await written(store, *map(new, TEXTS))
        await trio.sleep(1)
        await written(store, Erased(()))
        await trio.sleep(1)
        with closing(apsw.Connection(str(home.database))) as other:
            Sql(other).change("DELETE FROM memory_words")
        hits = await store.reading.words(["port"], EVERYWHERE, 50)
        nursery.cancel_scope.cancel()

    assert hits


@pytest.mark.trio
async def test_no_erased_word_is_left_in_any_file(home: Home) -> None:
    async with open_patiently(home) as store:
        await written(store, new("the password is zanzibarine"), new("another"))
        await store.reading.warm()
        assert await store.reading.words(["zanzibarine"], EVERYWHERE, 9)
        await written(store, Erased((1,)))
        assert not await store.reading.words(["zanzibarine"], EVERYWHERE, 9)
        await store.writing.scrub()

    assert not [path for path in files(home.root) if b"zanzibar" in path.read_bytes()]


def files(root: Path) -> list[Path]:
    """Every file of the home."""
    return [path for path in root.rglob("*") if path.is_file()]
