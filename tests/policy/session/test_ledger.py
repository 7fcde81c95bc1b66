"""The ledger of what a session has in its context."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session.ledger import Settings, entered, undelivered

A, B = b"a", b"b"


def test_what_was_delivered_within_half_an_hour_is_not_delivered_again() -> None:
    ledger = entered({}, [A], 0.0)

    assert undelivered(ledger, [A, B], 1799.0) == [B]
    assert undelivered(ledger, [A, B], 1800.0) == [A, B]


def test_the_same_content_twice_in_one_answer_is_delivered_once() -> None:
    assert undelivered({}, [A, A], 0.0) == [A]


def test_a_delivery_is_counted_from_its_latest_time() -> None:
    ledger = entered(entered({}, [A], 0.0), [A], 1000.0)

    assert undelivered(ledger, [A], 2000.0) == []


@given(st.lists(st.binary(min_size=1, max_size=2), max_size=40), st.integers(1, 10))
def test_the_ledger_never_exceeds_its_capacity(contents: list[bytes], capacity: int) -> None:
    ledger: dict[bytes, float] = {}
    for at, content in enumerate(contents):
        ledger = entered(ledger, [content], float(at), Settings(capacity=capacity))

    assert len(ledger) <= capacity
    assert not contents or contents[-1] in ledger
