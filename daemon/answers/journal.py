"""The journal, page by page."""

from daemon.context import PAGE, Parts, Progress, table
from daemon.requests.journal import Journal, JournalPage
from daemon.storage import journal as journal_stored


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


ANSWERS = table(journal)
