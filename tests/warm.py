"""Python processes by fork from one that has imported what they need: a tenth of the CPU of a start.

Two of three tests of the daemon start one of their own, those of the servers a server, and most
of a start is importing. What is forked runs the program that ``python -c`` would run, in a process
of its own, with its own environment and its own descriptors. A test has it as ``Forked``; a client
that starts a command has the words of one (``python``). Tests of the start itself run the program.

One server for what is imported and process of pytest, with warnings as errors. For each process
it forks a parent, which forks that process, tells its id and waits for its end, as somebody has to.
"""

from __future__ import annotations

import gc
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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests import stand_in
from tests.patience import ROOT

HIGHEST = 4096  # descriptor that a child closes
LONGEST = 1 << 16  # bytes of words and environment


def python(*modules: str) -> list[str]:
    """Words that start a Python which has imported these; its program and arguments go behind."""
    return [sys.executable, "-I", "-S", stand_in.__file__, _server(*modules)[0]]


class Forked:
    """A forked process with nothing to read, with those methods of ``Popen`` that the tests use."""

    def __init__(
        self, modules: Sequence[str], words: Sequence[str], environ: Mapping[str, str]
    ) -> None:
        self.returncode: int | None = None
        self._output: tuple[IO[str], IO[str]] = (_kept(), _kept())
        address, _ = _server(*modules)
        with Path(os.devnull).open("rb") as nothing:
            streams = [file.fileno() for file in (nothing, *self._output)]
            self._line, self.pid = stand_in.forked(address, words, environ, str(ROOT), streams)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code once it has ended; ``subprocess.TimeoutExpired`` when it has not."""
        if self.returncode is None:
            ready, _, _ = select.select([self._line], [], [], timeout)
            if not ready:
                raise subprocess.TimeoutExpired("a forked process", timeout or 0.0)
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
    """Text that the process wrote; nothing when it was asked before."""
    if file.closed:
        return ""
    with file:
        file.seek(0)
        return file.read()


@cache
def _server(*modules: str) -> tuple[str, subprocess.Popen[bytes]]:
    """The address of a server that has imported these; and the server, which ends when we do.

    Its streams are pipes: a child's are taken for such as cannot be sought in, whatever they are.
    """
    address = f"{tempfile.mkdtemp(prefix='rv-')}/warm"
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "tests.warm", address, *modules],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return address, process


Asked = tuple[list[str], dict[str, str], str, list[int]]  # words, environment, folder, streams


def serve(address: str, *modules: str) -> Asked | None:
    """Fork a process for each line: in it, what was asked; in the server nothing, at its end."""
    for name in modules:
        importlib.import_module(name)
    gc.freeze()  # none of it is garbage when a child ends: to look takes longer than a command
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [], 1.0)
            _reap()
            if sys.stdin in ready:  # whoever started this server has ended
                shutil.rmtree(Path(address).parent)
                return None
            if listener in ready:
                line, _ = listener.accept()
                with line:
                    if os.fork() == 0:
                        return _parent(line)


def _reap() -> None:
    """Let go of the parents that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _parent(line: socket.socket) -> Asked:
    """Fork the process, tell its id and its end; in the process, what was asked.

    Whoever asked may be killed at any moment, also before it heard the id: the process goes with it.
    """
    asked, streams, _, _ = socket.recv_fds(line, LONGEST, 3)
    if not asked:
        os._exit(0)
    process = os.fork()
    if process == 0:
        words, environ, folder = json.loads(asked)
        return words, environ, folder, streams
    for stream in streams:
        os.close(stream)
    with suppress(OSError):
        line.send(str(process).encode())
    end = os.pidfd_open(process)
    ready, _, _ = select.select([line.fileno(), end], [], [])
    if end not in ready:  # nobody is at the other end of the line any more
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    with suppress(OSError):
        line.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def become(asked: Asked) -> str:
    """Take these words, environment, folder and streams, nothing else of the server's; the program."""
    (program, *arguments), environ, folder, streams = asked
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
    os.closerange(3, HIGHEST)
    os.environ.clear()
    os.environ.update(environ)
    os.chdir(folder)
    time.tzset()
    sys.argv[:] = ["-c", *arguments]
    return program


if __name__ == "__main__" and (asked := serve(*sys.argv[1:])):
    exec(become(asked), {"__name__": "__main__"})
