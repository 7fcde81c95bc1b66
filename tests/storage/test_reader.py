"""Reading: words in any script, vectors, scopes, and nothing that a query can inject."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.memory.rows import Scope
from actors.memory.writes import Ended, ModelChosen, Vectored
from actors.policy.text.words import informative, query_terms
from daemon.storage import memories, recall
from daemon.storage.database.sql import Sql
from daemon.storage.database.writes import carry_out
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.new_store import in_memory
from tests.writing import DIMENSIONS, EVERYWHERE, MODEL, axis, new, vectors, written

pytestmark = pytest.mark.trio


TEXTS = {
    1: "The database port is 5432.",
    2: "数据库的端口是五四三二。",
    3: "Порт базы данных — 5432, а не 3306.",
    4: "getUserName returns the display name",
    5: "Café naïveté: Straße in München",
}


@pytest.fixture
async def ask(store: OpenStore) -> Callable[[str], Awaitable[list[int]]]:
    """Which memories do these words find?"""
    await written(store, *(new(text) for text in TEXTS.values()))

    async def found(query: str) -> list[int]:
        hits = await store.reading.words(query_terms(query), EVERYWHERE, 9)
        return [*hits]

    return found


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("which port does the database use?", 1),
        ("数据库端口", 2),
        ("端口是什么", 2),
        ("какой порт у базы данных", 3),
        ("get_user_name", 4),
        ("user name", 4),
        ("cafe munchen", 5),
        ("CAFÉ", 5),
    ],
)
async def test_words_find_in_any_script(
    ask: Callable[[str], Awaitable[list[int]]], query: str, memory: int
) -> None:
    assert (await ask(query))[0] == memory


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        '"',
        "' OR 1=1 --",
        "port AND NOT database",
        "NEAR(port database, 5)",
        "title : port",
        "{title body} : port",
        "port*",
        "^port",
        "-port",
        "(((",
        '"unclosed',
        "\x00",
        "a" * 100_000,
        "port " * 5_000,
        "\ud800",
    ],
)
async def test_no_query_is_taken_for_syntax(
    ask: Callable[[str], Awaitable[list[int]]], query: str
) -> None:
    assert set(await ask(query)) <= set(TEXTS)


@pytest.fixture
def sql() -> Sql:
    """A store in memory."""
    sql = in_memory()
    carry_out(sql, [tuple(new(text) for text in TEXTS.values())])
    return sql


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=80))
async def test_any_text_is_a_query(sql: Sql, query: str) -> None:
    hits = recall.words(sql, query_terms(query), EVERYWHERE, 9)
    total, frequencies = recall.document_frequencies(sql, informative(query))

    assert set(hits) <= set(TEXTS)
    assert all(0 <= count <= total for count in frequencies.values())


async def test_scores_are_better_the_more_they_are(
    ask: Callable[[str], Awaitable[list[int]]], store: OpenStore
) -> None:
    hits = await store.reading.words(query_terms("database port 5432"), EVERYWHERE, 9)
    scores = [*hits.values()]

    assert scores == sorted(scores, reverse=True)
    assert min(scores) > 0


# -- scopes

PROJECTS = {1: None, 2: "/a", 3: "/b"}


@pytest.fixture
async def scoped(store: OpenStore) -> OpenStore:
    """One memory of the user's and one of each of two projects, all alike."""
    await written(store, ModelChosen(MODEL, DIMENSIONS))
    for project in PROJECTS.values():
        (memory_id,) = await written(store, new("the port", project=project, tier="constitutional"))
        await written(store, vectors(memory_id, "the port", 0))
    return store


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        (Scope(None), {1}),
        (Scope("/a"), {1, 2}),
        (Scope("/c"), {1}),
        (EVERYWHERE, {1, 2, 3}),
    ],
)
async def test_a_scope_sees_the_user_and_its_project(
    scoped: OpenStore, scope: Scope, seen: set[int]
) -> None:
    reader = scoped.reading
    content = (await reader.living(0, 1))[0].content_hash

    assert set(await reader.words(["port"], scope, 9)) == seen
    assert set(await reader.nearest(axis(0), scope, 9)) == seen
    assert set(await reader.same_content(content, scope)) == seen
    assert {memory.id for memory in await reader.constitutional(scope, 9)} == seen


# -- vectors


async def test_a_memory_is_as_near_as_the_nearest_of_its_chunks(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("long"), new("short"))
    await written(store, vectors(1, "long", 5, 0, 6), vectors(2, "short", 7))
    hits = await store.reading.nearest(axis(0), EVERYWHERE, 9)

    assert next(iter(hits)) == 1
    assert hits[1] == pytest.approx(1.0, abs=1e-6)
    assert await store.reading.cosines(axis(7), [1, 2, 3]) == pytest.approx({1: 0.0, 2: 1.0})


async def test_a_store_without_a_model_has_no_neighbours(store: OpenStore) -> None:
    await written(store, new("a"))

    assert await store.reading.nearest(axis(0), EVERYWHERE, 9) == {}
    assert await store.reading.cosines(axis(0), [1]) == {}
    assert await store.reading.unvectored(MODEL, 9) == []


async def test_what_waits_for_vectors_is_given_newest_first(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"), new("b"), new("c"))
    await written(store, vectors(2, "b", 0), Ended(3, "forgotten", BEGINNING))
    (memory_id,) = await written(store, new("d"))

    waiting = await store.reading.unvectored(MODEL, 9)
    assert waiting == [memory_id, 1]


async def test_a_memory_without_chunks_cannot_be_vectored_into_the_index(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"))
    empty = vectors(1, "a")

    assert isinstance(empty, Vectored)
    assert await written(store, empty) == [0]


async def test_document_frequencies_count_living_memories(store: OpenStore) -> None:
    await written(store, new("port one"), new("port two"), new("three ports"))
    await written(store, Ended(2, "forgotten", BEGINNING))
    total, frequencies = await store.reading.read(
        recall.document_frequencies, ["port", "two", "нет"]
    )

    assert total == 2
    assert frequencies == {"port": 2, "two": 0, "нет": 0}


# -- pages


async def test_living_memories_come_in_pages_by_id(store: OpenStore) -> None:
    await written(store, *(new(str(number)) for number in range(5)))
    first = await store.reading.living(0, 2)
    rest = await store.reading.living(first[-1].id, 9)

    assert [memory.id for memory in first] == [1, 2]
    assert [memory.id for memory in rest] == [3, 4, 5]


async def test_a_list_has_its_total_and_a_page_newest_first(store: OpenStore) -> None:
    await written(store, *(new(str(n), at=BEGINNING + n, kind="fact") for n in range(5)))
    await written(store, new("other", kind="decision"))
    facts = [("m.ended IS NULL", None), ("m.kind = ?", "fact")]
    page = await store.reading.read(memories.listed, facts, 2, 1)

    assert await store.reading.read(memories.count, facts) == 5
    assert [memory.text for memory in page] == ["3", "2"]
