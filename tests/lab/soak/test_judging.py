"""How a soak tells a store that grew from one that aged."""

from lab.soak.account import GROWS, STAYS, YARDSTICK, Account
from lab.soak.judging import ENOUGH, compare, trend


def measured(what: str, first: float, last: float, account: Account) -> None:
    """As many measurements as a trend needs: ``first`` ms in the first half, then ``last``."""
    account.latencies[what] = [first] * 2 * ENOUGH + [last] * 2 * ENOUGH


def test_a_question_that_as_many_memories_match_must_not_become_slower() -> None:
    account = Account()
    measured(STAYS, 2.0, 6.2, account)
    trend(account)
    assert account.violations == [f"{STAYS} became 3.1 times slower"]


def test_a_machine_that_became_slower_excuses_as_much() -> None:
    account = Account()
    measured(STAYS, 2.0, 6.2, account)
    measured(YARDSTICK, 10.0, 11.0, account)
    trend(account)
    assert account.violations == []


def test_a_question_that_ever_more_match_is_told_and_not_held_against_its_beginning() -> None:
    account = Account()
    measured(GROWS, 2.0, 40.0, account)
    assert trend(account) == [f"{GROWS}: 2.0 ms at first, 40.0 at last: 20.00"]
    assert account.violations == []


def test_it_is_held_against_a_fresh_copy_of_the_store() -> None:
    account = Account()
    assert compare([0.04] * 9, [0.02] * 9, account) == f"{GROWS}: 40.0 ms, in a fresh copy 20.0"
    assert account.violations == []
    compare([0.07] * 9, [0.02] * 9, account)
    assert account.violations == [f"{GROWS} takes 3.5 times as long as in a fresh copy"]


def test_too_few_measurements_tell_no_trend() -> None:
    account = Account()
    account.latencies[STAYS] = [1.0, 99.0] * ENOUGH
    assert "too few" in trend(account)[0]
    assert account.violations == []
