"""An editor, a language server and a daemon, in one process and over real streams."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import anyio
import pytest

from daemon.home import Home
from lsp.server import Server, serve
from tests.lsp.editing import EditorClient
from tests.lsp.fake_daemon import FakeDaemon, Kept
from tests.patience import PATIENCE

BUDGET = Kept(
    "m1", "retry budget", title="Retries: at most 3", text="Retry three times, then fail."
)


@pytest.fixture
def home() -> Iterator[Home]:
    """A home whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="rv") as folder:
        yield Home(Path(folder))


@pytest.fixture
def daemon(home: Home) -> Iterator[FakeDaemon]:
    """A daemon that knows one memory. It does not run yet."""
    fake = FakeDaemon(home, [BUDGET])
    yield fake
    fake.stop()


BOUNDS = (
    "lsp.server.SETTINGS_WITHIN",
    "lsp.session.FIRST_LOOK",
    "lsp.session.MATCH_WITHIN",
    "lsp.commands.WITHIN",
    "lsp.pages.WITHIN",
)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen the bounds of the server: not the time is under test that a busy machine takes."""
    for bound in BOUNDS:
        monkeypatch.setattr(bound, PATIENCE)


@pytest.fixture
def editor(home: Home, unhurried: None) -> Iterator[EditorClient]:
    """An editor whose server runs in a thread of this process."""
    with ExitStack() as streams:
        ends = [os.pipe(), os.pipe()]
        (server_in, editor_out), (editor_in, server_out) = [
            (streams.enter_context(open(r, "rb")), streams.enter_context(open(w, "wb")))  # noqa: PTH123
            for r, w in ends
        ]
        thread = threading.Thread(
            target=lambda: anyio.run(serve, Server(home, None), server_in, server_out),
            name="language-server",
        )
        thread.start()
        client = EditorClient(editor_out, editor_in, settings={"typingQuietMs": 0})
        yield client
        client.hang_up()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        server_out.close()
        client.join()
