"""Guards of a decision: it is carried out as far as the memory it is about may be ended by it."""

from collections.abc import Iterable, Mapping
from typing import Final

from actors.gate.drafts import ordered
from actors.gate.messages import Draft
from actors.memory.rows import Memory
from actors.policy.gate.copies import normalised
from actors.policy.gate.gate import Create, CreateLinked, Decision, Reinforce, Supersede, Update
from actors.policy.statements.claims import is_by_subject
from actors.policy.statements.sources import READ, SHARED
from actors.policy.statements.trust import (
    STATED,
    SourcedStatement,
    is_kept_from,
    may_stand_for,
    may_succeed,
    softened,
)

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
    later: frozenset[int] = frozenset(),
) -> Decision:
    """The decision, or a link where the memory may not be ended; ``later`` was said after it."""
    kept = kept_from(draft.origin.source, known.values())
    decision = softened(decision, kept if draft.past else kept | later, PERSONS)
    target = None if isinstance(decision, Create) else known.get(decision.target)
    if target is None or ordered(draft):
        return decision
    if SHARED in {draft.origin.source, target.source}:
        return _beside(decision)
    new, old = told_in(draft), told_of(target)
    match decision:
        case Reinforce() if normalised(new.text) != normalised(old.text) and not may_stand_for(
            new, old
        ):
            return CreateLinked(
                decision.target, f"{UNLIKE}: {decision.reason}", decision.similarity
            )
        # A reader names what ends its notes, and a person says it: likeness alone is wrong too often.
        case Update() | Supersede() if old.source in READ and new.source not in STATED:
            return softened(decision, {decision.target}, NAMED)
        case Update() | Supersede() if not (
            is_by_subject(decision.reason) or may_succeed(new, old)
        ):
            return softened(decision, {decision.target}, UNLIKE)
        case Update() | Supersede() if decision.target in later:
            reason = f"{SAID_LATER}; otherwise: {decision.reason}"
            return Reinforce(decision.target, reason, decision.similarity)
        case Update() | Supersede() if not draft.ends:
            return softened(decision, {decision.target}, WOULD_END)
        case _:
            return decision


def _beside(decision: Decision) -> Decision:
    """The decision as a link: a person's words neither end nor copy another person's."""
    if isinstance(decision, Create | CreateLinked):
        return decision
    contradiction = decision.contradiction if isinstance(decision, Supersede) else None
    reason = f"{ACROSS}; otherwise: {decision.reason}"
    return CreateLinked(decision.target, reason, decision.similarity, contradiction)


def kept_from(source: str, known: Iterable[Memory]) -> frozenset[int]:
    """Memories protected from being ended by a text of this source."""
    return frozenset(
        memory.id
        for memory in known
        if is_kept_from(source, target=memory.source, tier=memory.tier, pinned=memory.pinned)
    )


def told_in(draft: Draft) -> SourcedStatement:
    """A draft as the policy of likeness sees it."""
    return SourcedStatement(draft.text, draft.origin.source, draft.kind, draft.origin.session)


def told_of(memory: Memory) -> SourcedStatement:
    """A memory as the policy of likeness sees it."""
    return SourcedStatement(memory.text, memory.source, memory.kind, memory.session)
