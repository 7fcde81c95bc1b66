"""Dreams and plans in an editor, with a real daemon behind it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import anyio
import pytest

from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from daemon.requests.dreams import DreamsPage, ListDreams
from daemon.requests.remember import Remember
from daemon.requests.transfer import Import, ImportRow
from tests.daemon.process import Line, prompt
from tests.lsp.conftest import BUDGET
from tests.lsp.editing import EditorClient
from tests.lsp.test_dreams import SHOWING, ordered, shown
from tests.patience import PATIENCE, UNHURRIED

URI = "file:///nowhere/src/pay.py"
CODE = "import pay\n# the retry budget is small\npay.now()\n"
# A daemon for which everything that one session was shown in vain is old and idle at once.
HURRIED = {
    **UNHURRIED,
    "REVERIE_ARCHIVIST_EVERY": "0.5",
    "REVERIE_ARCHIVIST_AGE_DAYS": "1e-9",
    "REVERIE_STATES_HOT_DAYS": "1e-9",
    "REVERIE_STATES_WARM_DAYS": "2e-9",
    "REVERIE_STATES_COLD_DAYS": "3e-9",
    "REVERIE_STATES_ARCHIVABLE_DAYS": "4e-9",
    "REVERIE_ARCHIVIST_SHOWN": "1",
}


async def _keep(home: Home, count: int) -> None:
    async with open_client(home) as client:
        remember = Remember(text=BUDGET.text, title=BUDGET.title, triggers=[BUDGET.phrase])
        await client.ask(remember, within=PATIENCE)
    with Line(home) as line:
        assert line.hook(b"a" * 16, prompt(f"what is the {BUDGET.phrase}?"))
    await _import(home, 0, count)


async def _import(home: Home, first: int, count: int) -> None:
    rows = [
        ImportRow(text=f"worker {n % 7} of queue {n % 11} lags behind offset {n}")
        for n in range(first, first + count)
    ]
    async with open_client(home) as client:
        await client.ask(Import(rows=rows, gate=False), within=PATIENCE)


async def _dreams(home: Home) -> DreamsPage:
    async with open_client(home) as client:
        return await client.ask(ListDreams(), within=PATIENCE)


@pytest.fixture
def editing(
    home: Home, editor: EditorClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EditorClient]:
    """An editor with a file that mentions a memory, and a daemon of its own."""
    for name, value in HURRIED.items():
        monkeypatch.setenv(name, value)
    anyio.run(partial(ensure_daemon, home, within=PATIENCE))
    anyio.run(_keep, home, 400)
    editor.initialize({"documents": True}, SHOWING)
    editor.wait("reverie/status", lambda status: status["state"] != "away")
    editor.open(URI, CODE)
    editor.see(URI, [(1, "· Retries: at most 3")])
    yield editor
    anyio.run(stop_daemon, home)


def action(editor: EditorClient, line: int, title: str) -> dict[str, Any]:
    """The action of this beginning, as soon as it is offered."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        for one in editor.actions(URI, line):
            if one["title"].startswith(title):
                return one
        time.sleep(0.2)
    raise AssertionError(f"no {title}")


def test_a_plan_is_seen_at_its_line_done_and_taken_back(editing: EditorClient) -> None:
    applied = editing.act(action(editing, 1, "Apply plan"))
    editing.see(URI, [])
    undone = editing.command("reverie.undoPlan")
    editing.see(URI, [(1, "· Retries: at most 3")])
    page = editing.request(
        "workspace/textDocumentContent", {"uri": f"reverie://plan/{applied['id']}.md"}
    )

    assert (applied["state"], undone["state"]) == ("applied", "undone")
    assert "Retries: at most 3" in page["text"]
    assert "(taken back)" in page["text"]


def test_a_dream_is_dreamt_shown_and_read(editing: EditorClient, home: Home) -> None:
    result = editing.command("reverie.dream")
    editing.command("reverie.showDream")
    address = editing.wait("window/showDocument")["uri"]
    page = editing.request("workspace/textDocumentContent", {"uri": address})

    (dream,) = anyio.run(_dreams, home).dreams
    assert (result["outcome"], result["dream"]) == ("finished", dream.id)
    assert shown(editing, "begin")["token"] == shown(editing, "end")["token"]
    assert page["text"].startswith(f"# Dream {dream.id}\n")
    assert "401 memories" in result["line"]


def test_a_dream_that_is_stopped_is_over_in_the_store_too(
    editing: EditorClient, home: Home
) -> None:
    anyio.run(_import, home, 400, 3_000)  # so that it takes some seconds
    dream = ordered(editing, "reverie.dream")
    token = shown(editing, "report")["token"]
    editing.notify("window/workDoneProgress/cancel", {"token": token})
    result = editing.answer(dream)["result"]

    deadline = time.monotonic() + PATIENCE
    while (last := anyio.run(_dreams, home).dreams[0]).ended_at is None:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert result["outcome"] == last.outcome == "cancelled"
