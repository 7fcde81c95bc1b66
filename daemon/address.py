"""Address on which the daemon listens, and how clients learn of it.

The socket lies in the home. A path too long for a socket (108 bytes on Linux, 104 on
macOS) falls back to a short folder of the user's own; the address file names whichever
it is. Beside it lies how long hooks wait for an answer: clients of an earlier version take
all of the address file for the path.
"""

import hashlib
import os
import socket
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from daemon.home import FILE_MODE, FOLDER_MODE, Home, distrust, identity, whole_file

LONGEST_PATH = 100  # bytes of a socket's path, safe on every system
BACKLOG = 128  # connections that may wait to be accepted: a storm of hooks
ON_THE_WAY = 0.030  # seconds that a hook needs beside the time that a prompt is given


class NoPlaceForSocket(Exception):
    """The runtime folder is not the user's own."""


def socket_path(home: Home) -> Path:
    """Path for the socket of this home."""
    if len(os.fsencode(home.socket)) <= LONGEST_PATH:
        return home.socket
    name = hashlib.blake2b(os.fsencode(home.root), digest_size=8).hexdigest()
    folder = _runtime_folder() / f"reverie-{os.getuid()}-{name}"
    with suppress(FileExistsError):
        folder.mkdir(mode=FOLDER_MODE)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise NoPlaceForSocket(
            f"{folder} belongs to somebody else: remove it, or move REVERIE_HOME"
        )
    if stat.S_IMODE(found.st_mode) & ~FOLDER_MODE:  # who could enter may have prepared something
        raise NoPlaceForSocket(f"others may enter {folder}: remove it, or move REVERIE_HOME")
    return folder / "daemon.sock"


def _runtime_folder() -> Path:
    """A folder for short-lived things in which nobody else replaces ours.

    The variables outlive their session, and may be another user's after su.
    """
    named = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    for choice in (named, "/tmp"):
        short = len(os.fsencode(choice)) <= LONGEST_PATH - 50
        # Its sticky bit excuses it: ours lies in it, in a folder of its own.
        if short and os.access(choice, os.W_OK | os.X_OK) and not distrust(Path(choice), strict=0):
            return Path(choice)
    raise NoPlaceForSocket(f"neither {named} nor /tmp is safe to use: move REVERIE_HOME")


@contextmanager
def listening(home: Home, deadline: float) -> Generator[socket.socket]:
    """A bound, listening socket with its address in the home's file.

    ``deadline``: seconds for a prompt; hooks wait a little longer. Only the holder of the home's
    lock may call this: a socket file in the way is then a dead daemon's, and is removed.
    """
    path = socket_path(home)
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    bound: tuple[int, int] | None = None
    try:
        listener.bind(str(path))
        bound = identity(path)
        path.chmod(FILE_MODE)
        listener.listen(BACKLOG)
        listener.setblocking(False)
        _write(home.hook_budget, f"{1000 * (deadline + ON_THE_WAY):.0f}\n")
        _write(home.address, f"{path}\n")
        yield listener
    finally:
        listener.close()
        if bound is not None and bound == identity(path):  # else it is a later daemon's
            home.address.unlink(missing_ok=True)
            home.hook_budget.unlink(missing_ok=True)
            path.unlink(missing_ok=True)


def _write(path: Path, line: str) -> None:
    """Make the file whole, in one step."""
    with whole_file(path) as file:
        file.write(line.encode())
