"""Daemons by fork from a process that has imported them: a start costs a tenth of its CPU.

Two of three tests here start a daemon of their own, and most of a start is importing. What
is forked is the daemon's own ``main`` in a process of its own, with its own environment and
its own descriptors. Tests of the start itself run the program (``Daemon.launch``).

One server per process of pytest. For each daemon it forks a parent, which forks the daemon,
tells its process id and waits for its end, as somebody has to.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
HIGHEST = 4096  # descriptor that a child closes
LONGEST = 1 << 16  # bytes of an environment


class WarmDaemon:
    """A forked daemon, with those methods of ``Popen`` that the tests use."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.returncode: int | None = None
        self._output: tuple[IO[str], IO[str]] = (_kept(), _kept())
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.connect(_server()[0])
        descriptors = [file.fileno() for file in self._output]
        socket.send_fds(self._line, [json.dumps(dict(environ)).encode()], descriptors)
        self.pid = int(self._line.recv(64))

    def wait(self, timeout: float | None = None) -> int:
        """The exit code once it has ended; ``subprocess.TimeoutExpired`` when it has not."""
        if self.returncode is None:
            ready, _, _ = select.select([self._line], [], [], timeout)
            if not ready:
                raise subprocess.TimeoutExpired("daemon", timeout or 0.0)
            self.returncode = int(self._line.recv(64))
            self._line.close()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code, or ``None`` while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Standard output and standard error, once it has ended."""
        self.wait(timeout)
        said = [_whole(file) for file in self._output]
        return said[0], said[1]

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it with no warning."""
        self.send_signal(signal.SIGKILL)


def _kept() -> IO[str]:
    return tempfile.TemporaryFile("w+", encoding="utf-8")


def _whole(file: IO[str]) -> str:
    """What the daemon wrote; nothing when it was asked before."""
    if file.closed:
        return ""
    with file:
        file.seek(0)
        return file.read()


@cache
def _server() -> tuple[str, subprocess.Popen[bytes]]:
    """The address of this process's server, and the server, which ends when this process does."""
    folder = tempfile.mkdtemp(prefix="rv-")
    address = f"{folder}/warm"
    alive, _ = os.pipe()  # the other end is ours: its closing is our end
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.daemon.warm", address], cwd=ROOT, stdin=alive,
        env={"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    os.close(alive)
    while not Path(address).exists():
        time.sleep(0.01)
    return address, process


def serve(address: str) -> bool:
    """Fork a daemon for each line; true in the daemon, which has its environment by then."""
    for name in ("daemon.main", "daemon.host"):
        importlib.import_module(name)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(f"{address}.new")
    listener.listen(64)
    Path(f"{address}.new").rename(address)  # it can be connected to once it has its name
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [], 1.0)
        _reap()
        if sys.stdin in ready:  # whoever started this server has ended
            shutil.rmtree(Path(address).parent)
            return False
        if listener in ready:
            line, _ = listener.accept()
            if os.fork() == 0:
                return _parent(line)
            line.close()


def _reap() -> None:
    """Let go of the parents that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _parent(line: socket.socket) -> bool:
    """Fork the daemon, tell its id and its end; true in the daemon."""
    asked, descriptors, _, _ = socket.recv_fds(line, LONGEST, 2)
    daemon = os.fork()
    if daemon == 0:
        _become(json.loads(asked), descriptors)
        return True
    line.send(str(daemon).encode())
    _, status = os.waitpid(daemon, 0)
    line.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(environ: dict[str, str], descriptors: list[int]) -> None:
    """Take this environment, these two descriptors, nothing else of the server's."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for place, descriptor in enumerate((nothing, *descriptors)):
        os.dup2(descriptor, place)
    os.closerange(3, HIGHEST)
    os.environ.clear()
    os.environ.update(environ)
    time.tzset()


if __name__ == "__main__" and serve(sys.argv[1]):
    from daemon.cli import main

    sys.argv[1:] = ["daemon"]
    main()
