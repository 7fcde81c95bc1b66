"""One daemon a home: its lock, and the note of failed starts."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from daemon.home import FILE_MODE, Home, whole_file

# ---- the lock, taken before anything heavy is imported
#
# Forty hooks at once may start forty processes; thirty-nine of them leave here, a few milliseconds old.

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


def seen(home: Home) -> tuple[str, bool]:
    """The process named in the lock, if any, and whether somebody holds it."""
    try:
        descriptor = os.open(home.lock, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return "", False
    named = ""
    try:
        named = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return named, True
    except IsADirectoryError:  # the start says so, which cannot take it
        pass
    finally:
        os.close(descriptor)
    return named, False


def holder(home: Home) -> int | None:
    """The process holding the home's lock, fit to be ended for it; ``None`` where none is sure.

    The lock must be held, and the process named in it must have it open: a number left there may be
    another process's by now. Where the system does not list open files, the first alone decides.
    """
    named, held = seen(home)
    sure = held and named.isdigit() and _has_open(int(named), home.lock)
    return int(named) if sure else None


def was_killed(home: Home) -> bool:
    """Return whether the last daemon of this home ended without leaving in order.

    Nobody holds the lock, and it names a process still: one leaving on request takes its name out.
    """
    named, held = seen(home)
    return bool(named) and not held


def excuse(home: Home) -> None:
    """Take out the name of a daemon ended on purpose and unable to do so: none is missed."""
    os.truncate(home.lock, 0)


def forget_killed(home: Home) -> None:
    """Take out the name of a killed daemon: a person wants none now."""
    if was_killed(home):
        with suppress(AlreadyRunning), held_lock(home):  # who leaves in order takes it out
            pass


def _has_open(process: int, file: Path) -> bool:
    """Return whether the process has this file open."""
    if process == os.getpid() or not Path("/proc/self/fd").is_dir():
        return process != os.getpid()
    with suppress(OSError):  # it is gone, or another user's
        for path in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                if path.samefile(file):
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
        if not left or (other.isdigit() and alive(int(other))):
            who = other or "unknown"
            raise AlreadyRunning(f"a daemon serves {home.root} already (process {who})")
        time.sleep(LOOK)


def alive(process: int) -> bool:
    """Return whether this process runs; an ended one waiting for its parent does not."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    # Without a state there is no /proc here, or it has just ended: the next look will tell.
    return _stat(process)[:1] != [b"Z"]


def processor_time(process: int | None) -> int:
    """Ticks of the processor used by a process; 0 where the system does not say."""
    used = _stat(process)[11:13]  # in user mode and in the kernel
    return sum(map(int, used))


def stands_still(process: int | None, before: int) -> bool:
    """Return whether a process was stopped, or waits and has used no processor since ``before``."""
    state = _stat(process)[:1]
    return state in ([b"T"], [b"t"]) or (state == [b"S"] and processor_time(process) == before)


def _stat(process: int | None) -> list[bytes]:
    """Linux's fields of a process, from its state on; nothing elsewhere."""
    try:
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []


# ---- failed starts: noted in the home, so hooks do not try at every event
#
# The note is ``HOME/failed-start``: the seconds for which hooks rest, how many starts in a row failed,
# and why the last did, a line each; the time is the file's. A daemon writes it before anything can go
# wrong, so an end without a word counts as well, puts its reason in when it knows one, and removes it
# when it is ready. Hooks read the first line alone (``hooks/start.py``); whoever is asked by a person
# tries at once.

LONGEST_REST: Final = 3_600  # seconds
TOLD: Final = 60  # seconds after the first start that failed for a reason; then doubled
# Seconds after the first that ended without a word: a machine that was switched off meanwhile is
# no fault of ours, and a start that hangs is tried again after as long (hooks/start.py).
UNTOLD: Final = 10
UNKNOWN: Final = "it ended without a word while it started"


class FailedStart(Struct, frozen=True):
    """The last start failed, as the ones before it."""

    times: int  # in a row
    at: float  # seconds since the epoch, by the disk's clock
    rest: int  # seconds for which hooks do not try again
    why: str


def failed_start(home: Home) -> FailedStart | None:
    """Note of the last start, if it failed; None when it went well or nothing is known."""
    try:
        rest, times, why, *_ = home.failed_start.read_text(encoding="utf-8").split("\n")
        return FailedStart(int(times), home.failed_start.stat().st_mtime, int(rest), why)
    except (OSError, ValueError):
        return None


def note_start(home: Home) -> None:
    """A start begins: until somebody knows better, it has come to nothing."""
    before = failed_start(home)
    _note(home, before.times + 1 if before is not None else 1, UNTOLD, UNKNOWN)


def note_failure(home: Home, why: str) -> None:
    """Note the reason of the failed start, one line; a ready one did not fail."""
    begun = failed_start(home)
    if begun is not None:
        _note(home, begun.times, TOLD, why)


def forget_failed_start(home: Home) -> None:
    """The daemon is ready, or was told to leave before it was."""
    with suppress(OSError):
        home.failed_start.unlink()


def rest_after(times: int, first: int) -> int:
    """Seconds for which hooks do not try again after so many starts in a row."""
    return min(first << min(max(times - 1, 0), 20), LONGEST_REST)


def _note(home: Home, times: int, first: int, why: str) -> None:
    """Write it, as a whole; a full disk is reported elsewhere."""
    noted = f"{rest_after(times, first)}\n{times}\n{' '.join(why.split())}\n"
    with suppress(OSError), whole_file(home.failed_start) as file:
        file.write(noted.encode(errors="backslashreplace"))  # a path may be no text
