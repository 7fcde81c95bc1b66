"""Pages of a list cost the same however many memories there are: steps of SQLite's machine are counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from actors.memory.writes import Erased
from daemon.storage import memories
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.memories import Conditions, made_before, word_row, worded_before
from tests.new_store import in_memory
from tests.writing import new

LOOKED_AT = 500
FEW, MANY = 3_000, 30_000
STEP = 100  # instructions between two counts
LIVING = ("m.ended IS NULL", None)


def filled(count: int) -> Sql:
    """A store with so many memories, of two projects."""
    sql = in_memory()
    sql.rows("BEGIN")
    sql.many(
        "INSERT INTO memory (id, text, title, kind, tier, memory_type, context_type, project,"
        " created_at, updated_at, content_hash, stability, difficulty, importance, source)"
        " VALUES (?1, 'text ' || ?1, 't', 'fact', 'normal', '', '', 'p' || (?1 % 2), ?1, ?1, x'00',"
        " 7.0, 5.0, 0.5, 'hand')",
        [(number,) for number in range(1, count + 1)],
    )
    sql.many(
        "INSERT INTO memory_words (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
        [word_row(number, "t", [], f"text {number}") for number in range(1, count + 1)],
    )
    sql.rows("COMMIT")
    return sql


@pytest.fixture(scope="module")
def stores() -> tuple[Sql, Sql]:
    """A small store and one that is ten times as large."""
    return filled(FEW), filled(MANY)


def steps(sql: Sql, work: Callable[[Sql], object]) -> int:
    """Hundreds of instructions that SQLite carries out for this."""
    counted = 0

    def count() -> bool:
        nonlocal counted
        counted += 1
        return False

    sql.raw.set_progress_handler(count, STEP)
    work(sql)
    sql.raw.set_progress_handler(None)
    return counted


PROJECT = ("m.project IS ?", "p1")
PAGES: dict[str, tuple[Conditions, Conditions]] = {
    "everything": ([], [LIVING]),
    "a project": ([PROJECT, LIVING], []),
    "nothing that there is": ([], [LIVING, ("m.kind = ?", "rare")]),
    "a speaker": ([], [LIVING, (f"{memories.SAID_BY} = ?", "agent")]),
}


@pytest.mark.parametrize("name", sorted(PAGES))
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_page_costs_the_same_in_a_store_ten_times_as_large(
    stores: tuple[Sql, Sql], name: str, share: float
) -> None:
    scope, conditions = PAGES[name]

    def page(sql: Sql) -> object:
        behind = round(memories.count(sql, []) * (1 - share)) if share else None
        return made_before(sql, scope, conditions, behind, 50, LOOKED_AT)

    few, many = (
        steps(sql, page) - steps(sql, lambda sql: memories.count(sql, [])) for sql in stores
    )

    assert many <= 1.2 * few + 5


def test_a_page_of_words_that_all_have_costs_little_more(stores: tuple[Sql, Sql]) -> None:
    few, many = (
        steps(sql, lambda sql: worded_before(sql, '"text"', [LIVING], None, 50, LOOKED_AT))
        for sql in stores
    )

    assert many <= 1.2 * few + 5


def test_all_pages_together_have_each_memory_once(stores: tuple[Sql, Sql]) -> None:
    found, place = list[int](), None
    while not found or place is not None:
        page, place = made_before(stores[0], [], [LIVING], place, 300, LOOKED_AT)
        found += [one.id for one in page]

    assert found == [*range(FEW, 0, -1)]


def test_a_list_goes_on_behind_a_memory_that_was_erased_meanwhile() -> None:
    sql = in_memory()
    carry_out(sql, [(new(f"note {number}", at=1.0 + number),) for number in range(20)])
    _, place = made_before(sql, [], [LIVING], None, 5, LOOKED_AT)
    assert place is not None
    carry_out(sql, [(Erased((place,)),)])
    page, _ = made_before(sql, [], [LIVING], place, 5, LOOKED_AT)

    assert (place, [one.id for one in page]) == (16, [15, 14, 13, 12, 11])
