"""What a memory is worth, and how it is told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import importance_score
from actors.policy.capture.importance_score import HALF_LIVES, WEIGHTS, Served

NEW = Served("change", "manual", 0.0)


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        ("bugfix", 1.3), ("feature", 1.2), ("discovery", 1.1), ("decision", 1.1),
        ("refactor", 1.0), ("change", 0.9), ("guidance", 1.4), ("pitfall", 1.3), ("poem", 1.0),
    ],
)  # fmt: skip
def test_a_new_memory_is_worth_what_its_kind_weighs(kind: str, weight: float) -> None:
    assert importance_score.score(replace(NEW, kind=kind)) == pytest.approx(weight)


@pytest.mark.parametrize(
    ("source", "days"),
    [
        ("manual", 30), ("tool_verified", 21), ("tool_read", 14), ("web", 14), ("todo", 7),
        ("llm", 90), ("cross_model", 60),
    ],
)  # fmt: skip
def test_half_is_left_after_the_half_life_of_its_source(source: str, days: float) -> None:
    assert importance_score.score(Served("refactor", source, days)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("served", "expected"),
    [
        (replace(NEW, feedback=1.0), 0.9 + 0.3),
        (replace(NEW, feedback=-1.0), 0.9 - 0.3),
        (replace(NEW, concepts=0.5), 0.9 + 0.1),
        (replace(NEW, retrievals=7, retrieved=0.0), 0.9 + 0.15 * 3 * 0.1),
        (replace(NEW, retrievals=7, retrieved=20.0), 0.9 + 0.15 * 3 * 0.1 * 0.367879),
        (replace(NEW, utility=1.0), 0.9 + 0.1),
        (replace(NEW, effectiveness=1.0, injections=10), 0.9 + 0.15),
        (replace(NEW, effectiveness=0.0, injections=10), 0.9 - 0.15),
        (replace(NEW, effectiveness=0.0, injections=9), 0.9),
        (Served("change", "todo", 700.0, feedback=-1.0), 0.01),
    ],
)
def test_each_term_by_hand(served: Served, expected: float) -> None:
    assert importance_score.score(served) == pytest.approx(expected, abs=1e-6)


@given(
    st.builds(
        Served,
        kind=st.sampled_from([*WEIGHTS, "fact"]),
        source=st.sampled_from([*HALF_LIVES, "elsewhere"]),
        age=st.floats(-10, 10_000),
        feedback=st.floats(-1, 1),
        concepts=st.floats(0, 1),
        retrievals=st.integers(0, 10_000),
        retrieved=st.none() | st.floats(-10, 10_000),
        utility=st.floats(0, 1),
        effectiveness=st.none() | st.floats(0, 1),
        injections=st.integers(0, 100),
    )
)
def test_importance_is_never_nothing_and_never_much(served: Served) -> None:
    assert 0.01 <= importance_score.score(served) <= 3.0


def test_our_sources_have_a_half_life() -> None:
    assert importance_score.source_of("hand") == "manual"
    assert importance_score.source_of("commit") == "tool_verified"
    assert importance_score.source_of("conclusion") == "llm"


@pytest.mark.parametrize(
    ("text", "quality"),
    [
        ("", 0.5),
        ("uses port 5432", 0.5),
        ("the service listens on port 5432 of every host", 0.7),
        ("because " * 19, 0.7),
        ("word " * 20, 0.85),
        ("word " * 20 + "because it was slow", 1.0),
        ("word " * 20 + "we chose it", 1.0),
        ("word " * 20 + "a trade-off", 1.0),
    ],
)
def test_a_text_that_gives_its_reason_is_told_well(text: str, quality: float) -> None:
    assert importance_score.narrative_quality(text) == quality
