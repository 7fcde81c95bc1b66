"""Notes of a reader in an editor, with a real daemon behind it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import anyio
import pytest

from daemon.api.transfer import Import
from daemon.client import open_client
from daemon.home import Home
from daemon.launch import ensure_daemon, stop_daemon
from daemon.shapes.rows import ImportRow, RowCue, RowReading
from tests.lsp.editing import EditorClient
from tests.lsp.test_pages import SHOWING
from tests.patience import PATIENCE, UNHURRIED

CODE = "class Cash:\n    def give_change(self):\n        return 2\n"


def note(project: Path, text: str, *cues: RowCue) -> ImportRow:
    """A note of a reader, as it comes from another home: with its cues."""
    reading = RowReading(kind="trap", said_by="user", scope="when", session="s9", cues=[*cues])
    return ImportRow(text=text, title=text, project=str(project), id="m9", read=reading)


async def _keep(home: Home, *rows: ImportRow) -> None:
    async with open_client(home) as client:
        await client.ask(Import(rows=[*rows], merge=True), within=PATIENCE)


def test_a_readers_notes_are_at_the_symbols_and_on_the_page_of_the_files_that_are_their_cues(
    home: Home, editor: EditorClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, value in UNHURRIED.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".git").mkdir()
    (tmp_path / "pay.py").write_text(CODE)
    uri, here = (tmp_path / "pay.py").as_uri(), RowCue(kind="file", text="pay.py")
    symbol = RowCue(kind="symbol", text="Cash.give_change")
    rows = (
        note(tmp_path, "Coins are dear.", symbol, here),
        note(tmp_path, "Comments stay sparse.", here),
        note(tmp_path, "Said of another file.", RowCue(kind="file", text="other.py")),
    )
    ensure_daemon(home, within=PATIENCE)
    anyio.run(partial(_keep, home, *rows))
    editor.initialize({"documents": True}, SHOWING)
    editor.wait("reverie/status", lambda status: status["state"] != "away")

    editor.open(uri, CODE)
    editor.see(uri, [(1, "· Coins are dear.")])
    page = editor.command("reverie.about", {"uri": uri})
    stop_daemon(home)

    assert "2 decisions about this file." in page
    assert "## Coins are dear.\n\npay.py:2 · " in page
    assert "## Comments stay sparse.\n" in page
    assert "another" not in page
