"""From a decided draft to what is written: the shapes of a new memory and of its audit.

No state and no rules: what the gate decides is in ``actors.policy.gate``; here its
decision becomes the writes that carry it out.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import assert_never

from actors.messages import Draft
from actors.policy.budget import shortened
from actors.policy.fsrs import classification_factor, initial_stability
from actors.policy.gate import (
    Create,
    CreateLinked,
    Decision,
    Reinforce,
    Supersede,
    Update,
    action,
    normalised,
)
from actors.policy.phrases import phrases_of
from actors.ports import Memory
from actors.writes import Audited, Created, Ended, Judged, Linked, Write

TITLE = 80  # characters of a title taken from the text
TRIGGERS = 16  # phrases a memory may be called by
UNREVIEWED_DIFFICULTY = 5.0  # features.md C03


def settled(memory: Memory, decision: Decision, at: float) -> tuple[Write, ...]:
    """What a late decision does: both texts exist, so one of the two ends, or none."""
    judged = Judged(memory.id)
    match decision:
        case Create():
            return (judged,)
        case CreateLinked(target, _, similarity):
            return (judged, Linked(memory.id, int(target), "related", similarity, at))
        case Reinforce(target):
            return (judged, Ended(memory.id, "deprecated", at, superseded_by=int(target)))
        case Update(target, _, similarity):
            return (
                judged,
                Linked(memory.id, int(target), "supersedes", similarity, at),
                Ended(int(target), "deprecated", at, superseded_by=memory.id),
            )
        case Supersede(target, _, _, similarity):
            return (
                judged,
                Linked(memory.id, int(target), "supersedes", similarity, at),
                Ended(int(target), "deprecated", at, superseded_by=memory.id),
            )
        case _:
            assert_never(decision)


def ordered(draft: Draft) -> bool:
    return draft.intent != "auto"


def contradiction_in(decision: Decision) -> str | None:
    if isinstance(decision, CreateLinked | Supersede) and decision.contradiction is not None:
        return decision.contradiction.kind.value
    return None


def content_hash(text: str) -> bytes:
    """The same for texts that differ only in what ``normalised`` takes away."""
    return blake2b(normalised(text).encode("utf-8", "replace"), digest_size=16).digest()


def title_of(text: str) -> str:
    """A title for a text that has none: its first line, shortened."""
    first = text.strip().partition("\n")[0]
    return shortened(first, TITLE)


def derived_of(draft: Draft) -> tuple[str, ...]:
    """The phrases of the draft's own text that may call it."""
    found = phrases_of(draft.title or title_of(draft.text), draft.text)
    return tuple(phrase for phrase in found if phrase not in draft.triggers)[:TRIGGERS]


def created(
    draft: Draft, decision: Create | CreateLinked | Supersede, *, unjudged: bool
) -> Created:
    """The new memory that a decision asks for."""
    factor = classification_factor(draft.context_type, draft.tier)
    stability = initial_stability(draft.memory_type, factor=factor)
    return Created(
        text=draft.text,
        title=draft.title or title_of(draft.text),
        kind=draft.kind,
        tier=draft.tier,
        memory_type=draft.memory_type,
        context_type=draft.context_type,
        project=draft.project,
        at=draft.at,
        content_hash=content_hash(draft.text),
        stability=min(stability, 36_500.0),
        difficulty=UNREVIEWED_DIFFICULTY,
        importance=draft.importance,
        origin=draft.origin,
        triggers=draft.triggers,
        derived=derived_of(draft),
        key=draft.key,
        unjudged=unjudged,
        supersedes=int(decision.target) if isinstance(decision, Supersede) else None,
        linked_to=int(decision.target) if isinstance(decision, CreateLinked) else None,
        similarity=decision.similarity,
    )


def audited(draft: Draft, decision: Decision, memory_id: int) -> Audited:
    """The decision as it is kept (row C-04)."""
    target = None if isinstance(decision, Create) else int(decision.target)
    return Audited(
        action(decision).value,
        memory_id,
        target,
        decision.similarity,
        decision.reason,
        contradiction_in(decision),
        content_hash(draft.text),
        draft.project,
        draft.at,
        draft.origin if draft.origin.seq is not None else None,
    )
