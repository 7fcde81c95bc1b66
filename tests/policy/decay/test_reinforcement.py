"""Use strengthens, exposure does not."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from actors.policy.decay import curve, reinforcement
from actors.policy.decay.curve import Grade, Strength
from actors.policy.decay.reinforcement import DAY, GRADES, Use

NOW = 1_800_000_000.0


def test_every_use_has_its_grade() -> None:
    assert set(GRADES) == set(Use)
    assert {use for use in GRADES if GRADES[use] is Grade.EASY} == {Use.EDITED_AFTER, Use.CONFIRMED}


def test_a_first_citation_sets_the_strength_of_good() -> None:
    after = reinforcement.reviewed(Strength(), Use.CITED, NOW)

    graded = curve.graded(Strength(), Grade.GOOD, NOW)
    assert after == replace(graded, implicit_at=NOW)


def test_implicit_use_counts_once_in_twenty_four_hours() -> None:
    once = reinforcement.reviewed(Strength(), Use.CITED, NOW)

    assert once is not None
    assert reinforcement.reviewed(once, Use.EDITED_AFTER, NOW + DAY - 1) is None
    assert reinforcement.reviewed(once, Use.CITED, NOW - 5) is None
    assert reinforcement.reviewed(once, Use.EDITED_AFTER, NOW + DAY) is not None


def test_what_is_not_inferred_is_not_capped_and_follows_the_same_day_rule() -> None:
    once = reinforcement.reviewed(Strength(), Use.CITED, NOW)
    assert once is not None

    again = reinforcement.reviewed(once, Use.REINFORCED, NOW + 60)

    assert again == curve.graded(once, Grade.GOOD, NOW + 60)
    assert once.implicit_at == NOW


@given(st.lists(st.floats(0, DAY - 1), min_size=1, max_size=50))
def test_fifty_citations_in_a_day_do_not_pin_a_memory(times: list[float]) -> None:
    strength = Strength()
    for offset in sorted(times):
        strength = reinforcement.reviewed(strength, Use.CITED, NOW + offset) or strength

    assert strength.reviews == 1
