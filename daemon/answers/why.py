"""All facts behind a memory's being there: its usage, a reader's part in it, and the rest."""

from collections.abc import Collection, Iterator, Set
from typing import Any, Final

from msgspec.structs import asdict

from actors.gate.endings import ENDS
from actors.memory.rows import Memory
from actors.memory.use import Opinion
from actors.policy.decay import reinforcement
from actors.policy.decay.archival import relevance
from actors.policy.decay.capture import PROMOTED, priority
from actors.policy.decay.reinforcement import Use
from actors.policy.recall.notes import SILENT, age
from actors.policy.recall.page import NEVER
from actors.policy.session.citation import effectiveness
from actors.reader.messages import NoteRow
from daemon.answers.link import lineage_of
from daemon.answers.memories import decisions_of, seen
from daemon.answers.reasons import AllReasons
from daemon.answers.tool_events import BEFORE, FAILED
from daemon.context import Parts
from daemon.shapes.memory import Usage
from daemon.states import retrievability_of
from daemon.storage import episodes, opinions, read_notes, strength, why
from daemon.views import short_id

# Uses of a note in a word; what was edited after it was told is done.
USES: Final = {
    "opened": "opened",
    "cited": "cited",
    "done": "done",
    "edited_after": "done",
    "confirmed": "confirmed",
}


def became(causes: Collection[str], *, useless: bool) -> str:
    """Uses of a note after it was told or listed, in words."""
    uses = dict.fromkeys(word for cause, word in USES.items() if cause in causes)
    return ", ".join((*(["called not useful"] if useless else []), *uses)) or "nothing yet"


async def usage_of(parts: Parts, memory: Memory) -> Usage:
    """Figures of a memory's services, and people's opinions of it."""
    read, now = parts.reader.read, parts.clock.now()
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    credited = await read(strength.credits_of, memory.id)
    sessions = await read(strength.sessions_shown, memory.id)
    made: list[dict[str, Any]] = await read(opinions.promotions_of, memory.id)
    verdicts: list[dict[str, Any]] = await read(opinions.verdicts_of, memory.id)
    untold = await read(why.untold, memory.id)
    uses = await read(strength.uses_of_living, now, memory.id - 1, 1)
    heeding = {Use.CITED.value, Use.DONE.value}
    cited = len({one.session for one in credited if one.cause in heeding})
    storage = reinforcement.storage_of(memory.uses, memory.lapses)
    recallable = retrievability_of(memory, now, parts.settings.strength.decay)
    hidden = reinforcement.is_suppressed(said.suppressed_at, now)
    return Usage(
        confidence=memory.confidence,
        validations=said.validations,
        storage=round(storage, 6),
        retention=round(reinforcement.retention(recallable, storage), 6),
        sessions=sessions,
        cited=cited,
        effectiveness=effectiveness(cited, sessions),
        credits=[{"session": one.session, "cause": one.cause, "at": one.at} for one in credited],
        suppressions=said.suppressions,
        hidden_until=(said.suppressed_at or 0.0) + reinforcement.DURATION if hidden else None,
        proposals=made,
        verdicts=verdicts,
        untold=untold,
        relevance=next((round(relevance(use), 6) for one, use in uses if one == memory.id), None),
    )


# ---- a reader's part in it, in sentences


_SPEAKERS: Final = {"user": "The user", "agent": "An agent", "tool": "A program"}
_MOMENTS: Final = {BEFORE: "before its command", FAILED: "at its error"}
_VERDICTS: Final = {"kept": "kept it", "edited": "worded it anew", "dropped": "dropped it"}


async def read_of(parts: Parts, memory_id: int) -> list[str]:
    """Sentences on a reader's part in a memory; none without such a part."""
    note = await parts.reader.read(read_notes.note_of, memory_id)
    told = list[str]()
    if note is not None:
        told += [*_sentences(note, parts.clock.now()), *await _silence(parts, memory_id)]
    for other, reason in await parts.reader.read(read_notes.kept_beside, memory_id):
        told.append(f"{short_id(other)} would have ended it, and both stay: {reason}.")
    return told


async def _silence(parts: Parts, memory_id: int) -> list[str]:
    """Moments at which a note is not told any more, since nobody used it there."""
    silent = list[str]()
    for place, where in _MOMENTS.items():
        unused = await parts.reader.read(strength.told_unused, [memory_id], place, "")
        sessions, _ = unused.get(memory_id, (0, False))
        if sessions >= SILENT:
            silent.append(
                f"It is not told {where} any more: {sessions} sessions were told it there,"
                " and none has used it since."
            )
    return silent


def _sentences(note: NoteRow, now: float) -> Iterator[str]:
    engine = f" ({note.engine})" if note.engine else ""
    reason = f": {note.why}" if note.why else ""
    yield f"The reader{engine} wrote it {age(now - note.read_at)}{reason}."
    if note.quotation:
        answered = f", to “{note.agreed_to}”" if note.agreed_to else ""
        yield f"{_SPEAKERS[note.said_by]} said: “{note.quotation}”{answered}."
    else:
        yield "The words that prove it were erased."
    if note.named is not None and note.ended:
        yield f"It {note.relation} {short_id(note.named)}, which ended by it."
    elif note.named is not None and note.refusal and note.relation in ENDS:
        yield f"It {note.relation} {short_id(note.named)}, and both stay: {note.refusal}."
    if note.waits:
        yield "It waits until you keep it: reverie inbox."
    if note.verdict:
        yield f"A person {_VERDICTS[note.verdict]}."


# ---- everything


# What the gate calls making a memory; all else is about one that is there.
_MAKING: Final = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})


async def known_of(
    parts: Parts, memory: Memory, depth: int, projects: Set[str | None] | None
) -> AllReasons:
    """All facts of a memory; its lineage to memories of these projects, ``None``: of all."""
    read, number, now = parts.reader.read, memory.id, parts.clock.now()
    decisions = await decisions_of(parts, number)
    reviews = await read(why.reviews, number)
    shown_at, shown_where = await read(why.last_shown, number) or (None, None)
    making = next(
        (d for d in decisions if d["memory"] == short_id(number) and d["action"] in _MAKING),
        None,
    )
    used = [float(review["at"]) for review in reviews if review["grade"] > 1]
    return AllReasons(
        memory=seen(parts, memory, now),
        provenance=asdict(await read(why.provenance, number)),
        decision=making,
        later=[decision for decision in decisions if decision is not making],
        supersedes=[short_id(one) for one in await read(why.predecessors, number)],
        shown_at=shown_at,
        shown_where=shown_where,
        used_at=used[-1] if used else None,
        reviews=reviews,
        phrases={"given": list(memory.triggers), "derived": list(memory.derived)},
        captures=await read(episodes.captures_of, number),
        usage=await usage_of(parts, memory),
        importance=_importance_of(memory),
        lineage=await lineage_of(parts, number, depth, projects),
        memory_type=memory.memory_type,
        unjudged=memory.unjudged,
        now=now,
        read=await read_of(parts, number),
        listing=(await parts.reader.listings([number])).get(number, NEVER),
    )


def _importance_of(memory: Memory) -> dict[str, Any]:
    """An importance, in the shape of when something changed it by itself; nothing does any more."""
    return {
        "value": memory.importance,
        "priority": priority(memory.importance),
        "promotable": memory.importance > PROMOTED and memory.tier == "normal",
        "channels": None,
        "changes": [],
        "backfills": [],
    }
