"""A data home whose daemon is a small script, a listener in the daemon's place, and the clients."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from daemon.wire import Decoder, Frame, encoded
from tests.patience import PATIENCE

EVENT = {
    "session_id": "1dff0000-0000-4000-8000-000000000000",
    "cwd": "/home/ada/engine",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "please read hello",
}
RAW = json.dumps(EVENT).encode()

Answer = Callable[[Frame], "bytes | None"]


def replying(output: bytes) -> Callable[[Frame], bytes]:
    """The daemon's answer with these bytes for the agent."""
    return lambda frame: encoded(Frame(frame.id, "reply", output))


def program(path: Path, text: str = "#!/bin/sh\n") -> Path:
    """A program of the user's, which does nothing unless told otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o700)
    return path


class Home(Struct):
    """A data home for one test."""

    root: Path

    @property
    def environ(self) -> dict[str, str]:
        """What a hook gets to see of the world."""
        return {"REVERIE_HOME": str(self.root), "HOME": str(self.root), "PATH": "/usr/bin:/bin"}

    def spooled(self) -> list[dict[str, Any]]:
        """The spooled events, oldest first."""
        return [json.loads(path.read_bytes()) for path in sorted(self.spool.glob("*.json"))]

    @property
    def spool(self) -> Path:
        return self.root / "spool"

    def starts(self) -> list[str]:
        """The command lines with which the daemon was started."""
        started = self.root / "started"
        return started.read_text().splitlines() if started.exists() else []


class Listener(Struct):
    """What stands in the daemon's place: reads one frame a connection, answers as told."""

    answer: Answer
    frames: list[Frame] = field(default_factory=list[Frame])
    done: threading.Event = field(default_factory=threading.Event)

    def serve(self, listening: socket.socket) -> None:
        """Serve everybody who came until it is done, on a busy machine too: the last says nothing."""
        held: list[socket.socket] = []
        is_last = False
        while not is_last:
            try:
                connection, _ = listening.accept()
            except OSError:
                break
            before = len(self.frames)
            if self._answered(connection):
                connection.close()
            else:
                held.append(connection)
            is_last = self.done.is_set() and len(self.frames) == before
        for connection in held:
            connection.close()

    def _answered(self, connection: socket.socket) -> bool:
        decoder = Decoder()
        while data := connection.recv(65536):
            decoder.feed(data)
            for frame in decoder.frames():
                self.frames.append(frame)
                answer = self.answer(frame)
                if answer is None:
                    return False
                with suppress(BrokenPipeError, ConnectionResetError):  # it waits no more
                    connection.sendall(answer)
                return True
        return True


@contextmanager
def listening(home: Home, answer: Answer) -> Generator[Listener]:
    """A listener at the address that the home names."""
    folder = tempfile.mkdtemp(prefix="rv")  # pytest's folders are too long for a socket
    path = f"{folder}/s"
    listener = Listener(answer)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        server.bind(path)
        server.listen(64)
        (home.root / "address").write_text(path + "\n")
        thread = threading.Thread(target=listener.serve, args=(server,), name="listener")
        thread.start()
        try:
            yield listener
        finally:
            listener.done.set()
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as last:
                last.connect(path)
            thread.join(PATIENCE)
            shutil.rmtree(folder)


class Client(Struct, frozen=True):
    """One way to run a hook: the words before the agent's name and after it."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...] = ()

    def command(self, agent: str = "claude") -> list[str]:
        return [*self.before, agent, *self.after]

    def run(
        self,
        home: Home,
        raw: bytes = RAW,
        *,
        shell: str = "",
        cwd: str = ".",
        **environ: str,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one hook to its end; ``shell``: by a line of the shell, to which it is ``"$@"``."""
        return subprocess.run(
            ["/bin/sh", "-c", shell, "sh", *self.command()] if shell else self.command(),
            input=raw,
            capture_output=True,
            cwd=cwd,
            env={**home.environ, **environ},
            timeout=PATIENCE,
            check=False,
        )


def python_client(hooks: Path) -> Client:
    """The one that needs nothing but an interpreter."""
    return Client("python", (sys.executable, "-I", "-S", str(hooks / "hook.py")))


def shell_client(hooks: Path) -> Client:
    """What agents run: the script that picks a client."""
    return Client("shell", ("/bin/sh", str(hooks / "hook.sh")))


def native_client(hooks: Path, folder: Path) -> Client | None:
    """The native one, compiled into this folder; ``None`` without a C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    binary = folder / "reverie-hook"
    warnings = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([compiler, *warnings, "-O1", "-o", binary, hooks / "hook.c"], check=True)
    return Client("native", (str(binary),), (str(hooks),))


def files_under(folder: Path) -> list[str]:
    """Every file below the folder, as relative paths."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
