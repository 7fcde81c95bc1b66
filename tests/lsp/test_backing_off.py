"""A daemon that cannot match is asked again after a while, by a clock that the test moves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import anyio.to_thread
from lsprotocol.types import TextDocumentContentChangeWholeDocument
from pygls.lsp.server import LanguageServer

from daemon.api.about import Match
from daemon.api.opinions import Feedback
from daemon.home import Home
from lsp.connection import Connection, Presence
from lsp.editor import Link
from lsp.session import RETRY, Session
from tests.lsp.fake_daemon import FakeDaemon
from tests.patience import PATIENCE

URI = "file:///src/shop/pay.py"


class Idle(Link):
    """An editor that has nothing to draw, nor to show."""

    def refresh_hints(self) -> None:
        """Draw nothing."""

    def tell_status(self, state: str, memories: int, vectors: str, detail: str) -> None:
        """Show nothing."""


class Bench:
    """A session with one file open, on a real connection; its clock stands still."""

    def __init__(self, home: Home, daemon: FakeDaemon) -> None:
        self.now = 1_000.0
        self.daemon = daemon
        self.session = Session(
            Idle(LanguageServer("idle", "1")), self._connection(home), lambda: self.now
        )

    def _connection(self, home: Home) -> Callable[[Callable[[Presence], None]], Connection]:
        return lambda changed: Connection(home, start=None, changed=changed)

    async def asked(self) -> int:
        """Wake the session, and count the matches that the daemon was asked for until now."""
        view = self.session.view(URI)
        assert view is not None
        view.wake()
        await anyio.wait_all_tasks_blocked()
        await self.settled()
        return self.daemon.count(Match)

    def type(self, version: int) -> None:
        """Edit the file, whose lines are not matched while they are typed in."""
        text = f"# the retry budget is {version}\n"
        self.session.edit(URI, version, [TextDocumentContentChangeWholeDocument(text)])

    async def settled(self) -> None:
        """Wait until the session asks nothing more.

        A question on the same connection is answered after those before it. What the session
        asks when it has their answers is seen by the next one.
        """
        before = -1
        while before != (before := len(self.daemon.asked) - self.daemon.count(Feedback)):
            useful = Feedback(id="m1", useful=True)
            assert await self.session.ask(useful, within=PATIENCE) is not None
            await anyio.wait_all_tasks_blocked()

    async def first(self) -> None:
        """Wait until the first match was answered."""
        await anyio.to_thread.run_sync(self.daemon.match_arrived.acquire)
        await self.settled()


def at_work(home: Home, daemon: FakeDaemon, then: Callable[[Bench], Awaitable[None]]) -> None:
    """Run ``then`` beside a session whose file is read."""

    async def run() -> None:
        bench = Bench(home, daemon)
        bench.session.open(URI, "/src/shop/pay.py", 1, "# the retry budget is small\n")
        bench.session.initialized.set()
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(bench.session.run)
                await bench.first()
                await then(bench)
                tasks.cancel_scope.cancel()

    daemon.start()
    anyio.run(run)


def test_after_a_failure_it_is_asked_again_once_the_pause_is_over(
    home: Home, daemon: FakeDaemon
) -> None:
    daemon.refuses["match"] = "busy"

    async def fail(bench: Bench) -> None:
        for count in (1, 2, 3):
            bench.now += RETRY - 0.5
            assert await bench.asked() == count
            bench.now += 0.5
            assert await bench.asked() == count + 1

    at_work(home, daemon, fail)
