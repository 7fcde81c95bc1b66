"""An editor beside the real daemon: what the fake one of the other tests shows is there with it too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from daemon.api.operation import Operation
from daemon.api.remember import Remember
from daemon.api.transfer import Import
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from daemon.shapes.rows import ImportRow, RowCue, RowReading
from tests.lsp.conftest import BUDGET
from tests.lsp.editing import EditorClient
from tests.lsp.test_pages import SHOWING
from tests.patience import PATIENCE, UNHURRIED

URI = "file:///nowhere/src/pay.py"
CODE = "import pay\n# 😀 the retry budget is small\npay.now()\n"
HINT = (1, "· Retries: at most 3")


@pytest.fixture
def real(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Operation[Any]], None]]:
    """Ask a real daemon."""
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    ensure_daemon(home, within=PATIENCE)

    async def ask(request: Operation[Any]) -> None:
        async with open_client(home) as client:
            await client.ask(request, within=PATIENCE)

    yield lambda request: anyio.run(ask, request)
    stop_daemon(home)


@pytest.fixture
def shown(real: Callable[[Operation[Any]], None], editor: EditorClient) -> EditorClient:
    """An editor that shows a file which mentions the one memory of a real daemon."""
    real(Remember(text=BUDGET.text, title=BUDGET.title, triggers=[BUDGET.phrase]))
    editor.initialize()
    editor.wait("reverie/status", lambda status: status["state"] != "away")
    editor.open(URI, CODE)
    editor.see(URI, [HINT])
    return editor


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


# ---- notes of a reader


CLASS = "class Cash:\n    def give_change(self):\n        return 2\n"


def note(project: Path, text: str, *cues: RowCue) -> ImportRow:
    """A note of a reader, as it comes from another home: with its cues."""
    reading = RowReading(kind="trap", said_by="user", scope="when", session="s9", cues=[*cues])
    return ImportRow(text=text, title=text, project=str(project), id="m9", read=reading)


def test_a_readers_notes_are_at_the_symbols_and_on_the_page_of_the_files_that_are_their_cues(
    real: Callable[[Operation[Any]], None], editor: EditorClient, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pay.py").write_text(CLASS)
    uri, here = (tmp_path / "pay.py").as_uri(), RowCue(kind="file", text="pay.py")
    symbol = RowCue(kind="symbol", text="Cash.give_change")
    rows = [
        note(tmp_path, "Coins are dear.", symbol, here),
        note(tmp_path, "Comments stay sparse.", here),
        note(tmp_path, "Said of another file.", RowCue(kind="file", text="other.py")),
    ]
    real(Import(rows=rows, merge=True))
    editor.initialize({"documents": True}, SHOWING)
    editor.wait("reverie/status", lambda status: status["state"] != "away")

    editor.open(uri, CLASS)
    editor.see(uri, [(1, "· Coins are dear.")])
    page = editor.command("reverie.about", {"uri": uri})

    assert "2 decisions about this file." in page
    assert "## Coins are dear.\n\npay.py:2 · " in page
    assert "## Comments stay sparse.\n" in page
    assert "another" not in page
