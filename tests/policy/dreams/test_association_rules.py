"""Associations."""

import math
import random
from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import association_rules as rules
from actors.policy.dreams.association_rules import DAY, Observation
from actors.policy.dreams.connection_graph import DIRECTED, ConnectionKind

SAME = frozenset({"src/auth.py"})
KINDS = ("decision", "discovery", "bugfix", "refactor", "feature", "change", "fact")


def seen(
    number: int,
    kind: str = "fact",
    day: float = 0.0,
    project: str | None = "/p",
    subjects: frozenset[str] = SAME,
) -> Observation:
    return Observation(number, kind, day * DAY, project, subjects)


def kind_of(
    one: Observation, other: Observation, alike: float, *, evolves: bool = False
) -> ConnectionKind | None:
    """By the rules of the seed, unless with the later rule 0."""
    found = rules.connection(one, other, alike, evolves=evolves)
    return found.kind if found is not None else None


OBSERVATIONS = st.builds(
    Observation,
    id=st.integers(1, 1000),
    kind=st.sampled_from(KINDS),
    at=st.floats(0, 400 * DAY),
    project=st.sampled_from(["/p", "/q", None]),
    subjects=st.frozensets(st.sampled_from(["a.py", "DB_URL", "auth"]), max_size=2),
)
PAIRS = st.tuples(OBSERVATIONS, OBSERVATIONS).filter(lambda pair: pair[0].id != pair[1].id)
COSINES = st.floats(-1, 1)


@pytest.mark.parametrize(
    ("one", "other", "alike", "kind", "strength"),
    [
        (seen(1, "decision"), seen(2, "decision"), 0.29, ConnectionKind.CONTRADICTS, 0.6),
        (seen(1, "decision", 0), seen(2, "decision", 8), 0.3, None, 0),
        (seen(1, "discovery"), seen(2, "feature"), 0.51, ConnectionKind.EXPLAINS, 0.7),
        (seen(1, "bugfix"), seen(2, "refactor"), 0.9, ConnectionKind.EXPLAINS, 0.7),
        (seen(1, "bugfix", 0), seen(2, "refactor", 9), 0.5, None, 0),
        (seen(1), seen(2, "change"), 0.71, ConnectionKind.SHARES_THEME, 0.71),
        (seen(1), seen(2), 0.7, None, 0),
        (seen(1, day=0), seen(2, day=7), 0.39, ConnectionKind.PARALLEL_CONTEXT, 0.5),
        (seen(1, day=0), seen(2, day=7.1), 0.39, None, 0),
        (seen(1), seen(2), 0.4, None, 0),  # From .4 to .5 there is nothing
    ],
)
def test_each_rule_holds_to_its_border(
    one: Observation,
    other: Observation,
    alike: float,
    kind: ConnectionKind | None,
    strength: float,
) -> None:
    found = rules.connection(one, other, alike, evolves=False)

    assert (found.kind if found else None) is kind
    assert (found.strength if found else 0) == pytest.approx(strength)


@pytest.mark.parametrize(("one", "other"), [*product(KINDS, KINDS)])
def test_the_truth_table_of_insight_and_pattern(one: str, other: str) -> None:
    """{discovery, bugfix} x {refactor, feature}, in either order, and nothing else."""
    insight, pattern = {"discovery", "bugfix"}, {"refactor", "feature"}
    expected = (one in insight and other in pattern) or (other in insight and one in pattern)

    assert rules.explains(seen(1, one), seen(2, other)) is expected


def test_rule_0_comes_first_and_points_from_the_newer_to_the_older() -> None:
    old, new = seen(1, "decision", 0), seen(2, "decision", 7)
    found = rules.connection(old, new, 0.75)

    assert found is not None
    assert (found.kind, found.one, found.other) == (ConnectionKind.EVOLVES_FROM, 2, 1)
    assert found == rules.connection(new, old, 0.75)
    assert kind_of(old, new, 0.75) is ConnectionKind.SHARES_THEME  # without rule 0


@pytest.mark.parametrize(
    "other",
    [seen(2, "change", 9), seen(2, "fact", 6.9), seen(2, "fact", 9, "/q")],
    ids=["of another kind", "a day too near", "of another project"],
)
def test_rule_0_wants_one_kind_one_project_and_a_week(other: Observation) -> None:
    assert kind_of(seen(1), other, 0.65, evolves=True) is not ConnectionKind.EVOLVES_FROM


def test_unrelated_decisions_do_not_contradict_each_other() -> None:
    one, other = seen(1, "decision"), seen(2, "decision", subjects=frozenset({"docs/logo.svg"}))

    assert kind_of(one, other, 0.05) is None


def test_a_busy_week_is_no_common_context() -> None:
    one, other = seen(1), seen(2, day=1, subjects=frozenset())

    assert kind_of(one, other, 0.1) is None


@given(PAIRS, COSINES)
def test_the_first_rule_that_holds_wins(
    pair: tuple[Observation, Observation], alike: float
) -> None:
    one, other = pair
    days, shared = abs(one.at - other.at) / DAY, bool(one.subjects & other.subjects)
    holds = [
        (ConnectionKind.EVOLVES_FROM, one.kind == other.kind and one.project == other.project
            and alike >= 0.6 and days >= 7),
        (ConnectionKind.CONTRADICTS, one.kind == other.kind == "decision" and alike < 0.3
            and shared),
        (ConnectionKind.EXPLAINS, rules.explains(one, other) and alike > 0.5),
        (ConnectionKind.SHARES_THEME, alike > 0.7),
        (ConnectionKind.PARALLEL_CONTEXT, days <= 7 and alike < 0.4 and shared),
    ]  # fmt: skip

    assert kind_of(one, other, alike, evolves=True) is next(
        (kind for kind, on in holds if on), None
    )


@given(PAIRS, COSINES)
def test_the_order_of_two_memories_does_not_matter(
    pair: tuple[Observation, Observation], alike: float
) -> None:
    one, other = pair

    assert rules.days_between(one, other) == rules.days_between(other, one) >= 0
    if one.at != other.at or not rules.explains(one, other):
        assert kind_of(one, other, alike, evolves=True) is kind_of(other, one, alike, evolves=True)


@given(PAIRS, COSINES)
def test_an_undirected_connection_has_the_smaller_id_first(
    pair: tuple[Observation, Observation], alike: float
) -> None:
    found = rules.connection(*pair, alike)

    if found is not None and found.kind not in DIRECTED:
        assert found.one < found.other


@given(st.lists(st.floats(width=32), max_size=6), st.lists(st.floats(width=32), max_size=6))
def test_cosines_never_fail_and_lie_between_minus_one_and_one(
    one: list[float], other: list[float]
) -> None:
    found = rules.cosine(np.array(one, np.float32), np.array(other, np.float32))

    assert -1 <= found <= 1
    assert len(one) == len(other) or found == 0


# ---- what comes in at the edge


def test_vectors_of_different_lengths_are_not_alike() -> None:
    assert rules.cosine(np.ones(3, np.float32), np.ones(4, np.float32)) == 0


def test_a_zero_vector_is_like_nothing() -> None:
    assert rules.cosine(np.zeros(3, np.float32), np.ones(3, np.float32)) == 0


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_a_vector_without_an_end_is_like_nothing_a_zero_vector_least(number: float) -> None:
    endless = np.array([number], np.float32)

    assert rules.cosine(endless, np.zeros(1, np.float32)) == 0
    assert rules.cosine(endless, np.ones(1, np.float32)) == 0


def test_two_decisions_that_overlap_little_are_in_conflict() -> None:
    assert kind_of(seen(1, "decision"), seen(2, "decision"), 0.0) is ConnectionKind.CONTRADICTS


def test_a_sample_as_large_as_the_whole_is_the_whole() -> None:
    def never(_: int) -> int:
        raise AssertionError("nothing is drawn")

    assert rules.sampled([4, 5, 6], 3, never) == [4, 5, 6]
    assert rules.sampled([4, 5, 6], 9, never) == [4, 5, 6]


# ---- the sample


def test_twenty_memories_are_190_pairs() -> None:
    drawn = rules.sampled(range(1, 101), rules.SAMPLE, random.Random(1).randrange)

    assert len(list(combinations(drawn, 2))) == 190


def test_a_chosen_source_of_chance_gives_the_same_sample_again() -> None:
    first, again = (rules.sampled(range(100), 20, random.Random(7).randrange) for _ in range(2))

    assert first == again
    assert first != rules.sampled(range(100), 20, random.Random(8).randrange)


def test_the_swaps_are_those_of_fisher_and_yates() -> None:
    wanted = iter([2, 0])

    assert rules.sampled([10, 11, 12, 13], 2, lambda _: next(wanted)) == [12, 11]


def test_each_memory_is_as_likely_as_any_other() -> None:
    source = random.Random(3)
    times = Counter(
        one for _ in range(4000) for one in rules.sampled(range(10), 3, source.randrange)
    )

    # 1,200 each; five standard deviations of a binomial are 145.
    assert all(abs(times[one] - 1200) < 145 for one in range(10))


@given(st.lists(st.integers(), unique=True, max_size=40), st.integers(0, 50), st.integers())
def test_a_sample_has_nothing_twice_and_nothing_of_its_own(
    ids: list[int], count: int, seed: int
) -> None:
    drawn = rules.sampled(ids, count, random.Random(seed).randrange)

    assert len(drawn) == len(set(drawn)) == min(count, len(ids))
    assert set(drawn) <= set(ids)


# ---- texts, subjects and pairs


def test_the_subjects_of_a_text_are_its_identifiers_and_phrases() -> None:
    found = rules.subjects_of("DB_URL is read in src/db.py, either/or", ["Retry Budget", ""])

    assert found == {"db_url", "src/db.py", "retry budget"}
