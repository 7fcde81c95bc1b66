"""The gate's verdicts over pairs of texts; nothing is stored."""

from collections.abc import Callable
from functools import partial
from typing import Any

from actors.core.mailbox import Lane
from actors.gate.messages import GateMessage, Verdict, WhatWouldYouDo
from daemon.context import Parts, Progress, sliced, table
from daemon.requests.gate import Judge, Judged, PairVerdict
from daemon.views import view

BULK_DEADLINE = 900.0  # seconds for a page of an import through the gate
SLICE = 10  # texts that the gate judges before somebody else gets a turn


async def judge(parts: Parts, request: Judge, _: Progress) -> Judged:
    """What the gate would do with pairs of texts."""
    pairs = tuple((pair.existing, pair.incoming) for pair in request.pairs)
    verdicts = await judged(parts, WhatWouldYouDo, pairs)
    return Judged(
        verdicts=[
            view(PairVerdict, verdict, id=pair.id)
            for pair, verdict in zip(request.pairs, verdicts, strict=True)
        ]
    )


async def judged(
    parts: Parts, question: Callable[..., GateMessage], texts: tuple[Any, ...]
) -> list[Verdict]:
    """In slices and behind everyone else: a person's remember comes between."""
    verdicts: list[Verdict] = []
    for slice_ in sliced(texts, SLICE):
        some: list[Verdict] = await parts.mailboxes.gate.ask(
            partial(question, slice_), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
        verdicts += some
    return verdicts


ANSWERS = table(judge)
