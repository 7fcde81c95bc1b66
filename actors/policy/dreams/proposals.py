"""Proposals: what dreaming would put away and may not by itself.

A plan that a person can read, apply and undo is made of each elsewhere. A reason is figures alone: a
plan outlives the texts that it is about.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.text.short_ids import short_id


@dataclass(frozen=True, slots=True)
class Proposal:
    """Memories to be put away, and why; nothing of it is done."""

    reason: str
    steps: tuple[tuple[int, str], ...]  # each memory with its evidence


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
