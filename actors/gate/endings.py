"""Endings: what a prompt, a version of a document or a note of the reader ends, and what may not be ended."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from msgspec.structs import replace

from actors.gate import drafts
from actors.gate.messages import DocumentTold, Proposed, ReadNote, Rekeyed
from actors.memory.commit import StoreWrite, Unit
from actors.memory.rows import Memory, Scope
from actors.memory.writes import Draft, Ended, MemoryClaim, Origin, Revived
from actors.policy.decay.states import is_protected
from actors.policy.documents.versions import (
    Changes,
    Kept,
    beginning_of,
    key_of,
    place_in,
    reconciled,
)
from actors.policy.gate.contradiction import Contradiction
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.gate.corrections import corrected
from actors.policy.gate.gate import (
    SLOT_CONFIDENCE,
    Create,
    CreateLinked,
    Decision,
    Reinforce,
    Supersede,
    Update,
)
from actors.policy.gate.gate_features import Kind, content_hash, normalised
from actors.policy.reader.notes import GONE, NoteTarget, refusal
from actors.policy.statements import trust
from actors.policy.statements.claims import is_by_subject
from actors.policy.statements.extraction import CORRECTED
from actors.policy.statements.sources import NOTICED, READ, SHARED
from actors.policy.text.words import query_terms
from actors.reader.messages import NoteRead
from daemon.storage.reader import ReadingSide

# ---- guards: a decision is carried out as far as the memory it is about may be ended by it


PERSONS: Final = "kept beside what a person keeps"
UNLIKE: Final = "kept beside what tells of another matter or answers another question"
NAMED: Final = "kept beside a note of the reader, which names what ends it"
WOULD_END: Final = "kept beside what it would replace"
ACROSS: Final = "kept beside what another person says: across people nothing ends"
SAID_LATER: Final = "what was said later stands"


def guarded(
    draft: Draft,
    decision: Decision,
    known: Mapping[int, Memory],
    standing: MemoryClaim,
) -> Decision:
    """The decision, or a link where the memory may not be ended."""
    later = drafts.later_ones(draft, standing, known.values())
    kept = kept_from(draft.origin.source, known.values())
    decision = trust.softened(decision, kept if draft.past else kept | later, PERSONS)
    target = None if isinstance(decision, Create) else known.get(decision.target)
    if target is None or drafts.ordered(draft):
        return decision
    if SHARED in {draft.origin.source, target.source}:
        return _beside(decision)
    origin = draft.origin
    new = trust.SourcedStatement(draft.text, origin.source, draft.kind, origin.session)
    old = told_of(target)
    match decision:
        case Reinforce() if normalised(new.text) != normalised(
            old.text
        ) and not trust.may_stand_for(new, old):
            return CreateLinked(
                decision.target, f"{UNLIKE}: {decision.reason}", decision.similarity
            )
        # A reader names what ends its notes, and a person says it: likeness alone is wrong too often.
        case Update() | Supersede() if old.source in READ and new.source not in trust.STATED:
            return trust.softened(decision, {decision.target}, NAMED)
        case Update() | Supersede() if not (
            is_by_subject(decision.reason) or trust.may_succeed(new, old)
        ):
            return trust.softened(decision, {decision.target}, UNLIKE)
        case Update() | Supersede() if decision.target in later:
            reason = f"{SAID_LATER}; otherwise: {decision.reason}"
            return Reinforce(decision.target, reason, decision.similarity)
        case Update() | Supersede() if not draft.ends:
            return trust.softened(decision, {decision.target}, WOULD_END)
        case _:
            return decision


def _beside(decision: Decision) -> Decision:
    """The decision as a link: a person's words neither end nor copy another person's."""
    if isinstance(decision, Create | CreateLinked):
        return decision
    reason = f"{ACROSS}; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity, decision.contradiction)


def kept_from(source: str, known: Iterable[Memory]) -> frozenset[int]:
    """Memories protected from being ended by a text of this source."""
    return frozenset(
        memory.id
        for memory in known
        if trust.is_kept_from(source, target=memory.source, tier=memory.tier, pinned=memory.pinned)
    )


def told_of(memory: Memory) -> trust.SourcedStatement:
    """A memory as the policy of likeness sees it."""
    return trust.SourcedStatement(memory.text, memory.source, memory.kind, memory.session)


# ---- corrections by the sentences of a prompt, among memories with words in common


LOOKED_AT: Final = 20  # memories that share the most telling words with a sentence
MOST: Final = 3  # memories that one sentence corrects: the same may be kept in several
BEFORE: Final = 7_200.0  # seconds in which what a session was shown is what it speaks of
LEFT_ALONE: Final = READ | {NOTICED}  # sources
BY_PROMPT: Final = Contradiction(Kind.CHANGED_VALUE, SLOT_CONFIDENCE)
ANOTHER_VALUE: Final = "the user gave the same subject another value"


async def corrections_in(reader: ReadingSide, proposed: Proposed) -> list[tuple[Memory, str, str]]:
    """Memories corrected by a prompt, their new texts, and the sentence behind each."""
    found: dict[int, tuple[Memory, str, str]] = {}
    for told in proposed.said:
        for memory, text in await _corrections(reader, told, proposed):
            found.setdefault(memory.id, (memory, text, told.text))
    return list(found.values())


async def _corrections(
    reader: ReadingSide, told: CorrectingSentence, proposed: Proposed
) -> list[tuple[Memory, str]]:
    """Corrections by one sentence; one tied only to the session's talk must fit a single memory."""
    scope = Scope(proposed.project)
    hits = await reader.words(query_terms(" ".join((told.text, *told.left))), scope, LOOKED_AT)
    alike = await _known(reader, hits, proposed)
    by_itself = _changed(told, alike, discussed=False)
    if by_itself:
        return by_itself[:MOST]
    shown = await reader.shown_in(proposed.session, proposed.at - BEFORE)
    discussed = await _known(reader, shown, proposed)
    by_talk = _changed(told, discussed, discussed=True)
    return by_talk if len(by_talk) == 1 else []


async def _known(reader: ReadingSide, ids: Iterable[int], proposed: Proposed) -> list[Memory]:
    """Living memories among these, stated by a person or an agent before and in the prompt's scope.

    Notes of the reader do not count: it reads the session too, and names the notes to end. Ten of
    them given another value by sentences of one project's prompts were wrong from then on, all of
    them (docs/adr/0021).
    """
    return [
        memory
        for memory in (await reader.memories(list(ids))).values()
        if memory.ended is None
        and memory.source not in LEFT_ALONE
        and not trust.is_past(told_of(memory))
        and drafts.stated_at(memory) < proposed.at
        and memory.project in (None, proposed.project)
    ]


def _changed(
    told: CorrectingSentence, known: Iterable[Memory], *, discussed: bool
) -> list[tuple[Memory, str]]:
    changes = ((one, corrected(told, one.text, discussed=discussed)) for one in known)
    return [(memory, text) for memory, text in changes if text is not None]


def corrected_draft(memory: Memory, text: str, proposed: Proposed) -> Draft:
    """Draft of a corrected memory's new text: its kind, tier and phrases stay."""
    origin = Origin(CORRECTED, proposed.session or None, proposed.seq, CORRECTED, memory.id)
    return Draft(
        text, "", memory.kind, memory.tier, memory.project, memory.triggers, origin, proposed.at,
        memory.memory_type, memory.context_type, memory.importance, past=proposed.past,
    )  # fmt: skip


# ---- effects of a version of a document on memories made of it before
#
# The keys of these memories name document, line, words and headings: the store alone knows the living
# ones. A reworded item is judged like any text, then the earlier one ends.


KEPT: Final = 500  # memories of one document that are looked at, the newest


async def changes_by(reader: ReadingSide, told: DocumentTold, project: str | None) -> Changes:
    """Compare a version with the memories of its document."""
    known = await reader.under_key(project, beginning_of(told.place), KEPT)
    mine = {None, *(memory.id for memory in known)}
    kept = [
        Kept(
            memory.id, memory.key, memory.text, memory.ended,
            is_replaced_elsewhere=memory.superseded_by not in mine,
        )
        for memory in known
        if memory.key is not None and place_in(memory.key) == told.place
    ]  # fmt: skip
    return reconciled(told.place, kept, told.items, is_whole=told.is_whole)


async def writes_of(reader: ReadingSide, told: DocumentTold, changes: Changes, at: float) -> Unit:
    """Writes of everything but the new items: memories ending, coming back or moved."""
    gone = (await reader.memories(changes.ended)).values() if changes.ended else ()
    return (
        *_ended(gone, at),
        *(Revived(memory_id, at) for memory_id in changes.revived),
        *(Rekeyed(memory_id, key_of(told.place, item)) for memory_id, item in changes.moved),
    )


def takes_the_place(old: Memory, new_id: int, key: str, at: float) -> Unit:
    """Writes by which a new wording ends the one before; a rewritten one has the new key."""
    if old.id == new_id:
        return (Rekeyed(new_id, key),)
    return _ended((old,), at, new_id)


def _ended(memories: Iterable[Memory], at: float, by: int | None = None) -> Unit:
    return tuple(
        Ended(memory.id, "deprecated", at, superseded_by=by)
        for memory in memories
        if memory.ended is None and not is_protected(memory.tier, pinned=memory.pinned)
    )


# ---- notes of a reader: it names the note it sharpens, the gate says whether it may
#
# The reader saw the notes its text may be about, so its own word counts and no likeness does: vectors
# take 87 % of contradicting pairs for the same (samyakkkk/flow, pull request 32). Only a copy is
# recognized without being named.


# A reader words nothing anew: what it sharpens ends, and the new text stands for it.
NoteDecision: TypeAlias = Create | CreateLinked | Reinforce | Supersede

ENDS: Final = frozenset({"refines", "contradicts"})  # relations
COPY: Final = "the same text is stored"
KNOWN: Final = "the reader says that this is known"
NEW: Final = "the reader names nothing that it sharpens"


async def decided(
    reader: ReadingSide, notes: Sequence[ReadNote], decay: float
) -> tuple[list[NoteDecision], Unit]:
    """Return one decision a note, each beside the ones before it, and their writes."""
    decisions: list[NoteDecision] = []
    unit: list[StoreWrite] = []
    ended: set[int] = set()
    for note in notes:
        draft = note.draft
        same = await reader.same_content(content_hash(draft.text), Scope(draft.project))
        known = await reader.memories([*same, *filter(None, (note.target,))])
        copies = (known[one] for one in same if known[one].project == draft.project)
        copy = next(copies, None)
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
        target.source, target.confidence, target.tier, target.pinned, drafts.stated_at(target),
        target.ended is None,
    )  # fmt: skip
    return refusal(source, at, held)


def _decision(
    note: ReadNote, copy: Memory | None, target: Memory | None
) -> tuple[NoteDecision, str]:
    """Return the decision on a note, and the reason why its target stays, if it does."""
    if copy is not None:
        return Reinforce(copy.id, COPY, 1.0), ""
    if note.relation == "same" and target is not None:
        return Reinforce(target.id, KNOWN, 1.0), ""
    if target is None or note.relation not in ENDS:
        return Create(NEW), GONE if note.relation in ENDS else ""
    why = refused_by(note.draft.origin.source, note.draft.at, target)
    if why:
        return CreateLinked(target.id, f"kept beside it: {why}", 1.0), why
    return Supersede(target.id, None, f"the reader says that it {note.relation} this", 1.0), ""


def _writes(
    note: ReadNote, decision: NoteDecision, why: str, known: Mapping[int, Memory], decay: float
) -> Unit:
    """The writes of a decision, in order: writes about a new memory follow its creation."""
    draft, standing = note.draft, drafts.standing_of(note.draft)
    match decision:
        case Create() | CreateLinked() | Supersede():
            standing = drafts.beginning(draft, standing, decision)
            closed = drafts.closings(draft, standing, decision, known)
            proof = replace(note.proof, ended=isinstance(decision, Supersede), refusal=why)
            new = drafts.created(draft, decision, decay=decay, standing=standing)
            phrases = dict.fromkeys((*_commands(note.proof), *new.derived))
            new = replace(new, derived=tuple(phrases)[: drafts.TRIGGERS])
            return (new, drafts.audited(draft, decision, 0), proof, *closed)
        case Reinforce(target):
            return (
                drafts.audited(draft, decision, target),
                *drafts.stated_now(draft, known[target]),
            )
        case _:
            assert_never(decision)


def _commands(proof: NoteRead) -> list[str]:
    """Commands of a note as its phrases; a program alone (`git`) is named too often."""
    commands = (one.text.casefold() for one in proof.cues if one.kind == "command")
    return [one for one in commands if " " in one]
