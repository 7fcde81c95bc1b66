"""Forks: the session that one was made of, whose context it begins with.

No client names it: it is the one of the project that answered when the fork's client says that it was
answered.
"""

from typing import Final

from actors.policy.events.events import Event, EventKind
from daemon.storage.reader import ReadingSide

FORK: Final = "fork"  # source of its start
SLACK: Final = 3.0  # seconds between an answer and the end of its turn; a client counts whole ones


async def forked_from(
    reader: ReadingSide, event: Event, project: str | None, at: float
) -> str | None:
    """Return the session that this event's was made of; None of another event, or where it is not known.

    ``at``: when the event was received, seconds UTC. Raises ``Unreadable``.
    """
    is_fork = event.kind is EventKind.SESSION_START and event.source == FORK
    if not is_fork or event.answered_ago is None:
        return None
    answered = at - event.answered_ago
    return await reader.answered_between(project, event.session, answered - SLACK, answered + SLACK)
