"""Intentions kept, brought to mind and ended."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from msgspec import Struct
from trio.testing import MockClock

from actors.core.mailbox import Question, Queue
from actors.intake.messages import Happened
from actors.memory.commit import Commit, commit
from actors.policy.events.events import Event, EventKind, Tool
from actors.policy.night import intentions
from actors.policy.night.intentions import Intention, Status, Trigger
from actors.session.shapes import (
    IntentionChanged,
    IntentionMade,
    WereReminded,
    WhatIsDue,
    WhatIsIntended,
)
from daemon.storage import intentions as intentions_stored
from daemon.storage.store import OpenStore
from tests.actors.fakes import without_model
from tests.actors.house import open_house, working_memory_of
from tests.actors.post import queue, running
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

HALF_AN_HOUR = 1_800.0


class Bench(Struct):
    """Working memory on a real store."""

    store: OpenStore
    inbox: Queue[Any]
    long_term: Queue[Any]
    clock: MockClock
    seq: int = 0

    async def ask(self, question: Question[Any]) -> Any:
        return await self.inbox.mailbox.ask(question, within=30)

    async def intend(self, text: str, trigger: Trigger, **more: Any) -> None:
        wanted = Intention("", text, trigger, now(), **more)
        await commit(self.long_term.mailbox, (IntentionMade(wanted),))

    async def due(
        self, prompt: str = "go on", session: str = "s1", project: str | None = "/p"
    ) -> list[str]:
        """What a prompt would be told; the prompt was journaled as well."""
        event = Event("claude", EventKind.PROMPT, session, prompt=prompt)
        await self.happens(event, project)
        found = await self.ask(WhatIsDue(session, project, event.turn, now()))
        return [one.text for one in found]

    async def delivered(self, *ids: str) -> None:
        await self.inbox.mailbox.tell(WereReminded(ids, "s1", now()))
        await self.settled()

    async def happens(self, event: Event, project: str | None = "/p") -> None:
        self.seq += 1
        self.clock.jump(1)
        await self.inbox.mailbox.tell(Happened(self.seq, now(), event, project))
        await self.settled()
        self.clock.jump(1)

    async def tool(self, name: str, output: str = "", session: str = "s1", **given: Any) -> None:
        done = Tool(name, given, output=output)
        await self.happens(Event("claude", EventKind.TOOL, session, tool=done))

    async def settled(self) -> None:
        """All that was told is handled and written."""
        await self.ask(WhatIsIntended(now()))
        await self.long_term.mailbox.ask(Commit(()), within=30)

    async def end(self, number: int) -> None:
        ended = intentions.changed(await self.kept(number), "done", now())
        await commit(self.long_term.mailbox, (IntentionChanged(ended, "done", now()),))

    async def kept(self, number: int) -> Intention:
        found = await self.store.reading.read(intentions_stored.intention, number)
        assert found is not None
        return found

    async def listed(self) -> dict[str, tuple[Status, bool]]:
        found = await self.ask(WhatIsIntended(now()))
        return {one.text: (one.status, due) for one, due in found}


def now() -> float:
    return BEGINNING + trio.current_time()


@asynccontextmanager
async def open_bench(
    store: OpenStore, clock: FollowingClock, jumping: MockClock
) -> AsyncGenerator[Bench]:
    async with open_house(store, without_model(), clock) as house:
        inbox = queue("working_memory")
        async with running(working_memory_of(store, house.long_term), inbox):
            yield Bench(store, inbox, house.long_term, jumping)


@pytest.fixture
def jumping() -> MockClock:
    """Real time that a test sends ahead."""
    return MockClock(rate=1.0)


@pytest.fixture
async def bench(
    store: OpenStore, clock: FollowingClock, jumping: MockClock
) -> AsyncGenerator[Bench]:
    async with open_bench(store, clock, jumping) as opened:
        yield opened


async def test_a_file_trigger_is_due_once_the_file_is_touched(
    bench: Bench, jumping: MockClock
) -> None:
    _ = jumping
    await bench.tool("Edit", file_path="/p/src/auth/login.py")
    await bench.intend("update the changelog", {"file": "src/auth/*.py"})

    assert await bench.due() == []  # that touch was before it was meant
    await bench.tool("Edit", file_path="/p/src/ui/page.py")
    assert await bench.due() == []
    await bench.tool("Read", file_path="/p/src/auth/login.py")
    assert await bench.due(session="s2") == []
    assert await bench.due() == ["update the changelog"]
    assert await bench.due("and src/auth/token.py?", session="s2") == ["update the changelog"]


async def test_what_was_delivered_rests_for_half_an_hour_and_until_it_happens_again(
    bench: Bench,
    jumping: MockClock,
) -> None:
    await bench.intend("update the changelog", {"file": "*.py"})
    await bench.tool("Edit", file_path="/p/a.py")
    assert await bench.due() == ["update the changelog"]
    await bench.delivered("1")

    assert await bench.due() == []
    await bench.tool("Edit", file_path="/p/a.py")
    assert await bench.due() == []
    jumping.jump(HALF_AN_HOUR)
    assert await bench.due() == []
    await bench.tool("Edit", file_path="/p/a.py")
    assert await bench.due() == ["update the changelog"]


async def test_a_word_in_a_prompt_or_a_command_calls_it(bench: Bench, jumping: MockClock) -> None:
    await bench.intend("check the logs", {"words": "deploy"})

    assert await bench.due("what is new?") == []
    assert await bench.due("we are deploying now") == ["check the logs"]
    await bench.delivered("1")
    jumping.jump(2 * HALF_AN_HOUR)
    assert await bench.due("what is new?") == []
    await bench.tool("Bash", command="make deploy")
    assert await bench.due("what is new?") == ["check the logs"]


async def test_a_project_s_intention_stays_in_it_and_three_at_most_come_at_once(
    bench: Bench,
    jumping: MockClock,
) -> None:
    _ = jumping
    await bench.intend("elsewhere", {"at": 0}, project="/q")
    for name in ("first", "second", "third", "fourth"):
        await bench.intend(name, {"at": 0}, project="/p")

    assert await bench.due() == ["first", "second", "third"]
    assert await bench.due(project="/q") == ["elsewhere"]


async def test_a_restart_forgets_no_count(
    store: OpenStore, clock: FollowingClock, jumping: MockClock
) -> None:
    async with open_bench(store, clock, jumping) as bench:
        await bench.intend("call Bob", {"at": now() + 60})
        jumping.jump(60)
        assert await bench.due() == ["call Bob"]
        await bench.delivered("1")
    async with open_bench(store, clock, jumping) as again:
        assert await again.due() == []
        kept = await again.kept(1)
        jumping.jump(HALF_AN_HOUR)
        later = await again.due()

    assert (kept.reminders, kept.status) == (1, "triggered")
    assert later == ["call Bob"]


async def test_what_came_due_while_nobody_was_there_is_told_when_asked(
    bench: Bench, jumping: MockClock
) -> None:
    await bench.intend("call Bob", {"at": now() + 60})

    jumping.jump(700)

    assert await bench.listed() == {"call Bob": ("active", True)}


async def test_what_a_prompt_asks_to_be_reminded_of_is_intended_once(
    bench: Bench, jumping: MockClock
) -> None:
    _ = jumping
    said = "remind me to bump the version when we release"

    assert await bench.due(said) == []
    assert await bench.due("thanks") == []
    assert await bench.due("now release it", project="/q") == []
    assert await bench.due("now release it") == ["bump the version"]
    await bench.due(said)
    (kept,) = await bench.store.reading.intentions()
    assert (kept.project, kept.session) == ("/p", "s1")


async def test_an_event_told_again_after_a_restart_makes_no_second_one(
    store: OpenStore, clock: FollowingClock, jumping: MockClock
) -> None:
    prompt = Event("claude", EventKind.PROMPT, "s1", prompt="remind me to call Bob tomorrow")
    async with open_bench(store, clock, jumping) as bench:
        await bench.happens(prompt)
        await bench.end(1)
    async with open_bench(store, clock, jumping) as again:
        await again.happens(prompt)  # with the same number in the journal
        listed = await again.listed()

    assert listed == {"call Bob": ("fulfilled", False)}


@pytest.mark.parametrize(
    "event",
    [
        Event("claude", EventKind.PROMPT, "", prompt="remind me to call Bob tomorrow"),
        Event(
            "claude",
            EventKind.PROMPT,
            "s1",
            prompt="<task-notification>\nremind me to call Bob tomorrow",
        ),
        Event("claude", EventKind.TURN_END, "s1", message="remind me to call Bob tomorrow"),
    ],
)
async def test_only_a_person_s_prompt_states_an_intention(
    bench: Bench, jumping: MockClock, event: Event
) -> None:
    _ = jumping
    await bench.happens(event)

    assert await bench.listed() == {}


async def test_the_end_of_a_session_lets_go_of_what_was_around_it(
    bench: Bench, jumping: MockClock
) -> None:
    _ = jumping
    await bench.intend("update the changelog", {"file": "*.py"})
    await bench.tool("Edit", file_path="/p/a.py")
    await bench.happens(Event("claude", EventKind.SESSION_END, "s1"))

    assert await bench.due() == []
