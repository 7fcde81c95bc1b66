"""Address on which the daemon listens, and how clients learn of it.

The socket lies in the home. A path too long for a socket (108 bytes on Linux, 104 on
macOS) falls back to a short folder of the user's own; the address file names whichever
it is.
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

LONGEST = 100  # bytes of a socket's path, safe on every system
BACKLOG = 128  # connections that may wait to be accepted: a storm of hooks


class NoPlaceForSocket(Exception):
    """The runtime folder is not the user's own."""


def socket_path(home: Home) -> Path:
    """Path for the socket of this home."""
    if len(os.fsencode(home.socket)) <= LONGEST:
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
        short = len(os.fsencode(choice)) <= LONGEST - 50
        # Its sticky bit excuses it: ours lies in it, in a folder of its own.
        if short and os.access(choice, os.W_OK | os.X_OK) and not distrust(Path(choice), strict=0):
            return Path(choice)
    raise NoPlaceForSocket(f"neither {named} nor /tmp is safe to use: move REVERIE_HOME")


@contextmanager
def listening(home: Home) -> Generator[socket.socket]:
    """A bound, listening socket whose address the home's file names.

    Only the holder of the home's lock may call this: a socket file that is in the way
    is then a dead daemon's, and is removed.
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
        write_address(home, path)
        yield listener
    finally:
        listener.close()
        if bound is not None and bound == identity(path):  # else it is a later daemon's
            home.address.unlink(missing_ok=True)
            path.unlink(missing_ok=True)


def write_address(home: Home, path: Path) -> None:
    """Name the socket in the home's address file, in one step."""
    with whole_file(home.address) as file:
        file.write(f"{path}\n".encode())
