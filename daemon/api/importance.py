"""Importance of a text, before it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.operation import HERE, Offer, Operation
from daemon.shapes.acceptance import check_length
from daemon.shapes.replies import BadRequest, Reply

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.policy.decay.capture import Channels
    from daemon.context import Parts, Progress

COMPARED = 100  # texts


class Weighed(Reply, frozen=True, kw_only=True):
    """Importance of a text, 0…1, and what it is made of."""

    importance: float
    priority: str  # low, normal, high, critical
    channels: dict[str, float]  # novelty, arousal, reward, attention
    compared: int  # texts of the project that novelty was judged by


class Weigh(Operation[Weighed], frozen=True, kw_only=True):
    """Weigh a text by the four channels, beside the newest texts of its project. Nothing is stored."""

    NAME = "weigh"
    text: str
    names: list[str] = msgspec.field(default_factory=list[str])  # what it has to do with
    project: Annotated[str | None, HERE] = None

    OFFERS = (
        Offer(
            "importance_score",
            "Importance of a text",
            "See how new and how stirring a text is, as it would be weighed when it is kept.",
            "content=text context_topics=names",
            unused="project",
            reads_only=True,
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Weighed:
        import trio

        from actors.policy.decay import capture as weighing
        from daemon.storage import memories

        check_length(self.text, "text")
        if not self.text.strip():
            raise BadRequest("the text is empty: there is nothing to weigh")
        conditions: list[tuple[str, object]] = [
            ("m.ended IS NULL", None),
            ("(m.project IS NULL OR m.project = ?)", parts.project_meant(self.project)),
        ]
        _total, known = await parts.reader.read(
            memories.listed, conditions, limit=COMPARED, offset=0
        )
        channels = await trio.to_thread.run_sync(self._channels, known)
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

    def _channels(self, known: Sequence[Memory]) -> Channels:
        """Channels of the text beside known memories. Nobody has used it or dealt with it."""
        from actors.policy.decay import capture as weighing
        from actors.policy.decay.capture import entities
        from actors.policy.text.wording import prose

        names = {f"kind {memory.kind}" for memory in known}
        names.update(*(entities(memory.text) for memory in known))
        said = [memory.text for memory in known]
        return weighing.Channels(
            novelty=weighing.novelty(self.text, said, self.names, names),
            arousal=weighing.arousal(prose(self.text)),
        )
