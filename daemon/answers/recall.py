"""Answers to a question: as much as was asked for, and why each result is there."""

import difflib
from collections.abc import Sequence
from typing import Any

import msgspec

from actors.memory.rows import Scope
from actors.memory.unit import Unit
from actors.memory.writes import Revived
from actors.policy.events.events import Event, EventKind
from actors.policy.graph.activation import Breadth
from actors.policy.recall import detail, ways
from actors.policy.recall.degradation import Degradation
from actors.policy.recall.trace import Passed
from actors.policy.text.concrete import Concept, NotSeveral, asked_for
from actors.policy.times.validity import as_of, is_valid
from actors.recall.messages import Bring, Found, Note, Search
from actors.strength.writes import Exposed
from daemon.answers.link import associations_of
from daemon.answers.memories import stale_now
from daemon.api.injections import ConsideredView
from daemon.context import PAGE_LIMIT, Parts, commit, known_memories, project_meant, table
from daemon.requests.acceptance import moment
from daemon.requests.recall import Channel, Degraded, Missing, Recall, RecallById, Recalled, Scored
from daemon.requests.shapes import BadRequest
from daemon.states import origin_of
from daemon.storage import passages as stored
from daemon.views import memory_view, short_id, told_id, view

RECALL_DEADLINE = 30.0  # seconds; a person waits, nothing is cut short


async def recall(parts: Parts, request: Recall) -> Recalled:
    """Find memories for a person."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    if request.as_prompt:
        return await _as_prompt(parts, request)
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    # A query may say it as well: "as of 2026-03-04".
    then = as_of(request.query) if request.as_of is None else moment(request.as_of, 0.0, "as_of")
    found: Found = await parts.mailboxes.recall.ask(
        lambda reply: Search(
            request.query,
            request.k,
            scope,
            request.track,
            RECALL_DEADLINE,
            reply,
            as_of=then,
            mode=Breadth(request.mode),
            without=switches_of(request.without),
            also=switches_of(request.also),
            concepts=concepts_of(request),
        ),
        within=RECALL_DEADLINE,
    )
    at = parts.clock.now() if then is None else then
    answer = await looked_at(parts, found, recalled(found, explain=request.explain, at=at))
    answer = detailed(answer, request)
    if not request.associations or not found.notes:
        return answer
    best = found.notes[0].memory
    came = await associations_of(parts, best, scope, Breadth(request.mode))
    return msgspec.structs.replace(answer, associations=came)


async def _as_prompt(parts: Parts, request: Recall) -> Recalled:
    """Answer as a prompt of an agent would be, for a person; nobody else is told of it."""
    event = Event("reverie", EventKind.PROMPT, "", prompt=request.query)
    project = project_meant(parts, request.project)
    found: Found = await parts.mailboxes.recall.ask(
        lambda reply: Bring(
            event, project, parts.clock.now(), RECALL_DEADLINE, reply, rehearsed=True
        ),
        within=RECALL_DEADLINE,
    )
    answer = recalled(found, explain=request.explain, at=parts.clock.now())
    ids = [one.identity for one in found.considered]
    titles = {i: memory.title for i, memory in (await parts.reader.memories(ids)).items()}
    quoted = await parts.reader.read(stored.passages, [-i for i in ids if i < 0])
    titles |= {-i: passage.title for i, passage in quoted.items()}
    weighed = [
        ConsideredView(
            id=told_id(one.identity),
            title=titles[one.identity],
            confidence=one.confidence,
            reason=one.reason,
            fate=one.fate.value,
        )
        for one in found.considered
        if one.identity in titles
    ]
    return msgspec.structs.replace(answer, prompt=found.block, considered=weighed)


async def looked_at(parts: Parts, found: Found, answer: Recalled) -> Recalled:
    """Say of each result whether what it is about still holds, by a look at its files."""
    ids = [note.memory.id for note in found.notes]
    if not await stale_now(parts, ids):
        return answer
    now = await parts.reader.memories(ids)
    results = [
        msgspec.structs.replace(one, stale=now[i].stale if i in now else one.stale)
        for one, i in zip(answer.results, ids, strict=True)
    ]
    return msgspec.structs.replace(answer, results=results)


def switches_of(names: Sequence[str]) -> frozenset[str]:
    """Switches of recall that a question turns. Raises ``BadRequest`` for any other."""
    for name in names:
        if name not in ways.NAMES:
            near = difflib.get_close_matches(name, sorted(ways.NAMES), n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadRequest(
                f"{name[:40]!r} is no channel, stage, way of fusing or score: {hint}"
                "reverie recall --stages lists them"
            )
    return frozenset(names)


def concepts_of(request: Recall) -> tuple[Concept, ...]:
    """Concepts that a question names one by one. Raises ``BadRequest`` unless these are several."""
    try:
        return asked_for(request.concepts) if request.concepts else ()
    except NotSeveral as error:
        raise BadRequest(str(error)) from None


def recalled(found: Found, *, explain: bool, at: float) -> Recalled:
    """Results of recall for the wire; ``at``: the time that was asked about."""
    return view(
        Recalled,
        found,
        results=[scored(note, explain=explain, at=at) for note in found.notes],
        degraded=_degraded(found.degraded),
        considered=[],
        stages=[_stage(passed) for passed in found.stages] if explain else [],
        channels=[
            view(Channel, one, failure=one.failure.mode.value if one.failure else None)
            for one in found.channels
        ],
    )


def _degraded(told: Degradation | None) -> Degraded | None:
    if told is None:
        return None
    return view(
        Degraded,
        told,
        channels=[
            view(
                Missing,
                one,
                failure_mode=one.mode.value,
                confidence_impact=one.impact,
                retry_recommendation=one.retry.value,
            )
            for one in told.failures
        ],
    )


def _stage(passed: Passed) -> dict[str, Any]:
    """How many came into a stage, how many went on, and how many scores it changed."""
    return {
        "stage": passed.stage,
        "in": len(passed.entered),
        "out": len(passed.left),
        "changed": len(passed.terms),
    }


def scored(note: Note, *, explain: bool, at: float) -> Scored:
    """One result for the wire; ``at``: the time that was asked about."""
    memory = note.memory
    return memory_view(
        Scored,
        memory,
        score=note.score,
        origin=origin_of(memory),
        why=note.why,
        parts=note.parts if explain else {},
        terms=[term._asdict() for term in note.terms] if explain else [],
        valid=is_valid(memory.validity, at),
    )


def detailed(found: Recalled, request: Recall) -> Recalled:
    """The answer at the level and within the tokens that were asked for.

    What is not there whole is named as expandable: `show` has it.
    """
    level = detail.Level(request.detail)
    if level is detail.Level.FULL and request.tokens is None:
        return found
    fits = detail.answer(
        ((place, one.text) for place, one in enumerate(found.results)),
        level,
        detail.granted(request.query, request.tokens),
    )
    kept = [
        msgspec.structs.replace(found.results[one.identity], text=one.text, whole=one.whole)
        for one in fits.shown
    ]
    expandable = [found.results[place].id for place in fits.expandable]
    return msgspec.structs.replace(found, results=kept, expandable=expandable, tokens=fits.tokens)


async def recall_by_id(parts: Parts, request: RecallById) -> Recalled:
    """One memory as a recall finds it; what was archived is asked for again, and so comes back."""
    (memory,) = await known_memories(parts, [request.id])
    at = parts.clock.now()
    away = memory.ended == "archived"
    unit: Unit = (Revived(memory.id, at),) if away else ()
    if unit:
        await commit(parts, unit)
    if request.track:
        shown = Exposed((memory.id,), None, "recall", at, project_meant(parts, request.project))
        await parts.mailboxes.strength.tell(shown)
    (memory,) = await known_memories(parts, [request.id])
    said = (f"{short_id(memory.id)} was archived: it is back",) if away else ()
    found = Found((Note(memory, 1.0, "its id", {}),), 1.0, "none", None, {}, {}, said=said)
    return recalled(found, explain=False, at=at)


ANSWERS = table(recall, recall_by_id)
