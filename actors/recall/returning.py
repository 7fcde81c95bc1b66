"""What a session that goes on has not heard of: what was learnt since it was last told, and what ended.

A resumed session has its page in its context still, and a fork has that of the session it was made of.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from actors.memory.failures import Unreadable
from actors.memory.forks import FORK, forked_from
from actors.memory.rows import Memory, Scope
from actors.policy.recall import page
from actors.recall.messages import Bring
from daemon.storage.reader import ReadingSide

GOING_ON: Final = frozenset({"resume", FORK})  # sources of a start that has its context still
GONE: Final = 40  # notes that ended since, the last ones
SUCCESSIONS: Final = 8  # of notes that are followed to the one that holds


@dataclass(frozen=True, slots=True)
class Returning:
    """Tells what changed for sessions that go on."""

    reader: ReadingSide

    async def as_before(self, question: Bring) -> Bring:
        """The question of the session whose context it is; as it is where that is not known."""
        event, session = question.event, None
        with suppress(Unreadable):
            session = await forked_from(self.reader, event, question.project, _began(question))
        return replace(question, event=replace(event, session=session or event.session))

    async def told_at(self, question: Bring) -> float:
        """When the session was told its page, seconds UTC; one that was never heard of is told nothing."""
        since = await self.reader.last_start(question.event.session, _began(question))
        return question.at if since is None else since

    async def gone(self, question: Bring, since: float) -> list[str]:
        """Lines about notes that ended since then, but for those that the session replaced itself.

        What another project's note took the place of is not told either: its words are that project's.
        """
        session = question.event.session
        scope = Scope(question.project)
        ended = await self.reader.ended_since(session, scope, since, GONE)
        heirs = await self._heirs(ended)
        return [
            page.no_longer(one.id, (heir.id, heir.title or heir.text) if heir else None)
            for one in ended
            if (heir := heirs.get(one.id)) is None
            or (heir.session != session and heir.project in (None, question.project))
        ]

    async def _heirs(self, ended: Collection[Memory]) -> dict[int, Memory]:
        """The memory that holds in place of each, by the ids of those that ended."""
        heirs = {one.id: one.superseded_by for one in ended if one.superseded_by is not None}
        known = dict[int, Memory]()
        for _ in range(SUCCESSIONS):
            known = await self.reader.memories([*heirs.values()])
            later = {i: known[heir].superseded_by for i, heir in heirs.items() if heir in known}
            moved = {i: heir for i, heir in later.items() if heir is not None}
            if not moved:
                break
            heirs |= moved
        there = {i: known[heir] for i, heir in heirs.items() if heir in known}
        return {i: heir for i, heir in there.items() if heir.ended is None}


def _began(question: Bring) -> float:
    """When the session went on, seconds UTC: its event has that time in the journal."""
    return question.asked_at or question.at


def is_news(memory: Memory, since: float) -> bool:
    """Return whether a memory was made, or its text changed, since then."""
    return memory.created_at > since or (memory.versions > 1 and memory.updated_at > since)
