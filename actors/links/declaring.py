"""Links declared in texts: ``causalLinks:`` and names of other memories.

A reference without an answer waits until a memory of its key or title comes; a name shared by
several memories is not guessed at.
"""

import logging
from collections.abc import Iterable, Sequence
from typing import Final

import trio
from msgspec import Struct, field

from actors.core.equipment import Clock
from actors.core.mailbox import Mailbox
from actors.links.rows import NamedRow
from actors.links.writes import Declared, DeclaredLink
from actors.memory.commit import LongTermMessage, attempted, commit
from actors.memory.rows import Memory
from actors.policy.graph.link_extraction import causal_links, declared
from actors.policy.text.wording import numbered
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

PAGE = 100  # texts read at a time
WAITING = 10_000  # ids that wait to be read; beyond them the store is looked through
MARK: Final = "causalLinks:"  # a text without it declares nothing


class DeclaredLinks(Struct):
    """Reads texts for links."""

    reader: ReadingSide
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    read: int = 0  # texts that declare links
    _waiting: dict[int, None] = field(default_factory=dict[int, None])
    _caught_up: bool = False  # no text that was never read is left
    _news: trio.Event = field(default_factory=trio.Event)

    def follow(self, memory_ids: Iterable[int]) -> None:
        """Read these texts soon: they changed. Returns at once."""
        self._waiting |= dict.fromkeys(memory_ids)
        if len(self._waiting) > WAITING:
            self._waiting, self._caught_up = {}, False
        self._news.set()

    async def run(self) -> None:
        """Read new texts, then changed ones; texts lost to a passing failure are read at the next start."""
        while True:
            if not self._caught_up:
                self._caught_up = True
                await attempted(self._catch_up(), log, "links_wait")
            while self._waiting:
                ids = list(self._waiting)[:PAGE]
                for memory_id in ids:
                    del self._waiting[memory_id]
                await attempted(self._follow(ids), log, "links_wait")
            if self._caught_up:
                await self._news.wait()
                self._news = trio.Event()

    async def _catch_up(self) -> None:
        """Read the texts left unread: of an import, or from before a crash."""
        after = 0
        while page := await self.reader.declaring(after, PAGE):
            after = page[-1]
            await self._take_in(await self.reader.memories(page))

    async def _follow(self, memory_ids: Sequence[int]) -> None:
        """Draw links declared by these texts, and links of others waiting for these."""
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
    """Memory meant by a text: by its key, else its short id, else its title.

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
