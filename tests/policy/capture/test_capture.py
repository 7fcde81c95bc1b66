"""Tagging and capture: the curves and windows of the table, then the rules of a life."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.capture import capture
from actors.policy.capture.capture import (
    DEFAULT,
    HOUR,
    PROFILES,
    Capture,
    Cluster,
    Decay,
    Event,
    EventKind,
    Tag,
    Window,
)

NOW = 1_800_000_000.0


def event(
    event_id: str,
    kind: EventKind,
    at: float,
    strength: float | None = None,
    memory_id: str | None = None,
) -> Event:
    """An event of its kind's own strength, or of the one given."""
    given = PROFILES[kind].strength if strength is None else strength
    return Event(event_id, kind, at, given, memory_id)


def tag(memory_id: str, at: float, strength: float = 1.0) -> Tag:
    """The tag of a memory that was encoded then."""
    return Tag(memory_id, at, strength)


def cluster(*captures: Capture) -> Cluster:
    """What the flag captured."""
    return Cluster("flag", EventKind.USER_FLAG, NOW, captures)


FLAG = event("flag", EventKind.USER_FLAG, NOW)
# Each curve with everything else left as it is.
CURVES = {decay: replace(DEFAULT, decay=decay) for decay in Decay}


def before(hours: float, memory_id: str = "m") -> Tag:
    """A tag set so many hours before the flag."""
    return tag(memory_id, NOW - hours * HOUR)


def score(hours: float, decay: Decay = Decay.POWER) -> float:
    """Capture score with no threshold."""
    bare = replace(CURVES[decay], threshold=0.0)
    found = capture.captured(before(hours), FLAG, bare)
    assert found is not None
    return found.score


def test_a_tag_begins_at_full_strength_for_twelve_hours() -> None:
    held = tag("m", NOW)

    assert held.strength == 1.0
    assert (DEFAULT.lifetime, DEFAULT.least_tag) == (12.0, 0.3)
    assert capture.tag_strength(held, NOW) == 1.0
    assert capture.tag_strength(held, NOW + 3 * HOUR) == pytest.approx(0.894427, abs=1e-6)
    assert capture.tag_strength(held, NOW + 12 * HOUR) == 0.0


@pytest.mark.parametrize(
    ("decay", "at_three", "at_six"),
    [
        (Decay.EXPONENTIAL, 0.316241, 0.100009),  # e^(-4.605 t / 12)
        (Decay.LINEAR, 0.75, 0.5),
        (Decay.POWER, 0.894427, 0.816497),  # (1 + t / 12)^-.5
        (Decay.LOGARITHMIC, 0.459526, 0.241340),  # 1 - ln(1 + t) / ln 13
    ],
)
def test_four_curves(decay: Decay, at_three: float, at_six: float) -> None:
    assert capture.faded(3, 12, decay) == pytest.approx(at_three, abs=1e-5)
    assert capture.faded(6, 12, decay) == pytest.approx(at_six, abs=1e-5)
    assert capture.faded(0, 12, decay) == capture.faded(-1, 12, decay) == 1.0
    assert capture.faded(12, 12, decay) == capture.faded(100, 12, decay) == 0.0


@given(st.sampled_from(Decay), st.floats(0, 20), st.floats(0, 20), st.floats(0.5, 20))
def test_every_curve_falls_and_stays_within_bounds(
    decay: Decay, one: float, other: float, lifetime: float
) -> None:
    sooner, later = sorted((one, other))

    assert 1 >= capture.faded(sooner, lifetime, decay) >= capture.faded(later, lifetime, decay) >= 0


def test_the_window_reaches_nine_hours_back_and_two_ahead() -> None:
    assert capture.window(EventKind.USER_FLAG) == Window(9.0, 2.0)

    assert capture.proximity(NOW - 9 * HOUR, FLAG) is not None
    assert capture.proximity(NOW - 9 * HOUR - 59, FLAG) is not None  # whole minutes
    assert capture.proximity(NOW - 9 * HOUR - 60, FLAG) is None
    assert capture.proximity(NOW + 2 * HOUR, FLAG) is not None
    assert capture.proximity(NOW + 2 * HOUR + 60, FLAG) is None


@pytest.mark.parametrize(
    ("kind", "strength", "radius", "backward", "forward"),
    [
        (EventKind.USER_FLAG, 1.0, 1.0, 9, 2),
        (EventKind.NOVELTY_SPIKE, 0.9, 0.7, 6.3, 1.4),
        (EventKind.EMOTIONAL, 0.8, 1.5, 13.5, 3),
        (EventKind.REPEATED_ACCESS, 0.75, 1.2, 10.8, 2.4),
        (EventKind.CROSS_REFERENCE, 0.6, 1.0, 9, 2),
        (EventKind.TEMPORAL_PROXIMITY, 0.5, 0.8, 7.2, 1.6),
    ],
)
def test_kinds_of_events(
    kind: EventKind, strength: float, radius: float, backward: float, forward: float
) -> None:
    found = capture.window(kind)

    assert (PROFILES[kind].strength, PROFILES[kind].radius) == (strength, radius)
    assert (found.backward, found.forward) == pytest.approx((backward, forward))
    assert event("e", kind, NOW).strength == strength


@pytest.mark.parametrize("kind", EventKind)
def test_the_border_belongs_to_every_window(kind: EventKind) -> None:
    happened, reach = event("e", kind, NOW), capture.window(kind)

    assert capture.proximity(NOW - reach.backward * HOUR, happened) is not None
    assert capture.proximity(NOW - reach.backward * HOUR - 61, happened) is None
    assert capture.proximity(NOW + reach.forward * HOUR, happened) is not None
    assert capture.proximity(NOW + reach.forward * HOUR + 61, happened) is None


def test_a_window_without_width_holds_the_event_alone() -> None:
    none = replace(DEFAULT, backward=0.0, forward=0.0)

    assert capture.proximity(NOW, FLAG, none) == 1.0
    assert capture.proximity(NOW - 60, FLAG, none) is None


def test_a_weak_event_captures_nothing() -> None:
    weak = event("e", EventKind.USER_FLAG, NOW, strength=0.3)
    enough = event("e", EventKind.USER_FLAG, NOW, strength=0.7)

    assert capture.sweep([before(0)], weak) == []
    assert len(capture.sweep([before(0)], enough)) == 1
    assert DEFAULT.release == 0.7


@pytest.mark.parametrize("kind", [EventKind.CROSS_REFERENCE, EventKind.TEMPORAL_PROXIMITY])
def test_two_kinds_need_a_strength_of_their_own(kind: EventKind) -> None:
    assert not capture.releases(event("e", kind, NOW))
    assert capture.releases(event("e", kind, NOW, strength=0.7))


@pytest.mark.parametrize(
    "kind", [EventKind.TEST_FIXED, EventKind.REVERT, EventKind.CORRECTION, EventKind.USER_FLAG]
)
def test_events_of_coding_release_by_themselves(kind: EventKind) -> None:
    assert capture.releases(event("e", kind, NOW))


@pytest.mark.parametrize(
    ("hours", "decay", "expected"),
    [
        (3, Decay.POWER, 0.774597),
        (9, Decay.POWER, 0.534522),
        (3, Decay.EXPONENTIAL, 0.068131),
        (3, Decay.LINEAR, 0.5),  # 3/4 * 2/3
        (0, Decay.LOGARITHMIC, 1.0),
    ],
)
def test_capture_scores(hours: float, decay: Decay, expected: float) -> None:
    assert score(hours, decay) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("decay", "reach"),
    [
        (Decay.EXPONENTIAL, 1.345),
        (Decay.LINEAR, 4.61),
        (Decay.POWER, 9.0),
        (Decay.LOGARITHMIC, 1.99),
    ],
)
def test_the_chosen_curve_decides_how_far_a_flag_reaches(decay: Decay, reach: float) -> None:
    settings = CURVES[decay]
    within = [
        minutes / 60
        for minutes in range(9 * 60 + 2)
        if capture.captured(before(minutes / 60), FLAG, settings)
    ]

    assert max(within) == pytest.approx(reach, abs=0.02)


def test_an_exponential_flag_reaches_almost_1_345_hours() -> None:
    """Solved for .3, ln(1 / .3) / (4.605 * (1 / 12 + 1 / 9)) = 1.344595 hours."""
    settings = CURVES[Decay.EXPONENTIAL]

    assert capture.captured(before(1.344595), FLAG, settings) is not None
    assert capture.captured(before(1.344596), FLAG, settings) is None


@given(st.floats(0, 9), st.sampled_from(Decay))
def test_a_score_is_the_product_of_its_curves_at_any_second(hours: float, decay: Decay) -> None:
    """Only the borders of a window are counted in minutes."""
    near = 1.0 if hours == 0 else capture.faded(min(hours, 9 - 1e-9), 9, decay)
    expected = capture.faded(hours, 12, decay) * near

    assert score(hours, decay) == pytest.approx(expected, abs=1e-6)


def test_four_curves_capture_four_different_sets() -> None:
    held = [before(minutes / 60, f"m{minutes}") for minutes in range(0, 600, 10)]
    sets = {
        tuple(found.memory_id for found in capture.sweep(held, FLAG, settings))
        for settings in CURVES.values()
    }

    assert len(sets) == 4


def test_importance_is_made_of_score_and_event() -> None:
    found = capture.captured(before(3), FLAG)

    assert found is not None
    assert found.importance == pytest.approx(0.864758, abs=1e-6)
    assert capture.consolidated_importance(0.5, 0.8) == pytest.approx(0.62)
    assert capture.consolidated_importance(1.0, 1.5) == 1.0


def test_what_was_captured_is_not_captured_again() -> None:
    held = before(1)
    done = replace(held, captured_at=NOW, captured_by="flag")

    assert capture.captured(held, FLAG) is not None
    assert capture.captured(done, FLAG) is None


def test_an_event_does_not_capture_the_memory_it_is_about() -> None:
    about = event("e", EventKind.USER_FLAG, NOW, memory_id="m")

    assert capture.sweep([before(1), before(1, "other")], about)[0].memory_id == "other"
    assert capture.captured(before(1), about) is None


def test_a_sweep_takes_the_nearest_first() -> None:
    held = [before(8, "far"), before(1, "near"), before(1, "also"), before(10, "out")]

    found = capture.sweep(held, FLAG)

    assert [one.memory_id for one in found] == ["also", "near", "far"]
    assert found[0].hours == pytest.approx(1)


def test_of_several_later_events_the_first_takes_it() -> None:
    first = event("first", EventKind.USER_FLAG, NOW - HOUR / 2)

    found = capture.captured_late(before(1, "a"), [FLAG, first])

    assert found is not None
    assert found.event_id == "first"
    assert capture.captured_late(before(1, "a"), []) is None


def test_a_memory_encoded_an_hour_after_the_event_is_captured() -> None:
    late = tag("m", NOW + HOUR)

    found = capture.captured_late(late, [FLAG])

    assert found is not None
    assert found.score == pytest.approx(0.816497, abs=1e-6)  # (1 + 1/2)^-.5
    assert found.hours == pytest.approx(-1)
    assert capture.captured_late(tag("m", NOW + 2.1 * HOUR), [FLAG]) is None


def test_the_best_of_several_open_events_takes_it() -> None:
    nearer = event("nearer", EventKind.USER_FLAG, NOW + HOUR / 2)
    future = event("future", EventKind.USER_FLAG, NOW + 2 * HOUR)

    found = capture.captured_late(tag("m", NOW + HOUR), [FLAG, nearer, future])

    assert found is not None
    assert found.event_id == "nearer"


def found(memory_id: str, score: float, hours: float = 1.0, importance: float = 0.5) -> Capture:
    return Capture(memory_id, "flag", score, hours, importance)


def test_a_cluster_is_an_episode() -> None:
    held = cluster(found("b", 0.9, -1, 0.8), found("a", 0.5, 4, 0.6))

    assert held.members == ("b", "a")
    assert capture.average_importance(held) == pytest.approx(0.7)
    assert capture.span(held) == 5


def test_one_member_spans_no_time() -> None:
    held = cluster(found("a", 0.5, 4))

    assert capture.span(held) == 0


def test_the_hourly_job_removes_what_has_served() -> None:
    spent = before(12, "spent")
    fresh = before(11, "fresh")
    caught = replace(before(30, "caught"), captured_at=NOW - 23 * HOUR, captured_by="flag")
    old = replace(caught, memory_id="old", captured_at=NOW - 24 * HOUR)

    served = [capture.is_expired(one, NOW) for one in (spent, fresh, caught, old)]

    assert served == [True, False, False, True]


def test_a_tag_goes_below_three_hundredths() -> None:
    settings = CURVES[Decay.EXPONENTIAL]
    at = -math.log(0.03) / 4.605 * 12  # hours until .03 is left

    assert not capture.is_expired(before(at - 0.01), NOW, settings)
    assert capture.is_expired(before(at + 0.01), NOW, settings)


def test_questions_about_tags() -> None:
    loose, old = before(2, "loose"), before(30, "old")
    caught = replace(before(3, "caught"), captured_at=NOW - HOUR, captured_by="flag")
    held = [loose, old, caught]

    assert capture.active_tags(held, NOW) == (loose,)
    assert capture.active_tags(held, NOW, begin=NOW - 4 * HOUR, end=NOW) == (loose,)
    assert capture.active_tags(held, NOW, begin=loose.at, end=loose.at) == (loose,)
    assert capture.active_tags(held, NOW, end=loose.at - 1) == ()


TIMES = st.integers(-15 * 60, 15 * 60).map(lambda minutes: NOW + minutes * 60)
EVENTS = st.builds(
    event,
    st.uuids().map(str),
    st.sampled_from(EventKind),
    TIMES,
    st.none() | st.floats(0, 1),
)


@given(TIMES, EVENTS, st.sampled_from(Decay), st.floats(0, 1))
def test_a_score_is_at_least_the_threshold_and_within_bounds(
    at: float, happened: Event, decay: Decay, strength: float
) -> None:
    one = capture.captured(tag("m", at, strength), happened, CURVES[decay])

    if one is not None:
        assert 0.3 <= one.score <= min(happened.strength, 1.0)
        assert one.score * 0.6 <= one.importance <= 1
        assert happened.strength >= 0.7


@given(TIMES, st.lists(EVENTS, max_size=4, unique_by=lambda e: e.id))
def test_the_order_of_events_changes_nothing(at: float, events: list[Event]) -> None:
    held = tag("m", at)

    assert capture.captured_late(held, events) == capture.captured_late(held, events[::-1])
