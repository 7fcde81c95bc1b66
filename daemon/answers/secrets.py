"""Looking through the store with today's rules of redaction, and taking out what they find."""

from collections import Counter
from contextlib import suppress

from actors.core.mailbox import SwitchedOff
from actors.intentions.messages import IntentionsErased
from actors.memory.messages import EraseNow
from actors.memory.writes import Ended, Erased, SecretsRemoved
from actors.policy.events.secret_names import is_all_secret
from daemon.answers.forget import ERASE_DEADLINE
from daemon.context import Parts, Progress, commit, table
from daemon.requests.secrets import Secrets, SecretsAt, SecretsFound
from daemon.storage import secrets


async def look_through(parts: Parts, request: Secrets, progress: Progress) -> SecretsFound:
    """Count the secrets of every table; take them out in small transactions if that is wanted.

    Whoever asked may go away: what is done by then stays done, and nothing more is.
    """
    counts: Counter[str] = Counter()
    done = forgotten = 0
    places = await parts.reader.read(secrets.places)
    rows = await parts.reader.read(secrets.count_rows, places)
    for place in places:
        after = None
        while True:
            page = await parts.reader.read(secrets.page, place, after, parts.redact)
            done += page.rows
            counts.update({f"{place.table}.{name}": n for name, n in page.secrets.items()})
            if request.take_out and page.writes:
                forgotten += await _written(parts, page)
            await progress({"done": done, "rows": max(rows, done)})
            after = page.last
            if after is None:
                break
    if request.take_out:
        await _finished(parts)
    found = [SecretsAt(place=name, secrets=count) for name, count in sorted(counts.items())]
    return SecretsFound(places=found, rows=done, forgotten=forgotten)


async def _written(parts: Parts, page: secrets.Page) -> int:
    """Write a page; of a memory that was nothing but a secret only its end is left to tell."""
    at = parts.clock.now()
    emptied = [
        write.memory_id
        for write in page.writes
        if isinstance(write, SecretsRemoved) and is_all_secret(write.text)
    ]
    ended = [Ended(memory_id, "forgotten", at) for memory_id in emptied]
    await commit(parts, (*page.writes, *ended))
    return len(emptied)


async def _finished(parts: Parts) -> None:
    """Rewrite the files, so that no byte of what was taken out is left in a free page."""
    _count: int = await parts.mailboxes.long_term.ask(
        lambda reply: EraseNow((Erased(()),), reply, backups=False), within=ERASE_DEADLINE
    )
    with suppress(SwitchedOff):
        await parts.mailboxes.working_memory.tell(IntentionsErased())


ANSWERS = table(telling=(look_through,))
