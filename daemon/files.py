"""Files beside the store: agents' transcripts, and the hooks' spool (``hooks/spool.py``). Nothing in them is trusted."""

import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from actors.core.equipment import Worker
from actors.intake.messages import SpooledEvent
from actors.policy.events.cutting import is_overfull
from hooks.ownership import is_ours

ASIDE = ".unreadable"  # a spooled file that is no event
SPOOLED_LIMIT = 16 * 1024 * 1024  # bytes


class DiskFiles:
    """Files of others, read on their own thread."""

    def __init__(self, thread: Worker) -> None:
        self._thread = thread

    async def last_lines(self, path: str, limit: int) -> list[str]:
        """The last lines of a file, at most ``limit`` bytes of them; [] when absent."""
        return await self._thread.run(partial(last_lines, Path(path), limit))


def last_lines(path: Path, limit: int) -> list[str]:
    """Last lines, whole ones only: a cut first one is left out."""
    try:
        # A pipe or a device would block the thread for good.
        if not path.is_file():
            return []
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - limit)
            file.seek(start)
            data = file.read(limit)
    except OSError:
        return []
    # Not splitlines: JSON may hold U+2028 as it is, which is no end of a line of it.
    text = data.decode("utf-8", "replace").rstrip("\n")
    lines = text.split("\n") if text else []
    return lines[1:] if start > 0 else lines


class SpoolFolder:
    """Events left by hooks in the home's spool folder, oldest first."""

    def __init__(self, thread: Worker, folder: Path) -> None:
        self._thread = thread
        self._folder = folder

    async def waiting(self, limit: int) -> list[str]:
        """The names of the oldest events: names begin with their time."""
        return await self._thread.run(lambda: waiting(self._folder)[:limit])

    async def read(self, name: str) -> SpooledEvent | None:
        """The event, or ``None`` when the file is not one."""
        return await self._thread.run(partial(read_spooled, self._folder / name))

    async def drop(self, name: str) -> None:
        """Remove it."""
        await self._thread.run(partial((self._folder / name).unlink, missing_ok=True))

    async def set_aside(self, name: str) -> None:
        """Rename it, so it is not read again."""
        await self._thread.run(partial(_set_aside, self._folder / name))


def waiting(folder: Path) -> list[str]:
    """The spooled events' names, oldest first."""
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix == ".json")
    except OSError:
        return []


def _set_aside(path: Path) -> None:
    if os.path.lexists(path):
        path.rename(path.with_name(path.name + ASIDE))


def read_spooled(path: Path) -> SpooledEvent | None:
    """The event in a spooled file, or ``None``; also where another user put it there."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or not is_ours(status.st_uid):
            return None  # a pipe would block the thread for good
        if status.st_size > SPOOLED_LIMIT:
            return None
        content = path.read_bytes()
        if is_overfull(content):
            return None
        found: Any = json.loads(content)
        event = found["event"]
        event_id = bytes.fromhex(found["event_id"])
        if len(event_id) != 16 or not isinstance(event, dict):
            return None
        return SpooledEvent(
            # What a damaged file holds must not reach the store, which takes no lone surrogate.
            str(found["agent"]).encode(errors="replace").decode(),
            event_id,
            int(found["at"]) / 1e9,
            cast("Mapping[str, object]", event),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None


# ---- leftovers in the spool: files other than waiting events
#
# A killed hook leaves a half-written file, the daemon sets aside unreadable ones, and others (root, a copy of the home)
# may put there anything they like. None of it counts towards the bounds of the spool. An event written whole by a hook
# comes in after all; the rest goes by itself after a week, and at once when something is erased, because it may quote
# the text.

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


def tidy_spool(folder: Path, now: float) -> None:
    """Give whole events of killed hooks their names; remove half ones, and old files."""
    for left in list(leftovers(folder, now)):
        path = left.path
        with suppress(OSError):  # a folder that cannot be removed stays
            if left.is_half and read_spooled(path) is not None:
                path.rename(path.with_name(path.name[1 : -len(UNFINISHED)]))
            elif left.is_half or now - left.since > KEPT:
                _remove(path)


def erase_leftovers(folder: Path, now: float) -> int:
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
