"""Extraction's index: what is written of ended failures, and what is told of them."""

from __future__ import annotations

from typing import Any

from actors.core.mailbox import Mailbox
from actors.intake.extraction import Extraction
from actors.intake.messages import (
    Derived,
    ExtractionMessage,
    FailureEnded,
    Happened,
    Place,
    WhatEndedIt,
)
from actors.policy.decay.capture import Raised
from actors.policy.events.events import Event, EventKind, Tool
from daemon.storage.store import OpenStore
from daemon.supervisor import Here
from tests.actors.post import mail, queue, running
from tests.clock import VIRTUAL_TIME
from tests.writing import written

pytestmark = VIRTUAL_TIME

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


def extraction(
    store: OpenStore | None, *, learns: bool = True, where: Place | None = place
) -> tuple[Extraction, Any]:
    long_term = queue("long_term")
    reader = store.reading if store is not None else None
    boxes = queue("gate").mailbox, long_term.mailbox, queue("tagging").mailbox
    return Extraction(*boxes, Here(), reader, learns=learns, place=where), long_term


async def indexed(
    *events: Event,
    project: str | None = "/p",
    learns: bool = True,
    where: Place | None = place,
) -> list[Any]:
    """What is written of these, beside that they are done and that a failure's end is an important moment."""
    actor, long_term = extraction(None, learns=learns, where=where)
    inbox = queue("extraction")
    async with running(actor, inbox):
        for seq, event in enumerate(events, 1):
            await inbox.mailbox.tell(Happened(seq, 5.0, event, project))
    writes = [write for message in mail(long_term) for write in message.unit]
    return [write for write in writes if not isinstance(write, Derived | Raised)]


LIFE = (
    failed(),
    tool(EventKind.TOOL, "Edit", file_path="/p/src/cart.go", new_string="x"),
    tool(EventKind.TOOL, "Bash", command="make lint"),
    tool(EventKind.TOOL, "Edit", file_path="/elsewhere/notes.md", new_string="x"),
)


async def test_what_ended_a_failure_is_written() -> None:
    assert await indexed(*LIFE) == [END]


async def test_nothing_is_written_where_nothing_is_learnt() -> None:
    assert await indexed(*LIFE, learns=False) == []
    assert await indexed(*LIFE, where=None) == []
    assert await indexed(*LIFE, project=None) == []


async def ask(mailbox: Mailbox[ExtractionMessage], event: Event) -> FailureEnded | None:
    return await mailbox.ask(WhatEndedIt(event, "/p"), within=5.0)


async def test_another_session_is_told_once_what_ended_its_failure(store: OpenStore) -> None:
    await written(store, END)
    actor, _ = extraction(store)
    inbox = queue("extraction")
    async with running(actor, inbox):
        own = await ask(inbox.mailbox, failed("s1"))
        first = await ask(inbox.mailbox, failed("s2"))
        again = await ask(inbox.mailbox, failed("s2"))
        refused = await ask(inbox.mailbox, failed("s3", "The user doesn't want to proceed."))
        start = Event("claude", EventKind.SESSION_START, "s2", "/p", source="compact")
        await inbox.mailbox.tell(Happened(9, 6.0, start, "/p"))
        emptied = await ask(inbox.mailbox, failed("s2"))

    assert first is not None
    assert (first.paths, first.session) == (("src/cart.go",), "s1")
    assert (own, again, refused, emptied) == (None, None, None, first)
