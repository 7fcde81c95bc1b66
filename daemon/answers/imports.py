"""Importing: a page of rows becomes memories, through the gate or as it is."""

from functools import partial

import trio

from actors.core.mailbox import Lane
from actors.gate.drafts import kept_as_is
from actors.gate.messages import Draft, Keep, KeepAll
from actors.memory.writes import Created
from daemon.answers.gate import BULK_DEADLINE, judged
from daemon.answers.remember import AllSecret, decided, draft_of, moment
from daemon.context import Parts, Progress, table
from daemon.requests.imports import Import, Imported
from daemon.requests.remember import Decided

SPACING = 1e-5  # seconds between two rows without a time: a page takes longer than it spans
REFUSAL = Decided(id="", action="REFUSED", reason=str(AllSecret()), similarity=None)
TURN = 16  # rows made ready, about 1 ms, until whoever waits gets a turn


async def import_rows(parts: Parts, request: Import, progress: Progress) -> Imported:
    """Keep a page of rows; rows without a date get increasing ones in their order.

    A row that is nothing but a secret is refused, and the others are kept.
    """
    drafts: list[Draft] = []
    made: list[Created] = []
    refused: set[int] = set()
    now = parts.clock.now() - len(request.rows) * SPACING
    for place, row in enumerate(request.rows):
        at = moment(row.created_at, now + place * SPACING)
        try:
            draft = draft_of(parts, row, "import", at)
        except AllSecret:
            refused.add(place)
            continue
        if request.gate:
            drafts.append(draft)
        else:
            made.append(kept_as_is(draft, parts.settings.strength.decay))
        if place % TURN == 0:
            await trio.lowlevel.checkpoint()
    if request.gate:
        verdicts = await judged(parts, Keep, tuple(drafts))
    else:
        if request.ahead:
            await progress({"prepared": len(made)})
        verdicts = await parts.mailboxes.gate.ask(
            partial(KeepAll, tuple(made)), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
    kept = iter(verdicts)
    return Imported(
        outcomes=[
            REFUSAL if place in refused else decided(next(kept))
            for place in range(len(request.rows))
        ]
    )


ANSWERS = table(import_rows)
