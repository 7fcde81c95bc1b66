"""The ledger of what a session has in its context."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.session import ledger
from actors.policy.session.ledger import Context, Ledger, Loaded, Made, Settings

A, B = b"a", b"b"
ELSEWHERE = Made(B, "s2", 50.0, None, "")  # by another session, of no document


def has(context: Context, made: Made) -> bool:
    return ledger.has(context, "s1", made)


def test_what_was_delivered_is_in_the_context_as_long_as_it_may_be() -> None:
    told = ledger.entered(Ledger(), [A], 0.0)
    settings = Settings(ttl=1800.0)

    assert ledger.context(told, 1800.0, settings).told == {A}
    assert ledger.context(told, 1801.0, settings).told == set()


def test_a_delivery_is_counted_from_its_latest_time() -> None:
    told = ledger.entered(ledger.entered(Ledger(), [A], 0.0), [A], 1000.0)

    assert ledger.context(told, 2000.0, Settings(ttl=1800.0)).told == {A}


def test_nothing_is_known_where_nothing_may_be_remembered() -> None:
    known = ledger.context(ledger.entered(Ledger(), [A], 0.0), 1.0, Settings(ttl=0.0))

    assert not has(known, Made(A, "s1", 0.0, None, ""))


def test_a_session_has_what_it_made_since_its_context_was_emptied() -> None:
    now = ledger.context(ledger.emptied(Ledger(), 100.0), 200.0)

    assert has(now, Made(A, "s1", 100.0, None, ""))
    assert not has(now, Made(A, "s1", 99.0, None, ""))


@pytest.mark.parametrize("session", ["s2", None])
def test_a_session_has_not_what_others_made(session: str | None) -> None:
    assert not has(Context(0.0), Made(A, session, 50.0, None, ""))


def test_a_session_has_what_it_was_told_whoever_made_it() -> None:
    told = ledger.context(ledger.entered(Ledger(), [B], 60.0), 70.0)

    assert has(told, ELSEWHERE)


def test_a_session_has_what_a_document_said_when_it_was_read() -> None:
    known = ledger.context(ledger.read(Ledger(), "docs/a.md", 60.0), 90.0)

    assert has(known, Made(A, "s2", 60.0, "docs/a.md", ""))
    assert not has(known, Made(A, "s2", 61.0, "docs/a.md", ""))
    assert not has(known, Made(A, "s2", 50.0, "docs/b.md", ""))


def test_an_emptied_context_keeps_what_came_in_after_it() -> None:
    before = ledger.read(ledger.entered(Ledger(), [A], 10.0), "a.md", 10.0)
    after = ledger.read(ledger.entered(before, [B], 30.0), "b.md", 30.0)

    assert ledger.emptied(after, 20.0) == Ledger(20.0, {B: 30.0}, {"b.md": 30.0})


@pytest.mark.parametrize(("at", "lasting", "kept"), [(10, True, 1), (10, False, 0), (20, False, 1)])
def test_an_emptied_context_keeps_instructions_that_last_or_came_after_it(
    at: float, lasting: bool, kept: int
) -> None:
    there = ledger.loaded(Ledger(), "CLAUDE.md", Loaded(at, lasting, frozenset()))

    assert len(ledger.emptied(there, 20.0).loaded) == kept


def test_an_emptying_that_is_told_late_takes_nothing_back() -> None:
    assert ledger.emptied(ledger.emptied(Ledger(), 20.0), 10.0).emptied == 20.0


@given(st.lists(st.binary(min_size=1, max_size=2), max_size=40), st.integers(1, 10))
def test_the_ledger_never_exceeds_its_capacity(contents: list[bytes], capacity: int) -> None:
    filled, settings = Ledger(), Settings(capacity=capacity)
    for at, content in enumerate(contents):
        filled = ledger.entered(filled, [content], float(at), settings)
        filled = ledger.read(filled, content.hex(), float(at), settings)

    assert max(len(filled.told), len(filled.read)) <= capacity
    assert not contents or contents[-1] in filled.told
    assert not contents or contents[-1].hex() in filled.read
