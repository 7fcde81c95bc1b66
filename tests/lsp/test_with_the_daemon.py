"""An editor beside the real daemon: what the fake one of the other tests shows is there with it too."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import pytest

from daemon.api.remember import Remember
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from tests.lsp.conftest import BUDGET
from tests.lsp.editing import EditorClient
from tests.patience import PATIENCE, UNHURRIED

URI = "file:///nowhere/src/pay.py"
CODE = "import pay\n# 😀 the retry budget is small\npay.now()\n"
HINT = (1, "· Retries: at most 3")


async def _keep(home: Home) -> None:
    async with open_client(home) as client:
        remember = Remember(text=BUDGET.text, title=BUDGET.title, triggers=[BUDGET.phrase])
        await client.ask(remember, within=PATIENCE)


@pytest.fixture
def shown(
    home: Home, editor: EditorClient, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EditorClient]:
    """An editor that shows a file which mentions the one memory of a real daemon."""
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    ensure_daemon(home, within=PATIENCE)
    anyio.run(_keep, home)
    editor.initialize()
    editor.wait("reverie/status", lambda status: status["state"] != "away")
    editor.open(URI, CODE)
    editor.see(URI, [HINT])
    yield editor
    stop_daemon(home)


def test_a_memory_is_shown_told_found_called_useful_forgotten_brought_back_and_made_of_a_selection(
    shown: EditorClient,
) -> None:
    hover = shown.hover(URI, 1, 12)
    found = shown.command("reverie.find", {"query": "retry three times"})
    (memory,) = shown.actions(URI, 1)
    shown.presses = "Useful"
    shown.act(memory)
    shown.wait("window/showMessage", lambda said: said["message"] == "Noted: useful.")
    shown.presses = "Forget"
    shown.act(memory)
    shown.see(URI, [])
    forgotten = shown.actions(URI, 0)
    shown.command("reverie.unforget")
    shown.see(URI, [HINT])
    (remember,) = [a for a in shown.actions(URI, 2, 0, 7) if a["title"] == "Remember selection"]
    decided = shown.act(remember)

    assert hover is not None
    assert hover.startswith("```text\nRetries: at most 3\nRetry three times, then fail.\n")
    assert "because of “retry budget”" in hover
    assert "Retry three times, then fail." in found
    assert forgotten == []
    assert decided["action"] in ("CREATE", "CREATE_LINKED")
    assert decided["id"]
