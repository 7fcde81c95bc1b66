"""Causes, session and co-activation under one ceiling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.graph import causal
from actors.policy.recall.joint_boosts import coactivated, joint


def test_full_attention_after_a_cause_gets_what_is_left() -> None:
    """.9 of attention is .135, and .1 when a cause took .1."""
    assert joint(held=0.9).session == pytest.approx(0.135)
    assert joint(causal=0.1, held=0.9).session == pytest.approx(0.1)
    assert joint(causal=0.2, held=0.9).session == 0.0


def test_coactivation_is_served_last() -> None:
    boosts = joint(0.1, 0.4, 0.5)

    shares = [boosts.causal, boosts.session, boosts.coactivation]
    assert shares == pytest.approx([0.1, 0.06, 0.04])


def test_three_neighbours_at_85_add_what_their_row_says() -> None:
    """.25 * .85 * (3 / 5) / sqrt(3), in fractions or percentages."""
    assert coactivated([0.85] * 3) == pytest.approx(0.0736, abs=5e-5)
    assert coactivated([85, 85, 85]) == pytest.approx(coactivated([0.85] * 3))
    assert coactivated([]) == 0.0


def test_a_cause_one_hop_away_lifts_a_score_by_six_hundredths() -> None:
    """.05 a hop times supersedes 1.5 at a strength of .8 is .06."""
    edges = [causal.edge("e", "1", "2", "supersedes", 0.8)]

    found = causal.boosts(edges, ["1", "2", "3", "4"])

    assert found == {"2": pytest.approx(0.06)}
    assert joint(causal=found["2"]).total == pytest.approx(0.06)


@given(st.floats(-1, 3), st.floats(0, 1), st.floats(-1, 3))
def test_together_they_never_pass_the_ceiling_or_lower_a_score(
    cause: float, held: float, coactivation: float
) -> None:
    boosts = joint(cause, held, coactivation)

    assert min(boosts.causal, boosts.session, boosts.coactivation) >= 0
    assert boosts.total <= 0.20 + 1e-12
    assert boosts.total >= 0


def test_another_ceiling_holds_for_the_session_as_well() -> None:
    own = joint(causal=0.1, held=1.0, coactivation=0.1, ceiling=0.12)

    assert own.causal == pytest.approx(0.1)
    assert own.session == pytest.approx(0.02)
    assert own.coactivation == pytest.approx(0.0)
