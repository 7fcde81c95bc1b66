"""Extraction: an event becomes candidates, or is done; what ended failures is indexed, and told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from actors.core.mailbox import Queue
from actors.gate.messages import Proposed
from actors.intake.extraction import LONG, SESSIONS, Extraction, is_long
from actors.intake.messages import Derived, FailureEnded, Happened, Place, WhatEndedIt
from actors.policy.decay.capture import Raised
from actors.policy.events.events import Event, EventKind, Tool
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.post import mail, queue, running
from tests.clock import VIRTUAL_TIME
from tests.writing import written

pytestmark = VIRTUAL_TIME
T = TypeVar("T")

PORT = "Remember: the staging database listens on port 5432."


def happened(seq: int, kind: EventKind, session: str = "s1", **fields: Any) -> Happened:
    return Happened(seq, 5.0, Event("claude", kind, session, cwd="/p", **fields), "/p")


def asked(prompt: str, seq: int = 7) -> Happened:
    return happened(seq, EventKind.PROMPT, prompt=prompt)


class Desk:
    """Extraction with bare mailboxes around it."""

    def __init__(self, *rest: Any, thread: Here | None = None, **fields: Any) -> None:
        self.gate, self.long_term, self.tagging = (
            queue("gate"),
            queue("long_term"),
            queue("tagging"),
        )
        boxes = self.gate.mailbox, self.long_term.mailbox, self.tagging.mailbox
        self.actor = Extraction(*boxes, thread or Here(), *rest, **fields)
        self.inbox: Queue[Any] = queue("extraction")

    async def take(self, *messages: Happened) -> None:
        """These events, until all of them are derived."""
        async with running(self.actor, self.inbox):
            for message in messages:
                await self.inbox.mailbox.tell(message)

    def proposed(self) -> list[Any]:
        return mail(self.gate)

    def writes(self) -> list[Any]:
        return [write for message in mail(self.long_term) for write in message.unit]

    def done(self) -> list[int]:
        """The events that the writes say are done."""
        return [write.seq for write in self.writes() if isinstance(write, Derived)]


@pytest.fixture
def desk() -> Desk:
    """A desk as a session finds it."""
    return Desk()


async def test_what_a_person_asks_to_remember_is_proposed(desk: Desk) -> None:
    await desk.take(asked(PORT))
    (proposed,) = desk.proposed()

    assert isinstance(proposed, Proposed)
    assert (proposed.seq, proposed.at, proposed.session, proposed.project) == (7, 5.0, "s1", "/p")
    assert "5432" in proposed.candidates[0].text
    assert desk.done() == []


async def test_an_event_that_yields_nothing_is_done(desk: Desk) -> None:
    await desk.take(asked("ok"))

    assert (desk.proposed(), desk.done()) == ([], [7])


async def test_an_important_moment_is_stored_before_its_event_is_done(desk: Desk) -> None:
    await desk.take(asked(PORT))
    (raised,) = desk.writes()
    (told,) = mail(desk.tagging)

    assert isinstance(raised, Raised)
    assert (raised.seq, raised.session, raised.project) == (7, "s1", "/p")
    assert told.moment == raised


async def test_only_so_many_trails_are_remembered(desk: Desk) -> None:
    many = [
        ran(number, "python app.py", "No module 'x'", f"s{number}", failed=True)
        for number in range(1, SESSIONS // 4)
    ]
    await desk.take(*many)
    for number in range(SESSIONS + 9):
        desk.actor.trails[f"t{number}"] = next(iter(desk.actor.trails.values()))

    assert len(desk.actor.trails) == SESSIONS


async def test_a_gate_that_is_off_leaves_the_event_to_the_next_start(desk: Desk) -> None:
    desk.gate.switch_off("gate is off")
    await desk.take(asked(PORT))

    assert desk.done() == []


# ---- important moments


def ran(
    seq: int, command: str, output: str, session: str = "s1", *, failed: bool = False
) -> Happened:
    kind = EventKind.TOOL_ERROR if failed else EventKind.TOOL
    tool = Tool("Bash", {"command": command}, output=output, error=output if failed else "")
    return happened(seq, kind, session, tool=tool)


async def test_a_test_that_another_session_broke_is_not_mended_by_this_one(desk: Desk) -> None:
    red = ran(1, "pytest tests/test_port.py", "1 failed, 3 passed", "s2", failed=True)
    await desk.take(red, ran(2, "pytest tests/test_port.py", "4 passed"))

    assert [told.moment for told in mail(desk.tagging) if told.moment is not None] == []


async def test_while_tagging_is_off_moments_are_stored(desk: Desk) -> None:
    desk.tagging.switch_off("tagging is off")
    await desk.take(asked("No, actually it is 5432."))

    assert [type(write) for write in desk.writes()][:1] == [Raised]


# ---- long texts


async def test_a_long_event_is_read_on_the_thread_and_in_its_order() -> None:
    thread = Counting()
    desk = Desk(thread=thread)
    await desk.take(asked(PORT + "\n- x" * (LONG // 4), 1), asked(PORT, 2))

    assert thread.pieces == 1
    assert [proposed.seq for proposed in desk.proposed()] == [1, 2]


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
        pytest.param(PORT, ["remember"], id="what a person asks to remember counts at once"),
    ],
)
async def test_where_a_session_will_be_read_the_reader_writes_down_what_it_understands_better(
    prompt: str, rules: list[str]
) -> None:
    async def will_read(event: Event, project: str | None) -> bool:
        return (event.session, project) == ("s1", "/p")

    desk = Desk(will_read=will_read)
    await desk.take(asked(prompt))

    assert [one.rule for proposed in desk.proposed() for one in proposed.candidates] == rules


# ---- what ended a failure: written, and told to another session


LINT = "Exit code 1\nsrc/cart.go:12:3: the result of Close is not checked (errcheck)"
SIGN = "cart.go: the result of Close is not checked (errcheck)"
END = FailureEnded("/p", SIGN, "make lint", ("src/cart.go",), "s1", 3, 5.0)


def tool(kind: EventKind, name: str, session: str = "s1", **call: Any) -> Event:
    fields = {key: call.pop(key) for key in ("error", "output") if key in call}
    return Event("claude", kind, session, "/p", tool=Tool(name, call, **fields))


def failed(session: str = "s1", error: str = LINT) -> Event:
    return tool(EventKind.TOOL_ERROR, "Bash", session, command="make lint", error=error)


def place(project: str, path: str) -> str | None:
    """Everything below the project is of its checkout."""
    return path.removeprefix(f"{project}/") if path.startswith(f"{project}/") else None


LIFE = (
    failed(),
    tool(EventKind.TOOL, "Edit", file_path="/p/src/cart.go", new_string="x"),
    tool(EventKind.TOOL, "Bash", command="make lint"),
    tool(EventKind.TOOL, "Edit", file_path="/elsewhere/notes.md", new_string="x"),
)


async def indexed(
    *, project: str | None = "/p", learns: bool = True, where: Place | None = place
) -> list[Any]:
    """Writes of this life, but for its being done and the important moment at a failure's end."""
    desk = Desk(learns=learns, place=where)
    await desk.take(*(Happened(seq, 5.0, event, project) for seq, event in enumerate(LIFE, 1)))
    return [write for write in desk.writes() if not isinstance(write, Derived | Raised)]


async def test_what_ended_a_failure_is_written() -> None:
    assert await indexed() == [END]


async def test_nothing_is_written_where_nothing_is_learnt() -> None:
    assert await indexed(learns=False) == []
    assert await indexed(where=None) == []
    assert await indexed(project=None) == []


async def test_another_session_is_told_once_what_ended_its_failure(store: OpenStore) -> None:
    await written(store, END)
    desk = Desk(store.reading, place=place)

    async def ask(event: Event) -> FailureEnded | None:
        return await desk.inbox.mailbox.ask(WhatEndedIt(event, "/p"), within=5.0)

    async with running(desk.actor, desk.inbox):
        own, first, again = [await ask(failed(session)) for session in ("s1", "s2", "s2")]
        refused = await ask(failed("s3", "The user doesn't want to proceed."))
        start = Event("claude", EventKind.SESSION_START, "s2", "/p", source="compact")
        await desk.inbox.mailbox.tell(Happened(9, 6.0, start, "/p"))
        emptied = await ask(failed("s2"))

    assert first is not None
    assert (first.paths, first.session) == (("src/cart.go",), "s1")
    assert (own, again, refused, emptied) == (None, None, None, first)
