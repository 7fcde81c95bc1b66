"""Sign bits choose candidates, as many as can be nearest: recall, scopes, holes, memory, cost."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index.sign_bits import Settings, SignIndex
from actors.policy.text.vectors import cosines, normalised
from tests.costs import ratio

Floats = npt.NDArray[np.float32]


def _clustered(count: int, clusters: int, seed: int = 0, dimensions: int = 384) -> Floats:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((clusters, dimensions), np.float32)
    spread = np.float32(0.8) * rng.standard_normal((count, dimensions), np.float32)
    return normalised(centres[rng.integers(0, clusters, count)] + spread)


def _held(vectors: Floats, settings: Settings | None = None) -> SignIndex:
    index = SignIndex(vectors.shape[1], settings)
    index.append(range(len(vectors)), vectors)
    return index


def test_a_small_index_hands_on_everything_it_holds() -> None:
    index = _held(_clustered(50, 5))

    assert sorted(index.search(np.ones(384))) == list(range(50))


def test_an_empty_index_finds_nothing() -> None:
    assert SignIndex(384).search(np.ones(384)) == []
    assert _held(_clustered(5, 1)).search(np.ones(384), scopes=[9]) == []


def test_candidates_hold_the_ten_nearest_of_thousands() -> None:
    vectors = _clustered(12_000, 60)
    index = _held(vectors)
    rng = np.random.default_rng(1)
    kept = handed_on = 0

    for _ in range(20):
        query = vectors[rng.integers(len(vectors))] + 0.03 * rng.standard_normal(384)
        exact = set(np.argsort(-cosines(query, vectors))[:10].tolist())
        candidates = index.search(query)
        handed_on += len(candidates)
        found = np.argsort(-cosines(query, vectors[candidates]), kind="stable")[:10]
        kept += len(exact & {candidates[int(i)] for i in found})

    assert handed_on == 20 * 800
    assert kept >= 0.99 * 200


def test_a_scope_sees_its_own_vectors_alone() -> None:
    index = SignIndex(64, Settings(exhaustive=10, least=5))
    vectors = _clustered(300, 3, dimensions=64)
    index.append(range(300), vectors, [i % 3 for i in range(300)])

    found = index.search(vectors[0], scopes={0, 2})

    assert len(found) == 5
    assert 0 in found
    assert all(identity % 3 != 1 for identity in found)


def test_a_removed_vector_is_not_found_and_may_come_back() -> None:
    vectors = _clustered(40, 2)
    index = _held(vectors)

    assert index.remove(7)
    assert not index.remove(7)
    assert 7 not in index.search(vectors[7])
    index.append([7], vectors[7:8])
    assert 7 in index.search(vectors[7])
    assert len(index) == 40


def test_vectors_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="384 dimensions"):
        SignIndex(384).append([1], np.ones((1, 8)))


def test_a_vector_costs_at_most_64_bytes() -> None:
    index, page = SignIndex(384), _clustered(8_192, 10)
    for begin in range(0, 131_072, len(page)):  # fills the second block
        index.append(range(begin, begin + len(page)), page)

    assert index.nbytes / len(index) <= 64


def test_the_mean_is_of_all_that_was_appended_and_absent_for_a_few() -> None:
    assert _held(_clustered(99, 1)).mean is None
    vectors = _clustered(200, 1)

    mean = _held(vectors).mean

    assert mean is not None
    assert mean == pytest.approx(vectors.mean(axis=0), abs=1e-5)


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 30))
def test_the_nearest_by_bits_are_those_of_a_plain_count(seed: int, count: int, wanted: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((count, 64)).astype(np.float32)
    query = rng.standard_normal(64).astype(np.float32)
    index = _held(vectors, Settings(least=wanted, exhaustive=0))

    found = index.search(query)

    distances = ((vectors > 0) != (query > 0)).sum(axis=1)
    assert len(found) == min(wanted, count)
    assert sorted(distances[found]) == sorted(distances)[: len(found)]


def test_searching_costs_a_fraction_of_comparing_every_vector() -> None:
    vectors = _clustered(60_000, 50)
    index = _held(vectors)
    query = vectors[5]

    assert ratio(lambda: index.search(query), lambda: np.argsort(-(vectors @ query)), 0.8) < 0.8


def test_an_index_restored_from_its_arrays_has_the_same_places() -> None:
    vectors = _clustered(70_000, 20)
    index = _held(vectors)
    index.remove(9)

    again = SignIndex.restored(384, index.held())

    assert again.search(vectors[5]) == index.search(vectors[5])
    assert len(again) == 69_999
    assert again.places([69_999, 70_000, 3]).tolist() == [3, 69_999]
    assert again.identities(again.near(vectors[8])).tolist() == again.search(vectors[8])


@pytest.mark.parametrize("count", [5_000, 30_000, 100_000])
def test_a_growing_index_holds_little_for_nothing(count: int) -> None:
    index = SignIndex(384)
    page = _clustered(500, 10)
    for begin in range(0, count, len(page)):
        index.append(range(begin, begin + len(page)), page)

    assert index.nbytes <= 65 * count + 61 * 1_024


def test_where_all_vectors_lie_in_one_direction_bits_need_it_taken_off() -> None:
    rng = np.random.default_rng(4)
    vectors = normalised(_clustered(8_000, 400) + 8 * normalised(rng.standard_normal(384)))
    settings = Settings(least=200, share=0.0, exhaustive=0)
    plain = _held(vectors, settings)
    centred = SignIndex(384, settings, plain.mean)
    centred.append(range(len(vectors)), vectors)
    restored = SignIndex.restored(384, centred.held(), settings)

    assert _kept(plain, vectors) < 0.9
    assert _kept(centred, vectors) > 0.99
    assert restored.search(vectors[3]) == centred.search(vectors[3])


def _kept(index: SignIndex, vectors: Floats) -> float:
    """Share of the ten nearest of twenty vectors that are candidates."""
    kept = 0
    for query in vectors[:: len(vectors) // 20][:20]:
        exact = np.argsort(-cosines(query, vectors))[:10].tolist()
        kept += len(set(exact) & set(index.search(query)))
    return kept / 200
