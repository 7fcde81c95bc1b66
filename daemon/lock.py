"""One daemon a home: the lock, taken before anything heavy is imported.

Forty hooks at once may start forty processes; thirty-nine of them leave here, a few
milliseconds old.
"""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from daemon.home import FILE_MODE, Home

LOOK = 0.01  # seconds for somebody who only looks whether the lock is held, to be done
LOOKS = 100
TAKEN = 75  # the exit code of a daemon that finds another one: a service is not to try again


class AlreadyRunning(Exception):
    """Another daemon serves this home."""


class SecondDaemon(AlreadyRunning):
    """Another daemon serves this one's home."""

    exit_code = TAKEN


def is_ours(home: Home) -> bool:
    """Return whether the home there now is the one this process locked.

    A removed home takes its lock with it; one made anew belongs to another daemon.
    """
    try:
        return int(home.lock.read_text(encoding="ascii")) == os.getpid()
    except (OSError, ValueError):
        return False


def holder(home: Home) -> int | None:
    """The process holding the home's lock, fit to be ended for it; ``None`` where none is sure.

    The lock must be held, and the process named in it must have it open: a number left there may be
    another process's by now. Where the system does not list open files, the first alone decides.
    """
    try:
        descriptor = os.open(home.lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        named = os.pread(descriptor, 20, 0).strip()
        if not named.isdigit() or not _has_open(int(named), os.fstat(descriptor)):
            return None
        return int(named)
    finally:
        os.close(descriptor)
    return None


def was_killed(home: Home) -> bool:
    """Return whether the last daemon of this home ended without leaving in order.

    Nobody holds the lock, and it names a process still: one leaving on request takes its name out.
    """
    try:
        descriptor = os.open(home.lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        if not os.pread(descriptor, 20, 0).strip():
            return False
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def excuse(home: Home) -> None:
    """Take out the name of a daemon ended on purpose and unable to do so: none is missed."""
    os.truncate(home.lock, 0)


def forget_killed(home: Home) -> None:
    """Take out the name of a killed daemon: a person wants none now."""
    if was_killed(home):
        with suppress(AlreadyRunning), held_lock(home):  # who leaves in order takes it out
            pass


def _has_open(process: int, file: os.stat_result) -> bool:
    """Return whether the process has this file open."""
    folder = Path(f"/proc/{process}/fd")
    if process == os.getpid() or not Path("/proc/self/fd").is_dir():
        return process != os.getpid()
    try:
        opened = list(folder.iterdir())
    except OSError:
        return False  # it is gone, or another user's
    for path in opened:
        with suppress(OSError):
            if os.path.samestat(path.stat(), file):
                return True
    return False


@contextmanager
def held_lock(home: Home) -> Generator[None]:
    """Hold the home's lock; it goes with the process, however it ends.

    Who leaves the block in order takes its name out of the file (``was_killed``). Raises
    ``AlreadyRunning``, with the process id of the other when it is known.
    """
    descriptor = os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE_MODE)
    try:
        _lock(descriptor, home)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, home: Home) -> None:
    """Take the lock. Raises ``AlreadyRunning`` where a daemon has it.

    Whoever asks whether a daemon was killed has the lock for a moment too: it is waited for where
    the file names no running process.
    """
    for left in reversed(range(LOOKS)):
        with suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        other = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
        if not left or _runs(other):
            who = other or "unknown"
            raise AlreadyRunning(f"a daemon serves {home.root} already (process {who})")
        time.sleep(LOOK)


def _runs(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True
