"""The composite score and its five factors."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import composite
from actors.policy.recall.composite import WEIGHTS, pattern
from actors.policy.recall.known import Facts, Known

EXAMPLE = {
    "temporal": 0.75, "usage": 0.24, "importance": 0.50, "pattern": 0.80, "citation": 0.20,
}  # fmt: skip
NOW, DAY = 1_800_000_000.0, 86_400.0
NOTE = Facts(
    text="", title="ports of the service", phrases=("staging",), kind="fact", tier="normal",
    project="/p", session=None, created=0.0, changed=NOW - 7 * DAY, used=NOW - 5 * DAY, uses=5,
    returned=9, retrievability=0.75,
)  # fmt: skip


def composites(
    query: str, similarities: dict[int, float], facts: dict[int, Facts]
) -> dict[int, composite.Composite]:
    known = Known(query=query, terms=query.split(), at=NOW, facts=facts)
    return composite.composites(known, similarities)


def test_the_example_of_the_documents_comes_to_5385() -> None:
    shares = composite.contributions(EXAMPLE)

    assert list(shares.values()) == pytest.approx([0.1875, 0.036, 0.125, 0.16, 0.03])
    assert sum(shares.values()) == pytest.approx(0.5385, abs=1e-9)


def test_the_weights_are_those_of_the_table_and_sum_to_one() -> None:
    assert list(WEIGHTS.values()) == [0.25, 0.15, 0.25, 0.20, 0.15]
    assert sum(WEIGHTS.values()) == pytest.approx(1)


@pytest.mark.parametrize(("uses", "expected"), [(0, 0), (5, 0.5), (10, 1), (99, 1), (-3, 0)])
def test_usage_is_full_at_ten(uses: int, expected: float) -> None:
    assert composite.usage(uses) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, 1), (5, 0.6667), (10, 0.5), (89.9, 0.1001), (90, 0), (None, 0), (-4, 1)],
)
def test_a_citation_counts_less_with_its_age(days: float | None, expected: float) -> None:
    assert composite.citation(days) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("days", [math.nan, math.inf])
def test_a_citation_of_an_unreadable_age_counts_for_nothing(days: float) -> None:
    assert composite.citation(days) == 0.0


def test_the_shares_are_the_factors_of_the_memory_times_its_kind_and_folder() -> None:
    """The title in part (.15 / 2), an anchor of two (.125), half of the similarity."""
    found = composites("staging ports", {1: 0.6}, {1: NOTE})[1]

    factors = (0.75, 0.5, 0.5, 0.3 + 0.075 + 0.125, 1 / 1.5)
    times = 0.8 + 0.2 * found.folder
    expected = [times * one * by for one, by in zip(factors, WEIGHTS.values(), strict=True)]
    assert list(found.shares.values()) == pytest.approx(expected)


def test_the_kind_of_a_memory_multiplies_its_score() -> None:
    kinds = {"spec": 1.4, "decision": 1.4, "plan": 1.3, "tasks": 1.1, "fact": 1.0, "scratch": 0.6}
    subjects = {place: replace(NOTE, kind=kind) for place, kind in enumerate(kinds)}

    found = composites("", {}, subjects)

    assert [found[place].kind for place in subjects] == list(kinds.values())


def test_a_constitutional_memory_is_raised_no_further() -> None:
    spec = replace(NOTE, kind="spec", tier="constitutional")

    assert composites("", {}, {1: spec})[1].kind == 1.0


def test_a_memory_of_an_archived_folder_loses_by_it() -> None:
    archived = replace(NOTE, project="/p/z_archive")
    found = composites("ports", {1: 0.5, 2: 0.5}, {1: NOTE, 2: archived})

    kept, lost = (sum(found[one].shares.values()) for one in (1, 2))
    assert found[1].folder == pytest.approx(10 * found[2].folder, abs=0.01)
    assert 0.8 * kept < lost < kept


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.6, 0.3), (0.8, 0.4), (0.9, 0.5), (1.0, 0.6), (-1, 0)]
)
def test_similarity_counts_half_and_half_again_above_eight_tenths(
    similarity: float, expected: float
) -> None:
    assert pattern("", similarity, replace(NOTE, title="")) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        ("what was our retry policy?", "Retry policy", 0.3),
        ("retry of the uploads", "Retry policy", 0.05),  # one of retry, the, uploads
        ("cat", "Concatenation", 0),
        ("an of", "Retry policy", 0),
        ("retry", "", 0),
    ],
)
def test_a_title_counts_whole_or_by_its_share(query: str, title: str, expected: float) -> None:
    assert pattern(query, 0, replace(NOTE, title=title)) == pytest.approx(expected)


@given(st.text(max_size=40), st.text(max_size=40), st.floats(0, 1))
def test_the_pattern_is_a_share(query: str, title: str, similarity: float) -> None:
    assert 0 <= pattern(query, similarity, replace(NOTE, title=title), ("staging",)) <= 1
