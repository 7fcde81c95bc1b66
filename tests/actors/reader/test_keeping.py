"""Notes of a reader on their way into a real store: whole, undoable, never over a person's word."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgpack
import pytest

from actors.core.failures import Conflicting
from actors.gate.endings import NAMED
from actors.memory.rows import Memory
from actors.memory.use import Review
from actors.memory.writes import Ended, Origin, Pinned
from actors.policy.decay.curve import Use
from actors.policy.reader.checks import Checked, checked
from actors.policy.reader.digest import Digest, Shown, Who
from actors.policy.reader.exchange import Answer
from actors.policy.reader.next_session import Unread
from actors.policy.reader.notes import PINNED, STATED, Surroundings
from actors.policy.secrets.redaction import redacted
from actors.reader.keeping import UNWANTED, Keeping, Outcome
from actors.reader.messages import CueVectored, NoteRow, ReadingBegun
from actors.reader.surroundings import around_session
from daemon.sources import ProjectSources
from daemon.storage import read_notes
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding, at, without_model
from tests.actors.house import House, open_house
from tests.actors.post import mail, queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event, new, written

pytestmark = VIRTUAL_TIME

PROJECT = "/home/dev/project"
WISH = "Please never push to main, open a pull request for each change"
FINDING = "The tests hang because huh opens /dev/tty and waits for a key."
SAID = BEGINNING + 100.0


def digest(*more: str) -> Digest:
    """A person's wish, an agent's finding, and what else the person said."""
    shown = [Shown(1, 1, SAID, Who.TYPED, WISH, 1), Shown(2, 2, SAID + 1, Who.AGENT, FINDING, 1)]
    shown += [
        Shown(number, number, SAID + number, Who.TYPED, text, 2)
        for number, text in enumerate(more, 3)
    ]
    return Digest(tuple(shown), 1, len(shown))


def note(text: str = "Never push to main: open a pull request.", **other: Any) -> dict[str, Any]:
    return {
        "kind": "wish", "title": "Pull requests", "text": text, "said_by": "user",
        "quote": "never push to main, open a pull request", "scope": "always",
        "relation": "none", "relation_id": None, **other,
    }  # fmt: skip


def finding(text: str = "Tests hang as huh opens /dev/tty.", **other: Any) -> dict[str, Any]:
    said = {"kind": "cause", "said_by": "agent", "quote": "huh opens /dev/tty and waits"}
    return note(text, **{**said, "scope": "when", **other})


class Desk:
    """A house with a reader's keeping in it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.staleness = queue("staleness")
        self.keeping = Keeping(
            house.store.reading, house.gate.mailbox, house.embedder.mailbox,
            house.long_term.mailbox, self.staleness.mailbox,
            ProjectSources(Here()),
        )  # fmt: skip

    def checked(self, *notes: dict[str, Any], known: tuple[str, ...] = ()) -> Checked:
        around = Surroundings("git push origin\ncmd/tty.go")
        found = checked(
            {"notes": list(notes), "stopped": "CI is red"}, digest(), known, around, redacted
        )
        assert found is not None
        return found

    async def read(
        self, *notes: dict[str, Any], known: tuple[str, ...] = (),
        project: str | None = PROJECT, tokens: Any = 1_234,
    ) -> Outcome:  # fmt: skip
        """Keep these notes as the answer of one reading."""
        begun = ReadingBegun(
            "s1", project, "command", "read because you corrected the agent", SAID, SAID, 1, 2, 900
        )
        (reading,) = await self.house.commit(begun)
        one = Unread(
            "s1", "claude", project, SAID, SAID, "ended", 0.0, 1, 2, 1, 0, 0.0, False, "", "", 0.0, SAID
        )  # fmt: skip
        return await self.keeping.keep(
            self.checked(*notes, known=known), reading, one, Answer({}, tokens, 0.004),
            upto=2, at=SAID + 3_600,
        )  # fmt: skip

    async def rows(self, query: str) -> list[tuple[Any, ...]]:
        return await self.house.store.reading.read(lambda sql: sql.rows(query))

    async def memory(self, memory_id: int) -> Memory:
        return await self.house.memory(memory_id)

    async def note(self, memory_id: int) -> NoteRow:
        row = await self.house.store.reading.read(lambda sql: read_notes.note_of(sql, memory_id))
        assert row is not None
        return row


@pytest.fixture
async def desk(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Desk]:
    """A desk without vectors."""
    for number, text in ((1, WISH), (2, FINDING)):
        body = bytes(msgpack.packb({"hook_event_name": "UserPromptSubmit", "prompt": text}))
        await written(store, event(number, session="s1", project=PROJECT, body=body))
    async with open_house(store, without_model(), clock) as house:
        yield Desk(house)


async def test_a_wish_is_a_persons_preference_of_the_time_of_its_event(desk: Desk) -> None:
    kept = await desk.read(note())
    memory = await desk.memory(1)

    assert kept.notes == 1
    assert (memory.text, memory.title) == (
        "Never push to main: open a pull request.",
        "Pull requests",
    )
    assert (memory.kind, memory.source, memory.status) == ("preference", "reader", "confirmed")
    assert (memory.project, memory.session, memory.created_at) == (PROJECT, "s1", SAID)
    assert (memory.tier, memory.pinned, memory.unjudged) == ("normal", False, False)


async def test_a_note_says_its_quotation_its_reading_and_why(desk: Desk) -> None:
    await desk.read(note())
    row = await desk.note(1)

    assert (row.quotation, row.said_by, row.scope, row.kind) == (
        "never push to main, open a pull request", "user", "always", "wish",
    )  # fmt: skip
    assert (row.engine, row.why) == ("command", "read because you corrected the agent")
    assert (row.seq, row.at, row.read_at) == (1, SAID, SAID + 3_600)


async def test_what_an_agent_found_is_noticed(desk: Desk) -> None:
    await desk.read(finding())
    memory = await desk.memory(1)

    assert (memory.kind, memory.source, memory.status) == ("discovery", "noticed-reader", "noticed")


async def test_the_mark_the_cost_and_where_it_stopped_are_kept_with_the_notes(desk: Desk) -> None:
    await desk.read(note(), finding(quote="made up"))

    assert await desk.rows("SELECT session, upto, stopped FROM read_session") == [
        ("s1", 2, "CI is red")
    ]
    assert await desk.rows("SELECT tokens, dollars, failure, written, dropped FROM reading") == [
        (1234, 0.004, "", 1, '{"a quotation that is not in the session": 1}')
    ]


async def test_an_answer_of_nothing_moves_the_mark(desk: Desk) -> None:
    kept = await desk.read()

    assert (kept.notes, kept.dropped) == (0, {})
    assert await desk.rows("SELECT upto FROM read_session") == [(2,)]


async def test_what_cannot_be_written_whole_leaves_nothing(desk: Desk) -> None:
    with pytest.raises(Conflicting):
        await desk.read(note(), finding(), tokens=None)  # no reading has an unknown cost

    assert await desk.house.texts() == []
    assert await desk.rows("SELECT upto FROM read_session") == []


async def test_a_note_ends_the_one_that_it_sharpens_and_both_stay_readable(desk: Desk) -> None:
    await desk.read(finding())
    kept = await desk.read(
        finding("Tests hang as huh opens /dev/tty; ACCESSIBLE=1 avoids it.", relation="refines", relation_id="m1"),
        known=("m1",),
    )  # fmt: skip
    old, row = await desk.memory(1), await desk.note(2)

    assert kept.notes == 1
    assert (old.ended, old.superseded_by) == ("deprecated", 2)
    assert (row.relation, row.named, row.ended, row.refusal) == ("refines", 1, True, "")


@pytest.mark.parametrize(("pinned", "why"), [(False, STATED), (True, PINNED)])
async def test_a_noticed_note_stands_beside_what_a_person_said_or_pinned(
    desk: Desk, pinned: bool, why: str
) -> None:
    await desk.house.commit(new("huh opens the terminal", project=PROJECT))
    await desk.house.commit(Pinned(1, pinned=pinned, at=SAID))
    kept = await desk.read(finding(relation="contradicts", relation_id="m1"), known=("m1",))
    beside = await desk.house.store.reading.read(lambda sql: read_notes.kept_beside(sql, 1))

    assert kept.notes == 1
    assert (await desk.memory(1)).ended is None
    assert (await desk.note(2)).refusal == why
    assert beside == [(2, why)]


async def test_two_notes_of_one_answer_end_a_note_once(desk: Desk) -> None:
    await desk.read(finding())
    kept = await desk.read(
        finding("Tests hang on huh, first.", relation="refines", relation_id="m1"),
        finding("Tests hang on huh, second.", relation="refines", relation_id="m1"),
        known=("m1",),
    )

    assert kept.notes == 2


async def test_the_same_makes_no_second_memory_and_strengthens_the_first(desk: Desk) -> None:
    await desk.read(finding())
    kept = await desk.read(
        finding("In other words, huh waits.", relation="same", relation_id="m1"), known=("m1",)
    )
    sent = mail(desk.house.strength)

    assert kept.notes == 0
    assert [(one.memory_id, one.use) for one in sent if isinstance(one, Review)] == [
        (1, Use.REINFORCED)
    ]


async def test_the_same_text_is_not_kept_twice(desk: Desk) -> None:
    await desk.read(finding())
    kept = await desk.read(finding())

    assert kept.notes == 0
    assert len(await desk.house.texts()) == 1


async def test_what_a_person_forgot_or_erased_does_not_come_back(desk: Desk) -> None:
    await desk.read(finding())
    await desk.house.commit(Ended(1, "forgotten", SAID))
    kept = await desk.read(finding(), note())

    assert kept.notes == 1
    assert kept.dropped == {UNWANTED: 1}


async def test_nothing_is_kept_outside_of_every_project(desk: Desk) -> None:
    kept = await desk.read(note(), project=None)

    assert kept.notes == 0
    assert await desk.house.texts() == []


async def test_cues_are_kept_as_what_they_are(desk: Desk) -> None:
    cues: dict[str, Any] = {
        "cue_prompts": ["push the fix"], "cue_files": ["cmd/tty.go"], "cue_symbols": [],
        "cue_commands": ["git push"], "cue_errors": [],
    }  # fmt: skip
    await desk.read(note(**cues))

    assert await desk.rows("SELECT kind, text, vector FROM cue ORDER BY kind") == [
        ("command", "git push", None), ("file", "cmd/tty.go", None), ("prompt", "push the fix", None),
    ]  # fmt: skip
    assert "git push" in (await desk.memory(1)).derived


async def test_a_request_names_what_its_session_gave_and_what_is_nearest(desk: Desk) -> None:
    await desk.house.commit(
        new("a commit of the session", project=PROJECT, origin=Origin("commit", "s1", 2, "commit")),
        new("we open a pull request for each change", project=PROJECT),
        new("the kitchen is blue", project=PROJECT),
        new("push to main of another project", project="/elsewhere"),
    )
    known = await desk.keeping.known_for(PROJECT, digest())

    assert [(one.id, one.text) for one in known] == [
        ("m1", "a commit of the session"),
        ("m2", "we open a pull request for each change"),
    ]


async def test_a_request_names_at_most_twenty_notes(desk: Desk) -> None:
    await desk.house.commit(*(new(f"push to main {one}", project=PROJECT) for one in range(30)))

    assert len(await desk.keeping.known_for(PROJECT, digest())) == 20


NEAR, FAR = "push the fix", "what is for lunch"
TEXT = "Pull requests\nNever push to main: open a pull request."


@pytest.fixture
async def seeing(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Desk]:
    """A desk with vectors: one prompt is near its note, another is as near to what is typed anyway."""
    for number in range(3, 16):
        body = bytes(
            msgpack.packb({"hook_event_name": "UserPromptSubmit", "prompt": f"lunch {number}"})
        )
        await written(store, event(number, session="s0", project=PROJECT, body=body))
    table = {TEXT: at(1.0), NEAR: at(0.9), FAR: at(0.5)}
    table |= {f"lunch {number}": at(0.52) for number in range(3, 16)}
    async with open_house(store, TableEmbedding(table), clock) as house:
        yield Desk(house)


async def test_a_prompt_that_does_not_bring_its_note_back_is_no_cue(seeing: Desk) -> None:
    await seeing.read(note(cue_prompts=[NEAR, FAR]))

    assert await seeing.rows("SELECT text, length(vector), model FROM cue") == [
        (NEAR, 256, "table-64")
    ]


async def test_cues_get_the_vectors_that_they_lack_with_the_next_reading(seeing: Desk) -> None:
    await seeing.read(note(cue_prompts=[NEAR]))
    await seeing.house.commit(CueVectored(NEAR, b"of another model", "old-model"))
    await seeing.read()

    assert await seeing.rows("SELECT text, length(vector), model FROM cue") == [
        (NEAR, 256, "table-64")
    ]


async def test_the_surroundings_are_what_the_session_said_and_what_its_project_has(
    desk: Desk, tmp_path: Path
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tty.go").write_text("package tty\n\nfunc OpenTty() {\n\treturn\n}\n")
    (tmp_path / "CLAUDE.md").write_text("Never push to main.\n")
    document = {
        "notes": [{"cue_files": ["src/tty.go", "src/made_up.go", "../tty.go", 3]}, "no note"]
    }
    found = await around_session(desk.keeping.sources, document, [], str(tmp_path))

    assert found.tree == {"src/tty.go"}
    assert len(found.instructions) == 1


async def test_likeness_alone_ends_no_note_of_a_reader(
    store: OpenStore, clock: FollowingClock
) -> None:
    commit = "Commit ab12cd3 on main: Tests no longer hang as huh opens /dev/tty."
    table = {"Tests hang as huh opens /dev/tty.": at(1.0), commit: at(0.95)}
    async with open_house(store, TableEmbedding(table), clock) as house:
        desk = Desk(house)
        await desk.read(finding(title=""))
        await house.vectored()
        verdict = await house.keep(commit, origin=Origin("commit"), project=PROJECT)

    assert verdict.action == "CREATE_LINKED"
    assert verdict.reason.startswith(NAMED)
