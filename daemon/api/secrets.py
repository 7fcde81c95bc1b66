"""Secrets in the store, to be taken out under today's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from daemon.api.operation import Operation
from daemon.shapes.replies import Reply

if TYPE_CHECKING:
    from daemon.context import Parts, Progress
    from daemon.storage.secrets import Page


class SecretsAt(msgspec.Struct, frozen=True, kw_only=True):
    """Number of secrets at a place; never what they are."""

    place: str  # table.column
    secrets: int


class SecretsFound(Reply, frozen=True, kw_only=True):
    """Places where secrets stand, or stood."""

    places: list[SecretsAt]
    rows: int  # looked at
    forgotten: int = 0  # memories that were nothing but a secret


class Secrets(Operation[SecretsFound], frozen=True, kw_only=True):
    """Look through every table with today's rules; with ``take_out`` nothing is left of what is found.

    It is taken out in small transactions and cannot be brought back. Whoever asked may go away: what
    is done by then stays done, and nothing more is.
    """

    NAME = "secrets"
    take_out: bool = False

    async def answer(self, parts: Parts, progress: Progress) -> SecretsFound:
        from daemon.storage import secrets

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
                if self.take_out and page.writes:
                    forgotten += await _written(parts, page)
                await progress({"done": done, "rows": max(rows, done)})
                after = page.last
                if after is None:
                    break
        if self.take_out:
            await _finished(parts)
        found = [SecretsAt(place=name, secrets=count) for name, count in sorted(counts.items())]
        return SecretsFound(places=found, rows=done, forgotten=forgotten)

    def step(self, frame: Mapping[str, Any]) -> str:
        return f"{frame['done']:,} of {frame['rows']:,} rows"


async def _written(parts: Parts, page: Page) -> int:
    """Write a page; of a memory of nothing but a secret only its end is left to tell."""
    from actors.memory.writes import Ended, SecretsRemoved
    from actors.policy.secrets.secret_words import is_all_secret

    at = parts.clock.now()
    emptied = [
        write.memory_id
        for write in page.writes
        if isinstance(write, SecretsRemoved) and is_all_secret(write.text)
    ]
    ended = [Ended(memory_id, "forgotten", at) for memory_id in emptied]
    await parts.commit((*page.writes, *ended))
    return len(emptied)


async def _finished(parts: Parts) -> None:
    """Rewrite the files, with no byte of the secrets left in a free page."""
    from actors.core.mailbox import SwitchedOff
    from actors.memory.commit import EraseNow
    from actors.memory.writes import Erased
    from actors.session.shapes import IntentionsErased
    from daemon.answers.erasure import ERASE_DEADLINE

    _count = await parts.mailboxes.long_term.ask(
        EraseNow((Erased(()),), backups=False), within=ERASE_DEADLINE
    )
    with suppress(SwitchedOff):
        await parts.mailboxes.working_memory.tell(IntentionsErased())
