"""Failures by what ended them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.intake.messages import FailureEnded
from actors.memory.writes import Ended, Erased, ErasedEverything, Pruned
from daemon.home import Home
from daemon.storage import files, secrets
from daemon.storage.database.sql import Row, Sql
from daemon.storage.files import FAILURES
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.holders import holders
from tests.writing import new, written

pytestmark = pytest.mark.trio

ERROR = "cart.go: the cart of marzipan is locked by #"
END = FailureEnded("/p", ERROR, "make lint", ("src/cart.go",), "s1", seq=3, at=BEGINNING)


async def rows(store: OpenStore, table: str) -> list[Row]:
    return await store.reading.read(Sql.rows, f"SELECT * FROM {table}")


async def test_an_event_that_is_told_twice_counts_once(store: OpenStore) -> None:
    for _ in range(2):
        await written(store, END)

    assert len(await rows(store, "ended_failure")) == 1


async def test_the_newest_end_of_a_failure_counts(store: OpenStore) -> None:
    later = replace(END, seq=9, session="s2", paths=("src/lock.go",))
    await written(store, later, END)

    found = await store.reading.ended_failure("/p", ERROR)

    assert found is not None
    assert (found.session, found.paths) == ("s2", ("src/lock.go",))
    assert await store.reading.ended_failure("/other", ERROR) is None


async def test_an_install_that_an_earlier_version_kept_is_not_told(store: OpenStore) -> None:
    await written(store, replace(END, paths=()))

    assert await store.reading.ended_failure("/p", ERROR) is None


async def test_an_end_is_told_of_its_files(store: OpenStore) -> None:
    await written(store, END)

    (found,) = await store.reading.read(files.ended_by, "/p", "src/cart.go", 9)

    assert found.signature == ERROR
    assert await store.reading.read(files.ended_by, "/p", "src/tax.go", 9) == []


async def test_each_project_has_a_bounded_part(store: OpenStore) -> None:
    await written(
        store,
        *(replace(END, signature=f"{n}", at=BEGINNING + n, seq=n) for n in range(1, FAILURES + 9)),
    )

    assert len(await rows(store, "ended_failure")) == FAILURES


async def test_what_is_older_than_a_year_leaves(store: OpenStore) -> None:
    await written(store, END)
    day = 86_400.0
    await written(store, Pruned(BEGINNING + 300 * day))
    kept = len(await rows(store, "ended_failure"))
    await written(store, Pruned(BEGINNING + 400 * day))

    assert kept == 1
    assert await rows(store, "ended_failure") == []


@pytest.mark.parametrize(
    "text",
    [
        "the cart of marzipan is locked",
        "marzipan is locked by 4711",
        "make lint said: src/cart.go:12: the cart of marzipan is locked by 9, and nobody knew why",
    ],
)
async def test_an_erased_text_is_in_no_index(store: OpenStore, home: Home, text: str) -> None:
    await written(store, new(text), END, replace(END, signature="other"))
    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert holders(home.root, "marzipan") == []
    assert [row[-1] for row in await rows(store, "ended_failure")] == ["other"]


@pytest.mark.parametrize(
    ("order", "left"),
    [
        (ErasedEverything(project="/p"), 0),
        (ErasedEverything(whole_store=True), 0),
        (ErasedEverything(project="/other"), 1),
        (ErasedEverything(), 1),
    ],
)
async def test_a_purge_of_the_project_takes_its_indexes(
    store: OpenStore, order: ErasedEverything, left: int
) -> None:
    await written(store, new("a", project="/p"), END)
    await written(store, Ended(1, "forgotten", BEGINNING))
    await written(store, order)

    assert len(await rows(store, "ended_failure")) == left


async def test_secrets_are_looked_for_in_both_indexes(store: OpenStore) -> None:
    found = {place.table: place.columns for place in await store.reading.read(secrets.places)}

    assert {"path", "commit_hash"} <= set(found["changed_file"])
    assert {"family", "paths", "repairs", "signature"} <= set(found["ended_failure"])
