"""Erasure of memories from every file: waiting events are taken in first, and other holders of a text
are reported."""

from contextlib import suppress
from functools import partial
from typing import Final

import trio

from actors.core.mailbox import SwitchedOff
from actors.intake.messages import DrainSpool
from actors.memory.commit import EraseNow, Unit
from actors.session.shapes import IntentionsErased
from daemon import files
from daemon.commands.terminal.words import counted
from daemon.context import Parts
from daemon.durability import leftovers
from daemon.durability.copying import snapshots
from daemon.storage import traces
from daemon.views import short_id

SPOOL_WITHIN: Final = 5.0  # seconds for the spool to be taken in before something is erased
ERASE_DEADLINE: Final = 600.0  # seconds: the file is rewritten
NAMED: Final = 10  # memories that are told by their ids


async def erase(parts: Parts, unit: Unit) -> tuple[int, str]:
    """Erase; returns the number of memories, and the possible holders of the text, in words."""
    written = await _without_spool(parts)
    count = await parts.mailboxes.long_term.ask(EraseNow(unit), within=ERASE_DEADLINE)
    with suppress(SwitchedOff):  # it is erased; who is away holds nothing
        await parts.mailboxes.working_memory.tell(IntentionsErased())
    files_left = counted(written, "file")
    left = f"{files_left} that hooks may be writing in {parts.home.spool}: again in a minute"
    return count, left if written else ""


async def _without_spool(parts: Parts) -> int:
    """Take in the hooks' spool, which may quote the text: then erasing finds it.

    Returns the number of files left, because a hook may be writing them.
    """
    with trio.move_on_after(SPOOL_WITHIN):
        while await trio.to_thread.run_sync(files.waiting, parts.home.spool):
            await parts.mailboxes.intake.tell(DrainSpool())
            await trio.sleep(0.05)
    # What is no event may quote it too, and nobody can search it.
    work = partial(leftovers.erase, parts.home.spool, parts.clock.now())
    return await trio.to_thread.run_sync(work)


async def snapshots_named(parts: Parts) -> str:
    """Name the snapshots, which go with every erasure as each copy does; empty where there is none."""
    copies = await trio.to_thread.run_sync(snapshots, parts.home)
    names = sorted({copy.name for copy in copies})
    return f", and every copy with it (snapshots: {', '.join(names)})," if names else ""


def mentions_in_words(left: traces.Mentions) -> str:
    """Count mentions of a text, by kinds, in words; empty without any."""
    found = [
        counted(len(some), *word)
        for some, word in (
            (left.events, ("event",)),
            (left.passages, ("passage",)),
            (left.sessions, ("session",)),
            (left.memories, ("memory", "memories")),
        )
        if some
    ]
    if left.memories:
        found[-1] += f" ({', '.join(map(short_id, left.memories[:NAMED]))})"
    return ", ".join(found)
