"""Two homes of one person: which word holds of a text, whoever is merged into whom and how often."""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.statements.sources import Life, is_erased, latest

LIVES = st.builds(Life, st.booleans(), st.integers(0, 4).map(float), st.booleans())


def held(life: Life) -> tuple[bool, float]:
    return life.lives, life.since


def test_the_later_word_holds() -> None:
    said, forgotten = Life(lives=True, since=1.0), Life(lives=False, since=2.0)

    assert latest((said, forgotten)) == forgotten
    assert latest((forgotten, Life(lives=True, since=3.0))) == Life(lives=True, since=3.0)
    assert latest(()) is None


def test_an_end_holds_against_what_was_said_at_the_same_time() -> None:
    assert latest((Life(True, 1.0), Life(False, 1.0))) == Life(False, 1.0)


def test_what_was_only_noticed_outlives_no_end() -> None:
    assert latest((Life(True, 9.0, stated=False), Life(False, 1.0))) == Life(False, 1.0)


def test_what_a_person_said_later_is_not_erased() -> None:
    assert not is_erased(1.0, 2.0)
    assert not is_erased(None, None)
    assert is_erased(1.0, 1.0)
    assert is_erased(1.0, None)


@given(LIVES, LIVES, LIVES)
def test_merges_in_any_order_and_number_end_in_one_word(one: Life, two: Life, three: Life) -> None:
    straight = latest([life for life in (latest((one, two)), three) if life])
    other_way = latest([life for life in (latest((three, two)), one, one) if life])

    assert straight is not None
    assert other_way is not None
    assert held(straight) == held(other_way)
