"""Insights of dreams, in the order of their worth to a person."""

from typing import Final

from actors.night.shapes import InsightRow
from actors.policy.night.insights import Feedback, InsightKind, score, surfaced
from daemon.context import Parts
from daemon.storage import dreams

MOST: Final = 500  # insights looked at


async def insights(parts: Parts, dream_id: int | None, limit: int) -> list[InsightRow]:
    """Valid insights, best first; of one dream also the ones superseded by a later one."""
    rows = await (
        parts.reader.read(dreams.standing_insights, MOST)
        if dream_id is None
        else parts.reader.insights(dream_id, MOST)
    )
    kinds: dict[InsightKind, Feedback] = {}
    for row in await parts.reader.insights(None, MOST):
        kinds[row.kind] = _sum(kinds.get(row.kind, Feedback()), row.feedback)
    by_id = {row.memory_id: row for row in rows}
    order = surfaced(
        {
            number: score(row.confidence, row.feedback, kinds.get(row.kind, Feedback()))
            for number, row in by_id.items()
        },
        limit,
    )
    return [by_id[number] for number in order]


def _sum(one: Feedback, other: Feedback) -> Feedback:
    return Feedback(
        one.accepted + other.accepted, one.rejected + other.rejected, one.applied + other.applied
    )
