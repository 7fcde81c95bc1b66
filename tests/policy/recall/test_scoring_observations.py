"""Observing a few queries."""

from dataclasses import fields

from actors.policy.recall import trial
from actors.policy.recall.trial import Observation, Summary


def observed(*, novelty: float, siblings: int, penalty: float) -> Observation:
    return Observation(
        "m1", "q1", 1_800_000_000.0,
        novelty > 0, novelty, 0.5, penalty != 0, siblings, penalty, 0.5, 0.4,
    )  # fmt: skip


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


def test_an_observation_has_the_columns_of_the_table_without_the_id() -> None:
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


def test_a_summary_averages_over_what_was_applied() -> None:
    rows = [
        observed(novelty=0.1, siblings=0, penalty=0.0),
        observed(novelty=0.05, siblings=1, penalty=-0.08),
        observed(novelty=0.0, siblings=3, penalty=-0.24),
    ]

    found = trial.summary(rows)
    assert (found.observations, found.boosted, found.penalised) == (3, 2, 2)
    assert round(found.average_boost, 9) == 0.075
    assert round(found.average_penalty, 9) == -0.16
    assert round(found.average_change, 9) == -0.1
    assert trial.summary([]) == Summary(0, 0, 0.0, 0, 0.0, 0.0)
