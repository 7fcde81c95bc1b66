"""One daemon a home: the lock, taken before anything heavy is imported.

Forty hooks at once may start forty processes; thirty-nine of them leave here, a few
milliseconds old.
"""

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager

from daemon.home import FILE_MODE, Home


class AlreadyRunning(Exception):
    """Another daemon serves this home."""


def is_ours(home: Home) -> bool:
    """Return whether the home that lies there now is the one this process locked.

    A home that was removed takes its lock with it; one made anew belongs to another daemon.
    """
    try:
        return int(home.lock.read_text(encoding="ascii")) == os.getpid()
    except (OSError, ValueError):
        return False


@contextmanager
def held_lock(home: Home) -> Generator[None]:
    """Hold the home's lock; it goes with the process, however that ends.

    Raises ``AlreadyRunning``, with the process id of the other when it is known.
    """
    descriptor = os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise AlreadyRunning(f"a daemon serves {home.root} already (process {other})") from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
