"""The journal, page by page, and the log of what was learnt, changed and shown."""

from daemon.context import PAGE, Parts, Progress, table
from daemon.requests.journal import Journal, JournalPage, Log, LogPage
from daemon.storage import journal as journal_stored
from daemon.storage import log as log_stored
from daemon.views import short_id


async def journal(parts: Parts, request: Journal, _: Progress) -> JournalPage:
    """A page of the journal, without contents."""
    limit = max(1, min(request.limit, PAGE))
    rows = await parts.reader.read(journal_stored.journal_page, request.after, limit)
    return JournalPage(
        events=[
            {
                "event_id": row.event_id.hex(),
                "received_at": row.received_at,
                "kind": row.kind,
                "session": row.session,
                "done": row.done,
            }
            for row in rows
        ],
        after=rows[-1].seq if len(rows) == limit else None,
    )


async def log(parts: Parts, request: Log, _: Progress) -> LogPage:
    """What was learnt, changed and shown."""
    limit = max(1, min(request.limit, PAGE))
    entries = await parts.reader.read(log_stored.happenings, request.since, request.session, limit)
    for entry in entries:
        number = entry["memory"]
        entry["memory"] = short_id(number) if isinstance(number, int) else None
    return LogPage(entries=entries)


ANSWERS = table(journal, log)
