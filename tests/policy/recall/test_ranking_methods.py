"""The chosen way of fusing goes all the way to the order, and its terms give the scores."""

from __future__ import annotations

import pytest

from actors.policy.recall import ranking
from actors.policy.recall.known import Known
from actors.policy.recall.ranking import Settings
from actors.policy.recall.trace import recomputed
from actors.policy.recall.ways import FUSIONS

IDS = {1: 1, 2: 2, 3: 3}  # the memories are their ids
TEXTS = {
    1: frozenset({"whale", "port"}),
    2: frozenset({"whale", "squid", "harbour"}),
    3: frozenset({"port"}),
}


def findings() -> Known:
    """Words and vectors disagree: the one has 1 before 2, the other 2 before 1."""
    return Known(
        terms=["whale", "port"],
        frequencies={"whale": 2, "port": 2},
        total=10,
        words={1: 9.0, 2: 3.0, 3: 1.0},
        cosines={2: 0.9, 1: 0.5, 3: 0.2},
        with_vector=True,
        places={1: ("t", 1), 3: ("t", 2)},
    )


def fused_by(method: str) -> Settings:
    return ranking.asked_with(Settings(), {method})


@pytest.mark.parametrize("method", FUSIONS)
def test_the_terms_give_every_score_again_whatever_is_chosen(method: str) -> None:
    order = ranking.judged_order(findings(), IDS, TEXTS, fused_by(method))

    for one in order.notes:
        assert min(recomputed(order.trace, one.memory), 1.0) == one.score


def test_each_way_has_scores_of_its_own() -> None:
    def scores(method: str) -> tuple[float, ...]:
        order = ranking.judged_order(findings(), IDS, TEXTS, fused_by(method))
        return tuple(one.score for one in order.notes)

    ways = ("scores", "ranks", "relative")
    assert len({scores(method) for method in ways}) == len(ways)
