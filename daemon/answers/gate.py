"""The gate's verdicts over pairs of texts; nothing is stored."""

from __future__ import annotations

from functools import partial

from actors.core.mailbox import Lane
from actors.gate.messages import Verdict, WhatWouldYouDo
from daemon.context import Parts, Progress, Table, sliced
from daemon.requests.gate import Judge, Judged, PairVerdict
from daemon.views import view

BULK_DEADLINE = 900.0  # seconds for a page of an import through the gate
SLICE = 10  # texts that the gate judges before somebody else gets a turn


async def judge(parts: Parts, request: Judge, _: Progress) -> Judged:
    """What the gate would do with pairs of texts."""
    pairs = tuple((pair.existing, pair.incoming) for pair in request.pairs)
    verdicts: list[Verdict] = []
    for slice_ in sliced(pairs, SLICE):
        verdicts += await parts.mailboxes.gate.ask(
            partial(WhatWouldYouDo, slice_), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
    return Judged(
        verdicts=[
            view(PairVerdict, verdict, id=pair.id)
            for pair, verdict in zip(request.pairs, verdicts, strict=True)
        ]
    )


ANSWERS: Table = {Judge: judge}
