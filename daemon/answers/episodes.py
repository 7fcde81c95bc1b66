"""Memories that may explain a failure, how they are strengthened, and the last fix of the failure."""

from collections.abc import Sequence

import trio

from actors.intake.messages import EndedFailure
from actors.memory.rows import Memory, Scope
from actors.memory.use import Rated
from actors.policy.decay import capture
from actors.policy.decay.capture import DAY, Cause, Failure
from actors.policy.events.commands import signature
from daemon.context import Parts
from daemon.storage import changes, episodes

Found = tuple[Memory, Cause]


async def earlier(
    parts: Parts, failure: Failure, names: Sequence[str], project: str | None, *, everywhere: bool
) -> list[Found]:
    """Memories with these names from the time before a failure, the likeliest cause first."""
    since = parts.clock.now() - capture.REACH * DAY
    scope = Scope(project, everywhere=everywhere)
    known = await parts.reader.read(
        episodes.earlier, names, scope, failure.at, capture.REACH, since
    )
    causes = await trio.to_thread.run_sync(capture.causes, failure, known)
    memories = await parts.reader.memories([int(cause.memory_id) for cause in causes])
    there = ((memories.get(int(cause.memory_id)), cause) for cause in causes)
    return [(memory, cause) for memory, cause in there if memory is not None]


async def strengthened(parts: Parts, found: Sequence[Found]) -> None:
    """Make them as stable as proposed, as after a review without a use.

    One without a review fades from its making.
    """
    if found:
        await parts.commit(
            tuple(_rated(memory, cause, parts.clock.now()) for memory, cause in found)
        )


def _rated(memory: Memory, cause: Cause, now: float) -> Rated:
    since = memory.created_at if memory.last_review is None else memory.last_review
    return Rated(memory.id, cause.proposed, since, memory.lapses, 0, "backfill", now)


async def ended(parts: Parts, failure: Failure, project: str | None) -> EndedFailure | None:
    """Look up the last fix of a failure with the same signature."""
    said = signature(failure.text)
    if project is None or not said:
        return None
    return await parts.reader.read(changes.ended_failure, project, said)
