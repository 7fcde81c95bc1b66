"""The causal graph: which memory led to which, and why a memory is as it is.

Owns the typed edges: ``source relation target``. They come from people, from the
gate, which says what a newer memory supersedes, and from texts that declare their links.
A declared reference that nothing answers to waits until a memory of that key or title comes; a
name that several memories have is not guessed at. Edges are in the store; whoever looks at them
reads it (``actors.links.looking``).
"""

import logging
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import Any, Final, assert_never

from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.core.ports import Clock
from actors.links.messages import (
    CausalMessage,
    Connect,
    Disconnect,
)
from actors.links.rows import NamedRow
from actors.links.writes import Connected, Declared, DeclaredLink, Disconnected
from actors.memory.commit import answered, attempted, commit
from actors.memory.messages import LongTermMessage, MemoriesChanged
from actors.memory.ports import Reader
from actors.memory.rows import Memory
from actors.memory.unit import Write
from actors.policy.graph.causal import InvalidLink
from actors.policy.graph.link_extraction import causal_links, declared
from actors.policy.text.short_ids import numbered

log = logging.getLogger(__name__)

PAGE = 100  # texts read at a time
MARK: Final = "causalLinks:"  # a text without it declares nothing


@dataclass(slots=True)
class Causal:
    """Draws edges, one message at a time."""

    reader: Reader
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    drawn: int = 0
    removed: int = 0
    read: int = 0  # texts that declare links

    def statistics(self) -> dict[str, Any]:
        """Edges drawn and removed by people, and texts whose links were read."""
        return {"drawn": self.drawn, "removed": self.removed, "read": self.read}

    async def run(self, inbox: Inbox[CausalMessage]) -> None:
        """Read what was missed, then handle messages until the mailbox is drained."""
        await self._try(self._catch_up())
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: CausalMessage) -> None:
        """One message."""
        match message:
            case MemoriesChanged(memory_ids):
                await self._try(self._read(memory_ids))
            case Connect(edge, reply):
                await answered(reply, self._connect(edge), InvalidLink)
            case Disconnect(edge, reply):
                await answered(reply, self._disconnect(edge))
            case _:
                assert_never(message)

    async def _try(self, work: Awaitable[object]) -> None:
        """What passes is read at the next start."""
        await attempted(work, log, "links_wait")

    # ---- edges

    async def _connect(self, edge: Connected) -> bool:
        edge.to_edge()  # only what can be one goes further
        new = await self._commit(edge)
        self.drawn += new
        return bool(new)

    async def _disconnect(self, edge: Disconnected) -> bool:
        gone = await self._commit(edge)
        self.removed += gone
        return bool(gone)

    async def _commit(self, write: Write) -> int:
        (outcome,) = await commit(self.long_term, (write,), lane=Lane.INTERACTIVE)
        return outcome

    # ---- links that texts declare

    async def _catch_up(self) -> None:
        """Read the texts that were not read yet: of an import, or from before a crash."""
        after = 0
        while page := await self.reader.declaring(after, PAGE):
            after = page[-1]
            await self._take_in(await self.reader.memories(page))

    async def _read(self, memory_ids: Sequence[int]) -> None:
        """Links that these texts declare, and links of others that waited for these."""
        if linking := await self.reader.linking(memory_ids):
            await self._take_in(await self.reader.memories(linking))

    async def _take_in(self, memories: dict[int, Memory]) -> None:
        for memory in memories.values():
            if memory.ended is None and (MARK in memory.text or memory.versions > 1):
                await self._declare(memory)

    async def _declare(self, memory: Memory) -> None:
        wanted = declared(causal_links(memory.text))
        rows = await self.reader.named([one.reference for one in wanted]) if wanted else []
        numbers = {n for one in wanted if (n := numbered(one.reference)) is not None}
        known = await self.reader.memories(sorted(numbers)) if numbers else {}
        links = tuple(
            DeclaredLink(
                one.relation.value,
                one.incoming,
                one.reference,
                meant(memory, one.reference, rows, known),
            )
            for one in wanted
        )
        order = Declared(memory.id, memory.content_hash, links, self.clock.now())
        await commit(self.long_term, (order,))
        self.read += 1


def meant(
    memory: Memory, reference: str, rows: Sequence[NamedRow], numbers: dict[int, Memory]
) -> int | None:
    """Memory that a text means: by its key, else its short id, else its title.

    It must be in reach of the text's own project, another memory, and the only one of that name:
    nothing is guessed.
    """

    def in_reach(project: str | None) -> bool:
        return project in (None, memory.project) or memory.project is None

    named = [
        row
        for row in rows
        if row.name == reference and row.memory_id != memory.id and in_reach(row.project)
    ]
    by_key = {row.memory_id for row in named if row.is_key}
    if by_key:
        return by_key.pop() if len(by_key) == 1 else None
    number = numbered(reference)
    found = numbers.get(number) if number is not None else None
    if found is not None and found.id != memory.id and in_reach(found.project):
        return found.id
    by_title = {row.memory_id for row in named}
    return by_title.pop() if len(by_title) == 1 else None
