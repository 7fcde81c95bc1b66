"""A page of rows becomes memories, through the gate or as it is; and back; or is only judged."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import trio

from actors.core.mailbox import Lane
from actors.gate.drafts import kept_as_is
from actors.gate.messages import Draft, GateMessage, Keep, KeepAll, Verdict, WhatWouldYouDo
from actors.memory.rows import Memory
from actors.memory.writes import Created
from actors.policy.statements.sources import IMPORTED, IMPORTED_NOTICED
from daemon.answers.remember import AllSecret, draft_of
from daemon.context import PAGE_LIMIT, Parts, Progress, project_meant, sliced, table
from daemon.requests.acceptance import moment
from daemon.requests.transfer import (
    Export,
    Exported,
    Import,
    Imported,
    Judge,
    Judged,
    Outcome,
    PairVerdict,
)
from daemon.views import short_id, view

SPACING = 1e-5  # seconds between two rows without a time: a page takes longer than it spans
REFUSAL = Outcome(id="", action="REFUSED", reason=str(AllSecret()), similarity=None)
TURN = 16  # rows made ready, about 1 ms, until whoever waits gets a turn
BULK_DEADLINE = 900.0  # seconds for a page of an import through the gate
SLICE = 10  # texts that the gate judges before somebody else gets a turn


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
            source = IMPORTED_NOTICED if row.status == "noticed" else IMPORTED
            draft = replace(draft_of(parts, row, source, at), ends=request.replace)
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
            REFUSAL if place in refused else _outcome(next(kept))
            for place in range(len(request.rows))
        ]
    )


def _outcome(verdict: Verdict) -> Outcome:
    would = None if verdict.would_end is None else short_id(verdict.would_end)
    return view(Outcome, verdict, id=short_id(verdict.memory_id), would_end=would)


async def export(parts: Parts, request: Export) -> Exported:
    """A page of everything that lives, as rows that ``import`` takes."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    memories = await parts.reader.living(request.after, limit)
    project = project_meant(parts, request.project)
    rows = [_row(memory) for memory in memories if project is None or memory.project == project]
    return Exported(rows=rows, after=memories[-1].id if len(memories) == limit else None)


def _row(memory: Memory) -> dict[str, Any]:
    return {
        "key": memory.key or short_id(memory.id),
        "text": memory.text,
        "title": memory.title,
        "project": memory.project,
        "created_at": memory.created_at,
        "type": memory.kind,
        "tier": memory.tier,
        "triggers": list(memory.triggers),
        **_claim(memory),
    }


def _claim(memory: Memory) -> dict[str, Any]:
    """How sure and when, where that is not the usual."""
    claim = {
        "status": None if memory.status == "confirmed" else memory.status,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
    }
    return {name: value for name, value in claim.items() if value is not None}


async def judge(parts: Parts, request: Judge) -> Judged:
    """Decisions of the gate on pairs of texts; nothing is stored."""
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
    """Judge in slices and behind everyone else: a person's remember comes between."""
    verdicts: list[Verdict] = []
    for slice_ in sliced(texts, SLICE):
        some: list[Verdict] = await parts.mailboxes.gate.ask(
            partial(question, slice_), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
        verdicts += some
    return verdicts


ANSWERS = table(export, judge, telling=(import_rows,))
