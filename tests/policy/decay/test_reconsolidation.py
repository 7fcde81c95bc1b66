"""Changing a memory that was just recalled: Q07."""

from dataclasses import replace

import pytest

from actors.policy.decay import reconsolidation
from actors.policy.decay.reconsolidation import (
    Kind,
    Modification,
    NotApplicable,
    Refusal,
    Settled,
    Trace,
    Window,
)

NOW = 1_800_000_000.0
DAY = 86_400.0
TRACE = Trace("Use pip", tags=("python",), links={"m2": 0.5}, stability=10.0)
OPEN = Window("m1", NOW)


def waiting(*modifications: Modification) -> Window:
    window = OPEN
    for modification in modifications:
        further = reconsolidation.proposed(window, modification, NOW)
        assert isinstance(further, Window)
        window = further
    return window


def changed(*modifications: Modification) -> Trace:
    trace, _ = reconsolidation.settled(waiting(*modifications), TRACE, NOW + 300)
    return trace


def test_q07_a_recall_opens_a_window_of_five_minutes() -> None:
    opened = reconsolidation.recalled(None, "m1", NOW)

    assert opened == OPEN
    assert reconsolidation.is_labile(opened, NOW + 299)
    assert not reconsolidation.is_labile(opened, NOW + 300)


def test_q07_another_recall_does_not_prolong_it() -> None:
    assert reconsolidation.recalled(OPEN, "m1", NOW + 299) == OPEN
    assert reconsolidation.recalled(OPEN, "m1", NOW + 300) == Window("m1", NOW + 300)


def test_q07_ten_modifications_wait_and_the_eleventh_is_refused() -> None:
    full = waiting(*(Modification(Kind.ADD_TAG, f"t{number}") for number in range(10)))

    eleventh = reconsolidation.proposed(full, Modification(Kind.ADD_TAG, "x"), NOW)
    assert eleventh is Refusal.FULL


def test_q07_nothing_is_taken_when_the_window_is_closed() -> None:
    late = reconsolidation.proposed(OPEN, Modification(Kind.ADD_TAG, "x"), NOW + 300)

    assert late is Refusal.CLOSED


def test_q07_until_the_end_the_memory_is_as_it_was() -> None:
    window = waiting(Modification(Kind.REPLACE_CONTENT, "Use uv"))

    assert reconsolidation.settled(window, TRACE, NOW + 299) == (TRACE, None)


def test_q07_at_the_end_all_is_applied_in_order() -> None:
    modifications = (
        Modification(Kind.REPLACE_CONTENT, "Use uv"),
        Modification(Kind.ADD_TAG, "uv"),
        Modification(Kind.LINK, "m3", 0.5),
        Modification(Kind.STRENGTHEN_LINK, "m3", 0.25),
    )

    trace, settled = reconsolidation.settled(waiting(*modifications), TRACE, NOW + 301)
    assert trace == replace(
        TRACE,
        content="Use uv",
        tags=("python", "uv"),
        links={"m2": 0.5, "m3": 0.75},
    )
    assert settled == Settled("m1", NOW + 301, modifications)


@pytest.mark.parametrize(
    ("modification", "expected"),
    [
        (Modification(Kind.ADD_CONTEXT, "in CI"), replace(TRACE, context=("in CI",))),
        (Modification(Kind.REPLACE_CONTENT, "Use uv"), replace(TRACE, content="Use uv")),
        (Modification(Kind.ADD_TAG, "python"), TRACE),
        (Modification(Kind.REMOVE_TAG, "python"), replace(TRACE, tags=())),
        (Modification(Kind.REMOVE_TAG, "unknown"), TRACE),
        (Modification(Kind.LINK, "m2", 0.9), TRACE),
        (Modification(Kind.STRENGTHEN_LINK, "m2", 0.9), replace(TRACE, links={"m2": 1.0})),
        (Modification(Kind.ADD_SOURCE, "README"), replace(TRACE, sources=("README",))),
        (Modification(Kind.SET_EMOTION, amount=-3), replace(TRACE, emotion=-1.0)),
        (Modification(Kind.BOOST_STABILITY, amount=1.5), replace(TRACE, stability=15.0)),
        (Modification(Kind.BOOST_STABILITY, amount=1e9), replace(TRACE, stability=36_500.0)),
    ],
)
def test_q07_each_of_the_nine_kinds(modification: Modification, expected: Trace) -> None:
    assert changed(modification) == expected
    assert len(Kind) == 9


@pytest.mark.parametrize(
    "wrong",
    [
        Modification(Kind.STRENGTHEN_LINK, "unknown", 0.1),
        Modification(Kind.REPLACE_CONTENT, "  "),
        Modification(Kind.ADD_TAG, ""),
        Modification(Kind.LINK, "", 0.5),
        Modification(Kind.BOOST_STABILITY, amount=0.5),
    ],
)
def test_q07_one_that_does_not_fit_leaves_all_undone(wrong: Modification) -> None:
    window = waiting(Modification(Kind.REPLACE_CONTENT, "Use uv"), wrong)

    with pytest.raises(NotApplicable):
        reconsolidation.settled(window, TRACE, NOW + 300)
    assert TRACE.content == "Use pip"


def test_q07_history_is_kept_for_thirty_days() -> None:
    old, older = Settled("m1", NOW - 30 * DAY, ()), Settled("m1", NOW - 30 * DAY - 1, ())

    assert reconsolidation.retained([old, older], NOW) == [old]
