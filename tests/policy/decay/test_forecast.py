"""When a memory falls to another state."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.decay import curve, states
from actors.policy.decay.states import DAY, STATES, Fading, Lifecycle, Rules

NOW = 1_800_000_000.0
RULES = Rules(states.Settings(), curve.FSRS6_DECAY)
SOON = 1.0  # second: the moment after

STABILITIES = st.floats(0.1, 36_500)
AGES = st.floats(0, 400)  # days


@st.composite
def fadings(draw: st.DrawFn) -> Fading:
    return Fading(
        draw(st.integers(1, 99)),
        draw(STABILITIES),
        NOW - draw(AGES) * DAY,
        NOW - draw(AGES) * DAY,
        draw(st.sampled_from([0.25, 0.5, 1.0, 1.5, math.inf])),
        draw(st.booleans()),
    )


FADINGS = fadings()


def fading(stability: float = 1e6, *, idle: float = 0.0, factor: float = 1.0) -> Fading:
    return Fading(1, stability, NOW, NOW - idle * DAY, factor)


def test_a_strong_memory_falls_by_disuse_alone_after_2_14_60_and_90_days() -> None:
    falls = [states.falls_at(fading(idle=days), NOW, RULES) for days in (0, 3, 20, 70)]

    assert falls == [NOW + days * DAY for days in (2, 14 - 3, 60 - 20, 90 - 70)]


@pytest.mark.parametrize(
    ("decay", "days"),
    [
        (curve.FSRS6_DECAY, 1.657980),  # R = .8 at t = S * (.8 ** (-1 / .1542) - 1) / .980346
        (0.5, 1.199013),  # FSRS-4.5: at t = S * 81/19 * (1 / .64 - 1)
    ],
)
def test_a_weak_memory_falls_when_its_retrievability_passes_the_border(
    decay: float, days: float
) -> None:
    falls = states.falls_at(fading(0.5), NOW, Rules(states.Settings(), decay))

    assert falls == pytest.approx(NOW + days * DAY, abs=1)


def test_the_set_curve_counts_in_the_state() -> None:
    """At 1.4 days .8 is passed on FSRS-4.5's curve, and not yet on FSRS-6's."""
    weak, then = fading(0.5), NOW + 1.4 * DAY
    older = Rules(states.Settings(), 0.5)

    assert states.standing_at(weak, then, RULES) is Lifecycle.HOT
    assert states.standing_at(weak, then, older) is Lifecycle.WARM


def test_what_is_protected_never_fades_and_what_is_archivable_goes_no_further() -> None:
    pinned = Fading(1, 0.1, NOW, NOW, protected=True)
    done = fading(idle=91)

    assert states.falls_at(pinned, NOW, RULES) == math.inf
    assert states.falls_at(done, NOW, RULES) == math.inf
    assert states.falls_at(fading(math.inf, factor=math.inf), NOW, RULES) == math.inf


def test_the_name_of_a_state_is_what_people_see() -> None:
    assert [states.named(one) for one in (Lifecycle.HOT, Lifecycle.ARCHIVABLE)] == [
        "HOT",
        "archivable",
    ]


@given(FADINGS)
def test_a_state_ends_at_its_fall_and_not_before(one: Fading) -> None:
    at = states.falls_at(one, NOW, RULES)
    now = states.standing_at(one, NOW, RULES)

    if math.isinf(at):
        assert states.standing_at(one, NOW + 1e6 * DAY, RULES) == now
    else:
        assert states.standing_at(one, max(NOW, at - SOON), RULES) == now
        assert states.standing_at(one, at + SOON, RULES) != now


@given(FADINGS, st.floats(0, 1000), st.floats(0, 1000))
def test_nothing_livens_up_by_waiting(one: Fading, days: float, more: float) -> None:
    sooner, later = (
        states.named(states.standing_at(one, NOW + wait * DAY, RULES))
        for wait in (days, days + more)
    )

    assert STATES.index(sooner) <= STATES.index(later)


@given(FADINGS)
def test_a_time_to_come_goes_by_the_rule_of_states(one: Fading) -> None:
    by_hand = states.lifecycle(
        curve.retrievability(one.stability, (NOW - one.reviewed_at) / DAY, curve.FSRS6_DECAY),
        (NOW - one.used_at) / DAY,
        factor=one.factor,
        protected=one.protected,
    )

    assert states.standing_at(one, NOW, RULES) == by_hand
