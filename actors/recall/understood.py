"""Meaning of a query beyond its words: several concepts at once, a time named by an event.

Each is looked up in the store and said in the answer; what cannot be read is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

import trio

from actors.core.mailbox import Crashed, SwitchedOff
from actors.core.ports import Clock
from actors.embedding.rows import EmbeddingUnavailable
from actors.memory.ports import Reader
from actors.memory.rows import Scope
from actors.policy.recall import anchors, intersection
from actors.policy.text.concrete import Concept, all_of, concepts
from actors.policy.text.words import query_terms
from actors.policy.times import time_words
from actors.recall.channels import Channels, Looked

EVENTS: Final = 30  # memories that may tell of an event
WITHIN: Final = 1.0  # seconds for each
_AWAY = (EmbeddingUnavailable, trio.TooSlowError, Crashed, SwitchedOff)


@dataclass(slots=True)
class Understood:
    """Reads queries; holds nothing."""

    reader: Reader
    clock: Clock
    channels: Channels
    zone: tzinfo

    async def understand(self, looked: Looked, scope: Scope, named: Sequence[Concept]) -> None:
        """Put what the query means into what was found; ``named``: concepts given one by one."""
        wanted = tuple(named) or concepts(looked.query)
        if wanted:
            await self.channels.beside(
                looked, "concepts", self._together(looked, scope, wanted), WITHIN
            )
        now = self.clock.now()
        anchor = time_words.asked(looked.query, now, self.zone) if looked.does("anchors") else None
        if isinstance(anchor, time_words.Anchor):
            how = self._anchored(looked, scope, anchor, now)
            await self.channels.beside(looked, "event", how, WITHIN)

    # ---- several concepts

    async def _together(self, looked: Looked, scope: Scope, wanted: tuple[Concept, ...]) -> int:
        holding = [
            set(await self.reader.literally(all_of((one,)), scope, looked.wanted)) for one in wanted
        ]
        # The whole of the intersection, also where each concept alone has more than was read.
        both = set(await self.reader.literally(all_of(wanted), scope, looked.wanted))
        await self.channels.add(looked, scope, sorted(both.union(*holding)))
        near = [await self._near(one, looked) for one in wanted]
        found = intersection.near_all([held | both for held in holding], near)
        looked.together = {i: near for i, near in found.items() if i in looked.memories}
        count = len(looked.together)
        names = " and ".join(f"“{one.text}”" for one in wanted)
        told = f"{count} near all of" if count else "nothing is near all of"
        looked.said.append(f"{told} {names}")
        return count

    async def _near(self, concept: Concept, looked: Looked) -> dict[int, float]:
        """The cosines of what was found with a concept; none of a quoted one, or without vectors."""
        if concept.quoted or looked.vector is None:
            return {}
        try:
            vectors = await self.channels.vectors_of((concept.text,), "query", WITHIN)
        except _AWAY:
            return {}
        return await self.reader.cosines(vectors[0], sorted(looked.memories))

    # ---- a time named by an event

    async def _anchored(
        self, looked: Looked, scope: Scope, anchor: time_words.Anchor, now: float
    ) -> int:
        """When the event was that the query names, if one memory tells (``anchors``)."""
        hits = await self.reader.words(query_terms(anchor.event), scope, EVENTS)
        memories = await self.reader.memories([*hits])
        told = [
            anchors.Told(one.id, f"{one.title}\n{one.text}", one.created_at)
            for one in memories.values()
            if one.ended is None
        ]
        event = anchors.event_of(anchor, told, now, self.zone)
        if event is None:
            looked.said.append(f"when “{anchor.event}” was is not known: the time is left out")
            return 0
        looked.when = anchors.asked_time(anchor, event, now)
        looked.said.append(anchors.said(anchor, event, self.zone))
        return 1
