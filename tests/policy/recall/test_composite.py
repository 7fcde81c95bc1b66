"""The composite score and its five factors."""

import math
from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import composite
from actors.policy.recall.composite import WEIGHTS, FiveFactors, Subject

EXAMPLE = FiveFactors(temporal=0.75, usage=0.24, importance=0.50, pattern=0.80, citation=0.20)
NOTE = Subject(
    retrievability=0.75,
    uses=5,
    cited=5.0,
    changed=7.0,
    tier="normal",
    kind="fact",
    title="ports of the service",
    anchors=("staging",),
    folder="/p",
)

shares = st.floats(0, 1)


def test_the_example_of_the_documents_comes_to_5385() -> None:
    shares = composite.contributions(EXAMPLE)

    assert list(shares.values()) == pytest.approx([0.1875, 0.036, 0.125, 0.16, 0.03])
    assert sum(shares.values()) == pytest.approx(0.5385, abs=1e-9)


def test_the_weights_are_those_of_the_table_and_sum_to_one() -> None:
    assert astuple(WEIGHTS) == (0.25, 0.15, 0.25, 0.20, 0.15)
    assert sum(astuple(WEIGHTS)) == pytest.approx(1)


@given(shares, shares, shares, shares, shares)
def test_a_composite_lies_between_its_factors(
    temporal: float, usage: float, importance: float, pattern: float, citation: float
) -> None:
    factors = (temporal, usage, importance, pattern, citation)

    score = sum(composite.contributions(FiveFactors(*factors)).values())

    assert min(factors) - 1e-9 <= score <= max(factors) + 1e-9


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


def test_the_factors_are_those_of_the_memory() -> None:
    """The title in part (.15 / 2), an anchor of two (.125), half of the similarity."""
    found = composite.factors_of("staging ports", ("staging", "ports"), 0.6, NOTE)

    assert astuple(found) == pytest.approx((0.75, 0.5, 0.5, 0.3 + 0.075 + 0.125, 1 / 1.5))


def test_the_kind_of_a_memory_multiplies_its_score() -> None:
    kinds = {"spec": 1.4, "decision": 1.4, "plan": 1.3, "tasks": 1.1, "fact": 1.0, "scratch": 0.6}

    found = {kind: composite.document_multiplier(replace(NOTE, kind=kind)) for kind in kinds}

    assert found == kinds


def test_a_constitutional_memory_is_raised_no_further() -> None:
    spec = replace(NOTE, kind="spec", tier="constitutional")

    assert composite.document_multiplier(spec) == 1.0


def test_a_memory_of_an_archived_folder_loses_by_it() -> None:
    archived = replace(NOTE, folder="/p/z_archive")
    found = composite.composites("ports", ("ports",), {1: 0.5, 2: 0.5}, {1: NOTE, 2: archived})

    kept, lost = (sum(found[one].shares.values()) for one in (1, 2))
    assert found[1].folder == pytest.approx(10 * found[2].folder, abs=0.01)
    assert 0.8 * kept < lost < kept


@given(shares, st.integers(0, 30), st.sampled_from(["normal", "critical", "deprecated"]))
def test_shares_and_multipliers_give_the_whole_score(
    similarity: float, uses: int, tier: str
) -> None:
    subject = replace(NOTE, uses=uses, tier=tier)
    found = composite.composites("ports", ("ports",), {1: similarity}, {1: subject})[1]

    plain = composite.contributions(composite.factors_of("ports", ("ports",), similarity, subject))
    times = found.kind * (0.8 + 0.2 * found.folder)
    assert sum(found.shares.values()) == pytest.approx(times * sum(plain.values()))
