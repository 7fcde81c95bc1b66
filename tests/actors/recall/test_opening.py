"""The project's page: what a session is told as it starts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import msgpack
import pytest
import trio

from actors.memory.use import Validated
from actors.memory.writes import Origin, Pinned
from actors.night.shapes import DreamBegun, InsightFound
from actors.passages.shapes import PassagesKept
from actors.policy.gate.gate_features import content_hash
from actors.policy.night.demands import DEMAND
from actors.policy.night.insights import Insight, InsightKind
from actors.policy.passages import Piece
from actors.policy.recall.notes import DECISIONS_HEADING, LOST_HEADING
from actors.policy.recall.page import START
from actors.policy.references.references import Reference
from actors.policy.session.ledger import LISTED, WHOLE
from actors.reader.messages import SessionRead, StoppedAt
from actors.recall.opening import QUIET, RECENT
from actors.recall.standing_notes import OWN, WISHES
from actors.session.shapes import Delivered, IsSilent, SessionSeen
from actors.staleness.messages import Referring
from daemon.sources import DiskFolder, ProjectSources
from daemon.storage.reader import ReadingSide
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.fakes import TableEmbedding
from tests.actors.recall.bench import Bench, SlowLedger, instructions, missing, open_bench, texts
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock
from tests.writing import event

pytestmark = VIRTUAL_TIME

T = TypeVar("T")
SHOP = "/shop"
ASKED = "Add a cache"
ENDED = "The cache is keyed by URL.\n\nOpen: the test of expiry still fails."
RULE = "We should never mock an answer of the login."


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A recall of an empty store."""
    async with open_bench(store, TableEmbedding(), clock) as made:
        yield made


async def stopped(
    bench: Bench,
    session: str = "s0",
    at: float = BEGINNING,
    status: str = "ended",
    task: str | None = ASKED,
) -> None:
    """A session of the shop gives an answer, and ends."""
    seen = SessionSeen(session, "claude", SHOP, at, status, task, None, None)
    said = {"hook_event_name": "Stop", "session_id": session, "last_assistant_message": ENDED}
    row = event(
        len(session) + ord(session[-1]), session=session, kind="turn_end", body=msgpack.packb(said)
    )
    await bench.house.commit(seen, row)


async def wish(bench: Bench, text: str, rule: str = "wish", project: str | None = SHOP) -> None:
    await bench.house.keep(text, origin=Origin(rule), project=project, judged=False)


async def test_it_says_where_the_last_session_stopped(bench: Bench) -> None:
    await stopped(bench)
    block = (await bench.start("startup", project=SHOP)).block

    assert "The user asked “Add a cache”" in block
    assert "Open: the test of expiry still fails." in block


async def test_it_says_where_the_last_session_stopped_as_the_reader_wrote_it(bench: Bench) -> None:
    await stopped(bench)
    await bench.house.commit(SessionRead("s0", 99), StoppedAt("s0", "CI is red: mend the expiry."))
    block = (await bench.start("startup", project=SHOP)).block

    assert "CI is red: mend the expiry." in block
    assert "The user asked" not in block


async def test_it_says_which_tasks_the_last_session_left_open_but_not_its_subagents(
    bench: Bench,
) -> None:
    await stopped(bench)
    for number, (agent_id, content) in enumerate([("", "Test the expiry"), ("a1", "Read")]):
        called = {
            "hook_event_name": "PostToolUse", "session_id": "s0", "agent_id": agent_id,
            "tool_name": "TodoWrite",
            "tool_input": {"todos": [{"content": content, "status": "pending"}]},
        }  # fmt: skip
        body = msgpack.packb(called)
        await bench.house.commit(event(700 + number, session="s0", kind="tool", body=body))
    block = (await bench.start("startup", project=SHOP)).block

    assert "still fails. Open in its task list: “Test the expiry”." in block
    assert "Read" not in block


@pytest.mark.parametrize(("source", "session"), [("resume", "s1"), ("startup", "s0")])
async def test_a_session_is_not_told_of_its_own_stop(
    bench: Bench, source: str, session: str
) -> None:
    await stopped(bench)

    assert (await bench.start(source, session, SHOP)).block == ""


async def test_another_project_and_a_stop_of_long_ago_are_not_told(bench: Bench) -> None:
    await stopped(bench, at=BEGINNING - RECENT)

    assert (await bench.start("startup", project="/other")).block == ""
    assert (await bench.start("startup", project=SHOP)).block == ""


async def test_a_session_without_a_task_has_not_stopped_anything(bench: Bench) -> None:
    await stopped(bench, at=BEGINNING - 1.0)
    await stopped(bench, "s2", task=None)

    assert "Add a cache" in (await bench.start("startup", project=SHOP)).block


@pytest.mark.parametrize(
    ("task", "told"), [(f"Judge {'the diff below ' * 6}", False), ("Read the handoff", True)]
)
async def test_sessions_of_a_script_which_share_a_long_task_are_no_stop_of_the_users_work(
    bench: Bench, task: str, told: bool
) -> None:
    await stopped(bench, at=BEGINNING - 1.0)
    for name in ("j1", "j2", "j3"):
        await stopped(bench, name, task=f"{task} {name}" if not told else task)

    block = (await bench.start("startup", project=SHOP)).block

    assert (task in block, "Add a cache" in block) == (told, not told)


@pytest.mark.parametrize(("ago", "told"), [(0.0, False), (QUIET, True)])
async def test_a_session_beside_this_one_has_not_stopped(
    bench: Bench, ago: float, told: bool
) -> None:
    await stopped(bench, at=BEGINNING - ago, status="open")

    assert bool((await bench.start("startup", project=SHOP)).block) is told


async def test_after_a_compaction_it_says_what_the_session_was_at(bench: Bench) -> None:
    await stopped(bench)
    await stopped(bench, "s1")
    block = (await bench.start("compact", "s1", SHOP)).block

    assert "before the context was compacted" in block
    assert "last session" not in block


async def test_wishes_of_a_person_stand_below_what_is_constitutional(bench: Bench) -> None:
    await wish(bench, RULE)
    await bench.house.keep("never push to main", tier="constitutional", project=SHOP)
    found = await bench.start("startup", project=SHOP)

    assert texts(found) == ["never push to main", RULE]
    assert found.block.index("never push to main") < found.block.index(RULE)
    assert "match" not in found.block


@pytest.mark.parametrize("pinned", [False, True])
async def test_a_wish_that_its_person_called_not_useful_is_told_no_more_unless_it_is_pinned(
    bench: Bench, pinned: bool
) -> None:
    await wish(bench, RULE)
    await bench.house.commit(Validated(1, 0.45, "useless", BEGINNING), Pinned(1, pinned, BEGINNING))

    assert texts(await bench.start("startup", project=SHOP)) == [RULE] * pinned


@pytest.mark.parametrize(("rule", "project"), [("conclusion", SHOP), ("wish", "/other")])
async def test_what_an_agent_says_and_another_projects_wishes_are_not_told(
    bench: Bench, rule: str, project: str
) -> None:
    await wish(bench, RULE, rule, project)

    assert (await bench.start("startup", project=SHOP)).block == ""


async def demanded(bench: Bench, *texts: str | tuple[str, str]) -> list[int]:
    """Dreams noticed these, in the shop or in another project."""
    await bench.house.commit(DreamBegun("a test", 0, BEGINNING))
    made = list[int]()
    for number, one in enumerate(texts):
        text, project = (one, SHOP) if isinstance(one, str) else one
        kind = InsightKind.RECURRING_PATTERN
        insight = Insight(kind, text, (), (), 0.8, project, "s0")
        made += await bench.house.commit(InsightFound(1, insight, BEGINNING + number))
    return made


async def test_what_a_person_asks_for_in_several_sessions_is_told_in_their_words(
    bench: Bench,
) -> None:
    demand = "Please never write code before I approved the plan"
    told = f"{DEMAND}{demand}”. An agent is told so when its session starts."
    await demanded(bench, told, (f"{told} ", "/other"), "Odd.")
    found = await bench.start("startup", project=SHOP)

    assert texts(found) == [demand]
    assert f"{demand} (m1: the user, in several sessions, today)" in found.block


async def test_a_demand_that_a_wish_says_or_a_person_rejected_is_not_told(bench: Bench) -> None:
    said = "Please never write code before I approved the plan"
    rejected = "ask me if a test is unclear"
    made = await demanded(bench, f"{DEMAND}{said}”.", f"{DEMAND}{rejected}”.")
    assert texts(await bench.start("startup", project=SHOP)) == [rejected, said]
    await bench.house.commit(Validated(made[1], 0.4, "useless", BEGINNING))
    await wish(bench, "Never write code before I approved your plan.")

    told = texts(await bench.start("startup", "s2", SHOP))
    assert told == ["Never write code before I approved your plan."]
    await bench.house.commit(Validated(made[1], 0.6, "useful", BEGINNING))
    assert rejected in texts(await bench.start("startup", "s3", SHOP))


async def test_how_a_user_set_an_agent_right_is_told_at_the_next_starts(bench: Bench) -> None:
    said = "User called out twice that I declared a root cause too early."
    for text, kind in ((said, "convention"), ("User chose one writer for the code.", "decision")):
        origin = Origin("session-summary")
        await bench.house.keep(text, origin=origin, kind=kind, project=SHOP, judged=False)

    assert texts(await bench.start("startup", project=SHOP)) == [said]


async def test_a_convention_that_a_person_kept_by_hand_is_told_whatever_it_names(
    bench: Bench,
) -> None:
    """The words that a noticed rule must have were asked of what somebody had kept on purpose."""
    for text, source in (("Always use pnpm.", "hand"), ("Answer in German.", "preference")):
        origin = Origin(source)
        await bench.house.keep(text, origin=origin, kind="convention", project=SHOP, judged=False)

    assert texts(await bench.start("startup", project=SHOP)) == ["Always use pnpm."]


async def test_constitutional_memories_are_whole_and_the_rest_has_its_room(bench: Bench) -> None:
    long = " ".join(f"rule {number} of the house holds always." for number in range(30))
    await bench.house.keep(long, tier="constitutional", project=SHOP)
    await stopped(bench)
    for number in range(2 * WISHES):
        await wish(bench, f"{number}: {RULE * 3}")
    found = await bench.start("startup", project=SHOP)
    rest = found.block.partition("Where the last session")[2]

    assert long in found.block
    assert ENDED.split("\n\n", maxsplit=1)[0] in rest
    assert RULE in rest
    assert len(found.block) <= START


DECIDED = "We decided that src/cache.py keys every entry by its URL."
OTHER = "We decided that src/login.py never caches."


class Repository(ProjectSources):
    """A project of which git says that one file was changed."""

    async def visit(self, project: str, function: Callable[[DiskFolder], T]) -> T | None:
        changed = cast("DiskFolder", SimpleNamespace(changed=lambda: ["src/cache.py"]))
        return function(changed) if project == SHOP else None

    async def checkout(self, project: str, directory: str) -> str:
        return project


@pytest.fixture
async def branch(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A recall beside a repository, which knows a decision about each of two files."""
    async with open_bench(store, TableEmbedding(), clock, sources=Repository(Here())) as made:
        for text, path in ((DECIDED, "src/cache.py"), (OTHER, "src/login.py")):
            kept = await made.house.keep(text, kind="decision", project=SHOP, judged=False)
            about = (Reference(path),)
            await made.house.commit(Referring(kept.memory_id, "", None, content_hash(text), about))
        yield made


async def test_what_was_decided_about_files_that_the_branch_changes_is_told(branch: Bench) -> None:
    found = await branch.start("startup", project=SHOP)

    assert texts(found) == [DECIDED]
    assert DECISIONS_HEADING in found.block


async def test_after_a_compaction_what_was_told_and_what_is_about_its_files_comes_back(
    branch: Bench,
) -> None:
    kept = await branch.house.keep(RULE, origin=Origin("wish"), project=SHOP, judged=False)
    edit = {
        "hook_event_name": "PostToolUse", "session_id": "s1", "tool_name": "Edit",
        "tool_input": {"file_path": f"{SHOP}/src/login.py"}, "tool_response": "done",
    }  # fmt: skip
    await branch.house.commit(event(9, session="s1", kind="tool", body=msgpack.packb(edit)))
    await told(branch, kept.memory_id, LISTED)
    warm = await branch.start("compact", "s1", SHOP)
    await told(branch, kept.memory_id, WHOLE)
    hot = await branch.start("compact", "s1", SHOP)

    assert (texts(warm), texts(hot)) == ([OTHER, RULE], [RULE, OTHER])
    assert LOST_HEADING in warm.block
    assert {one.reason for one in warm.considered} == {"lost by the compaction"}


async def told(bench: Bench, memory_id: int, anchor: float) -> None:
    """The first session was told this memory, to which it gave so much attention."""
    (memory,) = (await bench.house.store.reading.memories([memory_id])).values()
    delivered = Delivered("s1", (memory.content_hash,), BEGINNING, anchor)
    await bench.working_memory.mailbox.tell(delivered)
    await trio.sleep(1)


async def decided(bench: Bench, text: str, rule: str, session: str = "s1", **other: Any) -> None:
    """A memory that a session of the shop is the origin of."""
    origin = Origin(rule, session)
    await bench.house.keep(text, origin=origin, project=SHOP, judged=False, **other)


async def test_after_a_compaction_what_was_decided_in_the_session_comes_back_first(
    bench: Bench,
) -> None:
    await stopped(bench, "s1", status="open")
    kept = await bench.house.keep("The shop is open on Sundays.", project=SHOP, judged=False)
    await told(bench, kept.memory_id, WHOLE)
    await decided(bench, RULE, "wish")
    await decided(bench, "Orders go through Redis Streams, not Kafka.", "decision")
    await decided(bench, "Keep the padding of the play button.", "wish", at=BEGINNING + 1)
    await decided(bench, "Expiry is tested by hand.", "agent", importance=0.9)
    found = await bench.start("compact", "s1", SHOP)

    assert texts(found) == [
        RULE,
        "Expiry is tested by hand.",
        "Keep the padding of the play button.",
        "Orders go through Redis Streams, not Kafka.",
        "The shop is open on Sundays.",
    ]
    assert {one.reason for one in found.considered} == {"lost by the compaction"}


async def test_what_another_session_decided_or_an_agent_only_said_is_not_lost_by_a_compaction(
    bench: Bench,
) -> None:
    await stopped(bench, "s1", status="open")
    await decided(bench, "Orders go through Redis Streams, not Kafka.", "decision", "s2")
    await decided(bench, "The cache is slow because of its lock.", "conclusion")

    assert texts(await bench.start("compact", "s1", SHOP)) == []


async def test_many_decisions_of_a_session_leave_room_for_what_it_was_told(bench: Bench) -> None:
    await stopped(bench, "s1", status="open")
    kept = await bench.house.keep(RULE, origin=Origin("wish"), project=SHOP, judged=False)
    await told(bench, kept.memory_id, WHOLE)
    for number in range(2 * OWN):
        await decided(bench, f"{number}: {DECIDED}", "decision", at=BEGINNING + number)
    found = await bench.start("compact", "s1", SHOP)

    newest = range(2 * OWN - 1, OWN - 1, -1)
    assert texts(found) == [*(f"{number}: {DECIDED}" for number in newest), RULE]


async def test_a_first_prompt_to_go_on_is_told_where_the_last_session_stopped_once(
    bench: Bench,
) -> None:
    await stopped(bench)
    first = await bench.prompt("continue where we left off", project=SHOP)
    again = await bench.prompt("go on", project=SHOP)
    await bench.start("startup", "s2", SHOP)
    told = await bench.prompt("continue", "s2", SHOP)

    assert "Open: the test of expiry still fails." in first.block
    assert again.block == told.block == ""


async def test_a_session_that_has_answered_before_goes_on_by_itself(bench: Bench) -> None:
    await stopped(bench)
    await stopped(bench, "s1", status="open")

    assert (await bench.prompt("continue", project=SHOP)).block == ""


async def test_the_last_sessions_handoff_says_where_it_stopped(bench: Bench) -> None:
    await stopped(bench)
    piece = Piece("Handoff > Next steps", "Mend the test of expiry.")
    await bench.house.commit(
        PassagesKept("document", SHOP, "docs/HANDOFF.md", (piece,), "s0", 1, 1, BEGINNING)
    )
    first = await bench.start("startup", project=SHOP)
    prompt = await bench.prompt("read your handoff", "s2", SHOP)

    for found in (first, prompt):
        assert "The handoff docs/HANDOFF.md says: Mend the test of expiry." in found.block


async def test_what_the_instructions_of_the_project_say_is_not_on_the_page(
    bench: Bench, tmp_path: Path
) -> None:
    await wish(bench, RULE)
    await bench.house.keep("never push to main", tier="constitutional", project=SHOP)
    await bench.instructed(instructions(tmp_path, "Never push to main."), "s0", SHOP)

    assert texts(await bench.start("startup", project=SHOP)) == [RULE]


async def test_what_the_page_told_is_not_told_to_a_prompt_again(bench: Bench) -> None:
    await wish(bench, RULE)
    await bench.start("startup", project=SHOP)

    assert (await bench.prompt("never cache an answer of the login?", project=SHOP)).block == ""


class Slow:
    """A reader whose answers to one question take a while."""

    def __init__(self, reader: object, question: str, seconds: float) -> None:
        self._reader, self._question, self._seconds = reader, question, seconds

    def __getattr__(self, name: str) -> object:
        answer = getattr(self._reader, name)

        async def later(*of: object, **also: object) -> object:
            await trio.sleep(self._seconds)
            return await answer(*of, **also)

        return later if name == self._question else answer


@pytest.mark.parametrize(("question", "lost"), [("handoff", "stopped"), ("standing", "never mock")])
async def test_what_was_late_for_a_page_is_told_when_it_is_asked_again_and_nothing_twice(
    bench: Bench, question: str, lost: str
) -> None:
    """On a busy machine what was not read in half of a hook's time was never told."""
    await stopped(bench)
    await bench.house.keep("Nobody deploys on a Friday.", tier="constitutional", project=SHOP)
    await wish(bench, RULE)
    opening = bench.actor.briefing.opening
    usual = opening.reader
    opening.reader = cast("ReadingSide", Slow(usual, question, 6.0))
    first = await bench.start("startup", project=SHOP)
    opening.reader = usual
    second = await bench.start("startup", project=SHOP, again=True)
    third = await bench.start("startup", project=SHOP, again=True)

    assert set(missing(first)) == {"page"}
    assert "Nobody deploys on a Friday." in first.block
    assert lost not in first.block
    assert lost in second.block
    assert missing(second) == {}
    for part in ("Nobody deploys", "never mock", "Add a cache"):
        assert first.block.count(part) + second.block.count(part) == 1
    assert third.block == ""


@pytest.mark.parametrize(("seconds", "told"), [(4.0, True), (6.0, False)])
async def test_a_start_whose_session_is_read_slowly_is_told_or_asked_again(
    bench: Bench, seconds: float, told: bool
) -> None:
    """A session that the store was too slow about counted as one that wants no notes, for good."""
    bench.hurried()
    await wish(bench, RULE)
    slow: Any = SlowLedger(bench.actor.briefing.session.working_memory, IsSilent, seconds)
    bench.actor.briefing.session.working_memory = slow
    found = await bench.start("startup", project=SHOP)

    assert bool(found.block) is told
    assert ("session" in missing(found)) is not told
