"""Looks at every living memory, and at sizes in memory and on disk."""

from collections import Counter
from contextlib import aclosing, suppress
from pathlib import Path

import trio

from daemon.answers.forecast import living
from daemon.answers.memories import reaches
from daemon.context import Parts
from daemon.states import state_of
from daemon.storage import stats


async def by_state(parts: Parts, now: float) -> tuple[Counter[str], Counter[str]]:
    """Count the living by the state of their lifecycle, and by how they can be reached."""
    states: Counter[str] = Counter()
    accessible: Counter[str] = Counter()
    async with aclosing(living(parts)) as pages:
        async for page in pages:
            states.update(state_of(memory, now, parts.settings.fading) for memory in page)
            found = await reaches(parts, page, now)
            accessible.update(reach.state.name.lower() for reach in found.values())
    return states, accessible


async def in_memory(parts: Parts) -> dict[str, int]:
    """Bytes of recall's searches in memory, phrases among them."""
    held = await parts.reader.in_memory()
    return held | {"phrases": parts.triggers.statistics()["bytes"]}


async def on_disk(parts: Parts) -> dict[str, int]:
    """Bytes on disk: the database with its log, of it the journal; other files of the home."""
    home = parts.home
    folders = {
        "index": home.indexes, "models": home.models, "spool": home.spool,
        "backups": home.backups, "logs": home.log.parent,
    }  # fmt: skip
    journal = await parts.reader.read(stats.journal_bytes)
    return {"database": of_database(parts), "journal": journal} | {
        name: await trio.to_thread.run_sync(_within, folder) for name, folder in folders.items()
    }


def _within(folder: Path) -> int:
    """Bytes of the files in a folder; a file removed meanwhile does not count."""
    size = 0
    for file in folder.glob("**/*"):
        with suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size


def of_database(parts: Parts) -> int:
    """Bytes of the database and its log."""
    size = 0
    for suffix in ("", "-wal"):
        path = parts.home.database
        with suppress(FileNotFoundError):  # there is no log while nothing was written
            size += path.with_name(path.name + suffix).stat().st_size
    return size
