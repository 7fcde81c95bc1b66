"""What nobody would miss, after Engram: a plan of each night, where a person wants such.

The rules are in ``actors.policy.decay.{relevance,forgettable}``. Nothing is ended here.
"""

from actors.dreams.night import PAGE, Pace
from actors.dreams.rows import DreamReader
from actors.plans.writes import PlanProposed
from actors.policy.decay import forgettable
from actors.policy.decay.forgettable import DAY, THRESHOLD, Candidate
from actors.policy.decay.relevance import relevances
from actors.policy.dreams.plans import Step, most


async def forgetting(reader: DreamReader, pace: Pace, source: str, at: float) -> list[PlanProposed]:
    """A plan to put away what nobody would miss, or none."""
    hashes: dict[int, bytes] = {}
    faint: list[Candidate] = []
    living = after = 0
    while uses := await reader.uses_of_living(at, after, PAGE):
        await pace.breathe()
        living, after = living + len(uses), uses[-1][0]
        values = relevances([use for _, use in uses])
        relevance = {
            number: value
            for (number, _), value in zip(uses, values, strict=True)
            if value < THRESHOLD
        }
        for one in await reader.dreamt_memories([*relevance]):
            hashes[one.id] = one.content_hash
            faint.append(
                Candidate(
                    one.id, one.kind, one.tier, one.pinned, one.created_at, one.last_use,
                    one.importance, relevance[one.id],
                )
            )  # fmt: skip
    steps = tuple(
        Step(
            one.id,
            "archive",
            hashes[one.id],
            evidence=f"relevance {one.relevance:.4f}, {(at - one.created_at) / DAY:.0f} days old",
        )
        for one in forgettable.forgettable(faint, at)[: most(living)]
    )
    reason = f"relevance under {THRESHOLD:g} and nothing that protects them"
    return [PlanProposed("archive", source, reason, steps, at)] if steps else []
