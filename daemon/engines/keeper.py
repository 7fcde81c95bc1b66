"""Keeper of an engine: runs one program and leaves none of its process group behind.

    python -I -S keeper.py FD FILES WORD...

The program has the keeper's standard streams, and a session and process group of its own. It ends
when it likes, or when the pipe FD closes: the daemon closes it, or has died, whatever killed it. Then
the group gets SIGTERM, and SIGKILL after `GRACE`; whoever is left of it when the program ended by
itself gets SIGKILL too. A program whose pipe closed leaves no file either: its folder, which is the
keeper's own, and FILES, the folder of its input files, go. Exit status: the program's, 128 and the
killing signal, or `CANNOT_RUN`.

Standard library alone and run by its path: it starts in 15 ms, which a reading does not notice.
"""

import contextlib
import os
import select
import signal
import sys
import threading
import time
from typing import Final

GRACE: Final = 0.5  # seconds from SIGTERM to SIGKILL: enough to remove a temporary file
CANNOT_RUN: Final = 127


def main() -> None:
    """Run the program named by the arguments and leave with its status."""
    pipe, files, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    os.set_inheritable(pipe, False)
    program = _started(words)
    threading.Thread(target=_end_with, args=(pipe, program), daemon=True).start()
    _, status = os.waitpid(program, 0)
    _tell(program, signal.SIGKILL)
    if select.select([pipe], [], [], 0)[0]:
        import shutil  # half as long as the keeper's start, and needed by few

        for folder in (os.getcwd(), files):  # noqa: PTH109 - paths are texts here
            shutil.rmtree(folder, ignore_errors=True)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)  # nothing is buffered, and nothing may keep it


def _started(words: list[str]) -> int:
    """Process id of the program. `subprocess` would cost half of the keeper's start."""
    program = os.fork()
    if program:
        os.close(0)  # what nobody reads any more breaks the pipe of who writes
        return program
    try:
        os.setsid()
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores
        os.execv(words[0], words)
    except OSError as error:
        os.write(2, f"cannot be run: {error.strerror}\n".encode())
    finally:
        os._exit(CANNOT_RUN)


def _end_with(pipe: int, program: int) -> None:
    """End the program's group once the pipe closes."""
    os.read(pipe, 1)
    _tell(program, signal.SIGTERM)
    time.sleep(GRACE)
    _tell(program, signal.SIGKILL)


def _tell(program: int, number: signal.Signals) -> None:
    """Signal the program's group; one already gone is no error."""
    with contextlib.suppress(OSError):
        os.killpg(program, number)


if __name__ == "__main__":
    main()
