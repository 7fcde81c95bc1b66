"""The composite score: D01-D03, D05-D07, D09, D10, D13, D15, C15, C16, C39.

Rows D01, D02, D03, D05, D06, D07, D08, D09, D10, D13, D15, C41.
"""

import math
from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.recall import composite
from actors.policy.recall.composite import (
    FIVE_WEIGHTS,
    README_USES,
    SIX_WEIGHTS,
    FiveFactors,
    Settings,
    SixFactors,
)

EXAMPLE = FiveFactors(temporal=0.75, usage=0.24, importance=0.50, pattern=0.80, citation=0.20)
shares = st.floats(0, 1)


def test_d01_the_example_of_the_documents_comes_to_5385() -> None:
    assert composite.composite(EXAMPLE) == pytest.approx(0.5385, abs=1e-9)
    parts = composite.contributions(EXAMPLE)
    assert astuple(parts) == pytest.approx((0.1875, 0.036, 0.125, 0.16, 0.03))


def test_d01_the_weights_are_those_of_the_table_and_sum_to_one() -> None:
    assert astuple(FIVE_WEIGHTS) == (0.25, 0.15, 0.25, 0.20, 0.15)
    assert sum(astuple(FIVE_WEIGHTS)) == pytest.approx(1)


def test_d01_replaced_weights_are_brought_back_to_a_sum_of_one() -> None:
    weights = composite.weights({"temporal": 1.25, "no factor": 9})

    assert astuple(weights) == pytest.approx((0.625, 0.075, 0.125, 0.10, 0.075))
    assert astuple(composite.weights({})) == pytest.approx(astuple(FIVE_WEIGHTS))


def test_d01_weights_that_leave_nothing_are_refused() -> None:
    names = ["temporal", "usage", "importance", "pattern", "citation"]
    nothing = dict.fromkeys(names, -1.0)

    assert composite.weights(nothing) == FIVE_WEIGHTS


@given(shares, shares, shares, shares, shares)
def test_d01_a_composite_lies_between_its_factors(
    temporal: float, usage: float, importance: float, pattern: float, citation: float
) -> None:
    factors = (temporal, usage, importance, pattern, citation)

    score = composite.composite(FiveFactors(*factors))
    assert min(factors) - 1e-9 <= score <= max(factors) + 1e-9


@pytest.mark.parametrize(("uses", "expected"), [(0, 0), (5, 0.5), (10, 1), (99, 1), (-3, 0)])
def test_d02_c15_usage_is_full_at_ten(uses: int, expected: float) -> None:
    assert composite.usage(uses) == pytest.approx(expected)


def test_d02_the_rule_of_the_readme_is_a_preset() -> None:
    assert composite.usage(5, full=README_USES) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("days", "expected"),
    [(0, 1), (5, 0.6667), (10, 0.5), (89.9, 0.1001), (90, 0), (None, 0), (-4, 1)],
)
def test_d03_a_citation_counts_less_with_its_age(days: float | None, expected: float) -> None:
    assert composite.citation(days) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("document_type", "expected"),
    [
        ("spec", 0.56),
        ("decision_record", 0.56),
        ("plan", 0.52),
        ("tasks", 0.44),
        ("implementation_summary", 0.44),
        ("checklist", 0.40),
        ("handover", 0.40),
        ("memory", 0.40),
        ("constitutional", 0.80),
        ("scratch", 0.24),
        ("never heard of", 0.40),
        (None, 0.40),
    ],
)
def test_d05_a_document_type_multiplies_the_score(
    document_type: str | None, expected: float
) -> None:
    assert composite.document_weighted(0.4, document_type) == pytest.approx(expected)


def test_d05_the_product_is_kept_within_one() -> None:
    assert composite.document_weighted(0.9, "spec") == 1
    assert composite.document_weighted(-0.1, "spec") == 0


def test_c39_a_constitutional_text_is_raised_only_once() -> None:
    assert composite.document_weighted(0.4, "constitutional", tier_boosted=True) == 0.4
    assert composite.document_weighted(0.4, "spec", tier_boosted=True) == pytest.approx(0.56)


def test_d06_the_legacy_weights_sum_to_one() -> None:
    assert astuple(SIX_WEIGHTS) == (0.30, 0.25, 0.10, 0.15, 0.05, 0.15)
    assert composite.legacy_composite(SixFactors(1, 1, 1, 1, 1, 1)) == pytest.approx(1)


def test_d06_the_legacy_score_is_their_weighted_sum() -> None:
    factors = SixFactors(0.9, 0.5, 0.4, 0.2, 0.6, 0.8)

    # .27 + .125 + .04 + .03 + .03 + .12
    assert composite.legacy_composite(factors) == pytest.approx(0.615)


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        (0, 0.15),
        (8.318, 0.075),
        (12, 0.055182),
        (24, 0.0203),
        (48, 0.002747),
        (48.01, 0),
        (-1, 0.15),
    ],
)
def test_d07_being_new_adds_with_a_time_constant_of_twelve_hours(
    hours: float, expected: float
) -> None:
    assert composite.novelty_boost(hours) == pytest.approx(expected, abs=1e-5)


def test_d07_c16_the_novelty_boost_is_off_unless_switched_on() -> None:
    on = Settings(novelty=True)

    assert composite.with_novelty(0.5, 0) == 0.5
    assert composite.with_novelty(0.5, 0, on) == pytest.approx(0.65)


def test_d07_novelty_lifts_to_95_at_most_and_lowers_nothing() -> None:
    on = Settings(novelty=True)

    assert composite.with_novelty(0.9, 0, on) == 0.95
    assert composite.with_novelty(0.97, 0, on) == 0.97


@pytest.mark.parametrize(
    ("score", "siblings", "expected"), [(0.9, 3, 0.66), (0.9, 0, 0.9), (0.1, 5, 0), (1.2, 0, 1)]
)
def test_d08_each_like_sibling_costs_eight_hundredths(
    score: float, siblings: int, expected: float
) -> None:
    assert composite.with_interference(score, siblings) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([2, 4, 3], [0, 1, 0.5]),
        ([0.07], [1]),
        ([0.3, 0.3], [1, 1]),
        ([], []),
        ([1, math.nan, 3, math.inf], [0, 0, 1, 0]),
        ([math.nan], [0]),
    ],
)
def test_d09_scores_are_spread_over_the_whole_range(
    scores: list[float], expected: list[float]
) -> None:
    assert composite.normalised(scores) == expected


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_d09_normalising_keeps_the_order_and_is_idempotent(scores: list[float]) -> None:
    once = composite.normalised(scores)

    assert all(0 <= score <= 1 for score in once)
    order = sorted(range(len(scores)), key=lambda place: scores[place])
    assert [once[place] for place in order] == sorted(once)
    assert composite.normalised(once) == pytest.approx(once)


def test_d10_channel_scores_and_composite_scores_mix_on_one_scale() -> None:
    fused, composites = [0.0, 0.07], [0.0, 1.0]

    assert composite.normalised(fused) == composite.normalised(composites)


def test_d13_the_parts_of_a_document_are_damped_by_their_number() -> None:
    assert composite.summed([0.5, 0.5, 0.8]) == pytest.approx(0.9)
    assert composite.summed([0.6]) == pytest.approx(0.6 / math.sqrt(2))
    assert composite.summed([]) == 0


@pytest.mark.parametrize("wild", [math.inf, math.nan, -1.0])
def test_d01_a_weight_that_is_no_share_leaves_the_others_finite(wild: float) -> None:
    """D01: overrides are brought back to a sum of 1, whatever was asked for."""
    by = composite.weights({"temporal": wild})

    assert by.temporal in (0.0, FIVE_WEIGHTS.temporal)
    assert composite.composite(FiveFactors(1, 1, 1, 1, 1), by) == pytest.approx(1.0)


@pytest.mark.parametrize("days", [math.nan, math.inf])
def test_d03_a_citation_of_an_unreadable_age_counts_for_nothing(days: float) -> None:
    """D03."""
    assert composite.citation(days) == 0.0


def test_d08_fewer_than_no_siblings_lift_no_score() -> None:
    """D08: interference only ever takes away."""
    assert composite.with_interference(0.5, -2) == 0.5
