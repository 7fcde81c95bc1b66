"""What a row of the journal tells: the event that was written down, parsed again."""

import msgspec

from actors.intake.rows import JournalRow
from actors.policy.events.events import Event, Unknown, parsed


def event_of(row: JournalRow) -> Event | None:
    """The event of a journal row; ``None`` when it was erased or says nothing."""
    if not row.body:
        return None
    event = parsed(row.agent, msgspec.msgpack.decode(row.body))
    return None if isinstance(event, Unknown) else event
