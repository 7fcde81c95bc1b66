"""A page of rows becomes memories, through the gate or as it is; and back; or is only judged."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import trio

from actors.core.mailbox import Lane
from actors.gate.drafts import content_hash, kept_as_is
from actors.gate.messages import Draft, GateMessage, Keep, KeepAll, Verdict, WhatWouldYouDo
from actors.memory.unit import Write
from actors.memory.writes import Created, Pinned
from actors.policy.decay.fsrs import Grade
from actors.policy.statements.sources import IMPORTED, IMPORTED_NOTICED
from actors.reader.writes import Cue, NoteRead, NotesSeen
from actors.strength.writes import Reviewed
from daemon.answers.remember import AllSecret, draft_of
from daemon.context import PAGE_LIMIT, Parts, Progress, commit, project_meant, sliced, table
from daemon.requests.acceptance import moment
from daemon.requests.transfer import (
    Export,
    Exported,
    Import,
    Imported,
    ImportRow,
    Judge,
    Judged,
    Outcome,
    PairVerdict,
    RowReading,
)
from daemon.storage import transfer as stored
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
    drafts: dict[int, Draft] = {}  # by the place of their rows
    made: dict[int, Created] = {}
    outcomes: dict[int, Outcome] = {}
    now = parts.clock.now() - len(request.rows) * SPACING
    for place, row in enumerate(request.rows):
        at = moment(row.created_at, now + place * SPACING)
        try:
            source = IMPORTED_NOTICED if row.status == "noticed" else IMPORTED
            draft = replace(draft_of(parts, row, source, at), ends=request.replace)
        except AllSecret:
            outcomes[place] = REFUSAL
            continue
        if request.merge and draft.key == row.id:
            draft = replace(draft, key=None)  # it has no key there: this is its number
        drafts[place] = draft
        if request.merge or not request.gate:
            made[place] = kept_as_is(draft, parts.settings.strength.decay)
        if place % TURN == 0:
            await trio.lowlevel.checkpoint()
    if request.merge:
        outcomes |= await _left(parts, drafts)
        made = {place: one for place, one in made.items() if place not in outcomes}
        verdicts = await _all_kept(parts, made)
        outcomes |= _outcomes(made, verdicts)
        await commit(parts, tuple(_as_there(parts, request.rows, made, verdicts)))
    elif request.gate:
        outcomes |= _outcomes(drafts, await judged(parts, Keep, tuple(drafts.values())))
    else:
        if request.ahead:
            await progress({"prepared": len(made)})
        outcomes |= _outcomes(made, await _all_kept(parts, made))
    return Imported(outcomes=[outcomes[place] for place in range(len(request.rows))])


async def _all_kept(parts: Parts, made: Mapping[int, Created]) -> list[Verdict]:
    verdicts: list[Verdict] = await parts.mailboxes.gate.ask(
        partial(KeepAll, tuple(made.values())), within=BULK_DEADLINE, lane=Lane.BACKGROUND
    )
    return verdicts


async def _left(parts: Parts, drafts: Mapping[int, Draft]) -> dict[int, Outcome]:
    """Outcomes of rows that are here, were erased here, or that the page says twice."""
    texts = [(draft.project, draft.text) for draft in drafts.values()]
    held = await parts.reader.read(stored.held, texts)
    left: dict[int, Outcome] = {}
    said: set[tuple[str | None, bytes]] = set()
    for place, number in zip(drafts, held, strict=True):
        one = drafts[place].project, content_hash(drafts[place].text)
        if number is not None or one in said:
            name = short_id(number) if number else ""
            left[place] = Outcome(
                id=name, action="ERASED" if number == 0 else "HERE", reason="", similarity=None
            )
        said.add(one)
    return left


def _as_there(
    parts: Parts, rows: Sequence[ImportRow], made: Mapping[int, Created], verdicts: list[Verdict]
) -> Iterator[Write]:
    """The writes that make memories as they are in the other home: strength, pin, quotation."""
    now = parts.clock.now()
    for place, verdict in zip(made, verdicts, strict=True):
        if (there := rows[place].strength) is not None:
            yield Reviewed(
                verdict.memory_id, there.stability, there.difficulty, 0, Grade.GOOD, IMPORTED,
                implicit=False, at=min(there.at, now),
            )  # fmt: skip
        if rows[place].pinned:
            yield Pinned(verdict.memory_id, pinned=True, at=now)
        if (said := rows[place].read) is not None:
            yield _quoted(parts, said, verdict.memory_id, now)
            yield NotesSeen((verdict.memory_id,), now)  # there, or nowhere


def _quoted(parts: Parts, said: RowReading, memory_id: int, at: float) -> NoteRead:
    """Tell what proves a note of the reader that comes from another home, without secrets."""

    def clean(text: str) -> str:
        return parts.redact(text.replace("\0", "�"))[0]

    return NoteRead(
        memory_id, 0, said.session, 0, said.kind, said.said_by, said.scope, clean(said.quotation),
        at, clean(said.agreed_to), cues=tuple(Cue(one.kind, clean(one.text)) for one in said.cues),
    )  # fmt: skip


def _outcomes(places: Iterable[int], verdicts: Iterable[Verdict]) -> dict[int, Outcome]:
    return {place: _outcome(verdict) for place, verdict in zip(places, verdicts, strict=True)}


def _outcome(verdict: Verdict) -> Outcome:
    would = None if verdict.would_end is None else short_id(verdict.would_end)
    return view(Outcome, verdict, id=short_id(verdict.memory_id), would_end=would)


async def export(parts: Parts, request: Export) -> Exported:
    """A page of everything that lives, as rows that ``import`` takes."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    project = project_meant(parts, request.project)
    read = partial(stored.page, whole=request.whole)
    rows, after = await parts.reader.read(read, request.after, limit, project)
    return Exported(rows=rows, after=after)


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
