"""Kinships of a sample."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import kinships as rules
from actors.policy.dreams.connection_graph import DAY, DIRECTED, ConnectionKind
from actors.policy.dreams.replay import Replayed, replayed

KINDS = ("decision", "discovery", "bugfix", "refactor", "feature", "change", "fact")


def seen(
    number: int,
    kind: str = "fact",
    day: float = 0.0,
    project: str | None = "/p",
    text: str = "see src/auth.py",
) -> Replayed:
    return replayed(number, day * DAY, text, kind, project=project)


def kind_of(one: Replayed, other: Replayed, alike: float) -> ConnectionKind | None:
    found = rules.kinship(one, other, alike)
    return found.kind if found is not None else None


SEEN = st.builds(
    seen,
    st.integers(1, 1000),
    st.sampled_from(KINDS),
    st.floats(0, 400),
    st.sampled_from(["/p", "/q", None]),
    st.sampled_from(["src/auth.py fails", "DB_URL and src/auth.py", "nothing"]),
)
PAIRS = st.tuples(SEEN, SEEN).filter(lambda pair: pair[0].id != pair[1].id)
COSINES = st.floats(-1, 1)


@pytest.mark.parametrize(
    ("one", "other", "alike", "kind"),
    [
        (seen(1, "decision"), seen(2, "decision"), 0.29, ConnectionKind.CONTRADICTS),
        (seen(1, "decision", 0), seen(2, "decision", 8), 0.3, None),
        (seen(1, "discovery"), seen(2, "feature"), 0.51, ConnectionKind.EXPLAINS),
        (seen(1, "refactor"), seen(2, "bugfix"), 0.9, ConnectionKind.EXPLAINS),
        (seen(1, "bugfix", 0), seen(2, "refactor", 9), 0.5, None),
        (seen(1), seen(2, "change"), 0.71, ConnectionKind.SHARES_THEME),
        (seen(1), seen(2), 0.7, None),
        (seen(1, day=0), seen(2, day=7), 0.39, ConnectionKind.PARALLEL_CONTEXT),
        (seen(1, day=0), seen(2, day=7.1), 0.39, None),
        (seen(1), seen(2), 0.4, None),  # from .4 to .5 there is nothing
        (seen(1, "decision"), seen(2, "decision", text="docs/logo.svg"), 0.05, None),
        (seen(1), seen(2, day=1, text="a busy week"), 0.1, None),
        (seen(1, day=0), seen(2, day=7), 0.6, ConnectionKind.EVOLVES_FROM),
        (seen(1, day=0), seen(2, "change", 9), 0.65, None),
        (seen(1, day=0), seen(2, day=6.9), 0.65, None),
        (seen(1, day=0), seen(2, day=9, project="/q"), 0.65, None),
    ],
)
def test_each_rule_holds_to_its_border(
    one: Replayed, other: Replayed, alike: float, kind: ConnectionKind | None
) -> None:
    assert kind_of(one, other, alike) is kind


def test_what_evolved_points_from_the_newer_to_the_older() -> None:
    old, new = seen(1, "decision", 0), seen(2, "decision", 7)
    found = rules.kinship(old, new, 0.75)

    assert found is not None
    assert (found.one, found.other) == (2, 1)
    assert found == rules.kinship(new, old, 0.75)


@given(PAIRS, COSINES)
def test_an_undirected_connection_has_the_smaller_id_first(
    pair: tuple[Replayed, Replayed], alike: float
) -> None:
    found = rules.kinship(*pair, alike)

    if found is not None and found.kind not in DIRECTED:
        assert found.one < found.other


@pytest.mark.parametrize("number", [0.0, math.inf, -math.inf, math.nan])
def test_a_vector_that_is_zero_or_no_number_is_like_nothing(number: float) -> None:
    vectors = np.array([[number], [1.0]], np.float32)

    assert rules.kinships_among([seen(1), seen(2, day=9)], vectors) == []


def test_each_pair_of_a_sample_is_compared() -> None:
    vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], np.float32)
    sample = [seen(1, text="tea"), seen(2, text="milk"), seen(3, text="rain")]

    (found,) = rules.kinships_among(sample, vectors)

    assert (found.one, found.other, found.kind) == (1, 2, ConnectionKind.SHARES_THEME)
