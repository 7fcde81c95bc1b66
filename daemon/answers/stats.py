"""The store in numbers: an answer that looks at every living memory."""

from collections import Counter
from contextlib import aclosing, suppress
from pathlib import Path

import trio

from actors.policy.decay import forecast as rules
from daemon.answers.folders import relevances
from daemon.answers.forecast import living
from daemon.answers.link import graph_in_numbers
from daemon.answers.memories import REACHES, reaches
from daemon.context import Parts, seen_by, table
from daemon.requests.stats import Figures, Stats
from daemon.states import state_of
from daemon.storage import stats as stats_stored
from daemon.storage import strength, why

DAY = 86_400.0  # seconds
LATELY = 30  # days that exposures and uses are counted


async def stats(parts: Parts, request: Stats) -> Figures:
    """The store in numbers."""
    now = parts.clock.now()
    states: Counter[str] = Counter()
    accessible: Counter[str] = Counter()
    async with aclosing(living(parts)) as pages:
        async for page in pages:
            states.update(state_of(memory, now, parts.settings.fading) for memory in page)
            found_reaches = await reaches(parts, page, now)
            accessible.update(reach.state.name.lower() for reach in found_reaches.values())
    since = now - LATELY * DAY
    found = await parts.reader.read(stats_stored.tallies, since)
    shown, cited = await parts.reader.read(strength.citations, since)
    contradictions, similarity = await parts.reader.read(stats_stored.decisions_on_the_whole)
    asked = parts.supervisor.children["recall"].statistics()
    return Figures(
        **found,
        memories=sum(states.values()),
        states={state: states[state] for state in rules.STATES},
        contradictions=contradictions,
        similarity=similarity,
        calibration=parts.supervisor.children["gate"].statistics().get("calibration", {}),
        bytes=_bytes(parts),
        days=LATELY,
        shown=shown,
        cited=cited,
        pages=await parts.reader.read(why.pages, since),
        proposals=await parts.reader.read(strength.promotion_states),
        graph=await graph_in_numbers(parts),
        accessibility={state: accessible[state] for state in REACHES},
        in_memory=await _in_memory(parts),
        on_disk=await _on_disk(parts),
        archival=await parts.reader.archival_figures(),
        last_answers=asked.get("last_answers", {}),
        scoring=asked.get("scoring", {}),
        folders=await relevances(parts, seen_by(parts, request)),
    )


async def _in_memory(parts: Parts) -> dict[str, int]:
    """What recall searches without the disk, phrases among it."""
    held = await parts.reader.in_memory()
    return held | {"phrases": parts.triggers.statistics()["bytes"]}


async def _on_disk(parts: Parts) -> dict[str, int]:
    """Bytes on disk: the database with its log, of it the journal; what else lies in the home."""
    home = parts.home
    folders = {
        "index": home.indexes, "models": home.models, "spool": home.spool,
        "backups": home.backups, "logs": home.log.parent,
    }  # fmt: skip
    journal = await parts.reader.read(stats_stored.journal_bytes)
    return {"database": _bytes(parts), "journal": journal} | {
        name: await trio.to_thread.run_sync(_within, folder) for name, folder in folders.items()
    }


def _within(folder: Path) -> int:
    """Bytes of the files in a folder; what goes meanwhile does not count."""
    size = 0
    for file in folder.glob("**/*"):
        with suppress(OSError):
            size += file.stat().st_size if file.is_file() else 0
    return size


def _bytes(parts: Parts) -> int:
    """Of the database and of what lies in its log."""
    size = 0
    for suffix in ("", "-wal"):
        path = parts.home.database
        with suppress(FileNotFoundError):  # there is no log while nothing was written
            size += path.with_name(path.name + suffix).stat().st_size
    return size


ANSWERS = table(stats)
