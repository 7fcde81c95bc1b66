"""Decisions about a reader's notes: the reader names the note it sharpens, the gate says whether it may.

The reader saw the notes its text may be about, so its own word counts and no likeness does: vectors
take 87 % of contradicting pairs for the same (samyakkkk/flow, pull request 32). Only a copy is
recognized without being named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias, assert_never

from actors.gate.drafts import (
    TRIGGERS,
    audited,
    beginning,
    closings,
    content_hash,
    created,
    standing_of,
    stated_at,
    stated_now,
)
from actors.gate.messages import ReadNote
from actors.memory.rows import Memory, Scope
from actors.memory.unit import Unit, Write
from actors.policy.gate.gate import Create, CreateLinked, Reinforce, Supersede
from actors.policy.reader.becoming import GONE, NoteTarget, refusal
from actors.reader.writes import NoteRead
from daemon.storage.reader import ReadingSide

# A reader words nothing anew: what it sharpens ends, and the new text stands for it.
NoteDecision: TypeAlias = Create | CreateLinked | Reinforce | Supersede

ENDS: Final = frozenset({"refines", "contradicts"})  # relations
COPY: Final = "the same text is stored"
KNOWN: Final = "the reader says that this is known"
WAITS: Final = "it waits until a person keeps it"
NEW: Final = "the reader names nothing that it sharpens"


async def decided(
    reader: ReadingSide, notes: Sequence[ReadNote], decay: float
) -> tuple[list[NoteDecision], Unit]:
    """Return one decision a note, each beside the ones before it, and their writes."""
    decisions: list[NoteDecision] = []
    unit: list[Write] = []
    ended: set[int] = set()
    for note in notes:
        copy, known = await _known_to(reader, note)
        named = known.get(note.target or 0)
        decision, why = _decision(note, copy, None if note.target in ended else named)
        if isinstance(decision, Supersede):
            ended.add(decision.target)
        decisions.append(decision)
        unit += _writes(note, decision, why, known, decay)
    return decisions, tuple(unit)


def refused_by(source: str, at: float, target: Memory) -> str:
    """Return the reason why a note of this source and time may not end a memory; "" when it may."""
    held = NoteTarget(
        target.source, target.confidence, target.tier, target.pinned, stated_at(target),
        target.ended is None,
    )  # fmt: skip
    return refusal(source, at, held)


async def _known_to(reader: ReadingSide, note: ReadNote) -> tuple[Memory | None, dict[int, Memory]]:
    """Return the memory with the same text to the letter as a note, and the memories it may be about."""
    draft = note.draft
    same = await reader.same_content(content_hash(draft.text), Scope(draft.project))
    known = await reader.memories([*same, *filter(None, (note.target,))])
    copies = (known[one] for one in same if known[one].project == draft.project)
    return next(copies, None), known


def _decision(
    note: ReadNote, copy: Memory | None, target: Memory | None
) -> tuple[NoteDecision, str]:
    """Return the decision on a note, and the reason why its target stays, if it does."""
    if copy is not None:
        return Reinforce(copy.id, COPY, 1.0), ""
    if note.relation == "same" and target is not None:
        return Reinforce(target.id, KNOWN, 1.0), ""
    if note.proof.waits or target is None or note.relation not in ENDS:
        why = GONE if note.relation in ENDS and target is None else ""
        return Create((), WAITS if note.proof.waits else NEW), why
    why = refused_by(note.draft.origin.source, note.draft.at, target)
    if why:
        return CreateLinked(target.id, f"kept beside it: {why}", 1.0), why
    return Supersede(target.id, None, f"the reader says that it {note.relation} this", 1.0), ""


def _writes(
    note: ReadNote, decision: NoteDecision, why: str, known: Mapping[int, Memory], decay: float
) -> Unit:
    """The writes of a decision, in order: writes about a new memory follow its creation."""
    draft, standing = note.draft, standing_of(note.draft)
    match decision:
        case Create() | CreateLinked() | Supersede():
            standing = beginning(draft, standing, decision)
            closed = closings(draft, standing, decision, known)
            proof = replace(note.proof, ended=isinstance(decision, Supersede), refusal=why)
            new = created(draft, decision, decay=decay, unjudged=False, standing=standing)
            phrases = dict.fromkeys((*_commands(note.proof), *new.derived))
            new = replace(new, derived=tuple(phrases)[:TRIGGERS])
            return (new, audited(draft, decision, 0), proof, *closed)
        case Reinforce(target):
            stated = () if note.proof.waits else stated_now(draft, known[target])
            return (audited(draft, decision, target), *stated)
        case _:
            assert_never(decision)


def _commands(proof: NoteRead) -> list[str]:
    """Commands of a note as its phrases; a program alone (`git`) is named too often."""
    commands = (one.text.casefold() for one in proof.cues if one.kind == "command")
    return [one for one in commands if " " in one]
