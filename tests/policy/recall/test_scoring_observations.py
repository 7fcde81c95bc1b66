"""Observing a few queries."""

from actors.policy.recall import trial
from actors.policy.recall.trial import Observation, Summary


def test_one_query_in_twenty_is_observed() -> None:
    queries = [f"query {number}" for number in range(4000)]

    assert 150 < sum(trial.sampled(query) for query in queries) < 250


def test_the_same_seed_observes_the_same_queries() -> None:
    queries = [f"query {number}" for number in range(500)]
    first = [trial.sampled(query, seed=3) for query in queries]

    assert first == [trial.sampled(query, seed=3) for query in queries]
    assert first != [trial.sampled(query, seed=4) for query in queries]


def test_the_share_may_be_all_or_nothing() -> None:
    assert trial.sampled("q", share=1.0)
    assert not trial.sampled("q", share=0.0)


def test_a_summary_averages_over_what_was_applied() -> None:
    rows = [
        Observation(novelty=0.1, interference=0.0, change=-0.1),
        Observation(novelty=0.05, interference=-0.08, change=-0.1),
        Observation(novelty=0.0, interference=-0.24, change=-0.1),
    ]

    found = trial.summary(rows)
    assert (found.observations, found.boosted, found.penalised) == (3, 2, 2)
    assert round(found.average_boost, 9) == 0.075
    assert round(found.average_penalty, 9) == -0.16
    assert round(found.average_change, 9) == -0.1
    assert trial.summary([]) == Summary(0, 0, 0.0, 0, 0.0, 0.0)
