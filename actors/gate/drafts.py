"""Writes of a decided draft; the gate's decisions are made in ``actors.policy.gate.gate``."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from msgspec.structs import replace

from actors.gate.messages import Audited, Judged, Proposed
from actors.memory import writes
from actors.memory.commit import StoreWrite, Unit
from actors.memory.rows import Memory
from actors.memory.use import Validated
from actors.memory.writes import Draft
from actors.policy.decay import states
from actors.policy.decay.curve import STABILITY_MAX, classification_factor, initial_stability
from actors.policy.gate.gate import Create, CreateLinked, Decision, Reinforce, Supersede, Update
from actors.policy.gate.gate_features import content_hash, normalised
from actors.policy.statements import claims
from actors.policy.statements.claims import Claim, is_by_subject
from actors.policy.statements.statement_rules import CORRECTION, Candidate
from actors.policy.statements.trust import STATED, is_stated, trust_in
from actors.policy.text.phrases import phrases_of
from actors.policy.text.wording import shortened
from actors.policy.times import stated_times
from actors.policy.times.stated_times import Validity

TITLE = 80  # characters of a title taken from the text
TRIGGERS = 16  # phrases a memory may be called by
CONFIRMED = 0.6  # confidence of what was confirmed, at least: as after one useful


def draft_of(candidate: Candidate, proposed: Proposed) -> Draft:
    """The draft of a candidate from an event."""
    return Draft(
        candidate.text,
        candidate.title,
        candidate.kind,
        "normal",  # people set tiers: what a tool printed cannot ask for a high one
        None if candidate.user_scope else proposed.project,
        (),  # its phrases are derived from its text, nobody set them
        writes.Origin(
            candidate.rule,
            proposed.session or None,
            proposed.seq,
            candidate.rule,
            candidate.ordinal,
            candidate.source_tool or None,
            candidate.source_call or None,
            commit=candidate.commit,
            author=candidate.author,
        ),
        proposed.at,
        candidate.memory_type,
        candidate.context_type,
        candidate.importance,
        past=proposed.past,
    )


def settled(memory: Memory, decision: Decision, at: float) -> tuple[StoreWrite, ...]:
    """Writes of a late decision: both texts exist, so one of the two ends, or none."""
    judged = Judged(memory.id)
    match decision:
        case Create():
            return (judged,)
        case CreateLinked(target, _, similarity):
            return (judged, writes.Linked(memory.id, target, "related", similarity, at))
        case Reinforce(target):
            return (judged, writes.Ended(memory.id, "deprecated", at, superseded_by=target))
        case (
            Update(target=target, similarity=similarity)
            | Supersede(target=target, similarity=similarity)
        ):
            return (
                judged,
                writes.Linked(memory.id, target, "supersedes", similarity, at),
                writes.Ended(target, "deprecated", at, superseded_by=memory.id),
            )
        case _:
            assert_never(decision)


# ---- claims and time


def standing_of(draft: Draft) -> writes.MemoryClaim:
    """Claim of a draft: its certainty, its time of validity, and its subject.

    A ``state`` ends after 30 days, the tier temporary after 7.
    """
    said = Validity(draft.valid_from, draft.valid_until)
    valid = stated_times.with_lifetime(said, draft.kind, draft.at)
    if draft.tier == "temporary":
        valid = stated_times.ended(valid, states.expires_at(draft.tier, draft.at))
    subject = claims.current_subject(draft.text)
    return writes.MemoryClaim(draft.status, valid.valid_from, valid.valid_until, subject)


def stated_at(memory: Memory) -> float:
    """Time when its text was said: a rewritten one was said again."""
    return memory.updated_at if memory.versions > 1 else memory.created_at


def claim_of(memory: Memory) -> Claim:
    """The memory as the policy of claims sees it."""
    return Claim(memory.status, memory.validity, memory.subject, memory.project, stated_at(memory))


def claim_in(draft: Draft, standing: writes.MemoryClaim) -> Claim:
    """The draft as the policy of claims sees it."""
    valid = Validity(standing.valid_from, standing.valid_until)
    return Claim(standing.status, valid, standing.subject, draft.project, draft.at)


def by_subject(
    draft: Draft, standing: writes.MemoryClaim, holders: Sequence[Memory]
) -> tuple[Supersede | None, writes.MemoryClaim]:
    """The decision by a claim's subject, if any, and the draft's claim under it.

    ``holders``: the living memories of the same subject. One with the same text to the letter is
    left to the gate's own comparison.
    """
    if any(normalised(holder.text) == normalised(draft.text) for holder in holders):
        return None, standing
    incoming = claim_in(draft, standing)
    living = [(claim_of(holder), holder.id) for holder in holders]
    later = [claim.begun for claim, _ in living if claims.supersedes(claim, incoming)]
    if later:  # said late: true until the first one after it
        until = stated_times.ended(incoming.validity, min(later)).valid_until
        standing = replace(standing, valid_until=until)
        incoming = claim_in(draft, standing)
    replaced = [(claim.stated_at, -i) for claim, i in living if claims.supersedes(incoming, claim)]
    if not replaced:
        return None, standing
    reason = claims.succession(standing.subject or "")
    return Supersede(-max(replaced)[1], None, reason, 0.0), standing


def later_ones(
    draft: Draft, standing: writes.MemoryClaim, holders: Iterable[Memory]
) -> frozenset[int]:
    """Memories said after the draft; a text about the past ends none of them."""
    incoming = claim_in(draft, standing)
    return frozenset(
        holder.id
        for holder in holders
        if (draft.past and stated_at(holder) > draft.at)
        or claims.supersedes(claim_of(holder), incoming)
    )


def surely(decision: Decision, status: str, known: Mapping[int, Memory]) -> Decision:
    """The decision with regard to both texts' certainty.

    A guess rewrites and replaces no fact, it is kept beside it; a former guess stated now becomes
    the statement.
    """
    target = None if isinstance(decision, Create) else known.get(decision.target)
    if target is None or target.status == status:
        return decision
    if status == "hypothesis" and isinstance(decision, Update | Supersede):
        reason = f"a guess ends no fact; otherwise: {decision.reason}"
        return CreateLinked(decision.target, reason, decision.similarity)
    if target.status == "hypothesis" and isinstance(decision, Reinforce):
        return Update(decision.target, "what was supposed is stated now", decision.similarity)
    return decision


def beginning(draft: Draft, standing: writes.MemoryClaim, decision: Decision) -> writes.MemoryClaim:
    """Beginning of a replacing claim: the end of the replaced one."""
    if not isinstance(decision, Supersede) or standing.valid_from is not None:
        return standing
    # What corrects a mistake was true before: nothing begins now.
    if draft.origin.rule == CORRECTION and not claims.is_by_subject(decision.reason):
        return standing
    return replace(standing, valid_from=draft.at)


def closings(
    draft: Draft, standing: writes.MemoryClaim, decision: Decision, known: Mapping[int, Memory]
) -> tuple[StoreWrite, ...]:
    """Writes closing the validity of the memory decided about; ``standing`` has begun."""
    target = None if isinstance(decision, Create) else known.get(decision.target)
    if target is None:
        return ()
    match decision:
        case Supersede() if standing.valid_from is not None:
            closed = stated_times.ended(target.validity, standing.valid_from)
        case Reinforce() if target.valid_until is not None:
            closed = _renewed(draft, target)
        case _:
            return ()
    if closed == target.validity:
        return ()
    return (writes.ValiditySet(target.id, closed.valid_from, closed.valid_until),)


def _renewed(draft: Draft, target: Memory) -> Validity:
    """Validity of a repeated ``state`` or temporary memory: it lives as long again."""
    said = standing_of(replace(draft, kind=target.kind, tier=target.tier)).valid_until
    kept = target.validity
    if said is None or kept.valid_until is None or said <= kept.valid_until:
        return kept
    return Validity(kept.valid_from, said)


def rewritten_standing(draft: Draft, target: Memory) -> writes.MemoryClaim:
    """Claim of a memory in its new wording, free of an end already passed."""
    said = standing_of(replace(draft, kind=target.kind, tier=target.tier))
    old = target.valid_until
    still = old if old is not None and old > draft.at else None
    return replace(
        said,
        valid_from=target.valid_from if said.valid_from is None else said.valid_from,
        valid_until=still if said.valid_until is None else said.valid_until,
    )


def stated_now(draft: Draft, target: Memory) -> Unit:
    """Writes of trust for a memory only noticed before, now stated by a person."""
    if (
        draft.past
        or draft.origin.source not in STATED
        or is_stated(target.source, target.confidence)
    ):
        return ()
    return (Validated(target.id, CONFIRMED, "confirmed", draft.at),)


def confirmed(memory: Memory, reason: str, at: float) -> Unit:
    """Writes of a confirmed claim: it is trusted, and a refuted one is back."""
    back: Unit = (writes.Revived(memory.id, at),) if memory.ended == "refuted" else ()
    sure = Validated(memory.id, max(memory.confidence, CONFIRMED), "confirmed", at)
    status = writes.StatusSet(memory.id, "confirmed", at)
    return (*back, status, sure, _audit_of(memory, "CONFIRM", reason, at))


def refuted(memory: Memory, reason: str, at: float) -> Unit:
    """Writes of a refuted claim: it ends, reversibly."""
    return (
        writes.StatusSet(memory.id, "refuted", at),
        writes.Ended(memory.id, "refuted", at),
        _audit_of(memory, "REFUTE", reason, at),
    )


def _audit_of(memory: Memory, action: str, reason: str, at: float) -> Audited:
    return Audited(
        action, memory.id, None, None, reason, None, memory.content_hash, memory.project, at
    )


def ordered(draft: Draft) -> bool:
    return draft.intent != "auto"


def contradiction_in(decision: Decision) -> str | None:
    return decision.contradiction.kind.value if decision.contradiction is not None else None


def title_of(text: str) -> str:
    """A title for an untitled text: its first line, shortened."""
    first = text.strip().partition("\n")[0]
    return shortened(first, TITLE)


def derived_of(draft: Draft) -> tuple[str, ...]:
    """Phrases of the draft's own text by which it may be called."""
    found = phrases_of(draft.title or title_of(draft.text), draft.text)
    return tuple(phrase for phrase in found if phrase not in draft.triggers)[:TRIGGERS]


@lru_cache(maxsize=256)  # of a handful of types
def _stability(
    memory_type: str, context_type: str, tier: str, decay: float, *, stated: bool
) -> float:
    """Days of a memory without reviews, on the curve of this decay."""
    factor = classification_factor(context_type, tier, stated=stated)
    return min(initial_stability(memory_type, decay, factor=factor), STABILITY_MAX)


def created(
    draft: Draft,
    decision: Create | CreateLinked | Supersede,
    *,
    decay: float,
    standing: writes.MemoryClaim,
    unjudged: bool = False,
) -> writes.Created:
    """The new memory asked for by a decision; ``decay``: of the forgetting curve."""
    stability = _stability(
        draft.memory_type, draft.context_type, draft.tier, decay,
        stated=is_stated(draft.origin.source),
    )  # fmt: skip
    return writes.Created(
        replace(draft, title=draft.title or title_of(draft.text)),
        content_hash(draft.text),
        stability,
        derived=derived_of(draft),
        unjudged=unjudged,
        supersedes=decision.target if isinstance(decision, Supersede) else None,
        linked_to=decision.target if isinstance(decision, CreateLinked) else None,
        similarity=decision.similarity,
        standing=standing,
        confidence=trust_in(draft.origin.source),
    )


def kept_as_is(draft: Draft, decay: float) -> writes.Created:
    """The new memory of a text kept without a look at its likes."""
    return created(draft, Create(""), decay=decay, standing=standing_of(draft))


def audited(draft: Draft, decision: Decision, memory_id: int) -> Audited:
    """The decision as it is kept."""
    target = None if isinstance(decision, Create) else decision.target
    # A decision by name or by subject looks at no text, and a new memory is like none.
    compared = target is not None and not (ordered(draft) or is_by_subject(decision.reason))
    return Audited(
        decision.action,
        memory_id,
        target,
        decision.similarity if compared else None,
        decision.reason,
        contradiction_in(decision),
        content_hash(draft.text),
        draft.project,
        draft.at,
        draft.origin if draft.origin.seq is not None else None,
    )


def unit_of(
    draft: Draft,
    decision: Decision,
    known: Mapping[int, Memory],
    standing: writes.MemoryClaim,
    *,
    decay: float,
    unjudged: bool,
) -> tuple[Unit, int | None]:
    """The writes of a decision, and the memory concerned unless it is a new one."""
    closed = closings(draft, standing, decision, known)
    match decision:
        case Create() | CreateLinked() | Supersede():
            waits = unjudged and not ordered(draft)
            new = created(draft, decision, decay=decay, standing=standing, unjudged=waits)
            return (new, audited(draft, decision, 0), *closed), None
        case Reinforce(target):
            said = stated_now(draft, known[target])
            return (audited(draft, decision, target), *closed, *said), target
        case Update(target):
            old = known[target]
            rewritten = writes.Rewritten(
                old.id,
                draft.text,
                draft.title or title_of(draft.text),
                tuple(dict.fromkeys((*draft.triggers, *old.triggers))),
                derived_of(draft),
                content_hash(draft.text),
                draft.at,
                decision.reason,
                rewritten_standing(draft, old),
            )
            said = stated_now(draft, old)
            return (rewritten, audited(draft, decision, old.id), *said), old.id
        case _:
            assert_never(decision)
