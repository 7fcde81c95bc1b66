"""Which lines are matched, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lsp.documents import NEAR, Span, Unread


def read(lines: int) -> Unread:
    unread = Unread(lines)
    unread.read(Span(0, lines))
    return unread


def test_a_changed_line_is_due_when_it_was_left_alone() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)

    assert unread.due(0.8) == pytest.approx(10.8)
    assert unread.settled(now=10.7, quiet=0.8) == []
    assert unread.settled(now=10.8, quiet=0.8) == [Span(1, 2)]


def test_typing_on_keeps_a_line_waiting() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)
    unread.replace(Span(1, 2), 1, now=10.5)

    assert unread.settled(now=11.0, quiet=0.8) == []


def test_near_lines_are_asked_as_one() -> None:
    unread = read(60)
    for line in (2, 10, 50):
        unread.replace(Span(line, line + 1), 1, now=0.0)

    assert unread.settled(now=9.0, quiet=0.8) == [Span(2, 11), Span(50, 51)]


def test_a_line_being_typed_is_not_asked_with_its_neighbours() -> None:
    unread = read(9)
    for line, at in ((2, 0.0), (4, 9.0), (6, 0.0)):
        unread.replace(Span(line, line + 1), 1, now=at)

    assert unread.settled(now=9.5, quiet=0.8) == [Span(2, 3), Span(6, 7)]


def test_forgotten_lines_are_due_again_but_not_sooner_than_those_being_typed() -> None:
    unread = read(3)
    unread.replace(Span(1, 2), 1, now=10.0)
    unread.forget(at=9.0)

    assert unread.settled(now=10.0, quiet=0.8) == [Span(0, 1), Span(2, 3)]


@given(st.lists(st.sampled_from([None, 0.0, 10.0]), max_size=80), st.integers(1, NEAR + 5))
def test_every_settled_line_is_in_a_span_and_no_typed_one(
    changed: list[float | None], stretch: int
) -> None:
    lines = [at for at in changed for _ in range(stretch)]
    unread = read(len(lines))
    for line, at in enumerate(lines):
        if at is not None:
            unread.replace(Span(line, line + 1), 1, now=at)

    spans = unread.settled(now=10.5, quiet=0.8)

    covered = {line for span in spans for line in range(*span)}
    assert {line for line, at in enumerate(lines) if at == 0.0} <= covered
    assert not {line for line, at in enumerate(lines) if at == 10.0} & covered
