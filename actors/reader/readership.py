"""Readership: sessions open to the engine a person agreed to.

One object, asked by the reader itself and by others who leave to it the texts it understands
better.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import trio

from actors.core.equipment import Worker
from actors.core.failures import Unreadable
from actors.policy.events.events import Event
from actors.reader.messages import ReadingEngine
from daemon.storage.reader import ReadingSide

Barred: TypeAlias = Callable[[str, Sequence[str]], Awaitable[str]]
"""Reason why a session of this id that worked in these folders is not to be read; empty when it is."""


@dataclass(slots=True)
class Readership:
    """The engine in use, and the sessions open to it. It outlives the actor."""

    reader: ReadingSide
    elsewhere: Barred
    thread: Worker
    engine: ReadingEngine | None = None
    turn: trio.Lock = field(default_factory=trio.Lock)  # one request at a time, whoever makes it

    async def barred(
        self,
        agent: str,
        session: str,
        folders: Sequence[str],
        endpoints: Collection[str] | None = None,
    ) -> str:
        """Reason why a session of these folders may not be read at all; empty when it may.

        ``endpoints``: addresses asked by the session's client, as its hooks saw them; ``None``: its
        events are not at hand, so this is asked when they are.
        """
        engine = self.engine
        if engine is None:
            return "no engine was agreed to: reverie reader use"
        if engine.agents is not None and agent not in engine.agents:
            return f"a session of {agent or 'another agent'}: {engine.name} reads only its own"
        barred = await self.elsewhere(session, folders)
        if barred or not folders or endpoints is None:
            return barred
        return await self.thread.run(partial(engine.unlike, agent, folders[0], endpoints))

    async def will_read(self, event: Event, project: str | None) -> bool:
        """Return whether the session of an event will be read: one begun after the agreement."""
        if self.engine is None or not event.session:
            return False
        try:
            agreed = await self.reader.consent_to(self.engine.name)
            known = await self.reader.session(event.session)
            if agreed is None or (known is not None and known.started_at < agreed[0]):
                return False
            folders = [place for place in (event.cwd, project) if place]
            seen = (event.endpoint,) if event.endpoint else ()
            return not await self.barred(event.agent, event.session, folders, seen)
        except Unreadable:
            return False
