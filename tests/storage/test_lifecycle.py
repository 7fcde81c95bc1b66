"""Many new memories at once: the same rows as one by one, whole or not at all."""

from __future__ import annotations

from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.intake.messages import Journaled
from actors.memory.commit import Unit
from actors.memory.writes import Created, Ended, Linked, MemoryClaim, Origin
from actors.policy.decay.states import IMPORTANCE
from daemon.storage import lifecycle
from daemon.storage.database.connection import configured
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from tests.new_store import in_memory
from tests.writing import new

TABLES = (
    "memory", "trigger_phrase", "memory_terms", "(SELECT id, sz FROM memory_words_docsize)", "word_change",
    "memory_link", "sqlite_sequence",
)  # fmt: skip


def empty() -> Sql:
    """A new store in memory, written here on this thread."""
    sql = in_memory()
    configured(sql, read_only=False)
    return sql


def dumped(sql: Sql) -> dict[str, list[object]]:
    """All rows of the tables that a new memory has something in."""
    return {table: sorted(sql.rows(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def done(outcomes: list[list[int] | Exception]) -> list[int]:
    """The numbers of units that were all carried out."""
    return [number for ids in outcomes if not isinstance(ids, Exception) for number in ids]


def found(sql: Sql, words: str) -> list[int]:
    """The memories that full-text search finds by all of these."""
    rows = sql.rows("SELECT rowid FROM memory_words WHERE memory_words MATCH ?", (words,))
    return [memory_id for (memory_id,) in rows]


def row(text: str, **other: Any) -> Created:
    """A row of an import."""
    return new(text, **{"origin": Origin("import"), **other})


ROWS = st.builds(
    row,
    st.text("ab漢 C_1.'-é", min_size=1, max_size=40),
    title=st.text("ab漢 _", max_size=9),
    tier=st.sampled_from(sorted(IMPORTANCE)),
    project=st.sampled_from([None, "/p", "/q"]),
    at=st.floats(-6e10, 6e10),
    triggers=st.lists(st.sampled_from(["one", "two words", "漢"]), max_size=3).map(tuple),
    derived=st.lists(st.sampled_from(["two words", "three_3"]), max_size=2).map(tuple),
    key=st.none() | st.text(max_size=5),
    unjudged=st.booleans(),
    standing=st.builds(
        MemoryClaim,
        st.sampled_from(["hypothesis", "confirmed", "refuted"]),
        st.none() | st.floats(-6e10, 6e10),
        st.none() | st.floats(-6e10, 6e10),
        st.none() | st.text("ab", max_size=3),
    ),
)


@settings(max_examples=40, deadline=None)
@given(pages=st.lists(st.lists(ROWS, min_size=2, max_size=9), min_size=1, max_size=3))
def test_at_once_leaves_what_one_by_one_leaves(pages: list[list[Created]]) -> None:
    together, alone = empty(), empty()
    for page in pages:
        at_once = done(carry_out(together, [tuple(page)]))
        one_by_one = done(carry_out(alone, [(one,) for one in page]))

        assert at_once == one_by_one
    assert dumped(together) == dumped(alone)


def test_more_rows_than_one_statement_takes_are_all_there() -> None:
    sql = empty()
    count = 2 * lifecycle.MEMORIES + 3
    ((ids),) = carry_out(sql, [tuple(row(f"word{n} shared", key=f"k{n}") for n in range(count))])

    assert ids == list(range(1, count + 1))
    assert found(sql, "shared") == ids
    assert found(sql, f"word{count - 1}") == [count]
    assert sql.rows("SELECT key FROM memory WHERE id = ?", (count,)) == [(f"k{count - 1}",)]


def test_a_row_that_breaks_a_rule_takes_its_page_with_it_and_no_other() -> None:
    sql = empty()
    bad = row("bad", standing=MemoryClaim("no such status"))
    pages: list[Unit] = [(row("first"), row("second")), (row("third"), bad), (row("x"), row("y"))]
    first, refused, last = carry_out(sql, pages)

    assert first == [1, 2]
    assert isinstance(refused, apsw.ConstraintError)
    assert last == [3, 4]
    assert found(sql, "third") == []
    assert found(sql, "y") == [4]


def test_an_id_is_never_given_again() -> None:
    sql = empty()
    carry_out(sql, [(row("a"), row("b"))])
    sql.rows("DELETE FROM memory WHERE id = 2")
    (ids,) = carry_out(sql, [(row("c"), row("d"))])

    assert ids == [3, 4]


@pytest.mark.parametrize(
    "unit",
    [
        (row("alone"),),
        (row("a"), Ended(1, "forgotten", 0.0)),
        (row("a"), row("b", supersedes=1)),
        (row("a"), row("b", linked_to=1)),
        (row("a"), row("b", origin=Origin("decision", seq=7, rule="decision"))),
        (Linked(1, 2, "related", None, 0.0),),
        (),
    ],
)
def test_what_is_about_another_memory_or_an_event_is_done_one_by_one(unit: Unit) -> None:
    assert not lifecycle.at_once(unit)


def test_what_an_event_made_before_is_found_again() -> None:
    sql = empty()
    event = Journaled(b"e" * 16, "a", 0.0, "prompt", "s", None, b"x")
    made = [
        row(text, origin=Origin("r", seq=1, rule="r", ordinal=n)) for n, text in enumerate("ab")
    ]
    carry_out(sql, [(event,)])
    carry_out(sql, [tuple(made)])
    (ids,) = carry_out(sql, [tuple(made)])

    assert ids == [1, 2]
