"""What was not told in time is told with the next event that can carry it, unless it is moot."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.policy.events.events import Event, EventKind
from actors.policy.recall.notes import SURVIVES
from daemon.home import Home
from daemon.hook_answers import LASTS, LATE_KEPT, TRIES, Late, LateAnswers
from daemon.host import Running
from daemon.settings import Injection
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.clock import VIRTUAL_TIME
from tests.daemon.test_host import asked, hosted

FACT = "The staging database listens on port 5433."
QUESTION = "Where do I reach our test data?"  # shares no word with the fact
PROMPT = {"hook_event_name": "UserPromptSubmit", "prompt": QUESTION}
OTHER = {"hook_event_name": "UserPromptSubmit", "prompt": "Rename this variable."}
TASK = {
    "hook_event_name": "UserPromptSubmit",
    "prompt": "<task-notification>done</task-notification>",
}
TOOL = {
    "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"},
    "tool_response": {"stdout": "a"},
}  # fmt: skip
FAILED = {
    "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
    "tool_input": {"command": "ls x"}, "error": "Exit code 2",
}  # fmt: skip
STARTED = {"hook_event_name": "SessionStart", "source": "startup"}
OPENED = {"hook_event_name": "session.created", "source": "startup", "cwd": "/"}
TYPED = {"hook_event_name": "chat.message", "prompt": "Rename this variable.", "cwd": "/"}
COMPACTED = {"hook_event_name": "SessionStart", "source": "compact"}
COMPACTING = {"hook_event_name": "PreCompact", "trigger": "manual"}
ENDED = {"hook_event_name": "SessionEnd", "reason": "other"}


class Slow(Struct):
    """A mailbox whose owner comes to each question late."""

    there: Any
    takes: float  # seconds

    async def ask(self, question: Any, *, within: float) -> Any:
        with trio.fail_after(within):
            await trio.sleep(self.takes)
            return await self.there.ask(question, within=within)


class Agent(Struct):
    """An agent whose hooks reach the actors on virtual time."""

    running: Running
    embedding: TableEmbedding
    number: int = field(default=0)

    async def context(self, event: dict[str, Any], session: str = "s1", **more: Any) -> str:
        """What the agent is told at an event."""
        await trio.sleep(1)
        self.number += 1
        raw = json.dumps({"session_id": session, "cwd": "/", **event, **more}).encode()
        body = ["claude", self.number.to_bytes(16, "big"), self.now(), raw]
        printed = (await asked(self.running, "hook", body)).body
        if not printed or event["hook_event_name"] == "PreCompact":
            return ""
        said = json.loads(printed)["hookSpecificOutput"]
        assert said["hookEventName"] == event["hook_event_name"]
        return str(said["additionalContext"])

    async def late(self, event: dict[str, Any], session: str = "s1") -> None:
        """An event whose answer does not come in time."""
        parts = self.running.parts
        usual = parts.settings
        parts.settings = replace(usual, injection=Injection(deadline=0.0))
        assert await self.context(event, session) == ""
        parts.settings = usual

    def now(self) -> int:
        """Nanoseconds UTC."""
        return int(self.running.parts.clock.now() * 1e9)

    def counts(self) -> dict[str, Any]:
        return self.running.parts.late.statistics()


@pytest.fixture
async def agent(home: Home, store: OpenStore) -> AsyncGenerator[Agent]:
    embedding = TableEmbedding({FACT: at(1), QUESTION: at(0.9)})
    async with hosted(home, store, embedding) as running:
        await asked(running, "remember", {"text": FACT})
        await asked(running, "await-embedded", {})
        yield Agent(running, embedding)


@VIRTUAL_TIME
@pytest.mark.parametrize("carrier", [TOOL, FAILED, TASK])
async def test_a_late_answer_is_told_once_with_the_next_event(
    agent: Agent, carrier: dict[str, Any]
) -> None:
    await agent.late(PROMPT)

    assert FACT in await agent.context(carrier)
    assert await agent.context(TOOL) == ""
    assert await agent.context(OTHER) == ""
    assert agent.counts() == {"late": 1, "told_later": 1, "moot": 0, "waiting": 0}


@VIRTUAL_TIME
async def test_what_only_its_vector_finds_is_told_when_the_vector_has_come(
    agent: Agent, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "daemon.answers.hooks")
    agent.embedding.takes = 0.4
    assert await agent.context(PROMPT) == ""
    asked_for = len(agent.embedding.asked)
    told = await agent.context(TOOL)

    assert FACT in told
    assert len(agent.embedding.asked) <= asked_for + 1  # by the vector that came meanwhile
    assert caplog.messages == ["answered_in_part without=vectors", "told_later blocks=1"]


@VIRTUAL_TIME
async def test_it_is_moot_when_something_else_was_asked_or_the_context_is_gone(
    agent: Agent,
) -> None:
    for number, since in enumerate((OTHER, STARTED, COMPACTED, COMPACTING, ENDED)):
        session = f"s{number}"
        await agent.late(PROMPT, session)
        await agent.context(since, session)

        assert FACT not in await agent.context(TOOL, session)
    assert agent.counts() == {"late": 5, "told_later": 0, "moot": 5, "waiting": 0}


@VIRTUAL_TIME
async def test_before_a_compaction_what_is_late_costs_the_summary_no_more_than_its_time(
    agent: Agent,
) -> None:
    parts = agent.running.parts
    deadline = parts.settings.injection.deadline
    boxes, takes = parts.mailboxes, 0.6 * deadline
    slow: dict[str, Any] = {
        "working_memory": Slow(boxes.working_memory, takes), "recall": Slow(boxes.recall, takes),
    }  # fmt: skip
    parts.mailboxes = replace(boxes, **slow)
    began = trio.current_time()
    raw = json.dumps({"session_id": "s1", "cwd": "/", **COMPACTING}).encode()
    printed = (await asked(agent.running, "hook", ["claude", bytes(16), agent.now(), raw])).body

    assert printed.decode().startswith(SURVIVES)
    assert trio.current_time() - began == pytest.approx(deadline)


@VIRTUAL_TIME
async def test_it_is_moot_after_two_minutes_and_no_other_session_or_subagent_is_told(
    agent: Agent,
) -> None:
    await agent.late(PROMPT)
    assert await agent.context(TOOL, session="s2") == ""
    assert await agent.context(TOOL, agent_id="a1", agent_type="Explore") == ""
    await trio.sleep(LASTS)

    assert await agent.context(TOOL) == ""
    assert agent.counts()["moot"] == 1


@VIRTUAL_TIME
async def test_a_session_that_wants_no_notes_is_not_told_late_either(agent: Agent) -> None:
    await agent.late(PROMPT)
    await asked(agent.running, "hook", [
        "claude", b"z" * 16, 1, b'{"hook_event_name":"UserPromptSubmit","session_id":"s1","prompt":".memory off"}'
    ])  # fmt: skip

    assert await agent.context(TOOL) == ""


@VIRTUAL_TIME
async def test_a_late_page_of_a_start_comes_with_the_first_prompt(agent: Agent) -> None:
    rule = "Never push to main."
    await asked(agent.running, "remember", {"text": rule, "tier": "constitutional"})
    await agent.late(STARTED)
    told = await agent.context(PROMPT)

    assert rule in told
    assert FACT in told
    assert agent.counts()["told_later"] == 1


@VIRTUAL_TIME
async def test_the_page_of_an_agent_that_hears_nothing_at_its_start_comes_with_the_first_prompt(
    agent: Agent,
) -> None:
    rule = "Never push to main."
    await asked(agent.running, "remember", {"text": rule, "tier": "constitutional"})
    said = [
        (await asked(agent.running, "hook", ["opencode", event_id, agent.now(), raw])).body
        for event_id, raw in (
            (bytes(16), json.dumps({**OPENED, "sessionID": "o1"}).encode()),
            (b"1" * 16, json.dumps({**TYPED, "sessionID": "o1"}).encode()),
        )
    ]

    assert said[0] == b""
    assert rule in json.loads(said[1])["additionalContext"]


# ---- the rule by itself


def event(kind: EventKind = EventKind.PROMPT, session: str = "s1", **more: Any) -> Event:
    return Event("claude", kind, session, prompt=QUESTION, **more)


def test_an_event_of_a_spool_is_late_in_whatever_order_it_comes() -> None:
    late = LateAnswers()
    late.heard(event(), 20.0)
    late.unanswered(event(), None, 10.0, 30.0)  # an earlier prompt
    late.unanswered(event(EventKind.SESSION_START), None, 5.0, 30.0)
    assert [one.event.kind for one in late.taken("s1", 31.0)] == [EventKind.SESSION_START]

    late.unanswered(event(), None, 25.0, 30.0)
    late.unanswered(event(EventKind.SESSION_END), None, 26.0, 30.0)
    assert late.taken("s1", 31.0) == []


def test_what_lay_in_the_spool_for_long_is_not_kept() -> None:
    late = LateAnswers()
    late.unanswered(event(), None, 0.0, LASTS + 1)

    assert late.statistics() == {"late": 0, "told_later": 0, "moot": 0, "waiting": 0}


def test_one_that_stays_unanswered_is_asked_a_few_times() -> None:
    late, asked_again = LateAnswers(), 0
    late.again(Late(event(), None, 0.0))
    while found := late.taken("s1", 1.0):
        asked_again += 1
        late.again(found[0])

    assert (asked_again, late.late) == (TRIES, 1)


def test_only_so_many_are_kept_the_newest() -> None:
    late = LateAnswers()
    for number in range(LATE_KEPT + 1):
        late.unanswered(event(session=f"s{number}"), None, 1.0, 1.0)

    assert late.taken("s0", 1.0) == []
    assert len(late.taken(f"s{LATE_KEPT}", 1.0)) == 1
    assert late.statistics()["waiting"] == LATE_KEPT - 1
