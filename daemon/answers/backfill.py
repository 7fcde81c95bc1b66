"""Earlier memories that may explain a failure."""

from actors.capture.messages import Backfill
from actors.memory.rows import Scope
from actors.policy.capture import backfill
from actors.policy.capture.backfill import Cause, Failure
from daemon.context import Parts, Progress, known_memories, project_meant, table
from daemon.requests.backfill import LookBack, LookedBack, PossibleCause
from daemon.requests.shapes import BadRequest
from daemon.views import memory_view

ANSWER_WITHIN = 30.0  # seconds
FAILURE_LIMIT = 16_384  # characters of a failure that are read


async def look_back(parts: Parts, request: LookBack, _: Progress) -> LookedBack:
    """What may explain a failure; a preview unless it is to be applied (H17)."""
    failure, project = await _failure(parts, request)
    scope = Scope(project, everywhere=request.everywhere)
    at = parts.clock.now() if request.apply else None
    found: tuple[Cause, ...] = await parts.mailboxes.tagging.ask(
        lambda reply: Backfill(failure, scope, at, reply), within=ANSWER_WITHIN
    )
    memories = await parts.reader.memories([int(cause.memory_id) for cause in found])
    causes = [
        memory_view(
            PossibleCause,
            memory,
            shared=list(cause.shared),
            stability=cause.stability,
            proposed=cause.proposed,
        )
        for cause in found
        if (memory := memories.get(int(cause.memory_id))) is not None
    ]
    names = sorted(backfill.entities(failure.text))
    return LookedBack(causes=causes, names=names, applied=request.apply)


async def _failure(parts: Parts, request: LookBack) -> tuple[Failure, str | None]:
    """The failure as the policy sees it, and whose memories are looked at."""
    project = project_meant(parts, request.project)
    if (request.id is None) == (request.failure is None):
        raise BadRequest("name either a memory that tells of the failure, or the failure itself")
    if request.failure is not None:
        text = request.failure[:FAILURE_LIMIT]
        return Failure("", text, parts.clock.now(), manual=True), project
    (memory,) = await known_memories(parts, [request.id or ""])
    told = Failure(str(memory.id), memory.text, memory.created_at, manual=True)
    return told, project if request.project is not None else memory.project


ANSWERS = table(look_back)
