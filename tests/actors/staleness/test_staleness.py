"""Staleness at work on a real store and a real folder, with bare mailboxes as its neighbours."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
import trio
from msgspec import Struct

from actors.core.mailbox import Queue
from actors.intake.messages import Happened
from actors.memory.rows import MemoriesChanged
from actors.memory.writes import Erased, Origin, Rewritten
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.references.references import Reference, State
from actors.policy.references.symbols import digest
from actors.staleness.messages import FileOpened, HoldsStill, PlaceGiven, WhatIsStale
from actors.staleness.staleness import BULK, BUSIEST, LASTS, PAUSE, QUIET, TURN, Staleness
from daemon.sources import DiskFolder, ProjectSources
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding
from tests.actors.house import House, open_house
from tests.actors.post import queue
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.repositories import git
from tests.writing import new

pytestmark = VIRTUAL_TIME
T = TypeVar("T")

PAY = "def charge(bill):\n    return bill\n\n\ndef refund(bill):\n    return -bill\n"
ROUNDED = PAY.replace("return bill", "return round(bill)")
CHANGED = "charge in src/pay.py changed since"


def worktree(project: Path) -> Path:
    """A worktree within a project that is a repository from now on."""
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-q", "-m", "begin")
    git(project, "worktree", "add", "-q", "trees/one")
    return project / "trees/one"


class CountedFolder(DiskFolder, kw_only=True):
    """A folder that says when it is listed."""

    listed: Callable[[], None]

    def files(
        self, under: str, is_wanted: Callable[[str], bool], most: int | None = None
    ) -> list[str] | None:
        self.listed()
        return super().files(under, is_wanted, most)


class CountedSources(ProjectSources):
    """The real files, and how often somebody looked at them, and listed them."""

    def __init__(self) -> None:
        super().__init__(Here())
        self.visits = 0
        self.listings = 0

    async def visit(self, project: str, function: Callable[[DiskFolder], T]) -> T | None:
        self.visits += 1
        return await super().visit(
            project, lambda _: function(CountedFolder(Path(project), listed=self._listed))
        )

    def _listed(self) -> None:
        self.listings += 1


class Bench(Struct):
    """Staleness at work beside long-term memory."""

    house: House
    actor: Staleness
    inbox: Queue[Any]
    sources: CountedSources
    project: Path

    def write(self, text: str) -> None:
        (self.project / "src/pay.py").write_text(text)

    async def tell(self, message: object) -> None:
        await self.inbox.mailbox.tell(message)
        await self.house.settled()

    async def keep(self, text: str, session: str | None = None) -> int:
        """A memory of the project that staleness was told of."""
        (memory_id,) = await self.house.commit(
            new(text, project=str(self.project), origin=Origin("hand", session))
        )
        await self.tell(MemoriesChanged((memory_id,)))
        return memory_id

    async def reword(self, kept: int, text: str) -> None:
        """A person rewrites a memory, and staleness hears of it."""
        await self.house.commit(
            Rewritten(kept, text, text, (), (), b"other".ljust(16), BEGINNING, "a person")
        )
        await self.tell(MemoriesChanged((kept,)))

    def opened(self, path: str) -> FileOpened:
        return FileOpened(str(self.project / path), str(self.project))

    def anew(self) -> tuple[Staleness, Queue[Any]]:
        """Another one, as after a restart."""
        box = self.house.long_term.mailbox
        return Staleness(self.house.store.reading, self.sources, box), queue("new")

    async def happen(
        self, kind: EventKind, session: str, tool: Tool | None = None, *, cwd: Path | None = None
    ) -> None:
        event = Event("claude", kind, session, tool=tool, cwd=str(cwd or self.project))
        await self.tell(Happened(1, BEGINNING, event, str(self.project)))

    async def edit(self, session: str, text: str) -> None:
        """A turn of a session that edits the file."""
        self.write(text)
        path = str(self.project / "src/pay.py")
        await self.happen(EventKind.TOOL, session, Tool("Edit", {"file_path": path}))
        await self.happen(EventKind.TURN_END, session)

    async def said(self, memory_id: int) -> str:
        return (await self.house.memory(memory_id)).stale

    async def about(self, memory_id: int) -> tuple[Reference, ...]:
        return await self.house.store.reading.references_of(memory_id)


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock, tmp_path: Path) -> AsyncGenerator[Bench]:
    """A project with one file."""
    project = tmp_path / "shop"
    (project / "src").mkdir(parents=True)
    async with open_house(store, TableEmbedding(), clock) as house:
        sources = CountedSources()
        actor = Staleness(store.reading, sources, house.long_term.mailbox)
        inbox = queue("staleness")
        async with house.joined_by(actor, inbox):
            made = Bench(house, actor, inbox, sources, project)
            made.write(PAY)
            yield made


async def test_a_symbol_is_searched_for_in_the_project_when_the_text_names_no_file(
    bench: Bench,
) -> None:
    (bench.project / "src/notes.md").write_text("def refund(): said a document")

    known = await bench.keep("`refund` is never rounded")
    unknown = await bench.keep("`chargeback` is never rounded")

    (about,) = await bench.about(known)
    assert (about.path, about.symbol) == ("src/pay.py", "refund")
    assert await bench.about(unknown) == ()


async def test_a_symbol_is_found_in_a_file_that_the_session_touched(bench: Bench) -> None:
    (bench.project / "src/cash.py").write_text(PAY)
    path = str(bench.project / "src/pay.py")
    await bench.happen(EventKind.TOOL, "s1", Tool("Read", {"file_path": path}))

    assert await bench.about(await bench.keep("`charge` never rounds", "s1"))
    assert not await bench.about(await bench.keep("`charge` never rounds at all", "s2"))


async def test_it_is_looked_at_when_a_session_begins(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    bench.write(ROUNDED)
    before = await bench.said(kept)
    await bench.happen(EventKind.SESSION_START, "s2")

    assert (before, await bench.said(kept)) == ("", CHANGED)
    assert (await bench.house.memory(kept)).freshness == 0.5


async def test_it_is_looked_at_when_a_turn_has_edited_and_at_no_other_event(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds", "s1")
    visits = bench.sources.visits
    bench.write(ROUNDED)
    await bench.happen(EventKind.PROMPT, "s2")
    await bench.happen(EventKind.TOOL, "s2", Tool("Read", {"file_path": "src/pay.py"}))
    await bench.happen(EventKind.TURN_END, "s2")
    idle = bench.sources.visits - visits
    await bench.edit("s2", ROUNDED)

    assert idle == 0
    assert await bench.said(kept) == CHANGED


async def test_what_its_own_session_edits_is_taken_as_it_is(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds", "s1")
    await bench.edit("s1", ROUNDED)
    own = await bench.said(kept)
    await bench.edit("s2", PAY)

    assert (own, await bench.said(kept)) == ("", CHANGED)


async def test_what_was_seen_changed_in_the_midst_of_its_own_turn_is_taken_back(
    bench: Bench,
) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds", "s1")
    bench.write(ROUNDED)
    await bench.happen(EventKind.SESSION_START, "s2")
    seen = await bench.said(kept)
    await bench.edit("s1", ROUNDED)

    assert (seen, await bench.said(kept)) == (CHANGED, "")


async def test_a_look_at_one_memory_is_a_look_at_all_about_its_files(bench: Bench) -> None:
    asked = await bench.keep("`refund` in src/pay.py is negative")
    other = await bench.keep("`charge` in src/pay.py never rounds")
    bench.write(ROUNDED)
    await bench.inbox.mailbox.ask(WhatIsStale((asked,)), within=5)

    assert (await bench.said(asked), await bench.said(other)) == ("", CHANGED)


async def test_a_question_is_answered_by_what_the_files_say_now(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    other = await bench.keep("nobody rounds")
    bench.write(ROUNDED)

    async def asked() -> dict[int, str]:
        return await bench.inbox.mailbox.ask(WhatIsStale((kept, other)), within=5)

    assert await asked() == {kept: CHANGED}
    assert await asked() == {kept: CHANGED}
    bench.write(PAY)
    assert await asked() == {kept: ""}


async def test_an_opened_file_is_looked_at(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    bench.write(ROUNDED)
    await bench.tell(bench.opened("src/other.py"))
    other = await bench.said(kept)
    await bench.tell(bench.opened("src/pay.py"))

    assert (other, await bench.said(kept)) == ("", CHANGED)


async def test_a_person_confirms_what_changed(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    await bench.edit("s2", ROUNDED)
    await bench.tell(HoldsStill((kept,)))

    assert await bench.said(kept) == ""
    assert (await bench.house.memory(kept)).freshness == 1.0


async def test_a_rewritten_memory_is_about_what_it_says_now(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    await bench.edit("s2", ROUNDED)
    await bench.reword(kept, "`refund` in src/pay.py never rounds")

    assert [one.symbol for one in await bench.about(kept)] == ["refund"]
    assert await bench.said(kept) == ""


async def test_nothing_is_left_of_what_was_erased(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    await bench.house.erase(Erased((kept,)))
    await bench.tell(MemoriesChanged((kept,)))

    assert await bench.about(kept) == ()
    assert len(bench.actor.known) == 0


async def test_a_project_that_is_away_makes_nothing_stale(bench: Bench) -> None:
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    bench.project.rename(bench.project.parent / "away")
    await bench.happen(EventKind.SESSION_START, "s2")

    assert await bench.said(kept) == ""


async def unread(bench: Bench, count: int) -> list[int]:
    """Memories that staleness was not told of, as those of a store that is older than it is."""
    texts = (f"`refund` is negative, said {n}" for n in range(count))
    return await bench.house.commit(*(new(one, project=str(bench.project)) for one in texts))


async def restarted(bench: Bench, *messages: object) -> Staleness:
    """Staleness as it is some seconds after a restart, and after it was told this."""
    anew, inbox = bench.anew()
    async with bench.house.joined_by(anew, inbox):
        for message in messages:
            await inbox.mailbox.tell(message)
        await trio.sleep(10)
    return anew


async def test_after_a_restart_it_knows_and_reads_nothing_of_a_project_that_nobody_opens(
    bench: Bench,
) -> None:
    await bench.keep("`charge` in src/pay.py never rounds")
    await unread(bench, 1)
    visits = bench.sources.visits

    anew = await restarted(bench)

    assert (len(anew.known), bench.sources.visits) == (1, visits)


async def test_what_is_older_than_references_is_read_once_when_an_editor_opens_the_project(
    bench: Bench,
) -> None:
    ids = await unread(bench, 2 * TURN + 1)
    (nothing,) = await bench.house.commit(new("nobody rounds", project=str(bench.project)))
    opened = bench.opened("src/other.py")

    first = await restarted(bench, opened, opened)
    visits = bench.sources.visits
    again = await restarted(bench, opened)

    about = [(one.symbol, one.path) for id_ in ids for one in await bench.about(id_)]
    assert about == [("refund", "src/pay.py")] * len(ids)
    assert await bench.about(nothing) == ()
    assert len(first.known) == len(again.known) == len(ids)
    assert (visits, bench.sources.visits) == (3 + 1, visits)  # the turns, and the survey


async def test_such_reading_leaves_room_for_messages_and_stops_with_the_actor(bench: Bench) -> None:
    ids = await unread(bench, 3 * TURN)
    anew, inbox = bench.anew()
    async with bench.house.joined_by(anew, inbox):
        await inbox.mailbox.tell(bench.opened("a.py"))
        await trio.sleep(PAUSE / 2)
        read = len(anew.known)
        await inbox.mailbox.ask(WhatIsStale((ids[-1],)), within=PAUSE / 4)
    await trio.sleep(10)

    assert read == TURN
    assert len(anew.known) == TURN


async def test_what_could_not_be_read_is_read_when_the_project_is_opened_again(
    bench: Bench,
) -> None:
    (kept,) = await unread(bench, 1)
    opened = bench.opened("src/other.py")
    away = bench.project.rename(bench.project.parent / "away")
    await bench.tell(opened)
    away.rename(bench.project)
    before = await bench.about(kept)
    await restarted(bench, opened)

    assert before == ()
    assert [one.symbol for one in await bench.about(kept)] == ["refund"]


async def test_a_folder_is_listed_once_for_all_memories_that_name_something_in_it(
    bench: Bench,
) -> None:
    known = [await bench.keep(f"`refund` is negative, said {n}, see pay.py") for n in range(5)]
    first = bench.sources.listings
    await bench.edit("s1", PAY + "\n\ndef cancel(bill):\n    return None\n")
    new = await bench.keep("`cancel` gives nothing")

    assert all([[one.symbol for one in await bench.about(each)] == ["refund"] for each in known])
    assert [(one.symbol, one.path) for one in await bench.about(new)] == [("cancel", "src/pay.py")]
    assert (first, bench.sources.listings) == (1, 2)


async def test_what_an_import_brings_is_read_in_turns_between_which_others_are_answered(
    bench: Bench,
) -> None:
    ids = await unread(bench, BULK + 1)
    await bench.inbox.mailbox.tell(MemoriesChanged(tuple(ids)))
    await trio.sleep(PAUSE / 2)
    first = len(bench.actor.known)
    await trio.sleep(60)
    more = await unread(bench, BULK + 1)
    await bench.tell(MemoriesChanged(tuple(more)))
    await trio.sleep(60)

    assert first == TURN
    assert len(bench.actor.known) == len(ids) + len(more)


async def test_between_events_of_somebody_at_work_no_turn_begins_but_now_and_then(
    bench: Bench,
) -> None:
    await unread(bench, 4 * TURN)
    await bench.inbox.mailbox.tell(bench.opened("a.py"))
    known: list[int] = []
    for _ in range(int(BUSIEST) // 2):
        await bench.happen(EventKind.PROMPT, "s1")
        await trio.sleep(1)
        known.append(len(bench.actor.known))
    await trio.sleep(QUIET + 5)

    assert {*known[2:]} == {TURN}
    assert len(bench.actor.known) == 4 * TURN


async def test_a_place_that_was_given_stands_first_and_outlives_another_text(bench: Bench) -> None:
    kept = await bench.keep("`refund` in src/pay.py is negative")
    given = Reference("src/pay.py", digest=digest(["    return bill"]), line=2, given=True)
    await bench.tell(PlaceGiven(kept, given))
    first, *_ = await bench.about(kept)
    await bench.reword(kept, "never rounded")
    rewritten = await bench.about(kept)
    bench.write("import money\n\n" + PAY)
    await bench.tell(bench.opened("src/pay.py"))
    (moved,) = await bench.about(kept)
    bench.write(ROUNDED)
    await bench.tell(bench.opened("src/pay.py"))

    assert (first, rewritten) == (given, (given,))
    assert (moved.line, moved.state) == (4, State.HELD)
    assert await bench.said(kept) == "src/pay.py changed since"


async def test_a_line_may_be_named_by_its_file_alone(bench: Bench) -> None:
    kept = await bench.keep("Careful at pay.py:2")
    (bench.project / "lib").mkdir()
    (bench.project / "lib/pay.py").write_text(PAY)
    await trio.sleep(2 * LASTS)
    other = await bench.keep("Careful at pay.py:6")

    (about,) = await bench.about(kept)
    assert (about.path, about.line) == ("src/pay.py", 2)
    assert await bench.about(other) == ()  # either file may be meant


async def test_what_a_session_edits_in_a_worktree_is_looked_at_there(bench: Bench) -> None:
    tree = worktree(bench.project)
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    (tree / "src/pay.py").write_text(ROUNDED)
    edit = Tool("Edit", {"file_path": str(tree / "src/pay.py")})
    await bench.happen(EventKind.TOOL, "s1", edit, cwd=tree)
    await bench.happen(EventKind.TURN_END, "s1", cwd=tree)
    own = await bench.keep("`refund` never rounds", "s1")
    there = await bench.said(kept)
    await bench.happen(EventKind.SESSION_START, "s2")

    assert (there, await bench.said(kept)) == (CHANGED, "")
    (reference,) = await bench.about(own)
    assert reference.path == "src/pay.py"


async def test_a_file_that_a_worktree_moved_is_followed_there(bench: Bench) -> None:
    tree = worktree(bench.project)
    kept = await bench.keep("`charge` in src/pay.py never rounds")
    git(tree, "mv", "src/pay.py", "src/money.py")
    await bench.happen(EventKind.SESSION_START, "s1", cwd=tree)

    assert await bench.said(kept) == ""
