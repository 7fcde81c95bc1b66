"""A terminal for a client that a person works with: keys in, the screen's text out."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.patience import PATIENCE

ENTER, TAB, DOWN = "\r", "\t", "\x1b[B"
_CONTROL = re.compile(r"\x1b\[[0-9;?<>=]*[A-Za-z]")
PAUSE = 0.2  # seconds between keys: what is typed faster is taken for pasted


class Terminal(Struct):
    """The end of the terminal that a person holds."""

    descriptor: int
    shown: str = ""

    def press(self, *keys: str) -> None:
        """Press each of these, a text or a key, with a pause after it."""
        for key in keys:
            os.write(self.descriptor, key.encode())
            self._read(PAUSE)

    def until(self, *texts: str) -> None:
        """Wait until each of these was on the screen since the last wait, blanks aside."""
        deadline = time.monotonic() + PATIENCE
        wanted = ["".join(text.split()) for text in texts]
        while not all(text in self.shown for text in wanted):
            assert time.monotonic() < deadline, self.shown
            self._read(PAUSE)
        self.shown = ""

    def _read(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if select.select([self.descriptor], [], [], left)[0]:
                try:
                    drawn = os.read(self.descriptor, 65536).decode("utf-8", "replace")
                except OSError:
                    return  # the program has ended
                self.shown += "".join(_CONTROL.sub("", drawn).split())


@contextmanager
def terminal(command: list[str], folder: Path, environ: dict[str, str]) -> Generator[Terminal]:
    """Run a program in a terminal of 40 lines until the block ends."""
    process, descriptor = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.execve(command[0], command, environ)
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    try:
        yield Terminal(descriptor)
    finally:
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
        os.close(descriptor)
