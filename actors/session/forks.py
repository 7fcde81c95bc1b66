"""Forks: the parent session of a session that begins with its context.

No client names it: it is the project's session last answered at the time given by the fork's
client.
"""

from typing import Final

from actors.policy.events.events import Event, EventKind
from daemon.storage.reader import ReadingSide

FORK: Final = "fork"  # source of its start
SLACK: Final = 3.0  # seconds between an answer and the end of its turn; a client counts whole ones


async def forked_from(
    reader: ReadingSide, event: Event, project: str | None, at: float
) -> str | None:
    """Return the parent session of a fork's event; None of another event, or where unknown.

    ``at``: when the event was received, seconds UTC. Raises ``Unreadable``.
    """
    is_fork = event.kind is EventKind.SESSION_START and event.source == FORK
    if not is_fork or event.answered_ago is None:
        return None
    answered = at - event.answered_ago
    return await reader.answered_between(project, event.session, answered - SLACK, answered + SLACK)
