"""Importance of a text that nobody keeps: its channels, by the newest texts of its project."""

from collections.abc import Sequence
from functools import partial

import trio

from actors.memory.rows import Memory
from actors.policy.capture import importance as weighing
from actors.policy.capture.backfill import entities
from actors.policy.capture.importance import Channels
from actors.policy.text.wording import prose
from daemon.context import Parts, project_meant, table
from daemon.requests.acceptance import check_length
from daemon.requests.importance import Weigh, Weighed
from daemon.requests.shapes import BadRequest
from daemon.storage import memories

COMPARED = 100  # texts


async def weigh(parts: Parts, request: Weigh) -> Weighed:
    """Weigh a text by the four channels; nobody has used it yet, or dealt with it in a session."""
    check_length(request.text, "text")
    if not request.text.strip():
        raise BadRequest("the text is empty: there is nothing to weigh")
    conditions: list[tuple[str, object]] = [
        ("m.ended IS NULL", None),
        ("(m.project IS NULL OR m.project = ?)", project_meant(parts, request.project)),
    ]
    _total, known = await parts.reader.read(memories.listed, conditions, limit=COMPARED, offset=0)
    channels = await trio.to_thread.run_sync(partial(_channels, request, known))
    value = weighing.importance(channels)
    return Weighed(
        importance=round(value, 4),
        priority=weighing.priority(value).value,
        channels={
            "novelty": round(channels.novelty, 4),
            "arousal": round(channels.arousal, 4),
            "reward": channels.reward,
            "attention": channels.attention,
        },
        compared=len(known),
    )


def _channels(request: Weigh, known: Sequence[Memory]) -> Channels:
    """Channels of a text beside what is known. Nobody has used it or dealt with it."""
    names = {f"kind {memory.kind}" for memory in known}
    names.update(*(entities(memory.text) for memory in known))
    said = [memory.text for memory in known]
    return Channels(
        novelty=weighing.novelty(request.text, said, request.names, names),
        arousal=weighing.arousal(prose(request.text)),
    )


ANSWERS = table(weigh)
