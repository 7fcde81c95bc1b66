"""What is likely to be asked next, learnt from what was."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session.prefetch import (
    DAY,
    DEFAULT,
    FIRST,
    PLACE,
    TOPICS,
    Pattern,
    Patterns,
    Settings,
    after_miss,
    after_use,
    faded,
    interest_in,
    interests_after,
)

NOW = 1_000_000.0
FILE, PROJECT = "file:/shop/pay.py", "project:/shop"


def patterns(*seen: tuple[str, str, int], settings: Settings = DEFAULT) -> Patterns[str]:
    """Cue, target, and how often they were seen together."""
    made = Patterns[str](settings)
    for cue, target, times in seen:
        for _ in range(times):
            made.note(cue, target, NOW)
    return made


def test_the_numbers_are_those_of_the_table() -> None:
    assert (DEFAULT.patterns, DEFAULT.predictions, DEFAULT.confidence) == (10_000, 20, 0.3)
    assert (DEFAULT.decay, DEFAULT.outcome, DEFAULT.session) == (0.95, 0.9, 3_600.0)
    assert (DEFAULT.interest_rate, DEFAULT.interest_decay) == (0.1, 0.98)


def test_what_was_needed_once_is_as_likely_as_not() -> None:
    assert after_use(None, NOW) == Pattern(FIRST, NOW)


def test_an_outcome_leaves_nine_tenths_and_adds_a_tenth_when_it_was_needed() -> None:
    """.5 -> .9 x .5 + .1 = .55, or .45"""
    pattern = Pattern(0.5, NOW)

    assert after_use(pattern, NOW).confidence == pytest.approx(0.55)
    assert after_miss(pattern, NOW).confidence == pytest.approx(0.45)
    assert (after_use(pattern, NOW).seen, after_miss(pattern, NOW).missed) == (2, 1)


def test_a_day_leaves_95_hundredths() -> None:
    assert faded(Pattern(0.8, NOW), NOW + DAY) == pytest.approx(0.76)


def test_a_clock_that_went_back_makes_nothing_surer() -> None:
    assert faded(Pattern(0.8, NOW), NOW - DAY) == 0.8


def test_what_a_place_calls_for_is_told_likeliest_first() -> None:
    known = patterns((FILE, "rare", 1), (FILE, "usual", 9), ("file:/shop/other.py", "other", 9))

    found = known.predicted([FILE], NOW)

    assert [one.target for one in found] == ["usual", "rare"]
    assert found[1].likelihood == pytest.approx(FIRST)


def test_two_cues_that_say_the_same_are_surer_than_one() -> None:
    """1 - .5 x .5"""
    known = patterns((FILE, "both", 1), (PROJECT, "both", 1))

    (one,) = known.predicted([FILE, PROJECT], NOW)

    assert one.likelihood == pytest.approx(0.75)
    assert one.cue == FILE


def test_what_was_not_needed_again_and_again_is_expected_no_more() -> None:
    """.5 x .9 x .9 x .9 x .9 x .9 = .295 < .3"""
    known = patterns((FILE, "once", 1))
    for _ in range(4):
        known.miss(FILE, "once", NOW)
    still = known.predicted([FILE], NOW)
    known.miss(FILE, "once", NOW)

    assert [one.target for one in still] == ["once"]
    assert known.predicted([FILE], NOW) == []


def test_what_was_learnt_long_ago_is_expected_no_more() -> None:
    """.5 x .95^10 = .299"""
    known = patterns((FILE, "once", 1))

    assert known.predicted([FILE], NOW + 9 * DAY)
    assert not known.predicted([FILE], NOW + 10 * DAY)


def test_at_most_twenty_are_expected() -> None:
    known = patterns(*((FILE, f"t{n}", 1) for n in range(30)))

    assert len(known.predicted([FILE], NOW)) == 20


def test_what_a_person_has_been_asking_about_comes_first() -> None:
    known = patterns((FILE, "shipping", 1), (FILE, "payment", 1))

    found = known.predicted([FILE], NOW, {"payment": 0.5}, lambda target: (target,))

    assert [one.target for one in found] == ["payment", "shipping"]
    assert found[0].likelihood == pytest.approx(1 - 0.5 * 0.75)


def test_a_question_moves_its_topics_by_a_tenth_and_lets_the_others_fade() -> None:
    first = interests_after({}, ["payment"])
    second = interests_after(first, ["retry"])

    assert first == {"payment": pytest.approx(0.1)}
    assert second == {"payment": pytest.approx(0.098), "retry": pytest.approx(0.1)}


def test_interest_is_the_mean_and_nothing_in_nothing() -> None:
    assert interest_in(["a", "b"], {"a": 0.5}) == 0.25
    assert interest_in([], {"a": 0.5}) == 0.0


def test_only_the_strongest_interests_are_kept() -> None:
    many = interests_after({}, [f"t{n:04}" for n in range(TOPICS + 50)])

    assert len(many) == TOPICS


def test_a_pattern_too_many_costs_the_weakest_of_the_place_met_longest_ago() -> None:
    small = Settings(patterns=3)
    known = patterns(("a", "weak", 1), ("a", "strong", 2), ("b", "new", 1), settings=small)
    known.note("c", "newest", NOW)

    assert len(known) == 3
    assert [one.target for one in known.predicted(["a"], NOW)] == ["strong"]


def test_a_place_keeps_what_it_calls_for_most_and_what_came_last() -> None:
    """So that what is likely there is found in no time, however much was asked in a project."""
    known = patterns(*((FILE, f"t{n}", 2) for n in range(PLACE)), (PROJECT, "rare", 1))
    known.miss(FILE, "t7", NOW)
    known.note(FILE, "new", NOW)
    read: list[str] = []

    def topics(target: str) -> tuple[str, ...]:
        read.append(target)
        return ()

    known.predicted([FILE], NOW, {}, topics)

    assert len(known) == PLACE + 1
    assert sorted(read) == sorted({*(f"t{n}" for n in range(PLACE)), "new"} - {"t7"})


def test_a_miss_of_what_was_never_learnt_changes_nothing() -> None:
    known = patterns((FILE, "known", 1))

    known.miss(FILE, "unknown", NOW)
    known.miss("file:/elsewhere", "known", NOW)

    assert len(known) == 1


_EVENTS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.sampled_from("uvwxyz"), st.booleans(), st.floats(0, 30 * DAY)
    ),
    max_size=40,
)


@given(_EVENTS, st.integers(1, 8))
def test_likelihoods_are_likelihoods_and_the_bound_holds(
    events: list[tuple[str, str, bool, float]], most: int
) -> None:
    known = Patterns[str](Settings(patterns=most))
    at = NOW
    for cue, target, needed, later in events:
        at += later
        if needed:
            known.note(cue, target, at)
        else:
            known.miss(cue, target, at)

    found = known.predicted("abc", at)

    assert len(known) <= most
    assert all(DEFAULT.confidence <= one.likelihood <= 1 for one in found)
    assert all(math.isfinite(one.likelihood) for one in found)
    assert [one.likelihood for one in found] == sorted((o.likelihood for o in found), reverse=True)


@given(st.floats(0, 1), st.floats(0, 400 * DAY))
def test_use_never_makes_less_sure_than_a_miss(confidence: float, later: float) -> None:
    pattern = Pattern(confidence, NOW)

    used, missed = after_use(pattern, NOW + later), after_miss(pattern, NOW + later)

    assert 0 <= missed.confidence <= used.confidence <= 1


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 30), st.floats(0, 5 * DAY)),
        min_size=20,
        max_size=90,
    )
)
def test_what_leaves_is_what_is_least_sure_by_then(told: list[tuple[bool, int, float]]) -> None:
    """However often a pattern moved meanwhile."""
    known, held, now = Patterns[str](Settings(patterns=12)), dict[str, Pattern](), NOW
    for needed, number, later in told:
        now, target = now + later, f"t{number}"
        if not needed:
            known.miss("place", target, now)
            if target in held:
                held[target] = after_miss(held[target], now)
            continue
        known.note("place", target, now)
        held[target] = after_use(held.get(target), now)
        if len(held) > 12:
            del held[min(held, key=lambda one: faded(held[one], now))]

    likely = {one.target: one.pattern for one in known.predicted(["place"], now)}
    assert len(known) == len(held)
    assert likely == {t: p for t, p in held.items() if faded(p, now) >= DEFAULT.confidence}
