"""Leftovers in the spool: files other than waiting events.

A killed hook leaves a half-written file, the daemon sets aside unreadable ones, and others (root, a
copy of the home) may put there anything they like. None of it counts towards the bounds of the
spool. An event written whole by a hook comes in after all; the rest goes by itself after a week,
and at once when something is erased, because it may quote the text.
"""

import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from daemon.files import read_spooled
from hooks.ownership import is_ours

UNFINISHED = ".tmp"  # hooks/spool.py writes ``.NAME.tmp`` and renames it to NAME
KILLED_AFTER = 60.0  # seconds after which no hook still writes: it lives for one
KEPT = 7 * 86_400.0  # seconds


class Leftover(NamedTuple):
    """One path of the spool other than an event; ``since``: time of its arrival, in epoch seconds."""

    path: Path
    is_half: bool  # written by a hook that was killed
    since: float


def leftovers(folder: Path, now: float) -> Iterator[Leftover]:
    """Everything in the spool except its events and files a hook may be writing now."""
    with suppress(FileNotFoundError):
        for path in folder.iterdir():
            with suppress(FileNotFoundError):  # taken in meanwhile
                status = path.lstat()
                ours = is_ours(status.st_uid) and stat.S_ISREG(status.st_mode)
                half = ours and path.name.startswith(".") and path.name.endswith(UNFINISHED)
                if half and now - status.st_ctime <= KILLED_AFTER:
                    continue
                if half or not ours or not path.name.endswith(".json"):
                    yield Leftover(path, half, status.st_ctime)


def tidy(folder: Path, now: float) -> None:
    """Bring in whole events of killed hooks, and remove old files."""
    for left in list(leftovers(folder, now)):
        with suppress(OSError):  # a folder that cannot be removed: ``doctor`` names it
            if left.is_half:
                _finish(left.path)
            elif now - left.since > KEPT:
                _remove(left.path)


def _finish(path: Path) -> None:
    """Give a whole event its name; the hook was killed between the two. Half of one is removed."""
    if read_spooled(path) is None:
        path.unlink()
    else:
        path.rename(path.with_name(path.name[1 : -len(UNFINISHED)]))


def erase(folder: Path, now: float) -> int:
    """Remove all of it, however new; how many files hooks may be writing now, which stay.

    Without its file a hook would lose the event: it has been said meanwhile, and comes in.
    """
    for left in list(leftovers(folder, now)):
        with suppress(OSError):
            _remove(left.path)
    return len(list(folder.glob(f".*{UNFINISHED}")))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
