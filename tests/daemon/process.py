"""A real daemon process in a home of its own, and a blocking client of it."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct, field

from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.wire import Decoder, Frame, encoded
from tests.new_store import lay
from tests.patience import PATIENCE, ROOT, UNHURRIED
from tests.warm import Forked

PROGRAM = "from daemon.cli import main; main()"
IMPORTED = ("daemon.main", "daemon.host", "tests.prepared")
Process = subprocess.Popen[str] | Forked


class Refusal(Exception):
    """The daemon answered with an error."""


class Gone(Exception):
    """The daemon closed the connection before it answered."""


class Line:
    """One connection."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._last = 0
        self.stream = socket.socket(socket.AF_UNIX)
        self.stream.settimeout(PATIENCE)
        try:
            self.stream.connect(home.address.read_text().strip())
        except OSError as error:
            self.stream.close()
            raise Gone from error

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def send(self, data: bytes) -> None:
        """Send these bytes as they are."""
        try:
            self.stream.sendall(data)
        except OSError as error:
            raise Gone from error

    def receive(self) -> Frame:
        """The next frame."""
        decoder = Decoder()
        while True:
            try:
                data = self.stream.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                raise Gone from error
            if not data:
                raise Gone
            decoder.feed(data)
            for frame in decoder.frames():
                return frame

    def ask(self, kind: str, /, **body: Any) -> Any:
        """The body of the reply to one request."""
        self._last += 1
        return self.asked(Frame(self._last, kind, body))

    def asked(self, frame: Frame) -> Any:
        """The body of the reply to one frame."""
        self.send(encoded(frame))
        answer = self.receive()
        if answer.kind == "error":
            raise Refusal(f"{answer.body['code']}: {answer.body['message']}")
        return answer.body

    def hook(self, event_id: bytes, event: dict[str, Any], agent: str = "claude") -> bytes:
        """What a hook of this event would print."""
        raw = json.dumps(event).encode()
        printed: bytes = self.asked(Frame(0, "hook", [agent, event_id, time.time_ns(), raw]))
        return printed


def prompt(text: str, session: str = "s1", cwd: str = "/") -> dict[str, Any]:
    """A hook's event: a person said this."""
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": cwd, "prompt": text,
    }  # fmt: skip


def stop(text: str, session: str = "s1") -> dict[str, Any]:
    """A hook's event: the agent said this at the end of its turn."""
    return {
        "hook_event_name": "Stop", "session_id": session, "cwd": "/",
        "last_assistant_message": text,
    }  # fmt: skip


def told(printed: bytes) -> str:
    """Part of a hook's output that an agent reads."""
    return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


class Daemon(Struct):
    """A daemon of one home; it can be started again after it ended."""

    home: Home
    environ: dict[str, str] = field(default_factory=dict[str, str])
    process: Process | None = None

    def launch(self) -> subprocess.Popen[str]:
        """One more daemon process, whether or not there is one; by the program."""
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "daemon"],
            cwd=ROOT, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def fork(self) -> Forked:
        """One more daemon process, from one that has imported everything."""
        return Forked(IMPORTED, (PROGRAM, "daemon"), self.environment())

    def environment(self) -> dict[str, str]:
        """Variables of its processes, and of commands for its home."""
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home.root),
            "REVERIE_HOME": str(self.home.root),
            **UNHURRIED,
            **self.environ,
        }

    def start(self) -> Daemon:
        """Start it and wait until it answers."""
        lay(self.home)
        self.process = self.fork()
        wait_for(self.answers, self.process)
        return self

    def answers(self) -> bool:
        """Whether it is ready."""
        try:
            with Line(self.home) as line:
                return bool(line.ask("greet", version="test")["ready"])
        except (Gone, FileNotFoundError):
            return False

    def line(self) -> Line:
        """A connection to it."""
        return Line(self.home)

    def ask(self, kind: str, /, **body: Any) -> Any:
        """Ask on a connection of its own."""
        with self.line() as line:
            return line.ask(kind, **body)

    def hook(self, event_id: bytes, event: dict[str, Any]) -> bytes:
        """Send an event on a connection of its own, as hooks do."""
        with self.line() as line:
            return line.hook(event_id, event)

    def remember(self, text: str, **more: Any) -> str:
        """Keep a text; its id."""
        return str(self.ask("remember", text=text, **more)["id"])

    def recall(self, query: str, **more: Any) -> list[str]:
        """The texts that a recall finds, best first."""
        return [found["text"] for found in self.ask("recall", query=query, **more)["results"]]

    def settled(self) -> None:
        """Wait until everything that happened is derived and nothing is spooled."""

        def done() -> bool:
            status = self.ask("status")
            return bool(status["undone"] == 0 and status["spooled"] == 0)

        wait_for(done, self.running)

    @property
    def running(self) -> Process:
        """The process."""
        assert self.process is not None
        return self.process

    def kill(self) -> None:
        """End it with no warning."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to end by a signal: its exit code and its last words."""
        self.running.send_signal(number)
        return ended(self.running)

    def journal(self) -> set[bytes]:
        """The ids of the events in the journal, read without the daemon."""
        connection = apsw.Connection(str(self.home.database), flags=apsw.SQLITE_OPEN_READWRITE)
        sql = Sql(connection)
        try:
            assert sql.rows("PRAGMA integrity_check") == [("ok",)]
            return {event_id for (event_id,) in sql.rows("SELECT event_id FROM journal")}
        finally:
            connection.close()


@contextmanager
def running() -> Generator[Daemon]:
    """Run a daemon that knows nothing yet, as long as the block."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Home(Path(folder))
        home.prepare()
        one = Daemon(home).start()
        yield one
        one.kill()


def ended(process: Process) -> tuple[int, str]:
    """The exit code and the standard error of a process that is ending."""
    _, errors = process.communicate(timeout=PATIENCE)
    return process.wait(), errors


def wait_for(holds: Callable[[], bool], process: Process) -> None:
    """Until this holds, as long as the process lives."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        if process.poll() is not None:
            raise AssertionError(f"the daemon ended: {process.communicate()[1]}")
        if time.monotonic() > deadline:
            raise AssertionError("the daemon took too long")
        time.sleep(0.02)


TAKES = """import sys, time
from daemon.home import Home, Path
from daemon.lock import held_lock
with held_lock(Home(Path(sys.argv[1]))):
    print(flush=True)
    time.sleep(60)
"""


def lock_taker(home: Home) -> subprocess.Popen[bytes]:
    """A process that holds the lock of a home, as a daemon that comes up; it ends when it is killed."""
    taker = subprocess.Popen(
        [sys.executable, "-c", TAKES, str(home.root)], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert taker.stdout
    taker.stdout.readline()
    return taker
