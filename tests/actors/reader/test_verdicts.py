"""A person's verdicts on notes of the reader, each taken back: what was ended lives again, and not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from actors.policy.decay.curve import FSRS6_DECAY
from actors.policy.secrets.redaction import redacted
from daemon.answers.reader import drop, edit, keep, undo
from daemon.context import Parts
from daemon.settings import Settings
from daemon.shapes.replies import BadRequest
from daemon.storage import read_notes
from daemon.supervisor import Mailboxes
from tests.actors.reader.test_keeping import Desk, desk, finding
from tests.clock import VIRTUAL_TIME

pytestmark = VIRTUAL_TIME
__all__ = ["desk"]

OLD = "Tests hang as huh opens /dev/tty."
NEW = "Tests hang as huh opens /dev/tty; ACCESSIBLE=1 avoids it."


def parts(desk: Desk) -> Parts:
    """Tell what verdicts need of a daemon's parts."""
    nothing: dict[str, Any] = dict.fromkeys(Parts.__struct_fields__)
    house, made = desk.house, Parts(**nothing)  # with its own functions, and of its parts these
    made.clock, made.reader, made.redact = house.judge.clock, house.store.reading, redacted
    made.project_of = str
    made.mailboxes = cast(
        "Mailboxes", SimpleNamespace(long_term=house.long_term.mailbox, gate=house.gate.mailbox)
    )
    made.settings = cast("Settings", SimpleNamespace(strength=SimpleNamespace(decay=FSRS6_DECAY)))
    return made


async def sharpened(desk: Desk) -> Parts:
    """Two notes, of which the second ends the first."""
    await desk.read(finding(OLD))
    await desk.read(finding(NEW, relation="refines", relation_id="m1"), known=("m1",))
    return parts(desk)


async def living(desk: Desk) -> list[str]:
    return await desk.house.texts()


async def unseen(desk: Desk) -> int:
    return await desk.house.store.reading.read(read_notes.inbox_count)


async def test_a_kept_note_is_not_in_the_inbox_any_more(desk: Desk) -> None:
    await desk.read(finding(OLD))
    before = await unseen(desk)
    await keep(parts(desk), await desk.note(1))
    after = await unseen(desk)
    await undo(parts(desk), await desk.note(1))

    assert (before, after) == (1, 0)
    assert await unseen(desk) == 1


async def test_dropping_a_note_brings_back_what_it_ended(desk: Desk) -> None:
    of = await sharpened(desk)
    told = await drop(of, await desk.note(2))

    assert await living(desk) == [OLD]
    assert told == "m1 lives again"
    assert (await desk.memory(1)).valid_until is None


async def test_a_drop_is_taken_back(desk: Desk) -> None:
    of = await sharpened(desk)
    before = await desk.memory(1)
    await drop(of, await desk.note(2))
    told = await undo(of, await desk.note(2))
    after = await desk.memory(1)

    assert await living(desk) == [NEW]
    assert told == "m1 has ended by it"
    assert (after.ended, after.superseded_by, after.valid_until) == (
        before.ended, before.superseded_by, before.valid_until,
    )  # fmt: skip


async def test_what_was_dropped_is_kept_only_once_that_is_taken_back(desk: Desk) -> None:
    of = await sharpened(desk)
    await drop(of, await desk.note(2))
    with pytest.raises(BadRequest):
        await keep(of, await desk.note(2))

    assert await drop(of, await desk.note(2)) == ""


async def test_an_edited_note_says_something_else_until_that_is_taken_back(desk: Desk) -> None:
    await desk.read(finding(OLD))
    of: Any = parts(desk)
    await edit(of, await desk.note(1), "huh opens /dev/tty: set ACCESSIBLE=1")
    edited = await living(desk)
    await undo(of, await desk.note(1))

    assert edited == ["huh opens /dev/tty: set ACCESSIBLE=1"]
    assert await living(desk) == [OLD]


async def test_a_verdict_after_another_is_taken_back_to_that_one(desk: Desk) -> None:
    await desk.read(finding(OLD))
    of = parts(desk)
    await keep(of, await desk.note(1))
    await drop(of, await desk.note(1))
    await undo(of, await desk.note(1))

    assert (await desk.note(1)).verdict == "kept"
    assert await living(desk) == [OLD]
