"""Answers to what people make of a memory: tiers, promotion, suppression, editing, proposals."""

from __future__ import annotations

from typing import Any

import msgspec

from actors.gate.drafts import content_hash, derived_of, rewritten_standing
from actors.gate.messages import Draft
from actors.gate.writes import Audited
from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.memory.writes import Origin, Rewritten
from actors.policy.decay.reconsolidation import DEFAULT as LABILE
from actors.policy.events.redaction import redacted
from actors.policy.text.wording import titled
from actors.strength import messages
from actors.strength.writes import ProposalDecided, Retiered
from daemon.answers.recall import PAGE_LIMIT, TEXT_LIMIT, WRITE_DEADLINE, commit, known_memories
from daemon.context import Parts, Progress, Table
from daemon.requests.edit import Edit, Edited
from daemon.requests.proposals import Decide, Proposal, Proposals, ProposalsPage
from daemon.requests.shapes import BadRequest, Done
from daemon.requests.strength import Rate, SetTier
from daemon.requests.suppress import Suppress
from daemon.states import memory_number, short_id
from daemon.storage import recall, strength

BY_HAND = "edited by hand"
UNDONE = "an edit was undone"


class NoSuchProposal(Exception):
    """There is no open proposal of this number: the client's fault."""


async def set_tier(parts: Parts, request: SetTier, _: Progress) -> Done:
    """Set a memory's tier."""
    (memory,) = await known_memories(parts, [request.id])
    unit: Unit = (Retiered(memory.id, request.tier, parts.clock.now()),)
    changed = sum(await commit(parts, unit))
    return Done(count=changed, note=f"it was {memory.tier}" if changed else f"it is {memory.tier}")


async def rate(parts: Parts, request: Rate, _: Progress) -> Done:
    """Promote or demote a memory."""
    number, at = memory_number(request.id), parts.clock.now()
    changed: bool = await parts.mailboxes.strength.ask(
        lambda reply: messages.Rate(number, request.up, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=int(changed))


async def suppress(parts: Parts, request: Suppress, _: Progress) -> Done:
    """Suppress a memory, or take that back."""
    number, at = memory_number(request.id), parts.clock.now()
    times: int = await parts.mailboxes.strength.ask(
        lambda reply: messages.Suppress(number, request.back, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=times)


async def edit(parts: Parts, request: Edit, _: Progress) -> Edited:
    """Give a memory another text; the one before is kept as a version.

    While the memory is labile all edits together are one version (Q07, docs/adr/0009).
    """
    (memory,) = await known_memories(parts, [request.id])
    at = parts.clock.now()
    if memory.ended is not None:
        raise BadRequest(f"{short_id(memory.id)} is {memory.ended}: reverie unforget comes first")
    window = await parts.reader.read(lambda sql: strength.window(sql, memory.id, at))
    if request.undo:
        text, title = await _former(parts, memory)
    else:
        text, title = _said(request, memory)
        if window is not None and window.edits >= LABILE.most:
            wait = LABILE.labile - (at - window.opened_at)
            raise BadRequest(
                f"{short_id(memory.id)} was edited {window.edits} times since it was recalled:"
                f" it settles in {wait:.0f} seconds, then it can be edited again"
            )
    draft = Draft(
        text, title, memory.kind, memory.tier, memory.project, memory.triggers,
        Origin("hand"), at, status=memory.status,
    )  # fmt: skip
    rewritten = Rewritten(
        memory.id, text, title, memory.triggers, derived_of(draft), content_hash(text), at,
        UNDONE if request.undo else BY_HAND, while_labile=not request.undo,
        standing=rewritten_standing(draft, memory),
    )  # fmt: skip
    audited = Audited(
        "UPDATE", memory.id, None, None, rewritten.reason, None, rewritten.content_hash,
        memory.project, at,
    )  # fmt: skip
    await commit(parts, (rewritten, audited))
    (after,) = await known_memories(parts, [request.id])
    settles = None if window is None or request.undo else window.opened_at + LABILE.labile
    return Edited(
        id=short_id(memory.id), version=after.versions, before=memory.text, settles_at=settles
    )


def _said(request: Edit, memory: Memory) -> tuple[str, str]:
    """The new text and title, without secrets."""
    text, title = request.text.replace("\0", "�"), request.title.replace("\0", "�")
    if not text.strip():
        raise BadRequest("the text is empty: reverie forget ends a memory")
    if len(text) > TEXT_LIMIT:
        raise BadRequest(f"the text has {len(text)} characters, the limit is {TEXT_LIMIT}")
    plain, _ = redacted(text)
    named, _ = redacted(title)
    if plain == memory.text and named in ("", memory.title):
        raise BadRequest(f"{short_id(memory.id)} says that already")
    return plain, named or titled(plain)


async def _former(parts: Parts, memory: Memory) -> tuple[str, str]:
    """What a memory said before its last version."""
    found = await parts.reader.read(lambda sql: recall.last_version(sql, memory.id))
    if found is None:
        raise BadRequest(
            f"{short_id(memory.id)} never said anything else: there is no edit to undo"
        )
    return found


async def proposals(parts: Parts, request: Proposals, _: Progress) -> ProposalsPage:
    """What a person may decide."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    rows: list[dict[str, Any]] = await parts.reader.read(
        lambda sql: strength.proposals(sql, request.state, limit)
    )
    return ProposalsPage(proposals=[_proposal(row) for row in rows])


def _proposal(row: dict[str, Any]) -> Proposal:
    named = {**row, "memory": short_id(row["memory"])}
    return msgspec.convert(named, Proposal)


async def decide(parts: Parts, request: Decide, _: Progress) -> Done:
    """Take a proposal or leave it. Raises ``NoSuchProposal`` when there is none to decide."""
    made: list[dict[str, Any]] = await parts.reader.read(
        lambda sql: strength.proposals(sql, "open", PAGE_LIMIT)
    )
    meant = [row for row in made if row["id"] == request.id]
    unit: Unit = (ProposalDecided(request.id, request.accept, parts.clock.now()),)
    if not meant or not sum(await commit(parts, unit)):
        raise NoSuchProposal
    short, tier = short_id(meant[0]["memory"]), meant[0]["tier"]
    if not request.accept:
        return Done(note=f"{short} stays {tier}")
    return Done(note=f"{short} is {strength.PROMOTED_TO}; undo with reverie tier {short} {tier}")


ANSWERS: Table = {
    SetTier: set_tier,
    Rate: rate,
    Suppress: suppress,
    Edit: edit,
    Proposals: proposals,
    Decide: decide,
}
