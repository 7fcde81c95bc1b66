"""What people ask about the past, and sessions of a store from before they could be silent."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import apsw
import pytest
from msgspec.structs import replace

from actors.memory.rows import Scope
from actors.memory.use import Credited, Exposed, Injected, Reviewed
from actors.memory.writes import Ended, Origin, Pruned
from actors.passages.shapes import PassagesKept
from actors.policy.decay.capture import Capture, Raised, TurnTagged
from actors.policy.passages import Piece
from actors.policy.recall.notes import Considered, Fate
from actors.session.shapes import Delivered, SessionSeen
from daemon.home import Home
from daemon.storage import edit, journal, sessions, stats, why
from daemon.storage.database.schema import MIGRATIONS, migrate
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore, open_store
from tests.clock import BEGINNING
from tests.new_store import of_version
from tests.writing import EVERYWHERE, event, new, written

pytestmark = pytest.mark.trio

A, B = b"a" * 16, b"b" * 16


def seen(session: str = "s1", at: float = BEGINNING, *, silent: bool | None = None) -> SessionSeen:
    return SessionSeen(session, "claude", "/p", at, "open", "fix it", None, None, silent)


# ---- migration 2


def old_store(path: Path) -> Sql:
    """A store as the first schema left it, with one session in it."""
    sql = of_version(path, 1)
    sql.rows("INSERT INTO session VALUES ('s1', 'claude', '/p', 1.0, 2.0, 'open', 't', '', NULL)")
    return sql


async def test_a_session_from_before_wants_its_notes(home: Home) -> None:
    old_store(home.database).raw.close()
    async with open_store(home) as store:
        row = await store.reading.session("s1")
        await written(store, seen("s1", silent=True))
        after = await store.reading.session("s1")

    assert row is not None
    assert after is not None
    assert (row.task, row.silent, after.silent) == ("t", False, True)
    assert home.backups / "before-schema-2.db" in home.backups.iterdir()


async def test_a_new_store_leaves_no_backup_of_nothing(home: Home) -> None:
    async with open_store(home):
        pass

    assert list(home.backups.iterdir()) == []


async def test_the_column_is_added_once_and_takes_nothing_else(tmp_path: Path) -> None:
    sql = old_store(tmp_path / "old.db")
    migrate(sql, backups=tmp_path)
    MIGRATIONS[1](sql)

    assert sql.rows("SELECT silent FROM session") == [(0,)]
    with pytest.raises(apsw.ConstraintError):
        sql.rows("UPDATE session SET silent = 2")


# ---- what happened to a memory


async def test_a_capture_of_its_turn_is_part_of_a_memorys_past(store: OpenStore) -> None:
    (memory,) = await written(store, new("one", origin=Origin("decision", "s1", 2, "decision")))
    moment = Raised("9-revert", "revert", 0.85, BEGINNING + 5, "s1", "/p", "git revert", None)
    turn = TurnTagged(1, 3, "s1", "/p", BEGINNING, b"t" * 8)
    await written(store, moment, turn, Capture(1, "9-revert", 0.8, 1.0))
    history = await store.reading.read(edit.history, memory)

    assert {"at": BEGINNING + 5, "what": "captured", "detail": "revert 9-revert"} in history


# ---- how prompts were answered


async def test_an_answer_is_told_with_what_was_weighed_and_what_was_used_of_it(
    store: OpenStore,
) -> None:
    one, other = [(await written(store, new(text)))[0] for text in ("one", "other")]
    weighed = (
        Considered(one, 0.9, "close in meaning and words", Fate.TOLD),
        Considered(other, 0.4, "not close enough", Fate.FAR),
        Considered(9_999, 0.3, "not close enough", Fate.FAR),
    )
    told = Injected("s1", "/p", "prompt", BEGINNING, 240, "both", weighed, 12.34)
    await written(store, told, Injected("s2", "/p", "prompt", BEGINNING, 0, "both", ()))
    await written(store, Credited(one, "s1", "cited", BEGINNING + 5))
    (answer,) = await store.reading.read(why.injections, "s1", 10)
    rows = await store.reading.read(why.considered, "s1", 0.0)

    assert (answer.characters, answer.milliseconds, answer.mode) == (240, 12.3, "both")
    assert [(row.identity, row.fate, row.used) for row in rows] == [
        (one, "told", "cited"), (other, "not close enough", None),
    ]  # fmt: skip


async def test_what_was_quoted_of_a_passage_stands_there_while_the_passage_does(
    store: OpenStore,
) -> None:
    piece = Piece("Why a cache?", "It is slow.")
    kept = PassagesKept("turn", "/p", "s0/1", (piece,), "s0", 1, 1, BEGINNING, True)
    await written(store, kept)
    quoted = Considered(-1, 0.7, "near in meaning", Fate.TOLD)
    await written(store, Injected("s1", "/p", "prompt", BEGINNING, 90, "both", (quoted,)))
    rows = await store.reading.read(why.considered, "s1", 0.0)
    await written(store, replace(kept, pieces=()))
    left = await store.reading.read(why.considered, "s1", 0.0)

    assert [(row.identity, row.title, row.fate) for row in rows] == [(-1, "Why a cache?", "told")]
    assert left == []


async def test_a_line_counts_once_a_session_however_often_two_that_are_open_start_again(
    store: OpenStore,
) -> None:
    (one,) = await written(store, new("the pool has five rows"))
    line = (Considered(one, 0.1, "", Fate.LISTED),)
    for at, session in enumerate(("s1", "s2") * 5):
        await written(store, Injected(session, "/p", "session_start", at, 900, "none", line))

    assert (await store.reading.listings([one]))[one].starts == 2


async def test_answers_leave_with_the_events_that_they_answered(store: OpenStore) -> None:
    for at in (BEGINNING, BEGINNING + 10):
        await written(store, Injected("s1", "/p", "prompt", at, 0, "both", ()))
    await written(store, Pruned(BEGINNING + 5))
    left = await store.reading.read(why.injections, "s1", 10)

    assert [one.at for one in left] == [BEGINNING + 10]


# ---- sessions


async def test_silence_is_kept_until_it_is_said_otherwise(store: OpenStore) -> None:
    said: list[bool] = []
    for number, silent in enumerate([None, True, None, False, None]):
        await written(store, seen(at=BEGINNING + number, silent=silent))
        row = await store.reading.session("s1")
        assert row is not None
        said.append(row.silent)

    assert said == [False, True, True, False, False]


async def test_sessions_count_what_they_were_told(store: OpenStore) -> None:
    await written(store, seen("s1"), seen("s2", BEGINNING + 5, silent=True))
    emptied = replace(seen("s1", BEGINNING + 2), emptied=True)
    await written(store, Delivered("s1", (B,), BEGINNING), emptied)
    await written(store, Delivered("s1", (A,), BEGINNING + 3))
    total, rows = await store.reading.read(sessions.sessions, 10)
    _, first = await store.reading.read(sessions.sessions, 1)

    assert total == 2
    assert [(row["session"], row["silent"], row["delivered"]) for row in rows] == [
        ("s2", True, 0),
        ("s1", False, 1),
    ]
    assert first == rows[:1]


@pytest.mark.parametrize(
    ("name", "found"),
    [("ab", ["abc", "abd"]), ("abc", ["abc"]), ("a%", []), ("b", []), ("x", ["x"])],
)
async def test_a_session_is_called_by_its_name_or_the_beginning_of_it(
    store: OpenStore, name: str, found: list[str]
) -> None:
    await written(store, *(seen(session) for session in ("abc", "abd", "x", "xy")))
    rows = await store.reading.read(sessions.sessions_called, name, 5)

    assert [row["session"] for row in rows] == found


async def test_a_session_that_a_person_began_anew_has_no_note_from_before(store: OpenStore) -> None:
    await written(store, Delivered("s1", (A, B), BEGINNING), Delivered("s2", (A,), BEGINNING))
    await written(store, replace(seen("s1", BEGINNING), emptied=True, cleared=True))
    row = await store.reading.session("s1")

    assert row is not None
    assert (row.emptied_at, row.cleared_at) == (BEGINNING, BEGINNING)
    assert await store.reading.delivered("s1", 0.0) == []
    assert len(await store.reading.delivered("s2", 0.0)) == 1


async def test_a_delivery_is_named_by_the_newest_memory_that_says_it(store: OpenStore) -> None:
    first, second = await written(store, new("the same", title="a"), new("the same", title="b"))
    (memory,) = (await store.reading.memories([second])).values()
    await written(store, Delivered("s1", (memory.content_hash, A), BEGINNING))
    found = await store.reading.read(sessions.deliveries, "s1")

    assert first < second
    assert found == [(None, "", BEGINNING, A), (second, "b", BEGINNING, memory.content_hash)]


async def test_a_memory_knows_its_event_as_long_as_the_journal_does(store: OpenStore) -> None:
    (seq,) = await written(store, event(1))
    (one,) = await written(
        store, new("one", origin=Origin("commit", "s1", seq, "commit", 0, "Bash", "c1"))
    )
    (other,) = await written(store, new("other"))
    made, by_hand = [
        await store.reading.read(partial(why.provenance, memory_id=number))
        for number in (one, other)
    ]

    assert (made.rule, made.tool, made.event, made.agent) == ("commit", "Bash", "prompt", "claude")
    assert made.received_at == BEGINNING + 1
    assert (by_hand.rule, by_hand.event, by_hand.received_at) == (None, None, None)


async def test_the_newest_are_those_in_scope_ended_or_not(store: OpenStore) -> None:
    ids = await written(
        store,
        new("mine", at=BEGINNING),
        new("here", at=BEGINNING + 1, project="/p"),
        new("there", at=BEGINNING + 2, project="/q"),
    )
    await written(store, Ended(ids[0], "forgotten", BEGINNING + 9))
    inside = await store.reading.read(journal.newest, Scope("/p"), 10)
    last = await store.reading.read(journal.newest, EVERYWHERE, 1)

    assert (inside[0], [*inside[1].items()]) == (2, [(ids[1], None), (ids[0], BEGINNING + 9)])
    assert last == (3, {ids[2]: None})


async def test_tallies_count_the_living_and_only_lately_what_was_shown_and_used(
    store: OpenStore,
) -> None:
    one, two, _ = await written(
        store, new("one"), new("two", kind="decision"), new("three", project="/p")
    )
    await written(
        store,
        Exposed((one, two), "s1", "prompt", BEGINNING),
        Exposed((one,), "s1", "prompt", BEGINNING - 1),
        Reviewed(one, 3.0, 5.0, 0, 3, "useful", implicit=False, at=BEGINNING),
        Reviewed(one, 3.0, 5.0, 1, 1, "useless", implicit=False, at=BEGINNING),
        Reviewed(one, 3.0, 5.0, 0, 3, "useful", implicit=False, at=BEGINNING - 1),
        Ended(two, "forgotten", BEGINNING),
    )
    found = await store.reading.read(stats.tallies, BEGINNING)
    shown = await store.reading.read(why.last_shown, one)

    assert found["kinds"] == {"fact": 2}
    assert found["projects"] == {"": 1, "/p": 1}
    assert found["ended"] == {"forgotten": 1}
    assert (found["exposures"], found["uses"]) == (2, 1)
    assert shown == (BEGINNING, "prompt")
