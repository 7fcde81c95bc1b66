"""Plan of each night, where a person wants such: memories that nobody would miss, after Engram.

The rules are in ``actors.policy.decay.{relevance,forgettable}``. Nothing is ended here.
"""

from actors.dreams.night import PAGE, Pace
from actors.plans.writes import PlanProposed
from actors.policy.decay.forgettable import THRESHOLD, is_forgettable
from actors.policy.decay.relevance import relevances
from actors.policy.dreams.plans import Step, most
from daemon.storage.reader import ReadingSide


async def forgetting(reader: ReadingSide, pace: Pace, source: str, at: float) -> list[PlanProposed]:
    """A plan to put away what nobody would miss, the least relevant and important first, or none."""
    going: list[tuple[float, float, Step]] = []
    living = after = 0
    while uses := await reader.uses_of_living(at, after, PAGE):
        await pace.breathe()
        living, after = living + len(uses), uses[-1][0]
        values = relevances([use for _, use in uses])
        faint = {
            number: (use, value)
            for (number, use), value in zip(uses, values, strict=True)
            if value < THRESHOLD
        }
        for one in await reader.dreamt_memories([*faint]):
            use, value = faint[one.id]
            if is_forgettable(one.kind, one.tier, use, value, pinned=one.pinned):
                why = f"relevance {value:.4f}, {use.age:.0f} days old"
                step = Step(one.id, "archive", one.content_hash, evidence=why)
                going.append((value, use.importance, step))
    going.sort(key=lambda one: (one[0], one[1], one[2].memory_id))
    steps = tuple(step for _, _, step in going[: most(living)])
    reason = f"relevance under {THRESHOLD:g} and nothing that protects them"
    return [PlanProposed("archive", source, reason, steps, at)] if steps else []
