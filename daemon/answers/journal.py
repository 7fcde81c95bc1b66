"""The journal, page by page; the log; and what happens, told to whoever follows it."""

from typing import Any

import trio

from actors.observatory.observatory import Observation, ObservationKind, Observations
from daemon.context import PAGE, Parts, Progress, table
from daemon.requests.journal import Follow, FollowEnded, Journal, JournalPage, Log, LogPage
from daemon.storage import journal as journal_stored
from daemon.views import short_id

FRAME = 200  # observations in a frame
HEARTBEAT = 60.0  # seconds without anything else
NAMES = ("id", "one", "other")  # what holds the id of a memory


async def journal(parts: Parts, request: Journal) -> JournalPage:
    """A page of the journal, without contents."""
    limit = max(1, min(request.limit, PAGE))
    rows = await parts.reader.read(journal_stored.journal_page, request.after, limit)
    return JournalPage(
        events=[
            {
                "event_id": row.event_id.hex(),
                "received_at": row.received_at,
                "kind": row.kind,
                "session": row.session,
                "done": row.done,
            }
            for row in rows
        ],
        after=rows[-1].seq if len(rows) == limit else None,
    )


async def log(parts: Parts, request: Log) -> LogPage:
    """Entries of what was learnt, changed and shown."""
    limit = max(1, min(request.limit, PAGE))
    entries = await parts.reader.read(
        journal_stored.happenings, request.since, request.session, limit
    )
    for entry in entries:
        number = entry["memory"]
        entry["memory"] = short_id(number) if isinstance(number, int) else None
    return LogPage(entries=entries)


async def follow(parts: Parts, request: Follow, progress: Progress) -> FollowEnded:
    """Frames of observations until the follower leaves or the daemon stops."""
    after = 0 if request.recent else -1
    while True:
        found = await _next(parts, after)
        if found is None:
            await progress({"events": [_shown(0, await _heartbeat(parts))], "dropped": 0})
            continue
        after = found.last
        if found.observations or found.dropped:
            events = [_shown(number, one) for number, one in found.observations]
            if request.titles:
                await _add_titles(parts, events, found)
            await progress({"events": events, "dropped": found.dropped})


async def _next(parts: Parts, after: int) -> Observations | None:
    """What happened after this number; ``None`` when nothing did for a while."""
    with trio.move_on_after(HEARTBEAT):
        return await parts.observatory.after(after, FRAME)
    return None


async def _heartbeat(parts: Parts) -> Observation:
    counts = await parts.reader.counts()
    return Observation(
        ObservationKind.HEARTBEAT,
        parts.clock.now(),
        {"uptime": round(trio.current_time() - parts.started), "memories": counts.memories},
    )


def _shown(number: int, one: Observation) -> dict[str, Any]:
    data = {
        name: short_id(value) if name in NAMES and isinstance(value, int) else value
        for name, value in one.data.items()
    }
    return {"number": number, "at": one.at, "type": one.kind.value, "data": data}


async def _add_titles(parts: Parts, events: list[dict[str, Any]], found: Observations) -> None:
    """Beside the data: what the memories that they name are called; an ended one too."""
    named = [
        [value for name in NAMES if isinstance(value := one.data.get(name), int)]
        for _, one in found.observations
    ]
    memories = await parts.reader.memories(sorted({one for ids in named for one in ids}))
    for event, ids in zip(events, named, strict=True):
        event["titles"] = {short_id(one): memories[one].title for one in ids if one in memories}


ANSWERS = table(journal, log, telling=(follow,))
