"""Working memory: the few memories that each session is attending to now.

Owns the traces: an anchor each, from which attention is computed when it is asked for,
so that it never depends on how often somebody looked. The
rules are in ``actors.policy.session.attention``.
"""

from dataclasses import dataclass, field
from typing import Any, assert_never

from actors.core.latest import Latest
from actors.core.mailbox import Inbox, Lane, Mailbox
from actors.core.ports import Clock
from actors.intake.messages import Happened
from actors.memory.commit import answered, commit
from actors.memory.messages import LongTermMessage, Write
from actors.memory.ports import Reader
from actors.policy.events.events import EventKind
from actors.policy.session.attention import (
    Settings,
    Trace,
    attention,
    crowded_out,
    faded_out,
    focused,
    next_event,
)
from actors.session.messages import Focused, ForgetSession, WhatIsHeld, WorkingMemoryMessage
from actors.session.writes import Held

SESSIONS = 200  # sessions whose traces are held in memory
WRITE_DEADLINE = 5.0  # seconds that a person waits for what is let go to be durable

# What counts as an event of the session's own time: the user speaks, a tool has run.
_COUNTED = frozenset({EventKind.PROMPT, EventKind.TOOL, EventKind.TOOL_ERROR})


@dataclass(slots=True)
class Attending:
    """One session's traces and its event counter."""

    event: int = 0
    traces: dict[str, Trace] = field(default_factory=dict[str, Trace])


@dataclass(slots=True)
class WorkingMemory:
    """One message is handled at a time, so no locks."""

    settings: Settings
    reader: Reader
    clock: Clock
    long_term: Mailbox[LongTermMessage]
    sessions: Latest[str, Attending] = field(default_factory=lambda: Latest(SESSIONS))
    evicted: int = 0

    def statistics(self) -> dict[str, Any]:
        """Sessions and traces held, and how many traces had to go."""
        return {
            "sessions": len(self.sessions),
            "traces": sum(len(attending.traces) for attending in self.sessions.values()),
            "evicted": self.evicted,
        }

    async def run(self, inbox: Inbox[WorkingMemoryMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, message: WorkingMemoryMessage) -> None:
        """One message."""
        match message:
            case Happened():
                if message.event.kind in _COUNTED and message.event.session:
                    attending = await self._attending(message.event.session)
                    attending.event = next_event(attending.event)
            case Focused(session, memories, at):
                await self._focus(session, memories, at)
            case WhatIsHeld(session, reply):
                attending = await self._attending(session)
                reply(
                    {
                        int(trace.memory_id): attention(trace, attending.event, self.settings)
                        for trace in attending.traces.values()
                    }
                )
            case ForgetSession(session, reply):
                await answered(reply, self._forget(session))
            case _:
                assert_never(message)

    async def _focus(
        self, session: str, memories: tuple[tuple[int, float], ...], at: float
    ) -> None:
        attending = await self._attending(session)
        for memory_id, score in memories:
            name = str(memory_id)
            trace = attending.traces.get(name, Trace(name, 0.0, attending.event, at, focus_count=0))
            attending.traces[name] = focused(trace, attending.event, at, score)
        held = attending.traces.values()
        gone = faded_out(held, attending.event, self.settings)
        gone += crowded_out(held, attending.event, self.settings)
        for name in dict.fromkeys(gone):
            del attending.traces[name]
            self.evicted += 1
        kept = Held(session, attending.event, tuple(attending.traces.values()))
        await self.long_term.tell(Write((kept,)), lane=Lane.BACKGROUND)

    async def _forget(self, session: str) -> int:
        """Let go of all traces; how many there were. Events go on counting.

        What cannot be made durable is held on.
        """
        attending = await self._attending(session)
        emptied = Held(session, attending.event, ())
        # In the lane of every other write of traces: an older one must not come after it.
        await commit(self.long_term, (emptied,), within=WRITE_DEADLINE)
        count = len(attending.traces)
        attending.traces.clear()
        return count

    async def _attending(self, session: str) -> Attending:
        if session not in self.sessions:
            event, traces = await self.reader.held(session, self.clock.now())
            self.sessions[session] = Attending(event, {one.memory_id: one for one in traces})
        return self.sessions[session]
