"""The passage archive on disk."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.memory.rows import Scope
from actors.memory.writes import Chunk, Erased, ErasedEverything, ModelChosen, Origin, Vectored
from actors.passages.shapes import Passage, PassagesKept, PassagesPruned, PassagesUsed
from actors.policy.passages import Piece
from daemon.home import Home
from daemon.storage import passages, secrets
from daemon.storage.passages import PRUNED
from daemon.storage.store import OpenStore
from tests.clock import BEGINNING
from tests.holders import holders
from tests.writing import DIMENSIONS, EVERYWHERE, MODEL, axis, event, new, written

pytestmark = pytest.mark.trio

HERE = Scope("/p")
CACHE = Piece("Why a cache?", "The marzipan cache keeps an hour.")
OVEN = Piece("Ovens", "The oven is preheated twice.")


def kept(*pieces: Piece, place: str = "s1/1", **other: object) -> PassagesKept:
    made = PassagesKept("turn", "/p", place, pieces, "s1", 1, 3, BEGINNING)
    return replace(made, **other)  # type: ignore[arg-type]


def vectored(passage: Passage, at: int) -> Vectored:
    chunk = Chunk(0, axis(at), passage.content_hash)
    return Vectored(passage.id, passage.content_hash, MODEL, (chunk,), BEGINNING, of_passage=True)


async def all_of(store: OpenStore) -> list[Passage]:
    found = await store.reading.passages(range(1, 200))
    return [*found.values()]


async def by_words(store: OpenStore, word: str, scope: Scope = HERE) -> list[int]:
    return [*await store.reading.passage_words([word], scope, 9)]


async def test_a_place_that_is_written_again_has_its_last_passages(store: OpenStore) -> None:
    await written(store, kept(CACHE, OVEN))
    before = {one.text: one.id for one in await all_of(store)}
    later = Piece("Ovens", "The oven is preheated once.")
    (new_ones,) = await written(store, kept(later, CACHE, at=BEGINNING + 9))

    now = {one.text: one for one in await all_of(store)}
    assert new_ones == 1
    assert now.keys() == {CACHE.text, later.text}
    assert now[CACHE.text].id == before[CACHE.text]
    assert (now[CACHE.text].ordinal, now[CACHE.text].at) == (1, BEGINNING + 9)
    assert await by_words(store, "preheated") == [now[later.text].id]
    assert await by_words(store, "marzipan") == [now[CACHE.text].id]


async def test_of_a_part_of_a_document_only_what_has_the_same_heading_gives_way(
    store: OpenStore,
) -> None:
    later = Piece("Ovens", "The oven is preheated once.")
    await written(store, kept(CACHE, OVEN), kept(later, is_whole=False))

    assert [one.text for one in await all_of(store)] == [CACHE.text, later.text]


async def test_the_same_passage_elsewhere_in_the_project_moves(store: OpenStore) -> None:
    await written(store, kept(CACHE), kept(CACHE, place="s2/7", session="s2"))
    await written(store, kept(CACHE, project="/other"))

    assert [(one.place, one.project) for one in await all_of(store)] == [
        ("s2/7", "/p"), ("s1/1", "/other"),
    ]  # fmt: skip
    assert len(await by_words(store, "marzipan")) == 1
    assert len(await by_words(store, "marzipan", EVERYWHERE)) == 2


async def test_passages_are_found_by_their_vectors_and_are_no_memories(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a memory"), kept(CACHE, OVEN))
    cache, oven = await all_of(store)
    assert await store.reading.passages_without_vectors(0, 9) == [cache.id, oven.id]

    await written(store, vectored(cache, 1), vectored(oven, 2))

    assert await store.reading.passages_without_vectors(0, 9) == []
    assert [*await store.reading.passage_nearest(axis(2), HERE, 1)] == [oven.id]
    assert (await store.reading.passage_cosines(axis(1), [cache.id]))[cache.id] == 1.0
    assert await store.reading.nearest(axis(2), HERE, 5) == {}
    assert (await store.reading.counts()).memories == 1
    assert (await store.reading.passage_counts())[::2] == (2, 2)


async def test_another_model_makes_their_vectors_anew(store: OpenStore) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), kept(CACHE))
    (cache,) = await all_of(store)
    await written(store, vectored(cache, 1), ModelChosen("another", DIMENSIONS))

    assert await store.reading.passages_without_vectors(0, 9) == [cache.id]
    assert await store.reading.passage_nearest(axis(1), HERE, 1) == {}


async def test_the_longest_unused_leave_first(store: OpenStore) -> None:
    pieces = [Piece("", f"number {number} of some") for number in range(5)]
    for number, piece in enumerate(pieces):
        await written(store, kept(piece, place=str(number), at=BEGINNING + number))
    await written(store, PassagesUsed((1,), BEGINNING + 9))

    (gone,) = await written(store, PassagesPruned(BEGINNING + 2, 2))

    assert gone == 3
    assert [one.id for one in await all_of(store)] == [1, 5]
    assert sorted(await by_words(store, "number")) == [1, 5]


async def test_many_leave_in_turns_between_which_others_write(store: OpenStore) -> None:
    await written(store, kept(*(Piece("", f"number {one}") for one in range(PRUNED + 1))))
    order = PassagesPruned(float("inf"), 9)

    assert [await written(store, order) for _ in range(3)] == [[PRUNED], [1], [0]]


async def test_nothing_of_an_erased_memory_is_left_in_a_passage(
    store: OpenStore, home: Home
) -> None:
    said = "the marzipan vault opens with 4711"
    await written(
        store,
        ModelChosen(MODEL, DIMENSIONS),
        new(said, origin=Origin("r", "s1", 2, "r")),
        kept(Piece("Vault", f"As you said, {said}.")),  # it quotes the memory
        kept(Piece("", "zabaglione in the same turn"), place="s1/2"),  # and this is of its event
        kept(Piece("", "tiramisu of another session"), place="s2/1", session="s2"),
    )
    for one in await all_of(store):
        await written(store, vectored(one, one.id))

    await written(store, Erased((1,)))
    await store.writing.scrub()

    assert [one.place for one in await all_of(store)] == ["s2/1"]
    assert holders(home.root, "marzipan", "zabaglione") == []
    assert await store.reading.passage_nearest(axis(1), EVERYWHERE, 9) == {3: 0.0}


async def test_a_project_takes_its_passages_along(store: OpenStore) -> None:
    await written(store, kept(CACHE), kept(OVEN, project="/other"))
    await written(store, ErasedEverything(project="/p"))
    assert [one.project for one in await all_of(store)] == ["/other"]

    await written(store, ErasedEverything(whole_store=True))
    assert await all_of(store) == []
    assert await by_words(store, "oven", EVERYWHERE) == []


async def test_a_secret_found_later_leaves_a_passage_and_its_words(store: OpenStore) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    await written(store, kept(Piece("", f"it was {token} then")))

    def redacted(text: str) -> tuple[str, list[str]]:
        return text.replace(token, "[REDACTED]"), ["token"] * text.count(token)

    (place,) = [one for one in await store.reading.read(secrets.places) if one.table == "passage"]
    page = await store.reading.read(secrets.page, place, None, redacted)
    await written(store, *page.writes)

    assert [one.text for one in await all_of(store)] == ["it was [REDACTED] then"]
    assert await by_words(store, token.lower()) == []
    assert await by_words(store, "then") == [1]
    assert await store.reading.read(passages.quoting, token) == []


async def test_of_a_turn_whose_prompt_was_erased_meanwhile_nothing_is_kept(
    store: OpenStore, home: Home
) -> None:
    said = "the marzipan vault opens with 4711"
    await written(store, *(event(number) for number in (1, 2, 3)))
    await written(store, new(said, origin=Origin("r", "s1", 2, "r")), Erased((1,)))

    await written(store, kept(Piece(said, "It does.")), kept(OVEN, place="s1/4", first_seq=3))
    await store.writing.scrub()

    assert [one.text for one in await all_of(store)] == [OVEN.text]
    assert holders(home.root, "marzipan") == []
