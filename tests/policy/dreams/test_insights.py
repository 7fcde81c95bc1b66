"""What a dream notices.

Planted structure among two hundred unrelated notes is found and named by the right kind, and
nothing is said of the unrelated ones. All of these notes were seen when the rules were written.
"""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import insights, replay
from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.text.short_ids import short_id
from tests.policy.dreams import at_once
from tests.policy.dreams.dream_cases import CASES, DAY, NOW, Case
from tests.policy.dreams.dream_runs import FIRST, dreamt, neighbours, remembered, tells


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_planted_structure_is_found_and_named_by_the_right_kind(case: Case) -> None:
    found = dreamt(case)

    assert tells(found, case)
    assert all(max(insight.memory_ids) >= FIRST for insight in found)  # none is of filler alone


def test_of_unrelated_notes_nothing_is_said() -> None:
    assert dreamt(None) == []


def test_of_what_was_said_at_least_nine_in_ten_is_right() -> None:
    found = [(case, insight) for case in CASES for insight in dreamt(case)]
    right = sum(insight.kind.value == case.kind for case, insight in found)

    assert right >= 0.9 * len(found)


def test_an_insight_names_its_memories_and_what_it_rests_on() -> None:
    case = next(one for one in CASES if one.name == "latency grows")
    (found,) = dreamt(case)

    assert "120 → 180 → 260 → 410 ms" in found.text or "120 → 180 → 260 → 410" in found.text
    assert found.memory_ids == (1000, 1001, 1002, 1003)
    assert found.evidence[0].startswith("rises (120 → 180 → 260 → 410")


def test_of_a_contradiction_it_is_said_which_is_newer() -> None:
    case = next(one for one in CASES if one.name == "feature flag")
    (found,) = dreamt(case)

    assert f"The newer one is memory {short_id(1001)}" in found.text
    assert "newer: 1001" in found.evidence


def test_a_dream_tells_three_insights_and_the_next_one_three_others() -> None:
    told = [one for case in CASES[:12] for one in dreamt(case)]
    found = [replace(one, memory_ids=(n,)) for n, one in enumerate(told)]
    first = insights.chosen(found)
    second = insights.chosen(found, known=first)

    assert len(first) == len(second) == 3
    assert not {one.text for one in first} & {one.text for one in second}
    assert min(one.confidence for one in first) >= max(one.confidence for one in second)


def test_what_a_better_insight_of_its_kind_tells_is_not_told_again() -> None:
    one = Insight(InsightKind.SYNTHESIS, "a b", (1, 2, 3), (), 0.9, 0.5)
    weaker = replace(one, confidence=0.5, memory_ids=(1, 2, 3))
    stale = replace(one, novelty=0.29, memory_ids=(7, 8, 9))

    assert insights.chosen([weaker, one, stale]) == [one]


@pytest.mark.parametrize(
    ("text", "sources", "expected"),
    [
        ("alpha beta", ["alpha", "alpha"], 0.45),  # .5 * 1/2 + 0 + .2
        ("alpha beta", ["gamma", "delta"], 0.7),
        ("alpha beta", ["alpha beta"] * 5, 0.5),  # 0 + .3 + .2
        ("alpha beta", ["gamma"] * 9, 1.0),
        ("", ["gamma"], 0.3),
    ],
)
def test_novelty_is_what_the_sources_do_not_say(
    text: str, sources: list[str], expected: float
) -> None:
    assert insights.novelty(text, sources) == pytest.approx(expected)


def test_three_sources_six_uses_and_half_an_overlap_make_57() -> None:
    assert insights.confidence(3, 6, 0.5) == pytest.approx(0.57)
    assert insights.confidence(9, 99, 1) == 0.95


@given(st.integers(0, 50), st.floats(0, 100), st.floats(0, 1))
def test_confidence_is_bounded_and_grows_with_sources(
    sources: int, accesses: float, overlap: float
) -> None:
    value = insights.confidence(sources, accesses, overlap)

    assert 0 <= value <= 0.95
    assert value <= insights.confidence(sources + 1, accesses, overlap)


@given(st.randoms(use_true_random=False))
def test_the_order_of_memories_does_not_matter(chance: Random) -> None:
    case = CASES[0]
    notes = at_once.told_apart(remembered(case.notes))
    expected = at_once.noticed(notes, neighbours(case.name))
    chance.shuffle(notes)

    assert at_once.noticed(notes, neighbours(case.name)) == expected


def measured(*values: str) -> dict[InsightKind, list[Insight]]:
    """What is noticed of one measure that was taken every two days."""
    notes = [
        replay.replayed(n, NOW + 2 * n * DAY, f"Cold boot of the kiosk takes {value}", "fact")
        for n, value in enumerate(values, start=1)
    ]
    alike = {one.id: [(two.id, 0.92) for two in notes if two is not one] for one in notes}
    found: dict[InsightKind, list[Insight]] = {}
    for one in at_once.noticed(notes, alike):
        found.setdefault(one.kind, []).append(one)
    return found


def test_a_measure_that_climbs_within_a_week_is_no_row_of_contradictions() -> None:
    assert InsightKind.CONTRADICTION not in measured("14 s", "17 s now", "23 s", "31 s")


def test_two_values_of_one_thing_are_still_a_contradiction() -> None:
    assert InsightKind.CONTRADICTION in measured("14 s", "31 s")


def test_an_empty_store_has_no_insights() -> None:
    assert at_once.noticed([], {}) == []


def test_the_name_of_a_project_says_nothing_of_its_own_memories() -> None:
    text = "The kiosk's UI is written in Qt 6"
    (own,) = at_once.told_apart([replay.replayed(1, NOW, text, project="/home/you/kiosk")])
    (other,) = at_once.told_apart([replay.replayed(1, NOW, text, project="/home/you/ledger")])

    assert other.concepts - own.concepts == {"kiosk"}
