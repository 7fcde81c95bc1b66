"""State of the daemon's parts, its vectors and its store; sizes of what is kept."""

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from actors.core.failures import Unreadable
from actors.memory.rows import Counts
from actors.memory.use import state_of
from actors.passages.shapes import PassageCounts
from daemon.commands.terminal.words import counted
from daemon.context import Parts
from daemon.shapes.replies import PAGE_LIMIT
from daemon.storage import intentions, lifecycle, plans, read_notes, readings
from daemon.storage.database.sql import Value

LATELY = 30 * 86_400.0  # seconds in which what was put away by itself is counted


def vectors_state(parts: Parts, missing: int) -> tuple[str, str]:
    """State of the vectors: ready, being built or off, and in words why."""
    state = parts.embedding.state
    match state.state:
        case "off":
            return "off", state.reason
        case "starting":
            return "building", state.reason or "the embedding worker is starting"
        case "ready" if missing:
            return "building", f"{missing} memories wait for their vectors"
        case "ready":
            return "ready", state.model


def given_up(parts: Parts) -> int:
    """Memories without vectors, given up by the embedder."""
    return int(parts.supervisor.children["embedder"].statistics().get("given_up", 0))


async def counts_if_sound(
    parts: Parts,
) -> tuple[Counts | None, dict[str, dict[str, Value]], int, PassageCounts]:
    """Sizes, the store's counts for actors, plans waiting for a person, and the archive's size.

    Nothing of an unreadable database; its state is reported elsewhere.
    """
    reader = parts.reader
    try:
        away = await reader.read(lifecycle.archived_lately, parts.clock.now() - LATELY)
        stored: dict[str, dict[str, Value]] = {
            "prospective": await reader.read(intentions.totals),
            "archivist": {"put_away_in_30_days": away},
        }
        kept = await reader.passage_counts()
        return await reader.counts(), stored, await reader.read(plans.waiting), kept
    except Unreadable:
        return None, {}, 0, PassageCounts(0, 0, 0)


async def read_if_sound(parts: Parts) -> tuple[int, list[str]]:
    """Unseen notes of the reader, and a line where it could not read."""
    try:
        unseen = await parts.reader.read(read_notes.inbox_count)
        failing, why = await parts.reader.read(readings.failing)
    except Unreadable:
        return 0, []
    sessions = counted(failing, "session")
    return unseen, [f"{sessions} could not be read ({why}): reverie reader"] if failing else []


def degraded(
    parts: Parts, vectors: str, detail: str, figures: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """Failures of parts of the daemon, in words."""
    troubles: list[str] = list(parts.warnings)
    if parts.reader.soundness.damage is not None:
        troubles.append(parts.reader.soundness.damage)
    if parts.reader.soundness.loss:
        troubles.append(parts.reader.soundness.loss)
    if parts.backups is not None and parts.backups.trouble is not None:
        troubles.append(parts.backups.trouble)
    if vectors == "off":
        troubles.append(f"recall goes by words alone: {detail}")
    if parts.supervisor.dead_letters:
        count = len(parts.supervisor.dead_letters)
        troubles.append(f"{count} messages could not be handled: reverie log --daemon names them")
    for name, child in parts.supervisor.children.items():
        if child.state == "off":
            troubles.append(f"{name} is switched off after {child.crashes} crashes")
        if figures[name].get("trouble"):
            troubles.append(str(figures[name]["trouble"]))
    return list(dict.fromkeys(troubles))


# ---- looks at every living memory, and at sizes on disk


async def by_state(parts: Parts, now: float) -> Counter[str]:
    """Count the living by the state of their lifecycle, with turns for others between the pages."""
    states: Counter[str] = Counter()
    after = 0
    while page := await parts.reader.living(after, PAGE_LIMIT):
        states.update(state_of(memory, now, parts.settings.fading) for memory in page)
        after = page[-1].id
    return states


async def on_disk(parts: Parts) -> dict[str, int]:
    """Bytes on disk: the database with its log, and other files of the home."""
    home = parts.home
    folders = {
        "index": home.indexes, "models": home.models, "spool": home.spool,
        "backups": home.backups, "logs": home.log.parent,
    }  # fmt: skip
    return {"database": of_database(parts)} | {
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
