"""Postings in memory: the scores of FTS5's bm25, whatever was added and removed."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index.postings import Document, PostingsIndex, Settings, idf
from actors.policy.index.segments import impact
from daemon.storage.database.sql import Sql

SMALL = Settings(segment=64, tail=8, drift=0.0)
WORDS = [f"w{number}" for number in range(400)]


def document(identity: int, body: str, *, title: str = "", scope: int = 0) -> Document:
    """A document of these words without triggers."""
    return Document(identity, scope, (title.split(), [], body.split()))


def index(*documents: Document, settings: Settings = SMALL) -> PostingsIndex:
    """An index with nothing left to tidy."""
    made = PostingsIndex(settings)
    for one in documents:
        made.add(one)
    tidy(made)
    return made


def tidy(made: PostingsIndex) -> None:
    """Tidy until nothing is left."""
    while made.tidied():
        pass


def ids(found: Sequence[tuple[int, float]]) -> list[int]:
    """Identities alone."""
    return [identity for identity, _ in found]


def zipf(count: int, seed: int) -> list[Document]:
    """Documents of Zipf words, every third in each of three scopes."""
    source = random.Random(seed)
    weights = [1 / rank for rank in range(1, len(WORDS) + 1)]
    return [
        document(
            number,
            " ".join(source.choices(WORDS, weights, k=source.randint(5, 60))),
            title=" ".join(source.choices(WORDS, weights, k=4)),
            scope=number % 3,
        )
        for number in range(1, count + 1)
    ]


class Fts5:
    """The peer: the same documents in an FTS5 table."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._sql = Sql(apsw.Connection(":memory:"))
        self._sql.rows("CREATE VIRTUAL TABLE t USING fts5(title, triggers, body)")
        self._sql.many(
            "INSERT INTO t (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
            [(one.identity, *map(" ".join, one.columns)) for one in documents],
        )

    def search(self, words: Sequence[str], limit: int) -> list[tuple[int, float]]:
        """As PostingsIndex.search over all scopes."""
        asked = " OR ".join(f'"{word}"' for word in words)
        rows = self._sql.rows(
            "SELECT rowid, -bm25(t, 2.0, 2.0, 1.0) AS score FROM t WHERE t MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?",
            (asked, limit),
        )
        return [(int(identity), float(score)) for identity, score in rows]


def test_a_score_is_computed_by_hand() -> None:
    found = index(document(1, "port port one"), document(2, "two"), document(3, "three")).search(
        [["port"]], None, 9
    )

    # idf = ln((3 - 1 + .5) / (1 + .5)); D = 3 words of 5/3 in the mean; f = 2
    normal = 1.2 * (0.25 + 0.75 * 3 / (5 / 3))
    assert dict(found) == pytest.approx({1: math.log(2.5 / 1.5) * 2 * 2.2 / (2 + normal)})


def test_a_word_in_half_of_all_documents_says_as_little_as_fts5_says() -> None:
    assert idf(10, 5, SMALL) == 1e-6
    assert idf(10, 4, SMALL) == pytest.approx(math.log(6.5 / 4.5))


@given(count=st.floats(0.5, 1e4), length=st.integers(1, 10_000), mean=st.floats(1.0, 1e3))
def test_an_impact_lies_between_nothing_and_k1_and_one(
    count: float, length: int, mean: float
) -> None:
    assert 0 < impact(count, length, mean, SMALL) < SMALL.k1 + 1


def test_a_title_counts_twice() -> None:
    made = index(document(101, "port a b"), document(102, "a b", title="port"), *zipf(20, 1))

    assert ids(made.search([["port"]], None, 9)) == [102, 101]


@pytest.mark.parametrize("count", [5, 100, 700])
def test_scores_are_those_of_fts5(count: int) -> None:
    documents = zipf(count, count)
    made, peer = index(*documents), Fts5(documents)
    source = random.Random(3)
    for _ in range(30):
        words = source.sample(WORDS[:200], 6)
        found, expected = made.search([[w] for w in words], None, 10), peer.search(words, 10)

        assert [score for _, score in found] == pytest.approx(
            [score for _, score in expected], rel=1e-4
        )
        assert len(set(ids(found)) & set(ids(expected))) >= 0.95 * len(expected)


def test_a_word_asked_twice_counts_twice_as_in_fts5() -> None:
    documents = zipf(100, 5)
    found = index(*documents).search([["w3"], ["w3"], ["w50"]], None, 10)

    assert [score for _, score in found] == pytest.approx(
        [score for _, score in Fts5(documents).search(["w3", "w3", "w50"], 10)], rel=1e-4
    )


@given(
    kept=st.lists(st.booleans(), min_size=60, max_size=60),
    tidied=st.booleans(),
    seed=st.integers(0, 9),
)
def test_what_was_removed_leaves_no_trace_in_scores_or_counts(
    kept: list[bool], tidied: bool, seed: int
) -> None:
    documents = zipf(60, seed)
    made = index(*documents)
    gone = [one.identity for one, keep in zip(documents, kept, strict=True) if not keep]
    left = [one for one, keep in zip(documents, kept, strict=True) if keep]
    removed = made.remove(gone)
    if tidied:
        tidy(made)
    fresh = index(*left)

    assert removed == len(gone)
    assert len(made) == len(fresh) == len(left)
    assert made.frequencies(WORDS[:50]) == fresh.frequencies(WORDS[:50])
    found = dict(made.search([[w] for w in WORDS[:9]], None, 60))
    expected = dict(fresh.search([[w] for w in WORDS[:9]], None, 60))
    assert found.keys() == expected.keys()
    if tidied:  # before that, impacts are of the mean length then
        assert found == pytest.approx(expected, rel=1e-4)


def test_an_identity_comes_back_with_other_words() -> None:
    made = index(*zipf(30, 2))
    made.remove([7])
    made.add(document(7, "unheard"))

    assert ids(made.search([["unheard"]], None, 9)) == [7]
    assert len(made) == 30


def test_scopes_limit_a_search_to_their_documents() -> None:
    made = index(*zipf(100, 4))
    made.add(document(101, "w1", scope=2))
    found = ids(made.search([["w0"], ["w1"]], [1, 9], 100))

    assert found
    assert {identity % 3 for identity in found} == {1}


def test_no_scope_finds_nothing() -> None:
    assert index(*zipf(30, 4)).search([["w0"]], [], 9) == []


@pytest.mark.parametrize("new", [0, 8])
def test_a_phrase_is_where_all_of_its_tokens_stand(new: int) -> None:
    made = index(
        document(901, "data base port"), document(902, "data port"), document(903, "base"),
        *zipf(new, 1),
    )  # fmt: skip

    assert ids(made.search([["data", "base"]], None, 9)) == [901]
    assert made.search([["data", "unknown"], []], None, 9) == []


def test_a_phrase_of_neighbours_scores_as_in_fts5() -> None:
    documents = [*zipf(40, 6), document(99, "data base data base of the port")]
    found = index(*documents).search([["data", "base"]], None, 9)

    expected = Fts5(documents).search(["data base"], 9)
    assert ids(expected) == [99]
    assert dict(found) == pytest.approx(dict(expected), rel=1e-5)


def test_words_beyond_the_budget_still_count_for_the_best() -> None:
    documents = zipf(700, 8)
    phrases = [[WORDS[number]] for number in (0, 1, 2, 90, 150, 160, 170)]
    tight = Settings(segment=64, tail=8, drift=0.0, budget=50, rarer=3, refined=100)
    exact = index(*documents).search(phrases, None, 10)
    found = index(*documents, settings=tight).search(phrases, None, 10)

    assert dict(found) == pytest.approx(dict(exact), rel=1e-5)


def test_segments_stay_few_and_bounded() -> None:
    made = index(*zipf(700, 9))

    assert 700 / 64 <= made.segments <= 700 / 64 + 8


def test_memory_is_counted_and_given_back() -> None:
    made = index(*zipf(300, 9))
    full = made.nbytes
    made.remove(range(1, 280))
    tidy(made)

    assert 300 * 60 < full < 300 * 2_000
    assert made.nbytes < 0.6 * full  # the vocabulary stays


def test_an_identity_that_is_not_held_cannot_be_removed() -> None:
    made = index(*(document(number, "port") for number in range(2, 60, 2)))

    assert made.remove([1, 9, 99]) == 0
    assert made.remove([999]) == 0
    assert len(made) == 29


def test_a_segment_of_which_nothing_lives_goes() -> None:
    made = index(*zipf(64, 9))
    made.remove(range(1, 65))
    tidy(made)

    assert made.segments == 0
    assert made.search([["w0"]], None, 9) == []


def test_a_word_that_a_segment_lacks_refines_nothing_there() -> None:
    tight = Settings(segment=8, tail=8, drift=0.0, budget=1, rarer=1, refined=100)
    documents = [document(number, "rare common") for number in range(1, 9)]
    documents += [document(number, "rare") for number in range(9, 17)]
    documents += [document(number, "common other") for number in range(17, 65)]
    made = index(*documents, settings=tight)
    found = made.search([["rare"], ["common"]], None, 16)

    assert dict(found) == pytest.approx(
        dict(index(*documents).search([["rare"], ["common"]], None, 16)), rel=1e-5
    )


def test_an_empty_index_finds_nothing() -> None:
    made = PostingsIndex()

    assert made.search([["a"]], None, 9) == []
    assert made.frequencies(["a"]) == {"a": 0}
    assert not made.tidied()


def test_a_limit_of_nothing_is_nothing() -> None:
    assert index(*zipf(30, 4)).search([["w0"]], None, 0) == []


def test_documents_without_words_are_held_and_not_found() -> None:
    made = index(*(document(number, "") for number in range(1, 20)))

    assert len(made) == 19
    assert made.search([["a"]], None, 9) == []
    assert made.remove([3]) == 1


@pytest.mark.parametrize("limit", [1, 5, 40])
@pytest.mark.parametrize("scopes", [None, [1]])
def test_words_left_out_of_a_segment_change_no_answer(limit: int, scopes: list[int] | None) -> None:
    """Many segments, later ones pruned; one segment, where everything is added up."""
    documents = zipf(600, 5)
    many = index(*documents, settings=Settings(segment=64, tail=16))
    one = index(*documents, settings=Settings(segment=1_000, tail=1_000))
    assert many.segments > 5

    for asked in range(30):
        phrases = [[word] for word in random.Random(asked).choices(WORDS, k=6)]
        pruned, whole = many.search(phrases, scopes, limit), one.search(phrases, scopes, limit)

        assert [score for _, score in pruned] == pytest.approx(
            [score for _, score in whole], rel=1e-4
        )


def test_an_index_restored_from_its_arrays_answers_the_same() -> None:
    made = index(*zipf(200, 6), settings=Settings(segment=64, tail=16))
    made.remove([3, 4, 5])
    held = made.held()

    again = PostingsIndex.restored(made.vocabulary(), held, made.settings)

    phrases = [[word] for word in WORDS[:8]]
    assert again.search(phrases, None, 50) == made.search(phrases, None, 50)
    assert len(again) == len(made) == 197
    again.remove([6])
    assert len(made) == 197


@given(
    gone=st.sets(st.integers(1, 40), max_size=30),
    steps=st.integers(0, 30),
    step=st.sampled_from([40, 10_000]),
)
def test_documents_that_end_while_segments_are_merged_are_not_found(
    gone: set[int], steps: int, step: int
) -> None:
    made = PostingsIndex(Settings(segment=64, tail=8, drift=0.0, step=step))
    documents = zipf(40, 3)
    for one in documents:
        made.add(one)
    for _ in range(steps):
        made.tidied()
    made.remove(gone)
    phrases = [[word] for word in WORDS[:9]]
    during = ids(made.search(phrases, None, 40))
    tidy(made)

    fresh = index(*(one for one in documents if one.identity not in gone))
    expected = dict(fresh.search(phrases, None, 40))
    assert set(during) == expected.keys()
    assert dict(made.search(phrases, None, 40)) == pytest.approx(expected, rel=1e-4)
    assert made.frequencies(WORDS[:20]) == fresh.frequencies(WORDS[:20])


def test_a_merge_goes_in_steps_of_so_many_postings() -> None:
    def pieces(step: int) -> int:
        made = PostingsIndex(Settings(segment=256, tail=128, step=step))
        for one in zipf(256, 3):
            made.add(one)
        return sum(iter(made.tidied, False))

    assert pieces(10_000_000) == 3  # two segments, and one of both
    assert pieces(500) >= 2 + 4_000 / 500


def test_an_index_held_while_segments_are_merged_answers_the_same() -> None:
    made = PostingsIndex(Settings(segment=64, tail=8, step=10))
    for one in zipf(60, 3):
        made.add(one)
    for _ in range(20):
        made.tidied()
    held = made.held()
    again = PostingsIndex.restored(made.vocabulary(), held, made.settings)
    phrases = [[word] for word in WORDS[:8]]

    assert dict(again.search(phrases, None, 60)) == pytest.approx(
        dict(made.search(phrases, None, 60)), rel=1e-6
    )
