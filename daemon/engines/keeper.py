"""Keeper of an engine: runs one program and leaves none of its processes behind.

    python -I -S keeper.py FD FILES WORD...

The program has the keeper's standard streams, and a session and process group of its own. It ends
when it likes, or when the pipe FD closes: the daemon closes it, or has died, whatever killed it.
Then, and also when the program ended well, every process left by it gets SIGTERM, and SIGKILL after
`GRACE`. On Linux these are all its descendants, those in sessions of their own too, because the
keeper adopts orphans; elsewhere they are the process group. Exit status: the program's, 128 and the
killing signal, `CANNOT_RUN` when it could not be started, `ENDED` when it was ended. An ended
program leaves no file either: the keeper empties its own folder, which is the program's, and FILES,
the folder of the program's input files.

Standard library alone and run by its path: it starts in 15 ms, which a reading does not notice.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Final

GRACE: Final = 0.5  # seconds from SIGTERM to SIGKILL: enough to remove a temporary file
GIVES_UP: Final = 5.0  # seconds of SIGKILL: a process in uninterruptible sleep must not hold it
LOOKS: Final = 0.01  # seconds between two looks at who is left
CANNOT_RUN: Final = 127
ENDED: Final = 143

_DEATH_SIGNAL: Final = 1  # prctl: what a process gets when its parent ends
_ADOPTS: Final = 36  # prctl: orphans among the descendants become its children
_LINUX: Final = sys.platform == "linux"


def main() -> None:
    """Run the program named by the arguments and leave with its status."""
    pipe, files, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.set_inheritable(pipe, False)
    _prctl(_ADOPTS, 1)
    awake = _awakened()
    program = _started(words)
    status = _outcome(program, pipe, awake)
    _clear(program)
    # A program may end of the daemon's death before the keeper sees it: by a broken pipe.
    if status == ENDED or select.select([pipe], [], [], 0)[0]:
        for folder in (Path(), Path(files)):
            with contextlib.suppress(OSError):
                empty(folder)
        with contextlib.suppress(OSError):
            Path(files).rmdir()
    os._exit(status)  # nothing is buffered, and nothing may keep it


def empty(folder: Path) -> None:
    """Remove everything in this folder. Raises OSError."""
    for entry in list(folder.iterdir()):
        if entry.is_dir() and not entry.is_symlink():
            empty(entry)
            entry.rmdir()
        else:
            entry.unlink()


def _prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where there are any; a refusal leaves it as it was."""
    if _LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _awakened() -> int:
    """Descriptor readable after a child ended or somebody asked the keeper to end."""
    end, wakes = os.pipe()
    os.set_blocking(end, False)
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    return end


def _started(words: list[str]) -> int:
    """Process id of the program. `subprocess` would cost half of the keeper's start."""
    program = os.fork()
    if program:
        os.close(0)  # what nobody reads any more breaks the pipe of who writes
        return program
    try:
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)  # should somebody kill the keeper
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores
        os.execv(words[0], words)
    except OSError as error:
        os.write(2, f"cannot be run: {error.strerror}\n".encode())
    finally:
        os._exit(CANNOT_RUN)


def _outcome(program: int, pipe: int, awake: int) -> int:
    """Wait for the program or for the pipe; the exit status to leave with."""
    ends = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
    while True:
        ended, status = os.waitpid(program, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        ready, _, _ = select.select([pipe, awake], [], [])
        if pipe in ready or ends.intersection(os.read(awake, 512)):
            return ENDED


def _clear(program: int) -> None:
    """End every process left by the program."""
    for number, patience in ((signal.SIGTERM, GRACE), (signal.SIGKILL, GIVES_UP)):
        deadline = time.monotonic() + patience
        _tell(program, number)
        while _is_left(program):
            if time.monotonic() > deadline:
                break
            time.sleep(LOOKS)
            if number == signal.SIGKILL:  # orphans come only when their parent is gone
                _tell(program, number)


def _tell(program: int, number: signal.Signals) -> None:
    """Signal the program's group and the orphans here; a process already gone is no error."""
    with contextlib.suppress(OSError):
        os.killpg(program, number)
    for child in _children():
        with contextlib.suppress(OSError):
            os.kill(child, number)


def _is_left(program: int) -> bool:
    """Reap who ended; whether anybody else is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        if _LINUX:
            return False
    else:
        return True
    try:
        os.killpg(program, 0)
    except OSError:
        return False
    return True


def _children() -> list[int]:
    """Process ids of the keeper's children, as Linux shows them."""
    own, children = str(os.getpid()), list[int]()
    for entry in Path("/proc").glob("[0-9]*/stat") if _LINUX else ():
        try:
            fields = entry.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if fields[1].decode() == own:
            children.append(int(entry.parent.name))
    return children


if __name__ == "__main__":
    main()
