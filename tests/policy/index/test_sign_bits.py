"""Sign bits choose candidates, as many as can be nearest: recall, scopes, memory, cost."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.index import sign_bits
from actors.policy.index.sign_bits import SignIndex
from actors.policy.vectors import cosines, normalised
from tests.costs import ratio

Floats = npt.NDArray[np.float32]


def _clustered(count: int, clusters: int, seed: int = 0, dimensions: int = 384) -> Floats:
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((clusters, dimensions), np.float32)
    spread = np.float32(0.8) * rng.standard_normal((count, dimensions), np.float32)
    return normalised(centres[rng.integers(0, clusters, count)] + spread)


def _held(vectors: Floats, centre: Floats | None = None) -> SignIndex:
    index = SignIndex(vectors.shape[1], centre)
    index.append(range(len(vectors)), vectors, [0] * len(vectors))
    return index


def test_a_small_index_hands_on_everything_it_holds() -> None:
    index = _held(_clustered(50, 5))

    assert index.near(np.ones(384, np.float32)).tolist() == list(range(50))


def test_candidates_hold_the_ten_nearest_of_thousands() -> None:
    vectors = _clustered(12_000, 60)
    index = _held(vectors)
    rng = np.random.default_rng(1)
    kept = handed_on = 0

    for _ in range(20):
        noise = rng.standard_normal(384).astype(np.float32)
        query = vectors[rng.integers(len(vectors))] + np.float32(0.03) * noise
        candidates = index.near(query)
        handed_on += candidates.size
        exact = np.argsort(-cosines(query, vectors))[:10]
        kept += np.isin(exact, candidates).sum()

    assert 20 * 800 <= handed_on < 20 * 1_000
    assert kept >= 0.99 * 200


@pytest.mark.parametrize("scopes", [{0, 2}, {1}])
def test_a_scope_sees_its_own_vectors_alone(scopes: set[int]) -> None:
    """Some thousands in scope by their bits, some hundred all of them."""
    index, vectors = SignIndex(64), _clustered(4_500, 3, dimensions=64)
    index.append(range(4_500), vectors, [i % 3 if i < 900 else 2 for i in range(4_500)])

    found = index.near(vectors[0], scopes)

    assert found.size >= 300
    assert {i % 3 if i < 900 else 2 for i in found.tolist()} <= scopes


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 30))
def test_the_nearest_by_bits_are_those_of_a_plain_count(seed: int, count: int, wanted: int) -> None:
    """As many as are wanted, and those that are as near as the last of them."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((count, 64)).astype(np.float32)
    query = rng.standard_normal(64).astype(np.float32)
    index = _held(vectors)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sign_bits, "EXHAUSTIVE", 0)
        patch.setattr(sign_bits, "LEAST", wanted)
        found = index.near(query)

    distances = ((vectors > 0) != (query > 0)).sum(axis=1)
    last = sorted(distances)[min(wanted, count) - 1]
    assert found.tolist() == np.flatnonzero(distances <= last).tolist()


def test_searching_costs_a_fraction_of_comparing_every_vector() -> None:
    vectors = _clustered(60_000, 50)
    index = _held(vectors)
    query = vectors[5]

    assert ratio(lambda: index.near(query), lambda: np.argsort(-(vectors @ query)), 0.8) < 0.8


def test_an_index_restored_from_its_arrays_has_the_same_places_and_goes_on() -> None:
    vectors = _clustered(3_000, 20)
    index = _held(vectors[:-1])

    again = SignIndex.restored(384, index.arrays())
    again.append([7_000], vectors[-1:], [1])

    assert again.places([2_998, 2_999, 3, 9_999, 7_000]).tolist() == [3, 2_998, 2_999]
    assert again.identities(np.array([5, 2_999])).tolist() == [5, 7_000]
    assert again.near(vectors[5], [0]).tolist() == index.near(vectors[5]).tolist()
    assert (len(index), len(again)) == (2_999, 3_000)


@pytest.mark.parametrize("count", [5_000, 30_000, 100_000])
def test_a_growing_index_holds_little_for_nothing(count: int) -> None:
    index = SignIndex(384)
    page = _clustered(500, 10)
    for begin in range(0, count, len(page)):
        index.append(range(begin, begin + len(page)), page, [0] * len(page))

    assert index.nbytes <= 64 * count + 60 * 2_048


def test_where_all_vectors_lie_in_one_direction_bits_need_it_taken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sign_bits, "LEAST", 100)
    rng = np.random.default_rng(4)
    vectors = normalised(_clustered(8_000, 400) + 8 * normalised(rng.standard_normal(384)))
    centred = _held(vectors, vectors.mean(axis=0))
    restored = SignIndex.restored(384, centred.arrays())

    assert _kept(_held(vectors), vectors) < 0.9
    assert _kept(centred, vectors) > 0.99
    assert restored.near(vectors[3]).tolist() == centred.near(vectors[3]).tolist()


def _kept(index: SignIndex, vectors: Floats) -> float:
    """Share of the ten nearest of twenty vectors that are candidates."""
    kept = 0
    for query in vectors[:: len(vectors) // 20][:20]:
        kept += np.isin(np.argsort(-cosines(query, vectors))[:10], index.near(query)).sum()
    return kept / 200
