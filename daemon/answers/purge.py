"""Erasing by a person's wish: the text leaves every file."""

from contextlib import suppress

import trio

from actors.core.mailbox import SwitchedOff
from actors.intake.messages import DrainSpool
from actors.intentions.messages import IntentionsErased
from actors.memory.messages import EraseNow
from actors.memory.unit import Unit
from actors.memory.writes import ErasedEverything
from daemon import files
from daemon.context import Parts, Progress, project_meant, table
from daemon.requests.purge import Purge
from daemon.requests.shapes import BadRequest, Done

SPOOL_WITHIN = 5.0  # seconds for the spool to be taken in before something is erased
ERASE_DEADLINE = 600.0  # seconds: the file is rewritten


async def erase(parts: Parts, unit: Unit) -> int:
    await _without_spool(parts)
    count: int = await parts.mailboxes.long_term.ask(
        lambda reply: EraseNow(unit, reply), within=ERASE_DEADLINE
    )
    with suppress(SwitchedOff):  # it is erased; who is away holds nothing
        await parts.mailboxes.prospective.tell(IntentionsErased())
    return count


async def _without_spool(parts: Parts) -> None:
    """What hooks spooled may quote the text: it comes in first, where erasing finds it."""
    with trio.move_on_after(SPOOL_WITHIN):
        while files.waiting(parts.home.spool):
            await parts.mailboxes.intake.tell(DrainSpool())
            await trio.sleep(0.05)


async def purge(parts: Parts, request: Purge, _: Progress) -> Done:
    """Erase what was forgotten, a project, or everything."""
    if request.what == "project" and request.project is None:
        raise BadRequest("say which project is to be purged")
    orders = {
        "forgotten": ErasedEverything(),
        "project": ErasedEverything(project=project_meant(parts, request.project)),
        "everything": ErasedEverything(whole_store=True),
    }
    order = orders[request.what]
    count = await erase(parts, (order,))
    if request.what == "everything":
        parts.home.evaluations.unlink(missing_ok=True)  # its figures are of memories that are gone
    return Done(count=count)


ANSWERS = table(purge)
