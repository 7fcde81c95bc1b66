"""Documents: what sessions write, edit and read becomes memories that follow the document."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from itertools import count
from pathlib import Path

import pytest
import trio
from msgspec import Struct, field

from actors.core.mailbox import Queue
from actors.intake.documents import Documents
from actors.intake.extraction import Extraction
from actors.intake.messages import ExtractionMessage, Happened
from actors.memory.rows import Memory
from actors.memory.writes import Ended, Pinned
from actors.passages.passages import Passages
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.secrets.redaction import redacted
from daemon.projects import place_in
from daemon.settings import Passages as Bounds
from daemon.sources import ProjectSources
from daemon.storage.memories import MEMORY
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event as journaled

pytestmark = VIRTUAL_TIME

NOTES = """# Handoff

## Gotchas

- **`make lint` hangs on macOS**: the watcher waits for `fsevents`, because the sandbox denies it.
- **Never run `reset.sh` on staging**: it drops the `orders` table, since both share one database.
"""
LINT, RESET = "`make lint` hangs", "Never run `reset.sh`"


class Desk(Struct):
    """A session at work in a project on the disk."""

    house: House
    inbox: Queue[ExtractionMessage]
    project: Path
    seqs: count[int] = field(default_factory=lambda: count(1))

    async def happen(self, kind: EventKind, tool: Tool | None = None, session: str = "s1") -> None:
        seq = next(self.seqs)
        await self.house.commit(journaled(seq))
        event = Event("claude", kind, session, str(self.project), tool=tool)
        await self.inbox.mailbox.tell(Happened(seq, BEGINNING + seq, event, str(self.project)))

    async def write(self, place: str, text: str, *, on_disk: bool = True) -> None:
        path = self.project / place
        if on_disk:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        call = {"file_path": str(path), "content": text}
        await self.happen(EventKind.TOOL, Tool("Write", call))

    async def end_turn(self) -> None:
        await self.happen(EventKind.TURN_END)
        await self.house.settled()

    async def learn(self, place: str, text: str, *, on_disk: bool = True) -> list[str]:
        await self.write(place, text, on_disk=on_disk)
        await self.end_turn()
        return await self.living()

    async def memories(self) -> list[Memory]:
        return await self.house.store.reading.read(
            lambda sql: sql.records(Memory, f"{MEMORY} WHERE m.source = 'document' ORDER BY m.id")
        )

    async def living(self) -> list[str]:
        return [one.text for one in await self.memories() if one.ended is None]


@pytest.fixture
async def desk(store: OpenStore, clock: FollowingClock, tmp_path: Path) -> AsyncGenerator[Desk]:
    project = (tmp_path / "shop").resolve()
    project.mkdir()
    await trio.run_process(["git", "init", "-q", str(project)])
    async with open_house(store, TableEmbedding(), clock) as house:
        archive = Passages(Bounds().days, store.reading, Here(), house.long_term.mailbox)
        documents = Documents(ProjectSources(Here()), Here(), redacted, place_in)
        actor = Extraction(
            house.gate.mailbox, house.long_term.mailbox, queue("tagging").mailbox, Here(),
            store.reading, documents=documents, passages=archive,
        )  # fmt: skip
        inbox = queue("extraction")
        async with house.joined_by(actor, inbox):
            yield Desk(house, inbox, project)


async def test_what_a_note_warns_of_is_learnt_when_the_turn_ends(desk: Desk) -> None:
    await desk.write("HANDOFF.md", NOTES)
    during = await desk.living()
    await desk.end_turn()
    lint, reset = await desk.memories()

    assert during == []
    assert lint.text.startswith(LINT)
    assert reset.text.startswith(RESET)
    assert (lint.kind, reset.kind) == ("discovery", "convention")
    assert lint.status == "noticed"
    assert lint.key is not None
    assert lint.key.startswith("document:HANDOFF.md:5:")
    assert lint.key.endswith("#Handoff > Gotchas")


async def test_a_later_wording_replaces_the_earlier_and_a_removed_item_ends(desk: Desk) -> None:
    await desk.learn("HANDOFF.md", NOTES)
    reworded = NOTES.replace("hangs on macOS", "hangs on macOS 15").split("- **Never")[0]

    left = await desk.learn("HANDOFF.md", reworded)

    first, second, third = await desk.memories()
    assert left == [third.text]
    assert "macOS 15" in third.text
    assert (first.ended, first.superseded_by) == ("deprecated", third.id)
    assert (second.ended, second.superseded_by) == ("deprecated", None)


async def test_an_edit_is_read_from_the_file_when_the_turn_ends(desk: Desk) -> None:
    path = desk.project / "docs" / "lessons.md"
    path.parent.mkdir()
    path.write_text(NOTES)
    call = {"file_path": str(path), "old_string": "x", "new_string": "y"}

    for _ in range(3):
        await desk.happen(EventKind.TOOL, Tool("Edit", call))
    await desk.end_turn()

    assert len(await desk.living()) == 2


async def test_a_document_that_is_not_on_the_disk_is_learnt_from_what_the_session_shows(
    desk: Desk,
) -> None:
    await desk.write("HANDOFF.md", NOTES, on_disk=False)
    path = str(desk.project / "HANDOFF.md")
    call = {"file_path": path, "old_string": "on macOS", "new_string": "on macOS 15"}
    await desk.happen(EventKind.TOOL, Tool("Edit", call))
    await desk.end_turn()

    lint, _ = await desk.living()
    assert "macOS 15" in lint


async def test_what_git_ignores_is_learnt_only_of_the_agents_own_notes(desk: Desk) -> None:
    (desk.project / ".gitignore").write_text("docs/\nHANDOFF.md\n")

    await desk.write("docs/limits.md", NOTES.replace("lint", "docs"))
    told = await desk.learn("HANDOFF.md", NOTES)

    assert len(told) == 2
    assert told[0].startswith(LINT)


async def test_secrets_of_a_file_are_taken_out_before_it_is_read(desk: Desk) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    said = NOTES.replace("on macOS", f"with `GITHUB_TOKEN={token}`")

    told = await desk.learn("HANDOFF.md", said)

    assert len(told) == 2
    assert token not in " ".join(told)


async def test_a_document_does_not_bring_back_what_a_person_forgot_nor_end_what_is_pinned(
    desk: Desk,
) -> None:
    await desk.learn("HANDOFF.md", NOTES)
    lint, reset = await desk.memories()
    await desk.house.commit(Ended(lint.id, "forgotten", BEGINNING))
    await desk.house.commit(Pinned(reset.id, True, BEGINNING))

    told = await desk.learn("HANDOFF.md", NOTES.split("- **Never")[0])

    assert told == [reset.text]


async def test_another_sessions_turn_does_not_tell_what_this_one_wrote(desk: Desk) -> None:
    await desk.write("HANDOFF.md", NOTES)
    await desk.happen(EventKind.TURN_END, session="s2")
    await trio.sleep(1)

    assert await desk.living() == []


@pytest.mark.parametrize("place", ["CLAUDE.md", "src/app.py", "vendor/x/README.md", "LICENSE.md"])
async def test_of_instructions_code_and_what_others_wrote_nothing_is_learnt(
    desk: Desk, place: str
) -> None:
    assert await desk.learn(place, NOTES) == []


async def test_whatever_is_learnt_of_a_document_it_can_be_searched(desk: Desk) -> None:
    await desk.write("HANDOFF.md", NOTES)
    await desk.write("CHANGELOG.md", "# Changes\n\n- Never run `reset.sh`: it drops the table.\n")
    await desk.write("AGENTS.md", "# Rules\n\n- Never run `reset.sh`: it drops the table.\n")
    await desk.write("src/app.py", "print()")
    await desk.end_turn()

    kept = await desk.house.store.reading.read(
        lambda sql: sql.rows("SELECT place, text FROM passage ORDER BY id")
    )
    assert {place for place, _ in kept} == {"HANDOFF.md", "CHANGELOG.md", "AGENTS.md"}
    assert all(text in NOTES for place, text in kept if place == "HANDOFF.md")
    assert {one.key.partition(":")[2][:10] for one in await desk.memories() if one.key} == {
        "HANDOFF.md"
    }
