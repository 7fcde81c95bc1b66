"""How memories fade, and the store in numbers: answers that look at every living memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path

import trio

from actors.memory.rows import Memory
from actors.policy.decay import forecast as rules
from daemon.answers.link import graph_in_numbers
from daemon.answers.memories import REACHES, reaches
from daemon.answers.plans import in_figures
from daemon.answers.recall import PAGE_LIMIT, project_meant
from daemon.context import Parts, Progress, Table
from daemon.requests.forecast import Forecast, Foretold, Moved
from daemon.requests.shapes import BadRequest
from daemon.requests.stats import Figures, Stats
from daemon.states import fading_of, short_id, state_of
from daemon.storage import strength, why

DAY = 86_400.0  # seconds
LONGEST = 36_500.0  # days: no stability is longer (A13)
LATELY = 30  # days that exposures and uses are counted


async def _living(parts: Parts) -> AsyncGenerator[list[Memory]]:
    """Every living memory, in pages, so that others get their turns between them."""
    after = 0
    while page := await parts.reader.living(after, PAGE_LIMIT):
        yield page
        after = page[-1].id


async def forecast(parts: Parts, request: Forecast, _: Progress) -> Foretold:
    """What will have faded by then, from what is stored."""
    if not 0 < request.days <= LONGEST:
        raise BadRequest(f"{request.days:g} days: it must be between 0 and {LONGEST:g}")
    project, now = project_meant(parts, request.project), parts.clock.now()
    found: list[rules.Forecast] = []
    fading = parts.settings.fading
    async with aclosing(_living(parts)) as pages:
        async for page in pages:
            inside = (m for m in page if request.everywhere or m.project in (None, project))
            found.append(
                rules.forecast(
                    (fading_of(memory, fading.decay) for memory in inside),
                    now,
                    request.days,
                    fading,
                )
            )
    whole = rules.joined(found)
    first = whole.falls[: max(0, min(request.limit, PAGE_LIMIT))]
    memories = await parts.reader.memories([fall.memory_id for fall in first])
    return Foretold(
        at=now,
        until=now + request.days * DAY,
        memories=sum(whole.now.values()),
        now=dict(whole.now),
        then=dict(whole.then),
        changing=len(whole.falls),
        changes=[
            _moved(fall, memories[fall.memory_id]) for fall in first if fall.memory_id in memories
        ],
    )


def _moved(fall: rules.Fall, memory: Memory) -> Moved:
    return Moved(
        id=short_id(memory.id),
        title=memory.title,
        kind=memory.kind,
        tier=memory.tier,
        project=memory.project,
        now=fall.now,
        then=fall.then,
        at=fall.at,
    )


async def stats(parts: Parts, _: Stats, __: Progress) -> Figures:
    """The store in numbers."""
    now = parts.clock.now()
    states: Counter[str] = Counter()
    accessible: Counter[str] = Counter()
    async with aclosing(_living(parts)) as pages:
        async for page in pages:
            states.update(state_of(memory, now, parts.settings.fading) for memory in page)
            found_reaches = await reaches(parts, page, now)
            accessible.update(reach.state.name.lower() for reach in found_reaches.values())
    found = await parts.reader.read(lambda sql: why.tallies(sql, now - LATELY * DAY))
    since = now - LATELY * DAY
    shown, cited = await parts.reader.read(lambda sql: strength.citations(sql, since))
    contradictions, similarity = await parts.reader.read(why.decisions_on_the_whole)
    return Figures(
        memories=sum(states.values()),
        kinds=found["kinds"],
        tiers=found["tiers"],
        states={state: states[state] for state in rules.STATES},
        projects=found["projects"],
        ended=found["ended"],
        actions=found["actions"],
        contradictions=contradictions,
        similarity=similarity,
        calibration=parts.supervisor.children["gate"].statistics().get("calibration", {}),
        journal=found["journal"],
        vectors=found["vectors"],
        bytes=_bytes(parts),
        days=LATELY,
        exposures=found["lately"]["exposures"],
        uses=found["lately"]["uses"],
        shown=shown,
        cited=cited,
        proposals=await parts.reader.read(strength.proposal_states),
        graph=await graph_in_numbers(parts),
        accessibility={state: accessible[state] for state in REACHES},
        in_memory=await _in_memory(parts),
        on_disk=await _on_disk(parts),
        archival=in_figures(await parts.reader.archival_figures()),
        prefetch=parts.supervisor.children["recall"].statistics().get("prefetch", {}),
    )


async def _in_memory(parts: Parts) -> dict[str, int]:
    """What recall searches without the disk, phrases among it."""
    held = await parts.reader.in_memory()
    phrases: int = parts.supervisor.children["triggers"].statistics()["bytes"]
    return held | {"phrases": phrases}


async def _on_disk(parts: Parts) -> dict[str, int]:
    """Bytes on disk: the database with its log, of it the journal; what else lies in the home."""
    home = parts.home
    folders = {
        "index": home.indexes, "models": home.models, "spool": home.spool,
        "backups": home.backups, "logs": home.log.parent,
    }  # fmt: skip
    journal = await parts.reader.read(why.journal_bytes)
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


ANSWERS: Table = {Forecast: forecast, Stats: stats}
