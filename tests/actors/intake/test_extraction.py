"""Extraction: an event becomes candidates, or is done; each session has its own trail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from actors.gate.messages import Proposed
from actors.intake.extraction import LONG, SESSIONS, Extraction, is_long
from actors.intake.messages import Derived, Happened
from actors.policy.decay.capture import Raised
from actors.policy.events.events import Event, EventKind, Tool
from daemon.supervisor import Here
from tests.actors.post import mail, queue, running
from tests.clock import VIRTUAL_TIME

pytestmark = VIRTUAL_TIME
T = TypeVar("T")


def happened(seq: int, kind: EventKind, session: str = "s1", **fields: Any) -> Happened:
    return Happened(seq, 5.0, Event("claude", kind, session, cwd="/p", **fields), "/p")


def failed(seq: int, session: str = "s1") -> Happened:
    tool = Tool("Bash", {"command": "python app.py"}, error="ModuleNotFoundError: No module 'x'")
    return happened(seq, EventKind.TOOL_ERROR, session, tool=tool)


async def given(*messages: Happened) -> tuple[list[Any], list[int], Extraction]:
    """What the gate is told of these events, and which of them are done."""
    gate, long_term, inbox = queue("gate"), queue("long_term"), queue("extraction")
    actor = Extraction(gate.mailbox, long_term.mailbox, queue("tagging").mailbox, Here())
    async with running(actor, inbox):
        for message in messages:
            await inbox.mailbox.tell(message)
    return mail(gate), derived(mail(long_term)), actor


def derived(writes: list[Any]) -> list[int]:
    """The events that these writes say are done."""
    return [write.seq for message in writes for write in message.unit if isinstance(write, Derived)]


async def test_what_a_person_asks_to_remember_is_proposed() -> None:
    prompt = "Remember: the staging database listens on port 5432."
    proposals, writes, _ = await given(happened(7, EventKind.PROMPT, prompt=prompt))
    (proposed,) = proposals

    assert isinstance(proposed, Proposed)
    assert (proposed.seq, proposed.at, proposed.session, proposed.project) == (7, 5.0, "s1", "/p")
    assert "5432" in proposed.candidates[0].text
    assert writes == []


async def test_an_event_that_yields_nothing_is_done() -> None:
    proposals, writes, _ = await given(happened(7, EventKind.PROMPT, prompt="ok"))

    assert (proposals, writes) == ([], [7])


async def test_an_important_moment_is_stored_before_its_event_is_done() -> None:
    gate, long_term, tagging, inbox = (queue(name) for name in ("g", "l", "t", "e"))
    prompt = "Remember: the staging database listens on port 5432."
    async with running(Extraction(gate.mailbox, long_term.mailbox, tagging.mailbox, Here()), inbox):
        await inbox.mailbox.tell(happened(7, EventKind.PROMPT, prompt=prompt))
    (raised,) = [write for message in mail(long_term) for write in message.unit]
    (told,) = mail(tagging)

    assert isinstance(raised, Raised)
    assert (raised.seq, raised.session, raised.project) == (7, "s1", "/p")
    assert told.moment == raised


async def test_only_so_many_trails_are_remembered() -> None:
    many = [failed(number, f"s{number}") for number in range(1, SESSIONS // 4)]
    _, _, actor = await given(*many)
    for number in range(SESSIONS + 9):
        actor.trails[f"t{number}"] = next(iter(actor.trails.values()))

    assert len(actor.trails) == SESSIONS


async def test_a_gate_that_is_off_leaves_the_event_to_the_next_start() -> None:
    gate, long_term, inbox = queue("gate"), queue("long_term"), queue("extraction")
    gate.switch_off("gate is off")
    async with running(
        Extraction(gate.mailbox, long_term.mailbox, queue("tagging").mailbox, Here()), inbox
    ):
        prompt = "Remember: the staging database listens on port 5432."
        await inbox.mailbox.tell(happened(7, EventKind.PROMPT, prompt=prompt))

    assert derived(mail(long_term)) == []


# ---- important moments


async def moments(*messages: Happened) -> list[str]:
    """The moments that tagging is told of."""
    gate, long_term, inbox = queue("gate"), queue("long_term"), queue("extraction")
    tagging = queue("tagging")
    async with running(Extraction(gate.mailbox, long_term.mailbox, tagging.mailbox, Here()), inbox):
        for message in messages:
            await inbox.mailbox.tell(message)
    return [told.moment.id for told in mail(tagging) if told.moment is not None]


def ran(
    seq: int, command: str, output: str, session: str = "s1", *, failed: bool = False
) -> Happened:
    kind = EventKind.TOOL_ERROR if failed else EventKind.TOOL
    tool = Tool("Bash", {"command": command}, output=output, error=output if failed else "")
    return happened(seq, kind, session, tool=tool)


async def test_a_test_that_another_session_broke_is_not_mended_by_this_one() -> None:
    red = ran(1, "pytest tests/test_port.py", "1 failed, 3 passed", "s2", failed=True)

    assert await moments(red, ran(2, "pytest tests/test_port.py", "4 passed")) == []


async def test_while_tagging_is_off_moments_are_stored() -> None:
    gate, long_term, inbox = queue("gate"), queue("long_term"), queue("extraction")
    tagging = queue("tagging")
    tagging.switch_off("tagging is off")
    async with running(Extraction(gate.mailbox, long_term.mailbox, tagging.mailbox, Here()), inbox):
        await inbox.mailbox.tell(happened(7, EventKind.PROMPT, prompt="No, actually it is 5432."))
    writes = [write for message in mail(long_term) for write in message.unit]

    assert [type(write) for write in writes][:1] == [Raised]


# ---- long texts


async def test_a_long_event_is_read_on_the_thread_and_in_its_order() -> None:
    gate, long_term, inbox = queue("gate"), queue("long_term"), queue("extraction")
    thread = Counting()
    actor = Extraction(gate.mailbox, long_term.mailbox, queue("tagging").mailbox, thread)
    port = "Remember: the staging database listens on port 5432."
    async with running(actor, inbox):
        await inbox.mailbox.tell(happened(1, EventKind.PROMPT, prompt=port + "\n- x" * (LONG // 4)))
        await inbox.mailbox.tell(happened(2, EventKind.PROMPT, prompt=port))

    assert thread.pieces == 1
    assert [proposed.seq for proposed in mail(gate)] == [1, 2]


@pytest.mark.parametrize(
    ("fields", "long"),
    [
        ({"prompt": "x"}, False),
        ({"prompt": "x" * (LONG + 1)}, True),
        ({"message": "x" * (LONG + 1)}, True),
        ({"summary": "x" * (LONG + 1)}, True),
        ({"tool": Tool("Bash", {"command": "x" * (LONG + 1)})}, True),
        ({"tool": Tool("Bash", {"command": "x"}, error="x" * (LONG + 1))}, True),
        ({"tool": Tool("Read", {"file_path": "x"}, output="x" * (LONG + 1))}, False),
    ],
)
async def test_long_is_what_is_read_at_length(fields: dict[str, Any], long: bool) -> None:
    assert is_long(Event("claude", EventKind.TOOL, **fields)) == long


class Counting(Here):
    """Does work where it is asked for, and counts the pieces."""

    pieces = 0

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value."""
        self.pieces += 1
        return await super().run(function)


@pytest.mark.parametrize(
    ("prompt", "rules"),
    [
        pytest.param(
            "we should only have one cache for the reports", [], id="a wish is left to it"
        ),
        pytest.param(
            "Remember: the staging database listens on port 5432.",
            ["remember"],
            id="what a person asks to remember counts at once",
        ),
    ],
)
async def test_where_a_session_will_be_read_the_reader_writes_down_what_it_understands_better(
    prompt: str, rules: list[str]
) -> None:
    gate, inbox = queue("gate"), queue("extraction")

    async def will_read(event: Event, project: str | None) -> bool:
        return (event.session, project) == ("s1", "/p")

    actor = Extraction(
        gate.mailbox, queue("l").mailbox, queue("t").mailbox, Here(), will_read=will_read
    )
    async with running(actor, inbox):
        await inbox.mailbox.tell(happened(7, EventKind.PROMPT, prompt=prompt))

    assert [one.rule for proposed in mail(gate) for one in proposed.candidates] == rules
