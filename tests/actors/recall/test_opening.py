"""The project's page: what a session is told as it starts."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import msgpack
import pytest
from trio.testing import MockClock

from actors.intake.messages import Happened
from actors.memory.writes import Origin
from actors.policy.events.events import Event, EventKind
from actors.recall.opening import MORE, QUIET, RECENT, WISHES
from actors.session.writes import SessionSeen
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding
from tests.actors.recall.bench import Bench, open_bench, texts
from tests.clock import BEGINNING, FollowingClock
from tests.writing import event

pytestmark = pytest.mark.trio

SHOP = "/shop"
ASKED = "Add a cache"
ENDED = "The cache is keyed by URL.\n\nOpen: the test of expiry still fails."
RULE = "We should never cache an answer of the login."


@pytest.fixture
async def bench(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[Bench]:
    """A recall of an empty store."""
    async with open_bench(store, TableEmbedding(), clock) as made:
        yield made


@pytest.fixture
def instructions(tmp_path: Path) -> Path:
    """A file that the client loads."""
    place = tmp_path / "CLAUDE.md"
    place.write_text("- Never push to main.\n", encoding="utf-8")
    return place


async def stopped(
    bench: Bench, session: str = "s0", at: float = BEGINNING, status: str = "ended"
) -> None:
    """A session of the shop gives an answer, and ends."""
    seen = SessionSeen(session, "claude", SHOP, at, status, ASKED, None, None)
    said = {"hook_event_name": "Stop", "session_id": session, "last_assistant_message": ENDED}
    row = event(
        len(session) + ord(session[-1]), session=session, kind="turn_end", body=msgpack.packb(said)
    )
    await bench.house.commit(seen, row)


async def wish(bench: Bench, text: str, rule: str = "wish", project: str | None = SHOP) -> None:
    await bench.house.keep(text, origin=Origin(rule), project=project, judged=False)


async def test_it_says_where_the_last_session_stopped(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await stopped(bench)
    block = (await bench.start("startup", project=SHOP)).block

    assert "last prompt was “Add a cache”" in block
    assert "Open: the test of expiry still fails." in block


@pytest.mark.parametrize(("source", "session"), [("resume", "s1"), ("startup", "s0")])
async def test_a_session_is_not_told_of_its_own_stop(
    bench: Bench, autojump_clock: MockClock, source: str, session: str
) -> None:
    await stopped(bench)

    assert (await bench.start(source, session, SHOP)).block == ""


async def test_another_project_and_a_stop_of_long_ago_are_not_told(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await stopped(bench, at=BEGINNING - RECENT)

    assert (await bench.start("startup", project="/other")).block == ""
    assert (await bench.start("startup", project=SHOP)).block == ""


@pytest.mark.parametrize(("ago", "told"), [(0.0, False), (QUIET, True)])
async def test_a_session_beside_this_one_has_not_stopped(
    bench: Bench, autojump_clock: MockClock, ago: float, told: bool
) -> None:
    await stopped(bench, at=BEGINNING - ago, status="open")

    assert bool((await bench.start("startup", project=SHOP)).block) is told


async def test_after_a_compaction_it_says_what_the_session_was_at(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await stopped(bench)
    await stopped(bench, "s1")
    block = (await bench.start("compact", "s1", SHOP)).block

    assert "before the context was compacted" in block
    assert "last session" not in block


async def test_wishes_of_a_person_stand_below_what_is_constitutional(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await wish(bench, RULE)
    await bench.house.keep("never push to main", tier="constitutional", project=SHOP)
    found = await bench.start("startup", project=SHOP)

    assert texts(found) == ["never push to main", RULE]
    assert found.block.index("never push to main") < found.block.index(RULE)
    assert "match" not in found.block


@pytest.mark.parametrize(("rule", "project"), [("conclusion", SHOP), ("wish", "/other")])
async def test_what_an_agent_says_and_another_projects_wishes_are_not_told(
    bench: Bench, autojump_clock: MockClock, rule: str, project: str
) -> None:
    await wish(bench, RULE, rule, project)

    assert (await bench.start("startup", project=SHOP)).block == ""


async def test_constitutional_memories_are_whole_and_the_rest_has_its_room(
    bench: Bench, autojump_clock: MockClock
) -> None:
    long = " ".join(f"rule {number} of the house holds always." for number in range(30))
    await bench.house.keep(long, tier="constitutional", project=SHOP)
    await stopped(bench)
    for number in range(2 * WISHES):
        await wish(bench, f"{number}: {RULE * 6}")
    found = await bench.start("startup", project=SHOP)
    rest = found.block.partition("Where the last session")[2]

    assert long in found.block
    assert ENDED.split("\n\n", maxsplit=1)[0] in rest
    assert RULE in rest
    assert len(rest) <= MORE


async def test_what_the_instructions_of_the_project_say_is_not_on_the_page(
    bench: Bench, instructions: Path, autojump_clock: MockClock
) -> None:
    await wish(bench, RULE)
    await bench.house.keep("never push to main", tier="constitutional", project=SHOP)
    loaded = Event(
        "claude", EventKind.INSTRUCTIONS, "s0", instructions=str(instructions), reason="include"
    )
    await bench.sessions.mailbox.tell(Happened(1, BEGINNING, loaded, SHOP))

    assert texts(await bench.start("startup", project=SHOP)) == [RULE]


async def test_what_the_page_told_is_not_told_to_a_prompt_again(
    bench: Bench, autojump_clock: MockClock
) -> None:
    await wish(bench, RULE)
    await bench.start("startup", project=SHOP)

    assert (await bench.prompt("never cache an answer of the login?", project=SHOP)).block == ""
