"""Observing a few queries: D14."""

from dataclasses import fields

from actors.policy.recall import scoring_observations
from actors.policy.recall.scoring_observations import Observation, Summary


def observed(*, novelty: float, siblings: int, penalty: float) -> Observation:
    return scoring_observations.observation(
        "m1",
        "q1",
        1_800_000_000.0,
        age_days=0.5,
        novelty=novelty,
        siblings=siblings,
        penalty=penalty,
        before=0.5,
        after=0.4,
    )


def test_d14_one_query_in_twenty_is_observed() -> None:
    queries = [f"query {number}" for number in range(4000)]

    assert 150 < sum(scoring_observations.sampled(query) for query in queries) < 250


def test_d14_the_same_seed_observes_the_same_queries() -> None:
    queries = [f"query {number}" for number in range(500)]
    first = [scoring_observations.sampled(query, seed=3) for query in queries]

    assert first == [scoring_observations.sampled(query, seed=3) for query in queries]
    assert first != [scoring_observations.sampled(query, seed=4) for query in queries]


def test_d14_the_share_may_be_all_or_nothing() -> None:
    assert scoring_observations.sampled("q", share=1.0)
    assert not scoring_observations.sampled("q", share=0.0)


def test_d14_an_observation_has_the_columns_of_the_table_without_the_id() -> None:
    assert [field.name for field in fields(Observation)] == [
        "memory_id",
        "query_id",
        "timestamp",
        "novelty_boost_applied",
        "novelty_boost_value",
        "memory_age_days",
        "interference_applied",
        "interference_score",
        "interference_penalty",
        "score_before",
        "score_after",
    ]


def test_d14_applied_is_what_changed_something() -> None:
    changed = observed(novelty=0.1, siblings=2, penalty=-0.16)
    unchanged = observed(novelty=0.0, siblings=0, penalty=0.0)

    assert (changed.novelty_boost_applied, changed.interference_applied) == (True, True)
    assert (unchanged.novelty_boost_applied, unchanged.interference_applied) == (False, False)


def test_d14_a_summary_averages_over_what_was_applied() -> None:
    rows = [
        observed(novelty=0.1, siblings=0, penalty=0.0),
        observed(novelty=0.05, siblings=1, penalty=-0.08),
        observed(novelty=0.0, siblings=3, penalty=-0.24),
    ]

    found = scoring_observations.summary(rows)
    assert (found.observations, found.boosted, found.penalised) == (3, 2, 2)
    assert round(found.average_boost, 9) == 0.075
    assert round(found.average_penalty, 9) == -0.16
    assert round(found.average_change, 9) == -0.1
    assert scoring_observations.summary([]) == Summary(0, 0, 0.0, 0, 0.0, 0.0)
