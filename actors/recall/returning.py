"""News for a resumed session: notes learnt and notes ended since it was last told.

A resumed session has its page in its context still; a fork has the page of its parent session.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from actors.core.failures import Unreadable
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
    """Tells resumed sessions the changes."""

    reader: ReadingSide

    async def as_before(self, question: Bring) -> Bring:
        """The question as from the session whose context it shares; unchanged where none is known."""
        event, session = question.event, None
        with suppress(Unreadable):
            session = await forked_from(self.reader, event, question.project, _began(question))
        return replace(question, event=replace(event, session=session or event.session))

    async def told_at(self, question: Bring) -> float:
        """Time of the session's last page, seconds UTC; an unknown session has no news."""
        since = await self.reader.last_start(question.event.session, _began(question))
        return question.at if since is None else since

    async def gone(self, question: Bring, since: float) -> list[str]:
        """Lines about notes ended since then, except notes replaced by the session itself.

        A note replaced by another project's is left out too: its new words belong to the other
        project.
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
        """The valid memory in place of each, by the ids of the ended ones."""
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
    """Start of the resumed session, seconds UTC: the time of its event in the journal."""
    return question.asked_at or question.at


def is_news(memory: Memory, since: float) -> bool:
    """Return whether a memory was made, or its text changed, since then."""
    return memory.created_at > since or (memory.versions > 1 and memory.updated_at > since)
