"""Proposals: what dreaming would put away and may not by itself.

A plan that a person can read, apply and undo is made of each elsewhere. A reason is figures alone: a
plan outlives the texts that it is about.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.connection_graph import Likeness
from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.dreams.plans import is_said_by
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import Pieces
from actors.policy.text.short_ids import short_id

TWINS: Final = 0.9  # likeness from which two memories may be one; the gate's own is .92
COMPARED: Final = 500  # pairs so alike whose words are compared: half a millisecond each


@dataclass(frozen=True, slots=True)
class Proposal:
    """Memories to be put away, and why; nothing of it is done."""

    reason: str
    steps: tuple[tuple[int, str], ...]  # each memory with its evidence


def twins(memories: Iterable[Replayed], alike: Likeness) -> Pieces[list[Proposal]]:
    """The older ones of near twins, to be put away together: a newer one says the same.

    Of one project and kind, nearly one vector, and four fifths of the older one's words stand in
    the newer one.
    """
    by_id = {one.id: one for one in memories}
    near = [pair for pair, value in alike.items() if value >= TWINS]
    repeated: set[int] = set()
    for pair in sorted(near)[:COMPARED]:
        older, newer = sorted((by_id[one] for one in pair), key=lambda one: (one.at, one.id))
        of_one = (older.project, older.kind) == (newer.project, newer.kind)
        if of_one and newer.id not in repeated and is_said_by(older.text, newer.text):
            repeated.add(older.id)
        yield
    reason = (
        f"a newer memory says the same: likeness {TWINS:g} or more, and four fifths of the words"
    )
    steps = tuple((one, "") for one in sorted(repeated))
    return [Proposal(reason, steps)] if steps else []


def outdated(insights: Iterable[Insight]) -> list[Proposal]:
    """Proposals to put away what a contradiction says is out of date."""
    return [
        Proposal(
            f"memory {short_id(newer)} is newer and contradicts it ({', '.join(one.evidence[:2])})",
            ((older, ""),),
        )
        for one in insights
        if one.kind is InsightKind.CONTRADICTION
        for older, newer in (one.memory_ids,)
    ]
