"""Target of an export: the file named by a person, written without breaking its kind."""

import errno
import os
import stat
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from daemon.home import whole_file

OPENED = ("/dev/", "/proc/")  # where a link is no link, but another name of an opened file


def target_file(target: Path) -> AbstractContextManager[BinaryIO]:
    """A file to write; a plain file is replaced at the end, whole, and only its owner reads it.

    A link stays one: its target is replaced. A device or a named pipe is written in place. Raises
    ``OSError``, for a folder at once.
    """
    mode = _mode(target)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if stat.S_ISREG(mode) and not (target.is_symlink() and str(target).startswith(OPENED)):
        return whole_file(Path(os.path.realpath(target)))
    return target.open("wb")


def _mode(target: Path) -> int:
    """Mode of the file there, links followed; a plain file's where there is none."""
    try:
        return target.stat().st_mode
    except FileNotFoundError:
        return stat.S_IFREG
