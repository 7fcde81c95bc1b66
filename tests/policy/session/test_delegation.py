"""A subagent that starts has the first task that waits for its type."""

from __future__ import annotations

import pytest

from actors.policy.session.tasks import MOST, WAITS, Task, given, started

USUAL = "general-purpose"
ONE, TWO, OTHER = Task("one", USUAL, 1.0), Task("two", USUAL, 2.0), Task("three", "Explore", 3.0)


def test_the_first_given_is_the_first_started_of_its_type() -> None:
    first, left = started((ONE, TWO, OTHER), USUAL, 4.0)
    other, rest = started(left, "Explore", 4.0)

    assert (first, other, rest) == (ONE, OTHER, (TWO,))


@pytest.mark.parametrize("named", ["", "default"])
def test_a_subagent_without_a_type_is_of_the_usual_one(named: str) -> None:
    assert started((OTHER, ONE), named, 4.0)[0] == ONE
    assert started((OTHER, Task("any", "", 1.0)), USUAL, 4.0)[0] == Task("any", "", 1.0)


def test_a_subagent_of_a_type_for_which_no_task_waits_has_none() -> None:
    assert started((ONE, TWO), "Explore", 4.0) == (None, (ONE, TWO))


def test_a_task_that_started_nothing_for_a_minute_is_forgotten() -> None:
    assert started((ONE, TWO), USUAL, 1.5 + WAITS) == (TWO, ())


def test_so_many_wait_at_most_and_the_oldest_goes() -> None:
    waiting: tuple[Task, ...] = ()
    for number in range(MOST + 1):
        waiting = given(waiting, Task(str(number), USUAL, number))

    assert [task.text for task in waiting] == [str(number) for number in range(1, MOST + 1)]
