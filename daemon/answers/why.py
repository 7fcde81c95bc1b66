"""Reasons for a memory to be there, in figures and in words; how prompts were answered, and why."""

from collections import defaultdict
from dataclasses import asdict
from typing import Any

import msgspec

from actors.intake.rows import JournalRow, event_of
from actors.memory.rows import Memory
from actors.policy.capture.importance import is_promotable, priority
from actors.policy.recall.considered import Fate
from actors.policy.recall.evidence import THRESHOLD
from actors.policy.recall.listing import NEVER
from actors.policy.recall.page import line
from actors.policy.text.budget import shortened
from daemon.answers.link import lineage_of
from daemon.answers.memories import decisions_of, seen
from daemon.answers.quotations import read_of
from daemon.answers.reasons import Known, sentences
from daemon.answers.sessions import session_meant
from daemon.answers.usage import became, usage_of
from daemon.context import Parts, check_limit, known_memories, seen_by, table
from daemon.requests.why import (
    ConsideredView,
    Injections,
    InjectionsShown,
    InjectionView,
    Reasons,
    Why,
)
from daemon.storage import episodes, journal
from daemon.storage import why as why_stored
from daemon.storage.why import ConsideredRow
from daemon.views import short_id, told_id, view

# What the gate calls making a memory; all else is about one that is there.
_MAKING = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})


async def why(parts: Parts, request: Why) -> Reasons:
    """Reasons of a memory, in figures and in words."""
    (memory,) = await known_memories(parts, [request.id])
    read, number = parts.reader.read, memory.id
    made_of = await read(why_stored.provenance, number)
    decisions = await decisions_of(parts, number)
    before = await read(why_stored.predecessors, number)
    reviews = await read(why_stored.reviews, number)
    shown = await read(why_stored.last_shown, number)
    making = next(
        (d for d in decisions if d["memory"] == short_id(number) and d["action"] in _MAKING),
        None,
    )
    view = seen(parts, memory, parts.clock.now())
    used = [float(review["at"]) for review in reviews if review["grade"] > 1]
    found = Reasons(
        memory=view,
        sentences=[],
        provenance=asdict(made_of),
        decision=making,
        later=[decision for decision in decisions if decision is not making],
        supersedes=[short_id(one) for one in before],
        shown_at=shown[0] if shown is not None else None,
        shown_where=shown[1] if shown is not None else None,
        used_at=used[-1] if used else None,
        reviews=reviews,
        phrases={"given": list(memory.triggers), "derived": list(memory.derived)},
        captures=await parts.reader.read(episodes.captures_of, memory.id),
        usage=await usage_of(parts, memory),
        importance=importance_of(memory),
        lineage=await lineage_of(
            parts, memory.id, request.depth, request.direction, seen_by(parts, request)
        ),
    )
    read_in = await read_of(parts, memory.id)
    listing = (await parts.reader.listings([number])).get(number, NEVER)
    now = parts.clock.now()
    known = Known(found, memory.memory_type, memory.unjudged, now, read_in, listing)
    return msgspec.structs.replace(found, sentences=sentences(known))


def importance_of(memory: Memory) -> dict[str, Any]:
    """An importance, in the shape of when something changed it by itself; nothing does any more."""
    return {
        "value": memory.importance,
        "priority": priority(memory.importance).value,
        "promotable": is_promotable(memory.importance) and memory.tier == "normal",
        "channels": None,
        "changes": [],
        "backfills": [],
    }


# ---- how prompts were answered

PROMPT = 200  # characters of one that are told
MOST = 1_000  # prompts of a session


async def injections(parts: Parts, request: Injections) -> InjectionsShown:
    """How the last prompts of a session were answered: what was told, and what came close."""
    check_limit(request.limit, MOST)
    session = await session_meant(parts, request.session, request.project)
    name, read = str(session["session"]), parts.reader.read
    rows = await read(why_stored.injections, name, request.limit)
    weighed = await read(why_stored.considered, name, rows[0].at if rows else 0.0)
    by_answer: defaultdict[int, list[ConsideredView]] = defaultdict(list)
    for one in weighed:
        by_answer[one.injection_id].append(_considered(one))
    events = await read(journal.asked_in, name, request.limit)
    said = {row.received_at: _said(row) for row in events}
    answered = [
        view(
            InjectionView,
            row,
            text=said.get(row.at, ""),
            answered=True,
            considered=by_answer[row.id],
        )
        for row in rows
    ]
    known = {row.at for row in rows}
    unanswered = [
        InjectionView(
            at=row.received_at, place=row.kind, text=said[row.received_at], answered=False
        )
        for row in events
        if row.received_at not in known
    ]
    prompts = sorted((*answered, *unanswered), key=lambda one: one.at)
    return InjectionsShown(
        session=name,
        agent=session["agent"],
        project=session["project"],
        needed=THRESHOLD,
        prompts=prompts[-request.limit :],
    )


def _considered(one: ConsideredRow) -> ConsideredView:
    """What was weighed, and of what stood before an agent's eyes its size and what became of it."""
    size = {Fate.TOLD: one.length, Fate.LISTED: len(line(one.identity, one.title))}
    causes = () if one.used is None else (one.used,)
    return view(
        ConsideredView,
        one,
        id=told_id(one.identity),
        characters=size[Fate(one.fate)] if one.fate in size else 0,
        became=became(causes, useless=bool(one.useless)) if one.fate in size else "",
    )


def _said(row: JournalRow) -> str:
    """The beginning of a prompt; empty where its text was erased."""
    event = event_of(row)
    return shortened(" ".join(event.prompt.split()), PROMPT) if event is not None else ""


ANSWERS = table(why, injections)
