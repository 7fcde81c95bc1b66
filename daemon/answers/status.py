"""The daemon's own state and its vectors', news of its store, and waiting for vectors."""

import os
from collections.abc import Mapping
from typing import Any

import trio

from actors.memory.ports import Unreadable
from actors.memory.rows import Counts
from actors.passages.rows import PassageCounts
from daemon import files
from daemon.context import Parts, Progress, table
from daemon.durability.copies import newest
from daemon.requests.shapes import Done
from daemon.requests.status import (
    AwaitEmbedded,
    Embedded,
    Greet,
    Greeting,
    Status,
    StatusReply,
    Stop,
    Watch,
    WatchReply,
)
from daemon.requests.wording import counted
from daemon.storage import archive, episodes, intentions, plans, read_notes, readings
from daemon.storage.database.sql import Value
from daemon.version import own_version

POLL = 0.2  # seconds between two looks at how many vectors are missing


def vectors_state(parts: Parts, missing: int) -> tuple[str, str]:
    """State of the vectors: ready, being built or off, and in words why."""
    state = parts.embedding.state
    match state.state:
        case "off":
            return "off", state.reason
        case "starting":
            return "building", state.reason or "the embedding worker is starting"
        case "ready":
            if missing:
                return "building", f"{missing} memories wait for their vectors"
            return "ready", state.model


async def await_embedded(parts: Parts, _: AwaitEmbedded, progress: Progress) -> Embedded:
    """Wait until every living memory has vectors, or none will come."""
    last = -1
    while True:
        counts = await parts.reader.counts()
        missing = counts.unvectored - given_up(parts)
        vectors, detail = vectors_state(parts, max(missing, 0))
        embedder = parts.supervisor.children["embedder"]
        if missing <= 0 or vectors == "off" or embedder.state == "off":
            return Embedded(pending=counts.unvectored, state=vectors, detail=detail)  # type: ignore[arg-type]
        if missing != last:
            await progress({"pending": missing})
            last = missing
        await trio.sleep(POLL)


def given_up(parts: Parts) -> int:
    """Memories whose vectors the embedder gave up."""
    return int(parts.supervisor.children["embedder"].statistics().get("given_up", 0))


LATELY = 30 * 86_400.0  # seconds in which what was put away by itself is counted
WATCH_PAUSE = 0.1  # seconds between two reports of changes
WATCH_LOOK = 5.0  # seconds between two looks at the vectors' state


async def greet(_: Parts, __: Greet) -> Greeting:
    """Greeting of the daemon: its version and process."""
    return Greeting(version=own_version(), pid=os.getpid(), ready=True)


async def status(parts: Parts, _: Status) -> StatusReply:
    """Everything a person may want to know of the daemon."""
    # First: what leaves the spool while the store answers stands among what is undone.
    spooled = len(await trio.to_thread.run_sync(files.waiting, parts.home.spool))
    counts, stored, waiting, kept = await _counts_if_sound(parts)
    unseen, unread = await _read_if_sound(parts)
    figures = {name: child.statistics() for name, child in parts.supervisor.children.items()}
    for actor, totals in stored.items():
        figures[actor] = {**totals, **figures.get(actor, {})}
    vectors, detail = vectors_state(parts, counts.unvectored if counts is not None else 0)
    return StatusReply(
        ready=True,
        pid=os.getpid(),
        version=own_version(),
        home=str(parts.home.root),
        uptime=trio.current_time() - parts.started,
        memories=counts.memories if counts is not None else None,
        vectors=vectors,  # type: ignore[arg-type]  # one of the three states
        vectors_detail=detail,
        spooled=spooled,
        undone=counts.undone if counts is not None else None,
        degraded=[*degraded(parts, vectors, detail, figures), *unread],
        actors={
            **figures,
            "gateway": parts.gateway(),
            "loop": parts.loop(),
            "answers": parts.late.statistics(),
            "observatory": parts.observatory.statistics(),
        },
        schedule=dict(parts.schedule.entries()),
        plans=waiting,
        inbox=unseen,
        passages=kept.passages,
        passages_bytes=kept.bytes,
        backup=copy.at if (copy := newest(parts.home)) is not None else None,
    )


async def _counts_if_sound(
    parts: Parts,
) -> tuple[Counts | None, dict[str, dict[str, Value]], int, PassageCounts]:
    """Sizes, what the store counts for actors, plans that wait for a person, and the archive's size.

    Nothing of a database that cannot be read; that it cannot is said elsewhere.
    """
    reader = parts.reader
    try:
        stored: dict[str, dict[str, Value]] = {
            "tagging": await reader.read(episodes.capture_totals),
            "prospective": await reader.read(intentions.totals),
            "archivist": {
                "put_away_in_30_days": await reader.read(
                    archive.archived_lately, parts.clock.now() - LATELY
                )
            },
        }
        kept = await reader.passage_counts()
        return await reader.counts(), stored, await reader.read(plans.waiting), kept
    except Unreadable:
        return None, {}, 0, PassageCounts(0, 0, 0)


async def _read_if_sound(parts: Parts) -> tuple[int, list[str]]:
    """Notes of the reader that nobody has seen, and a line where it could not read."""
    try:
        unseen, _ = await parts.reader.read(read_notes.inbox_count)
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
    if parts.reader.damage is not None:
        troubles.append(parts.reader.damage)
    if parts.reader.loss:
        troubles.append(parts.reader.loss)
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


async def stop(parts: Parts, _: Stop) -> Done:
    """Drain and leave; answered before it happens."""
    parts.stop.set()
    return Done(note="the daemon finishes what it has and leaves")


async def watch(parts: Parts, _: Watch, progress: Progress) -> WatchReply:
    """Report changes of the store and of the vectors' state until the daemon stops."""
    told: tuple[int, str] | None = None
    while True:
        revision = parts.changes.revision
        counts = await parts.reader.counts()
        vectors, _detail = vectors_state(parts, counts.unvectored)
        if told != (revision, vectors):
            told = (revision, vectors)
            await progress({"revision": revision, "memories": counts.memories, "vectors": vectors})
        await trio.sleep(WATCH_PAUSE)
        # Nobody announces that a worker came up or a model went: it is looked at now and then.
        with trio.move_on_after(WATCH_LOOK):
            await parts.changes.after(revision)


ANSWERS = table(greet, status, stop, telling=(watch, await_embedded))
