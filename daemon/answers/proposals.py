"""Promotions that are proposed, and what a person decides."""

from typing import Any

import msgspec

from actors.memory.unit import Unit
from actors.strength.writes import ProposalDecided
from daemon.context import PAGE_LIMIT, NotThere, Parts, Progress, commit, table
from daemon.ids import short_id
from daemon.requests.proposals import Decide, Proposal, Proposals, ProposalsPage
from daemon.requests.shapes import Done
from daemon.storage import proposals as proposals_stored


async def proposals(parts: Parts, request: Proposals, _: Progress) -> ProposalsPage:
    """What a person may decide."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    rows: list[dict[str, Any]] = await parts.reader.read(
        proposals_stored.proposals, request.state, limit
    )
    return ProposalsPage(proposals=[_proposal(row) for row in rows])


def _proposal(row: dict[str, Any]) -> Proposal:
    named = {**row, "memory": short_id(row["memory"])}
    return msgspec.convert(named, Proposal)


async def decide(parts: Parts, request: Decide, _: Progress) -> Done:
    """Take a proposal or leave it. Raises ``NotThere`` when there is none to decide."""
    made: list[dict[str, Any]] = await parts.reader.read(
        proposals_stored.proposals, "open", PAGE_LIMIT
    )
    meant = [row for row in made if row["id"] == request.id]
    unit: Unit = (ProposalDecided(request.id, request.accept, parts.clock.now()),)
    if not meant or not sum(await commit(parts, unit)):
        raise NotThere(
            "no_such_proposal",
            "there is no open proposal of this number: reverie proposals shows them",
        )
    short, tier = short_id(meant[0]["memory"]), meant[0]["tier"]
    if not request.accept:
        return Done(note=f"{short} stays {tier}")
    return Done(
        note=f"{short} is {proposals_stored.PROMOTED_TO}; undo with reverie tier {short} {tier}"
    )


ANSWERS = table(proposals, decide)
