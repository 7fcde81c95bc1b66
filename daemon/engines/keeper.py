"""Keeper of an engine: runs one program and leaves none of its processes behind.

    python -I -S keeper.py FD FILES WORD...

The program has the keeper's standard streams, and a session and process group of its own. It ends
when it likes, or when the pipe FD closes: the daemon closes it, or has died, whatever killed it. Then
the group gets SIGTERM, and SIGKILL after `GRACE`. Whoever is left when the program ended gets
SIGKILL: its group, and on Linux all its descendants, those in sessions of their own too, because the
keeper adopts orphans. A program whose pipe closed leaves no file either: its folder, which is the
keeper's own, and FILES, the folder of its input files, go. Exit status: the program's, 128 and the
killing signal, or `CANNOT_RUN`.

Standard library alone and run by its path: it starts in 15 ms, which a reading does not notice.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final

GRACE: Final = 0.5  # seconds from SIGTERM to SIGKILL: enough to remove a temporary file
GIVES_UP: Final = 5.0  # seconds of SIGKILL: a process in uninterruptible sleep must not hold it
LOOKS: Final = 0.01  # seconds between two looks at who is left
CANNOT_RUN: Final = 127

_DEATH_SIGNAL: Final = 1  # prctl: what a process gets when its parent ends
_ADOPTS: Final = 36  # prctl: orphans among the descendants become its children
_LINUX: Final = sys.platform == "linux"
_ASKS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main() -> None:
    """Run the program named by the arguments and leave with its status."""
    pipe, files, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.set_inheritable(pipe, False)
    _prctl(_ADOPTS, 1)
    program = _started(words)
    for number in _ASKS:
        signal.signal(number, signal.SIG_IGN)  # the pipe alone says when to end
    threading.Thread(target=_end_with, args=(pipe, program), daemon=True).start()
    _, status = os.waitpid(program, 0)
    _clear(program)
    if select.select([pipe], [], [], 0)[0]:
        import shutil  # half as long as the keeper's start, and needed by few

        for folder in (os.getcwd(), files):  # noqa: PTH109 - paths are texts here
            shutil.rmtree(folder, ignore_errors=True)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)  # nothing is buffered, and nothing may keep it


def _prctl(option: int, value: int) -> None:
    """Set an attribute of this process, where there are any; a refusal leaves it as it was."""
    if _LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


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


def _end_with(pipe: int, program: int) -> None:
    os.read(pipe, 1)
    _tell(program, signal.SIGTERM)
    time.sleep(GRACE)
    _tell(program, signal.SIGKILL)


def _clear(program: int) -> None:
    """Kill whoever the program left; orphans come only when their parent is gone."""
    _tell(program, signal.SIGKILL)
    deadline = time.monotonic() + GIVES_UP
    while _has_children() and time.monotonic() < deadline:
        for child in _children():
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        time.sleep(LOOKS)


def _has_children() -> bool:
    """Reap who ended; whether anybody else is left."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _children() -> list[int]:
    """Process ids of the keeper's children, as Linux shows them."""
    own, children = os.getpid(), list[int]()
    for entry in Path("/proc").glob("[0-9]*/stat") if _LINUX else ():
        with contextlib.suppress(OSError):
            fields = entry.read_bytes().rpartition(b")")[2].split()
            if int(fields[1]) == own:
                children.append(int(entry.parent.name))
    return children


def _tell(program: int, number: signal.Signals) -> None:
    """Signal the program's group; one already gone is no error."""
    with contextlib.suppress(OSError):
        os.killpg(program, number)


if __name__ == "__main__":
    main()
