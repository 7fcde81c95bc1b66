"""The fake daemon and the real one: the same editor sees the same of both."""

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
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE, UNHURRIED

URI = "file:///nowhere/src/pay.py"
CODE = "import pay\n# 😀 the retry budget is small\npay.now()\n"
HINT = (1, "· Retries: at most 3")


async def _keep(home: Home) -> None:
    async with open_client(home) as client:
        remember = Remember(text=BUDGET.text, title=BUDGET.title, triggers=[BUDGET.phrase])
        await client.ask(remember, within=PATIENCE)


@pytest.fixture(params=["fake", "real"])
def listening(
    request: pytest.FixtureRequest, home: Home, daemon: FakeDaemon, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A daemon that knows one memory; its kind."""
    if request.param == "fake":
        daemon.start()
        yield "fake"
        return
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    ensure_daemon(home, within=PATIENCE)
    anyio.run(_keep, home)
    yield "real"
    stop_daemon(home)


@pytest.fixture
def shown(listening: str, editor: EditorClient) -> EditorClient:
    """An editor that shows a file which mentions the memory."""
    editor.initialize()
    editor.wait("reverie/status", lambda status: status["state"] != "away")
    editor.open(URI, CODE)
    editor.see(URI, [HINT])
    return editor


def test_a_memory_is_shown_told_and_found(shown: EditorClient) -> None:
    hover = shown.hover(URI, 1, 12)
    found = shown.command("reverie.find", {"query": "retry three times"})

    assert hover is not None
    assert hover.startswith("```text\nRetries: at most 3\nRetry three times, then fail.\n")
    assert "because of “retry budget”" in hover
    assert "Retry three times, then fail." in found


def test_a_forgotten_memory_goes_and_comes_back(shown: EditorClient) -> None:
    (memory,) = shown.actions(URI, 1)
    shown.presses = "Useful"
    shown.act(memory)
    shown.wait("window/showMessage", lambda said: said["message"] == "Noted: useful.")
    shown.presses = "Forget"
    shown.act(memory)
    shown.see(URI, [])
    assert shown.actions(URI, 0) == []
    shown.command("reverie.unforget")

    shown.see(URI, [HINT])


def test_a_selection_becomes_a_memory(shown: EditorClient) -> None:
    (remember,) = [a for a in shown.actions(URI, 2, 0, 7) if a["title"] == "Remember selection"]

    decided = shown.act(remember)

    assert decided["action"] in ("CREATE", "CREATE_LINKED")
    assert decided["id"]
