"""The daemon's own state, what happened, and what editors watch."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import trio

from actors.memory.ports import Unreadable
from actors.memory.rows import Counts, Scope
from actors.policy.times.validity import is_valid
from actors.recall.messages import Called, WhatMatches
from daemon import files
from daemon.context import Parts, Progress, Table
from daemon.requests.journal import Journal, JournalPage
from daemon.requests.log import Log, LogPage
from daemon.requests.phrases import Match, Matched, MatchView
from daemon.requests.shapes import Done
from daemon.requests.status import Greet, Greeting, Status, StatusReply, Stop, Watch, WatchReply
from daemon.requests.vectors import AwaitEmbedded, Embedded
from daemon.states import origin_of, short_id, state_of
from daemon.storage import plans, recall
from daemon.version import own_version

MATCH_DEADLINE = 5.0  # seconds
WATCH_PAUSE = 0.1  # seconds between two reports of changes
WATCH_LOOK = 5.0  # seconds between two looks at the vectors' state
POLL = 0.2  # seconds between two looks at how many vectors are missing
PAGE = 5_000


async def greet(_: Parts, __: Greet, ___: Progress) -> Greeting:
    """Who is this?"""
    return Greeting(version=own_version(), pid=os.getpid(), ready=True)


async def status(parts: Parts, _: Status, __: Progress) -> StatusReply:
    """Everything a person may want to know of the daemon."""
    counts, captured = await _counts_if_sound(parts)
    figures = {name: child.statistics() for name, child in parts.supervisor.children.items()}
    figures["tagging"] = {**captured, **figures["tagging"]}
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
        spooled=len(files.waiting(parts.home.spool)),
        undone=counts.undone if counts is not None else None,
        degraded=degraded(parts, vectors, detail, figures),
        actors={**figures, "gateway": parts.gateway()},
        schedule=dict(parts.schedule.entries()),
        plans=await _plans_if_sound(parts),
    )


async def _counts_if_sound(parts: Parts) -> tuple[Counts | None, dict[str, Any]]:
    """Sizes, and what was captured (H13); nothing of a database that cannot be read.

    That it cannot is said elsewhere.
    """
    try:
        return await parts.reader.counts(), asdict(await parts.reader.capture_totals())
    except Unreadable:
        return None, {}


async def _plans_if_sound(parts: Parts) -> int:
    """How many plans wait for a person."""
    try:
        return await parts.reader.read(plans.waiting)
    except Unreadable:
        return 0


def vectors_state(parts: Parts, missing: int) -> tuple[str, str]:
    """Whether vectors are ready, being built or off, and in words why."""
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


def degraded(
    parts: Parts, vectors: str, detail: str, figures: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """What does not work as it should, in words."""
    troubles: list[str] = list(parts.warnings)
    if parts.reader.damage is not None:
        troubles.append(parts.reader.damage)
    if vectors == "off":
        troubles.append(f"recall goes by words alone: {detail}")
    if parts.supervisor.dead_letters:
        count = len(parts.supervisor.dead_letters)
        troubles.append(f"{count} messages could not be handled: reverie logs names them")
    for name, child in parts.supervisor.children.items():
        if child.state == "off":
            troubles.append(f"{name} is switched off after {child.crashes} crashes")
        if figures[name].get("trouble"):
            troubles.append(str(figures[name]["trouble"]))
    return list(dict.fromkeys(troubles))


async def stop(parts: Parts, _: Stop, __: Progress) -> Done:
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


async def journal(parts: Parts, request: Journal, _: Progress) -> JournalPage:
    """A page of the journal, without contents."""
    limit = max(1, min(request.limit, PAGE))
    rows = await parts.reader.read(lambda sql: recall.journal(sql, request.after, limit))
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


async def log(parts: Parts, request: Log, _: Progress) -> LogPage:
    """What was learnt, changed and shown."""
    limit = max(1, min(request.limit, PAGE))
    entries = await parts.reader.read(
        lambda sql: recall.happenings(sql, request.since, request.session, limit)
    )
    for entry in entries:
        number = entry["memory"]
        entry["memory"] = short_id(number) if isinstance(number, int) else None
    return LogPage(entries=entries)


async def match(parts: Parts, request: Match, _: Progress) -> Matched:
    """The memories that a text in an editor mentions."""
    project = await project_of_file(parts, Path(request.path)) if request.path else None
    revision = parts.changes.revision
    found: list[Called] = await parts.mailboxes.triggers.ask(
        lambda reply: WhatMatches(
            request.text, Scope(project), max(1, min(request.limit, PAGE)), reply
        ),
        within=MATCH_DEADLINE,
    )
    memories = await parts.reader.memories(sorted({called.match.owner for called in found}))
    now = parts.clock.now()
    views = [
        MatchView(
            start=called.match.start,
            end=called.match.end,
            id=short_id(memory.id),
            phrase=called.match.phrase,
            title=memory.title,
            text=memory.text,
            kind=memory.kind,
            tier=memory.tier,
            score=_match_score(called),
            created_at=memory.created_at,
            state=state_of(memory, now, parts.settings.fading),
            origin=origin_of(memory),
            status=memory.status,
            valid=is_valid(memory.validity, now),
        )
        for called in found
        if (memory := memories.get(called.match.owner)) is not None and memory.ended is None
    ]
    return Matched(matches=views, revision=revision)


async def project_of_file(parts: Parts, path: Path) -> str | None:
    """The project a file lies in: its repository, else the nearest folder with memories."""
    folder = parts.project_of(str(path.parent))
    if folder is None or Path(folder) != path.parent:
        return folder
    above = [str(parent) for parent in (path.parent, *path.parent.parents)]
    known = await parts.reader.read(lambda sql: recall.known_project(sql, above))
    return known or folder


def _match_score(called: Called) -> float:
    """How telling a match is, 0..1: a phrase that was set is, a derived one by its length.

    The scale is a choice.
    """
    if called.given:
        return 1.0
    phrase = called.match.phrase
    return min(0.95, 0.7 + 0.1 * (len(phrase.split()) - 1) + 0.01 * min(len(phrase), 20))


ANSWERS: Table = {
    Greet: greet,
    Status: status,
    Stop: stop,
    Watch: watch,
    AwaitEmbedded: await_embedded,
    Journal: journal,
    Log: log,
    Match: match,
}
