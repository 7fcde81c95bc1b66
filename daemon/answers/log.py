"""The log of what was learnt, changed and shown."""

from daemon.context import PAGE, Parts, Progress, table
from daemon.ids import short_id
from daemon.requests.log import Log, LogPage
from daemon.storage import log as log_stored


async def log(parts: Parts, request: Log, _: Progress) -> LogPage:
    """What was learnt, changed and shown."""
    limit = max(1, min(request.limit, PAGE))
    entries = await parts.reader.read(log_stored.happenings, request.since, request.session, limit)
    for entry in entries:
        number = entry["memory"]
        entry["memory"] = short_id(number) if isinstance(number, int) else None
    return LogPage(entries=entries)


ANSWERS = table(log)
