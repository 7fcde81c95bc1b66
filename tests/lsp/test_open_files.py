"""An open file is told to the daemon, which looks at what is known about it again."""

from __future__ import annotations

import pytest

from daemon.api.about import Open
from daemon.home import Home
from lsp.editor import Settings
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

URI = "file:///src/shop/pay.py"
CODE = "import pay\n# the retry budget is small\n"
HINT = (1, "· Retries: at most 3")


@pytest.fixture
def shown(daemon: FakeDaemon, editor: EditorClient) -> EditorClient:
    """An editor that shows a file."""
    daemon.start()
    editor.initialize()
    editor.ready()
    editor.open(URI, CODE)
    editor.see(URI, [HINT])
    return editor


def test_another_daemon_is_told_of_it_again(shown: EditorClient, daemon: FakeDaemon) -> None:
    assert daemon.open_arrived.acquire(timeout=PATIENCE)
    daemon.stop()
    shown.wait("reverie/status", lambda status: status["state"] == "away")
    daemon.start()
    shown.wait("reverie/status", lambda status: status["state"] == "ready", nth=2)
    shown.see(URI, [HINT])

    assert daemon.open_arrived.acquire(timeout=PATIENCE)
    assert daemon.count(Open) == 2


def test_what_is_never_looked_at_is_never_told_of(
    home: Home, daemon: FakeDaemon, editor: EditorClient
) -> None:
    """``reverie.exclude``"""
    daemon.start()
    assert not Settings(exclude=("*/secrets/*",)).covers("/src/secrets/key.py")
    editor.settings = {"typingQuietMs": 0, "exclude": ["*/secrets/*"]}
    editor.initialize()
    editor.ready()
    editor.open("file:///src/secrets/key.py", CODE)
    editor.open(URI, CODE)
    editor.see(URI, [HINT])
    assert daemon.open_arrived.acquire(timeout=PATIENCE)

    assert {one.path for one in daemon.asked if isinstance(one, Open)} == {"/src/shop/pay.py"}
