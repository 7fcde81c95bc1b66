"""Sentences of ``why`` and ``show`` about a note: its words, its reading, what it ended."""

from __future__ import annotations

import pytest

from actors.memory.use import Credited, Exposed
from actors.memory.writes import Erased
from actors.policy.reader.notes import STATED
from daemon.answers.why import read_of
from daemon.api.transfer import Import
from daemon.shapes.rows import ImportRow, RowCue, RowReading
from daemon.storage import read_notes
from tests.actors.reader.test_keeping import Desk, desk, finding, note
from tests.actors.reader.test_verdicts import parts, sharpened
from tests.clock import VIRTUAL_TIME
from tests.writing import new, written

pytestmark = VIRTUAL_TIME
__all__ = ["desk"]


async def test_a_note_tells_its_reading_and_the_words_that_prove_it(desk: Desk) -> None:
    await desk.read(note())

    read, said = await read_of(parts(desk), 1)

    assert read.startswith("The reader (command) wrote it ")
    assert read.endswith(": read because you corrected the agent.")
    assert said == "The user said: “never push to main, open a pull request”."


async def test_a_note_tells_what_it_ended(desk: Desk) -> None:
    of = await sharpened(desk)

    assert "It refines m1, which ended by it." in await read_of(of, 2)


async def test_a_refused_ending_is_told_of_both(desk: Desk) -> None:
    await desk.house.commit(new("huh opens the terminal", project="/home/dev/project"))
    await desk.read(finding(relation="contradicts", relation_id="m1"), known=("m1",))

    assert f"It contradicts m1, and both stay: {STATED}." in await read_of(parts(desk), 2)
    assert await read_of(parts(desk), 1) == [f"m2 would have ended it, and both stay: {STATED}."]


async def test_no_reader_has_to_do_with_any_other_memory(desk: Desk) -> None:
    await desk.house.commit(new("the port is 5432"))

    assert await read_of(parts(desk), 1) == []


async def test_a_note_whose_event_was_erased_says_so(desk: Desk) -> None:
    await desk.read(note())
    await desk.house.commit(new("never push to main, open a pull request"))
    await written(desk.house.store, Erased((2,)))

    assert "The words that prove it were erased." in await read_of(parts(desk), 1)


@pytest.mark.parametrize(
    ("place", "where"), [("tool", "before its command"), ("failure", "at its error")]
)
async def test_a_note_that_three_sessions_were_told_in_vain_is_said_to_be_silent_there(
    desk: Desk, place: str, where: str
) -> None:
    await desk.read(note())
    told = [Exposed((1,), f"s{n}", place, float(n)) for n in (1, 2, 2)]
    silent = f"It is not told {where} any more: 3 sessions were told it there, and none has used it since."

    await written(desk.house.store, *told)
    twice = await read_of(parts(desk), 1)
    await written(desk.house.store, Exposed((1,), "s3", place, 3.0))
    thrice = await read_of(parts(desk), 1)
    await written(desk.house.store, Credited(1, "s4", "opened", 4.0))

    assert (silent in twice, silent in thrice) == (False, True)
    assert silent not in await read_of(parts(desk), 1)


async def test_what_proves_a_note_comes_with_it_from_another_home(desk: Desk) -> None:
    row = ImportRow(
        text="Open a pull request.", project="/home/dev/project", id="m9",
        read=RowReading(
            kind="wish", said_by="user", scope="always", session="s9",
            quotation="never push; the password is hunter2Gq7!xZ",
            cues=[RowCue(kind="prompt", text="push it")],
        ),
    )  # fmt: skip

    async def nothing(_: object) -> None:
        """Nobody waits for progress."""

    await Import(rows=[row], merge=True).answer(parts(desk), nothing)
    read = await desk.note(1)

    assert (read.kind, read.session, read.is_living) == ("wish", "s9", True)
    assert read.quotation.startswith("never push")
    assert "hunter2" not in read.quotation
    assert await desk.rows("SELECT kind, text FROM cue") == [("prompt", "push it")]
    assert await desk.house.store.reading.read(read_notes.inbox_count) == 0
