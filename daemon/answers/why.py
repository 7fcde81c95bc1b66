"""Reasons why a memory is there, in sentences; its use, and a reader's part in it."""

from collections.abc import Collection, Iterator, Sequence, Set
from typing import Any, Final

from msgspec import Struct

from actors.gate.endings import ENDS
from actors.memory.rows import Memory
from actors.memory.use import Opinion
from actors.policy.decay import curve
from actors.policy.decay.archival import relevance
from actors.policy.recall.notes import SILENT, age
from actors.policy.recall.page import NEVER, Listing
from actors.reader.messages import NoteRow
from daemon.answers.link import links_to
from daemon.answers.memories import decisions_of, seen
from daemon.answers.tool_events import BEFORE, FAILED
from daemon.commands.terminal.words import local
from daemon.context import Parts
from daemon.shapes.memory import MemoryView, Reasons, Related, Usage
from daemon.storage import episodes, read_notes, strength, why
from daemon.storage.why import Provenance
from daemon.times import span
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
    """Use of a memory by agents, and people's opinions of it."""
    read, now = parts.reader.read, parts.clock.now()
    said = (await parts.reader.opinions([memory.id])).get(memory.id, Opinion())
    use = await read(strength.use_of, memory.id, now)
    hidden = curve.is_suppressed(said.suppressed_at, now)
    return Usage(
        confidence=memory.confidence,
        validations=said.validations,
        sessions=await read(strength.sessions_shown, memory.id),
        cited=await read(strength.sessions_citing, memory.id),
        hidden_until=(said.suppressed_at or 0.0) + curve.DURATION if hidden else None,
        untold=await read(why.untold, memory.id),
        relevance=None if use is None else round(relevance(use), 6),
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
        told += [*_written(note, parts.clock.now()), *await _silence(parts, memory_id)]
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


def _written(note: NoteRow, now: float) -> Iterator[str]:
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
    if note.verdict:
        yield f"A person {_VERDICTS[note.verdict]}."


LINKS: Final = 200  # told of one memory, the surest
AN_AGENTS: Final = 40  # of them, told to an agent: its answer is short
# What the gate calls making a memory; all else is about one that is there.
_MAKING: Final = frozenset({"CREATE", "CREATE_LINKED", "SUPERSEDE"})
# A causal link read from its source, and from its target.
SAID_OF = {
    "caused": ("caused", "was caused by"),
    "enabled": ("made possible", "was made possible by"),
    "supersedes": ("supersedes", "is superseded by"),
    "contradicts": ("contradicts", "is contradicted by"),
    "derived_from": ("is derived from", "is what was drawn on for"),
    "supports": ("supports", "is supported by"),
}
OUTCOMES = {"CONFIRM": "confirmed", "REFUTE": "refuted"}
PLACES = {
    "prompt": "with a prompt",
    "session_start": "at the start of a session",
    "subagent": "to a subagent as it started",
    "tool": "before a tool's call",
    "failure": "at a failure",
    "opened": "as an agent opened it",
    "recall": "by a search",
    "editor": "in an editor",
}


class Known(Struct, frozen=True, kw_only=True):
    """Facts of a memory, to be put into words."""

    memory: MemoryView
    unjudged: bool
    now: float
    origin: Provenance
    decision: dict[str, Any] | None  # the gate's that made it
    later: Sequence[dict[str, Any]]  # its other decisions about it
    supersedes: Sequence[str]
    shown: tuple[float, str] | None  # when last, and where
    used_at: float | None
    captures: Sequence[dict[str, Any]] = ()
    links: Sequence[Related] = ()
    more_links: bool = False
    usage: Usage = Usage()
    read: Sequence[str] = ()  # a reader's part in it, in sentences
    listing: Listing = NEVER


async def reasons_of(parts: Parts, memory: Memory, projects: Set[str | None] | None) -> Reasons:
    """Reasons of a memory, with its links to memories of these projects, ``None``: of all."""
    read, number, now = parts.reader.read, memory.id, parts.clock.now()
    decisions = await decisions_of(parts, number)
    made = (d for d in decisions if d["memory"] == short_id(number) and d["action"] in _MAKING)
    making = next(made, None)
    limit = LINKS if projects is None else AN_AGENTS
    links = await links_to(parts, memory, limit + 1, projects)
    known = Known(
        memory=seen(parts, memory, now),
        unjudged=memory.unjudged,
        now=now,
        origin=await read(why.provenance, number),
        decision=making,
        later=[decision for decision in decisions if decision is not making],
        supersedes=[short_id(one) for one in await read(why.predecessors, number)],
        shown=await read(why.last_shown, number),
        used_at=memory.last_use if memory.uses else None,
        captures=await read(episodes.captures_of, number),
        links=links[:limit],
        more_links=len(links) > limit,
        usage=await usage_of(parts, memory),
        read=await read_of(parts, number),
        listing=(await parts.reader.listings([number])).get(number, NEVER),
    )
    return Reasons(memory=known.memory, sentences=sentences(known), links=[*known.links])


def sentences(known: Known) -> list[str]:
    """Sentences on origin, maker, changes, links and use of a memory."""
    return [
        *_origin(known),
        *known.read,
        *_decisions(known),
        *_succession(known),
        *_standing(known),
        *_captures(known),
        *_links(known),
        *_use(known),
    ]


def _ago(known: Known, at: object) -> str:
    return age(known.now - float(at)) if isinstance(at, int | float) else "at an unknown time"


def _origin(known: Known) -> Iterator[str]:
    memory, made_of = known.memory, known.origin
    said = f"It was {memory.origin}, {_ago(known, memory.created_at)}"
    if memory.session:
        said += f", in session {memory.session}"
    if made_of.tool:
        said += f", from the tool {made_of.tool}"
    if made_of.event:
        said += f" (the event: {made_of.event.replace('_', ' ')}, of {made_of.agent})"
    yield said + "."
    if memory.why:
        why = " ".join(memory.why.split())
        yield f"Why it is so, as it was said: {why.rstrip('.')}."
    if made_of.redacted:
        yield "Secrets were taken out of its text before it was stored."
    if memory.versions > 1:
        yield f"Its text was rewritten {_times(memory.versions - 1)}; earlier ones are kept."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _decisions(known: Known) -> Iterator[str]:
    made = known.decision
    if made is None:
        yield "No decision of the gate that made it is on record."
    else:
        yield f"The gate made it: {_decision(made, known.memory.id)}."
    if known.unjudged and known.memory.ended is None:
        yield "It was kept without vectors; the gate looks at it again when it has them."


def _decision(decision: dict[str, Any], own: str) -> str:
    """A decision in words, for the memory ``own``; a similarity is told once."""
    said = f"{decision['action']}, {decision['reason'].rstrip('.') or 'no reason noted'}"
    existing, similarity = decision["existing"], decision["similarity"]
    if existing and similarity is not None and "(similarity " not in said:
        return f"{said} (similarity {similarity:.2f} to {existing})"
    if existing in (None, own):
        return said
    return f"{said} ({'before:' if decision['action'] == 'SUPERSEDE' else 'beside'} {existing})"


def _succession(known: Known) -> Iterator[str]:
    memory = known.memory
    if known.supersedes:
        yield f"It took the place of {', '.join(known.supersedes)}."
    if memory.ended is None:
        return
    when = _ago(known, known.origin.ended_at)
    if memory.superseded_by:
        yield f"{memory.superseded_by} took its place, {when}: it is {memory.ended}."
    else:
        yield f"It is {memory.ended}, since {when}."


def _standing(known: Known) -> Iterator[str]:
    memory = known.memory
    if memory.status == "hypothesis":
        yield "It is only supposed: nothing has confirmed or refuted it."
    if memory.status == "noticed":
        yield "It was noticed, nobody stated it: reverie confirm, or reverie refute."
    for one in known.later:
        if one["action"] in OUTCOMES:
            done = OUTCOMES[one["action"]]
            yield f"It was {done} {_ago(known, one['at'])}: {one['reason'].rstrip('.')}."
    if span(memory):
        over = memory.valid_until is not None and memory.valid_until <= known.now
        yield f"It {'was' if over else 'is'} true {span(memory)}."


def _captures(known: Known) -> Iterator[str]:
    for taken in known.captures:
        moment = taken["reason"] or f"of a moment ({str(taken['kind']).replace('_', ' ')})"
        yield (
            f"The turn that it comes from was kept because {moment} at {local(taken['at']):%H:%M}"
            f" ({_ago(known, taken['at'])}): episode {taken['episode']}."
        )


def _links(known: Known) -> Iterator[str]:
    here = known.memory
    # What took whose place was said already.
    said = {(other, False) for other in known.supersedes} | {(here.superseded_by, True)}
    for one in known.links:
        if one.evidence or one.how != "supersedes" or (one.id, one.incoming) not in said:
            yield _linked(one)
    if known.more_links:
        yield f"It has more links than these {len(known.links)}, the surest."


def _linked(one: Related) -> str:
    verb = SAID_OF.get(one.how, (one.how, one.how))[one.incoming]
    title = f" “{one.title}”" if one.title else ""
    ended = f" ({one.ended})" if one.ended else ""
    sure = f", {one.strength:.0%} sure" if one.strength < 1 else ""
    why = f": {one.evidence.rstrip('.')}" if one.evidence else ""
    return f"It {verb} {one.id}{title}{ended}{sure}{why}."


def _use(known: Known) -> Iterator[str]:
    usage, memory = known.usage, known.memory
    if known.shown is None:
        yield "It was never shown."
    else:
        at, where = known.shown
        place = PLACES.get(where, f"in {where}")
        yield f"It was shown {_times(memory.exposures)}, last {place}, {_ago(known, at)}."
    if known.listing.starts:
        starts = _times(known.listing.starts)
        yield f"It was a line of a session's start {starts}, last {_ago(known, known.listing.last_at)}."
    if known.used_at is None:
        yield "It was never used."
    else:
        yield f"It was used {_times(memory.uses)}, last {_ago(known, known.used_at)}."
    if usage.sessions:
        many = "session" if usage.sessions == 1 else "sessions"
        yield f"It was shown unasked in {usage.sessions} {many}; {usage.cited} cited it."
    if usage.hidden_until is not None:
        hours = (usage.hidden_until - known.now) / 3600
        yield f"It was suppressed: no prompt gets it for {hours:.0f} hours more."
