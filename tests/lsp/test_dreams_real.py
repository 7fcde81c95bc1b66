"""Dreams in an editor, with a real daemon behind it."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import pytest

from daemon.api.dreams import DreamsPage, ListDreams
from daemon.api.remember import Remember
from daemon.api.transfer import Import
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from daemon.shapes.rows import ImportRow
from tests.lsp.conftest import BUDGET
from tests.lsp.editing import EditorClient
from tests.lsp.test_pages import SHOWING, read
from tests.patience import PATIENCE, UNHURRIED

URI = "file:///nowhere/src/pay.py"
CODE = "import pay\n# the retry budget is small\npay.now()\n"


async def _keep(home: Home, count: int) -> None:
    rows = [
        ImportRow(text=f"worker {n % 7} of queue {n % 11} lags behind offset {n}")
        for n in range(count)
    ]
    async with open_client(home) as client:
        remember = Remember(text=BUDGET.text, title=BUDGET.title, triggers=[BUDGET.phrase])
        await client.ask(remember, within=PATIENCE)
        await client.ask(Import(rows=rows, gate=False), within=PATIENCE)


async def _dreams(home: Home) -> DreamsPage:
    async with open_client(home) as client:
        return await client.ask(ListDreams(), within=PATIENCE)


@pytest.fixture
def editing(
    home: Home, editor: EditorClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EditorClient]:
    """An editor with a file that mentions a memory, and a daemon of its own."""
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    ensure_daemon(home, within=PATIENCE)
    anyio.run(_keep, home, 400)
    editor.initialize({"documents": True}, SHOWING)
    editor.wait("reverie/status", lambda status: status["state"] != "away")
    editor.open(URI, CODE)
    editor.see(URI, [(1, "· Retries: at most 3")])
    yield editor
    stop_daemon(home)


def test_a_dream_is_dreamt_shown_and_read(editing: EditorClient, home: Home) -> None:
    result = editing.command("reverie.dream")
    page = read(editing, editing.command("reverie.showDream"))

    (dream,) = anyio.run(_dreams, home).dreams
    assert dream.outcome == "finished"
    assert result == page
    assert page.startswith(f"Dream {dream.id} (finished")
