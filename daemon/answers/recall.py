"""Keeping, finding and ending memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import msgspec
import trio

from actors.core.mailbox import Lane, SwitchedOff
from actors.gate.messages import Draft, Keep, NoSuchMemory, Verdict, WhatWouldYouDo
from actors.intake.messages import DrainSpool
from actors.intentions.messages import IntentionsErased
from actors.memory.messages import Commit, EraseNow
from actors.memory.rows import Memory, Scope
from actors.memory.unit import Unit
from actors.memory.writes import (
    Ended,
    Erased,
    ErasedEverything,
    Origin,
    Pinned,
    Revived,
    ValiditySet,
)
from actors.policy.decay.reinforcement import Use
from actors.policy.decay.tiers import expires_at
from actors.policy.events.redaction import redacted
from actors.policy.graph.activation import Breadth
from actors.policy.recall import channel_switches, intersection, stage_switches
from actors.policy.recall.degradation import Degradation, Report
from actors.policy.recall.stages import Passed
from actors.policy.text.concrete import Concept
from actors.policy.times.validity import as_of, is_valid
from actors.recall.messages import Found, Note, Search
from actors.strength.messages import Review
from daemon import files
from daemon.answers.detailed import detailed
from daemon.answers.link import associations_of
from daemon.context import Parts, Progress, Table
from daemon.requests.exports import Export, Exported
from daemon.requests.forget import Forget, Unforget
from daemon.requests.gate import Judge, Judged, PairVerdict
from daemon.requests.imports import ImportRow
from daemon.requests.purge import Purge
from daemon.requests.recall import Channel, Degraded, Missing, Recall, Recalled, Scored
from daemon.requests.remember import Decided, Remember
from daemon.requests.shapes import BadRequest, Done
from daemon.requests.strength import Feedback, Pin
from daemon.states import memory_number, origin_of, short_id

T = TypeVar("T")

KEEP_DEADLINE = 60.0  # seconds for one text
BULK_DEADLINE = 900.0  # seconds for a page of an import through the gate
RECALL_DEADLINE = 30.0  # seconds; a person waits, nothing is cut short
WRITE_DEADLINE = 30.0  # seconds
# What one question may turn; the graph and degree are both a channel and the stage that takes it in.
SWITCHES = frozenset({*channel_switches.NAMES, *stage_switches.NAMES})
SPOOL_WITHIN = 5.0  # seconds for the spool to be taken in before something is erased
ERASE_DEADLINE = 600.0  # seconds: the file is rewritten
TEXT_LIMIT = 100_000  # characters of one memory
PAGE_LIMIT = 1_000
END_OF_TIME = 6e10  # seconds: the year 3871; a calendar ends in 9999
SLICE = 10  # texts that the gate judges before somebody else gets a turn

_TYPES: dict[str, str] = {
    # kind -> memory_type, whose half-life a new memory has (features.md A21, M06)
    "decision": "semantic",
    "convention": "procedural",
    "preference": "procedural",
    "feature": "declarative",
    "bugfix": "declarative",
    "discovery": "declarative",
    "refactor": "episodic",
    "change": "episodic",
    "state": "declarative",  # its lifetime ends it, not its fading
    "insight": "semantic",
    "fact": "declarative",
}
_CONTEXTS: dict[str, str] = {
    # kind -> context_type, the classification of row A23
    "decision": "decision",
    "discovery": "discovery",
    "feature": "implementation",
    "bugfix": "implementation",
    "change": "implementation",
}
_IMPORTANCE: dict[str, float] = {
    # features.md C11
    "constitutional": 1.0,
    "critical": 1.0,
    "important": 0.8,
    "normal": 0.5,
    "temporary": 0.2,
    "deprecated": 0.1,
}


def _cleaned(text: str, what: str) -> tuple[str, bool]:
    if len(text) > TEXT_LIMIT:
        raise BadRequest(f"the {what} has {len(text)} characters, the limit is {TEXT_LIMIT}")
    plain = text.replace("\0", "�").encode("utf-8", "replace").decode("utf-8")
    cleaned, kinds = redacted(plain)
    return cleaned, bool(kinds)


def draft_of(
    parts: Parts,
    row: ImportRow | Remember,
    source: str,
    at: float,
) -> Draft:
    """The draft of a text that a client wants kept: redacted, its type spelt out.

    Raises ``BadRequest`` for an empty or too long text.
    """
    text, secret = _cleaned(row.text, "text")
    if not text.strip():
        raise BadRequest("the text is empty: there is nothing to remember")
    title, _ = _cleaned(row.title, "title")
    target = row.target if isinstance(row, Remember) else None
    begun, over = _interval(row)
    return Draft(
        text=text,
        title=title,
        kind=row.type,
        tier=row.tier,
        project=project_meant(parts, row.project),
        triggers=tuple(_cleaned(phrase, "trigger")[0] for phrase in row.triggers),
        origin=Origin(source, redacted=secret),
        at=at,
        memory_type=_TYPES.get(row.type, "declarative"),
        context_type=_CONTEXTS.get(row.type, "general"),
        importance=_IMPORTANCE[row.tier],
        key=row.key if isinstance(row, ImportRow) else None,
        intent=row.intent if isinstance(row, Remember) else "auto",
        target=None if target is None else memory_number(target),
        status=row.status,
        valid_from=begun,
        valid_until=over,
    )


def _interval(row: ImportRow | Remember) -> tuple[float | None, float | None]:
    """From when until when a text is said to be true.

    Raises ``BadRequest`` when that is no time, or never.
    """
    begun = None if row.valid_from is None else moment(row.valid_from, 0.0, "valid_from")
    over = None if row.valid_until is None else moment(row.valid_until, 0.0, "valid_until")
    if begun is not None and over is not None and over <= begun:
        raise BadRequest("valid_until is not after valid_from: it would never be true")
    return begun, over


def project_meant(parts: Parts, given: str | None) -> str | None:
    """A path means the project it lies in; any other name stands for itself."""
    if given is None:
        return None
    return (parts.project_of(given) or given) if given.startswith("/") else given


def sliced(whole: tuple[T, ...], size: int) -> Iterator[tuple[T, ...]]:
    """The whole in pieces of at most this size, in order."""
    return (whole[start : start + size] for start in range(0, len(whole), max(1, size)))


def decided(verdict: Verdict) -> Decided:
    """What became of a text, for the wire."""
    return Decided(
        id=short_id(verdict.memory_id),
        action=verdict.action,
        reason=verdict.reason,
        similarity=verdict.similarity,
    )


async def remember(parts: Parts, request: Remember, _: Progress) -> Decided:
    """Keep one text."""
    if request.intent in ("update", "supersede") and request.target is None:
        raise BadRequest(f"{request.intent} needs the id of the memory that is meant")
    draft = draft_of(parts, request, request.source, parts.clock.now())
    verdicts: list[Verdict] = await parts.mailboxes.gate.ask(
        lambda reply: Keep((draft,), reply), within=KEEP_DEADLINE
    )
    return decided(verdicts[0])


def moment(value: float | str | None, otherwise: float, what: str = "created_at") -> float:
    """Seconds since the epoch of a number (seconds or milliseconds) or an ISO date.

    Raises ``BadRequest`` for what is neither.
    """
    if value is None:
        return otherwise
    if isinstance(value, str):
        try:
            stamp = datetime.fromisoformat(value)
        except ValueError:
            raise BadRequest(f"{what} {value[:40]!r} is no ISO 8601 date") from None
        return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    seconds = value / 1000 if value > 1e11 else value  # milliseconds since 1973 are larger
    if not abs(seconds) < END_OF_TIME:  # NaN is neither
        raise BadRequest(f"{what} {value} is no time that a calendar has")
    return seconds


async def judge(parts: Parts, request: Judge, _: Progress) -> Judged:
    """What the gate would do with pairs of texts."""
    pairs = tuple((pair.existing, pair.incoming) for pair in request.pairs)
    verdicts: list[Verdict] = []
    for slice_ in sliced(pairs, SLICE):
        verdicts += await parts.mailboxes.gate.ask(
            partial(WhatWouldYouDo, slice_), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
    return Judged(
        verdicts=[
            PairVerdict(
                id=pair.id,
                action=verdict.action,
                similarity=verdict.similarity,
                contradiction=verdict.contradiction,
            )
            for pair, verdict in zip(request.pairs, verdicts, strict=True)
        ]
    )


async def recall(parts: Parts, request: Recall, _: Progress) -> Recalled:
    """Find memories for a person."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    scope = Scope(project_meant(parts, request.project), everywhere=request.everywhere)
    # A query may say it as well: "as of 2026-03-04".
    then = as_of(request.query) if request.as_of is None else moment(request.as_of, 0.0, "as_of")
    found: Found = await parts.mailboxes.recall.ask(
        lambda reply: Search(
            request.query,
            request.k,
            scope,
            request.track,
            request.as_prompt,
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
    answer = recalled(found, explain=request.explain, as_prompt=request.as_prompt, at=at)
    answer = detailed(answer, request)
    if not request.associations or not found.notes:
        return answer
    best = found.notes[0].memory
    came = await associations_of(parts, best, scope, Breadth(request.mode))
    return msgspec.structs.replace(answer, associations=came)


def switches_of(names: Sequence[str]) -> frozenset[str]:
    """Channels and stages that a question turns. Raises ``BadRequest`` for what is neither."""
    for name in names:
        if name not in SWITCHES:
            raise BadRequest(
                f"{name[:40]!r} is no channel and no stage that can be switched; these are: "
                + ", ".join(sorted(SWITCHES))
            )
    return frozenset(names)


def concepts_of(request: Recall) -> tuple[Concept, ...]:
    """What a question names one by one (K02). Raises ``BadRequest`` when these are not several."""
    try:
        return intersection.asked_for(request.concepts) if request.concepts else ()
    except intersection.NotSeveral as error:
        raise BadRequest(str(error)) from None


def recalled(found: Found, *, explain: bool, as_prompt: bool, at: float) -> Recalled:
    """What recall found, for the wire; ``at``: the time that was asked about."""
    return Recalled(
        results=[_scored(note, explain=explain, at=at) for note in found.notes],
        confidence=found.confidence,
        mode=found.mode,  # type: ignore[arg-type]  # one of the four modes
        degraded=_degraded(found.degraded),
        evidence=found.evidence,
        timings=found.timings,
        prompt=found.block if as_prompt else None,
        said=list(found.said),
        stages=[_stage(passed) for passed in found.stages] if explain else [],
        channels=[_channel(report) for report in found.channels],
    )


def _degraded(told: Degradation | None) -> Degraded | None:
    if told is None:
        return None
    return Degraded(
        failure_mode=told.failure_mode,
        fallback_mode=told.fallback_mode,
        confidence_impact=told.confidence_impact,
        retry_recommendation=told.retry_recommendation.value,
        channels=[
            Missing(
                channel=one.channel,
                failure_mode=one.mode.value,
                detail=one.detail,
                confidence_impact=one.impact,
                retry_recommendation=one.retry.value,
            )
            for one in told.failures
        ],
        line=told.line,
    )


def _channel(report: Report) -> Channel:
    failure = report.failure
    return Channel(
        channel=report.channel,
        ms=report.ms,
        found=report.found,
        failure=failure.mode.value if failure else None,
    )


def _stage(passed: Passed) -> dict[str, Any]:
    """How many came into a stage, how many went on, and how many scores it changed."""
    return {
        "stage": passed.stage.value,
        "in": len(passed.entered),
        "out": len(passed.left),
        "changed": len(passed.terms),
    }


def _scored(note: Note, *, explain: bool, at: float) -> Scored:
    memory = note.memory
    return Scored(
        id=short_id(memory.id),
        key=memory.key,
        score=note.score,
        text=memory.text,
        title=memory.title,
        kind=memory.kind,
        tier=memory.tier,
        origin=origin_of(memory),
        project=memory.project,
        created_at=memory.created_at,
        why=note.why,
        parts=note.parts if explain else {},
        terms=[term._asdict() for term in note.terms] if explain else [],
        status=memory.status,  # type: ignore[arg-type]  # one of the three
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        valid=is_valid(memory.validity, at),
        ended=memory.ended,
    )


async def known_memories(parts: Parts, shorts: list[str]) -> list[Memory]:
    """These memories, in order.

    Raises ``NoSuchMemory`` when one is not there.
    """
    ids = [memory_number(short) for short in shorts]
    found = await parts.reader.memories(ids)
    if any(memory_id not in found for memory_id in ids):
        raise NoSuchMemory
    return [found[memory_id] for memory_id in ids]


async def commit(parts: Parts, unit: Unit) -> list[int]:
    return await parts.mailboxes.long_term.ask(
        lambda reply: Commit(unit, reply), within=WRITE_DEADLINE
    )


async def forget(parts: Parts, request: Forget, _: Progress) -> Done:
    """End memories, undoably; or erase them."""
    memories = await known_memories(parts, request.ids)
    if request.erase:
        unit: Unit = (Erased(tuple(memory.id for memory in memories)),)
        return Done(count=await _erase(parts, unit), note="the text is gone from every file")
    at = parts.clock.now()
    outcome = await commit(parts, tuple(Ended(memory.id, "forgotten", at) for memory in memories))
    over = [short_id(memory.id) for memory in memories if memory.ended is not None]
    note = f"{', '.join(over)} had ended before" if over else "undo with reverie unforget"
    return Done(count=sum(outcome), note=note)


async def _erase(parts: Parts, unit: Unit) -> int:
    await _without_spool(parts)
    count: int = await parts.mailboxes.long_term.ask(
        lambda reply: EraseNow(unit, reply), within=ERASE_DEADLINE
    )
    with suppress(SwitchedOff):  # it is erased; who is away holds nothing
        await parts.mailboxes.prospective.tell(IntentionsErased())
    return count


async def _without_spool(parts: Parts) -> None:
    """What hooks spooled may quote the text: it comes in first, where erasing finds it."""
    with trio.move_on_after(SPOOL_WITHIN):
        while files.waiting(parts.home.spool):
            await parts.mailboxes.intake.tell(DrainSpool())
            await trio.sleep(0.05)


async def unforget(parts: Parts, request: Unforget, _: Progress) -> Done:
    """Bring back what was forgotten or expired; what was superseded or refuted stays so."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    over = [memory for memory in memories if memory.ended in ("forgotten", "expired")]
    await commit(parts, tuple(write for memory in over for write in _brought_back(memory, at)))
    others = [_why_not_forgotten(memory) for memory in memories if memory not in over]
    return Done(count=len(over), note="; ".join(others))


def _brought_back(memory: Memory, at: float) -> Unit:
    """What was kept for a while only is kept as long again (B08)."""
    back = Revived(memory.id, at)
    if memory.tier != "temporary" or is_valid(memory.validity, at):
        return (back,)
    return (back, ValiditySet(memory.id, memory.valid_from, expires_at(memory.tier, at)))


def _why_not_forgotten(memory: Memory) -> str:
    if memory.ended is None:
        return f"{short_id(memory.id)} was not forgotten"
    if memory.ended == "refuted":
        return f"{short_id(memory.id)} was refuted: reverie confirm brings it back"
    successor = f" by {short_id(memory.superseded_by)}" if memory.superseded_by else ""
    return f"{short_id(memory.id)} is {memory.ended}{successor}, not forgotten"


async def pin(parts: Parts, request: Pin, _: Progress) -> Done:
    """Pin or release memories."""
    memories = await known_memories(parts, request.ids)
    at = parts.clock.now()
    outcome = await commit(
        parts, tuple(Pinned(memory.id, request.pinned, at) for memory in memories)
    )
    return Done(count=sum(outcome))


async def feedback(parts: Parts, request: Feedback, _: Progress) -> Done:
    """A person says that a memory was useful, or not."""
    number = memory_number(request.id)
    use = Use.USEFUL if request.useful else Use.USELESS
    at = parts.clock.now()
    changed: bool = await parts.mailboxes.strength.ask(
        lambda reply: Review(number, use, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=int(changed))


async def purge(parts: Parts, request: Purge, _: Progress) -> Done:
    """Erase what was forgotten, a project, or everything."""
    if request.what == "project" and request.project is None:
        raise BadRequest("say which project is to be purged")
    orders = {
        "forgotten": ErasedEverything(),
        "project": ErasedEverything(project=project_meant(parts, request.project)),
        "everything": ErasedEverything(whole_store=True),
    }
    order = orders[request.what]
    count = await _erase(parts, (order,))
    if request.what == "everything":
        parts.home.evaluations.unlink(missing_ok=True)  # its figures are of memories that are gone
    return Done(count=count)


async def export(parts: Parts, request: Export, _: Progress) -> Exported:
    """A page of everything that lives, as rows that ``import`` takes."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    memories = await parts.reader.living(request.after, limit)
    project = project_meant(parts, request.project)
    rows = [_row(memory) for memory in memories if project is None or memory.project == project]
    return Exported(rows=rows, after=memories[-1].id if len(memories) == limit else None)


def _row(memory: Memory) -> dict[str, Any]:
    return {
        "key": memory.key or short_id(memory.id),
        "text": memory.text,
        "title": memory.title,
        "project": memory.project,
        "created_at": memory.created_at,
        "type": memory.kind,
        "tier": memory.tier,
        "triggers": list(memory.triggers),
        **_claim(memory),
    }


def _claim(memory: Memory) -> dict[str, Any]:
    """How sure and when, where that is not the usual."""
    claim = {
        "status": None if memory.status == "confirmed" else memory.status,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
    }
    return {name: value for name, value in claim.items() if value is not None}


ANSWERS: Table = {
    Remember: remember,
    Judge: judge,
    Recall: recall,
    Forget: forget,
    Unforget: unforget,
    Pin: pin,
    Feedback: feedback,
    Purge: purge,
    Export: export,
}
