"""Answers at three levels of detail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay.states import Lifecycle
from actors.policy.recall.answers import Level, answer, at_level, capped, granted, shown
from actors.policy.session import pressure

LONG = "Redis caches sessions. " * 60


def test_a_brief_result_is_one_short_line() -> None:
    brief = at_level("Redis\ncaches sessions.\n\n" + LONG, Level.BRIEF)

    assert "\n" not in brief
    assert len(brief) <= 100


def test_a_summary_is_the_beginning_and_full_is_everything() -> None:
    assert at_level(LONG, Level.FULL) == LONG
    assert len(at_level(LONG, Level.SUMMARY)) <= 400
    assert LONG.startswith(at_level(LONG, Level.SUMMARY))


def test_what_is_cut_or_left_out_can_be_asked_for() -> None:
    """Expandable ids."""
    results = [(1, "short"), (2, LONG), (3, "x" * 2000), (4, "also short")]

    told = answer(results, Level.FULL, tokens=500)

    assert [one.identity for one in told.shown] == [1, 2, 4]
    assert told.expandable == (3,)
    assert [one.identity for one in answer(results, Level.BRIEF).shown] == [1, 2, 3, 4]
    assert answer(results, Level.BRIEF).expandable == (2, 3)


def test_a_text_broken_into_lines_is_whole_as_one_line() -> None:
    told = answer([(1, "one\ntwo")], Level.BRIEF)

    assert (told.shown[0].text, told.shown[0].whole, told.expandable) == ("one two", True, ())


def test_a_harder_question_has_more_room_unless_it_says_how_much() -> None:
    queries = (
        "redis",
        "how do the sessions expire",
        "how do the sessions of the web shop expire at night",
    )

    assert [granted(query, 0) for query in queries] == [1500, 2500, 4000]
    assert [granted("redis", asked) for asked in (None, 700)] == [2000, 700]


def test_what_a_caller_asks_for_is_kept_within_bounds() -> None:
    assert [capped(asked) for asked in (0, 100, 5000, 10**6)] == [100, 100, 5000, 100_000]


def test_the_best_is_kept_even_if_it_is_too_large() -> None:
    told = answer([(1, "x" * 2000), (2, "y")], Level.FULL, tokens=100)

    assert ([one.identity for one in told.shown], told.tokens) == ([1], 500)
    assert answer([]).shown == ()


def test_fewer_than_a_hundred_tokens_are_not_granted() -> None:
    """100 to 100,000; each of these takes 50."""
    results = [(number, "x" * 200) for number in range(5)]

    assert len(answer(results, Level.FULL, tokens=1).shown) == 2


@given(st.lists(st.text(max_size=900)), st.sampled_from(Level), st.integers(0, 1000))
def test_every_result_is_there_whole_or_expandable(
    texts: list[str], level: Level, tokens: int
) -> None:
    told = answer(enumerate(texts), level, tokens)

    whole = [one.identity for one in told.shown if one.whole]
    assert sorted([*whole, *told.expandable]) == list(range(len(texts)))
    assert told.tokens <= max(100, tokens) or len([s for s in told.shown if s.text]) == 1


WHOLE, SUMMARY, LINE = len(LONG), 150, len("Sessions")
NONE, FOCUSED, QUICK = pressure.Level.NONE, pressure.Level.FOCUSED, pressure.Level.QUICK


@pytest.mark.parametrize(
    ("state", "pressed", "most"),
    [
        (Lifecycle.HOT, NONE, WHOLE),
        (Lifecycle.WARM, NONE, WHOLE),
        (Lifecycle.COLD, NONE, WHOLE),
        (Lifecycle.DORMANT, NONE, WHOLE),
        (Lifecycle.HOT, FOCUSED, WHOLE),
        (Lifecycle.WARM, FOCUSED, SUMMARY),
        (Lifecycle.COLD, FOCUSED, LINE),
        (Lifecycle.DORMANT, FOCUSED, LINE),
        (Lifecycle.HOT, QUICK, SUMMARY),
        (Lifecycle.WARM, QUICK, LINE),
        (Lifecycle.COLD, QUICK, LINE),
        (Lifecycle.DORMANT, QUICK, LINE),
    ],
)
def test_what_is_shown_goes_by_the_state_when_room_runs_out(
    state: Lifecycle, pressed: pressure.Level, most: int
) -> None:
    said = shown(LONG, "Sessions", state, pressed)

    assert most - 20 <= len(said) <= most


def test_what_has_no_title_is_shown_by_how_it_begins() -> None:
    """Nothing is silenced for being old."""
    assert shown("Redis caches.", "", Lifecycle.COLD, QUICK) == "Redis caches."
