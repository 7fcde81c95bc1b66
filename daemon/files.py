"""Files beside the store: agents' transcripts, and the hooks' spool.

All on one thread, ``files``. The formats are the hooks' (``hooks/spool.py``) and the
agents' own, so everything here is checked and nothing is trusted.
"""

import json
import os
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

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
        path = self._folder / name
        await self._thread.run(lambda: _set_aside(path))


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
