"""What ``why`` and ``show`` say of a note: its words, its reading, what it ended."""

from __future__ import annotations

import pytest

from actors.memory.writes import Erased
from actors.policy.reader.becoming import STATED
from daemon.answers.quotations import read_of
from tests.actors.reader.test_keeping import Desk, desk, finding, note
from tests.actors.reader.test_verdicts import parts, sharpened
from tests.writing import new, written

pytestmark = pytest.mark.trio
__all__ = ["desk"]


async def test_a_note_tells_its_reading_and_the_words_that_prove_it(desk: Desk) -> None:
    await desk.read(note())

    assert await read_of(parts(desk), 1) == [
        "The reader (command) wrote it today: read because you corrected the agent.",
        "The user said: “never push to main, open a pull request”.",
    ]


async def test_a_note_tells_what_it_ended(desk: Desk) -> None:
    of = await sharpened(desk)

    assert "It refines m1, which ended by it." in await read_of(of, 2)


async def test_a_refused_ending_is_told_of_both(desk: Desk) -> None:
    await desk.house.commit(new("huh opens the terminal", project="/home/dev/project"))
    await desk.read(finding(relation="contradicts", relation_id="m1"), known=("m1",))

    assert f"It contradicts m1, and both stay: {STATED}." in await read_of(parts(desk), 2)
    assert await read_of(parts(desk), 1) == [f"m2 would have ended it, and both stay: {STATED}."]


async def test_a_note_that_waits_says_where(desk: Desk) -> None:
    of = await sharpened(desk, waits=True)

    assert "It waits until you keep it: reverie inbox." in await read_of(of, 2)


async def test_no_reader_has_to_do_with_any_other_memory(desk: Desk) -> None:
    await desk.house.commit(new("the port is 5432"))

    assert await read_of(parts(desk), 1) == []


async def test_a_note_whose_event_was_erased_says_so(desk: Desk) -> None:
    await desk.read(note())
    await desk.house.commit(new("never push to main, open a pull request"))
    await written(desk.house.store, Erased((2,)))

    assert "The words that prove it were erased." in await read_of(parts(desk), 1)
