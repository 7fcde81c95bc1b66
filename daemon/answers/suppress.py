"""A memory is brought back less, or as before."""

from __future__ import annotations

from actors.strength import messages
from daemon.context import WRITE_DEADLINE, Parts, Progress, Table
from daemon.ids import memory_number
from daemon.requests.shapes import Done
from daemon.requests.suppress import Suppress


async def suppress(parts: Parts, request: Suppress, _: Progress) -> Done:
    """Suppress a memory, or take that back."""
    number, at = memory_number(request.id), parts.clock.now()
    times: int = await parts.mailboxes.strength.ask(
        lambda reply: messages.Suppress(number, request.back, at, reply), within=WRITE_DEADLINE
    )
    return Done(count=times)


ANSWERS: Table = {Suppress: suppress}
