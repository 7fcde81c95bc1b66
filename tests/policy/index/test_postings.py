"""Postings in memory: the scores of FTS5's bm25, whatever was added and removed."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Sequence

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index.postings import Document, Part, PostingsIndex, hashed, idf
from daemon.storage.database.sql import Sql

WORDS = [f"w{number}" for number in range(400)]


def document(identity: int, body: str, *, title: str = "", scope: int = 0) -> Document:
    """A document of these words without triggers."""
    return Document(identity, scope, (title.split(), [], body.split()))


def index(*documents: Document) -> PostingsIndex:
    """An index with nothing left to tidy, to which they came one by one."""
    made = PostingsIndex()
    for one in documents:
        made.add([one])
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
    assert idf(10, 5) == 1e-6
    assert idf(10, 4) == pytest.approx(math.log(6.5 / 4.5))


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
            [score for _, score in expected], rel=1e-9
        )
        assert len(set(ids(found)) & set(ids(expected))) >= 0.95 * len(expected)


def test_a_word_asked_twice_counts_twice_as_in_fts5() -> None:
    documents = zipf(100, 5)
    found = index(*documents).search([["w3"], ["w3"], ["w50"]], None, 10)

    assert [score for _, score in found] == pytest.approx(
        [score for _, score in Fts5(documents).search(["w3", "w3", "w50"], 10)], rel=1e-9
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
    made.remove(gone)
    if tidied:
        tidy(made)
    fresh = index(*left)

    assert len(made) == len(fresh) == len(left)
    assert made.frequencies(WORDS[:50]) == fresh.frequencies(WORDS[:50])
    found = dict(made.search([[w] for w in WORDS[:9]], None, 60))
    expected = dict(fresh.search([[w] for w in WORDS[:9]], None, 60))
    assert found == pytest.approx(expected, rel=1e-9)


def test_an_identity_comes_back_with_other_words() -> None:
    made = index(*zipf(30, 2))
    made.remove([7])
    made.add([document(7, "unheard")])

    assert ids(made.search([["unheard"]], None, 9)) == [7]
    assert len(made) == 30


def test_scopes_limit_a_search_to_their_documents() -> None:
    made = index(*zipf(100, 4))
    made.add([document(101, "w1", scope=2)])
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


def test_an_empty_index_finds_nothing() -> None:
    made = PostingsIndex()

    assert made.search([["a"]], None, 9) == []
    assert made.frequencies(["a"]) == {"a": 0}
    assert not made.tidied()


def test_documents_without_words_are_held_and_not_found() -> None:
    made = index(*(document(number, "") for number in range(1, 20)))

    assert len(made) == 19
    assert made.search([["a"]], None, 9) == []


@pytest.mark.parametrize("scopes", [None, [1]])
def test_many_parts_answer_as_one(scopes: list[int] | None) -> None:
    documents = zipf(600, 5)
    many, one = index(*documents), index(*documents)
    one.whole()
    assert (many.parts > 2, one.parts) == (True, 1)

    for asked in range(30):
        phrases = [[word] for word in random.Random(asked).choices(WORDS, k=6)]
        split, whole = many.search(phrases, scopes, 40), one.search(phrases, scopes, 40)

        assert [score for _, score in split] == pytest.approx([score for _, score in whole])


def test_memory_is_counted_and_given_back() -> None:
    made = index(*zipf(300, 9))
    full = made.nbytes()
    made.remove(range(1, 280))
    made.whole()

    assert 300 * 60 < full < 300 * 2_000
    assert made.nbytes() < 0.3 * full
    assert made.nbytes(mapped=True) == 0


def test_an_index_of_which_nothing_lives_finds_nothing_and_goes_on() -> None:
    made = index(*zipf(64, 9))
    made.remove(range(1, 65))
    made.whole()
    empty = made.search([["w0"]], None, 9)
    made.add([document(1, "w0")])

    assert empty == []
    assert ids(made.search([["w0"]], None, 9)) == [1]


def test_an_index_goes_on_from_the_arrays_of_one_before() -> None:
    made = index(*zipf(200, 6))
    made.remove([3, 4, 5])
    part = made.whole()

    again = PostingsIndex(Part(**part.arrays()))

    phrases = [[word] for word in WORDS[:8]]
    assert again.search(phrases, None, 50) == made.search(phrases, None, 50)
    assert len(again) == len(made) == 197
    again.remove([6])
    assert len(made) == 197


def test_a_hash_is_the_same_in_every_process() -> None:
    assert hashed("порт") == int.from_bytes(
        hashlib.blake2b("порт".encode(), digest_size=8).digest(), "little"
    )
