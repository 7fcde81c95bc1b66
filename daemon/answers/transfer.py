"""A page of rows becomes memories, through the gate or as they are there; texts are judged in slices."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import trio

from actors.core.mailbox import Lane, Question
from actors.gate.drafts import content_hash, kept_as_is
from actors.gate.messages import Draft, Keep, KeepAll, Verdict
from actors.memory.unit import Write
from actors.memory.writes import Created, Pinned
from actors.policy.decay.fsrs import Grade
from actors.policy.statements.sources import IMPORTED, IMPORTED_NOTICED
from actors.reader.writes import Cue, NoteRead, NotesSeen
from actors.strength.writes import Reviewed
from daemon.answers.remember import AllSecret, draft_of
from daemon.context import Parts, sliced
from daemon.shapes.acceptance import moment
from daemon.shapes.rows import ImportRow, Outcome, RowReading
from daemon.storage import transfer as stored
from daemon.views import short_id, view

SPACING: Final = 1e-5  # seconds between two rows without a time: a page takes longer than it spans
REFUSAL: Final = Outcome(id="", action="REFUSED", reason=str(AllSecret()), similarity=None)
TURN: Final = 16  # rows made ready, about 1 ms, until whoever waits gets a turn
BULK_DEADLINE: Final = 900.0  # seconds for a page of an import through the gate
SLICE: Final = 10  # texts that the gate judges before somebody else gets a turn


@dataclass(frozen=True, slots=True)
class Page:
    """Rows with what is to be kept of them, and what became of those that are settled, by their places."""

    rows: Sequence[ImportRow]
    drafts: dict[int, Draft]
    outcomes: dict[int, Outcome]


async def ready(parts: Parts, rows: Sequence[ImportRow], *, ends: bool, merge: bool) -> Page:
    """Make rows ready to be kept; those without a date get increasing ones in their order.

    A row that is nothing but a secret is refused, and the others are kept.
    """
    page = Page(rows, {}, {})
    now = parts.clock.now() - len(rows) * SPACING
    for place, row in enumerate(rows):
        at = moment(row.created_at, now + place * SPACING)
        source = IMPORTED_NOTICED if row.status == "noticed" else IMPORTED
        try:
            draft = replace(draft_of(parts, row, source, at), key=row.key, ends=ends)
        except AllSecret:
            page.outcomes[place] = REFUSAL
            continue
        if merge and draft.key == row.id:
            draft = replace(draft, key=None)  # it has no key there: this is its number
        page.drafts[place] = draft
        if place % TURN == 0:
            await trio.lowlevel.checkpoint()
    return page


async def as_they_are(parts: Parts, page: Page) -> dict[int, Created]:
    """The new memories of rows that are kept without a look at what resembles them."""
    made: dict[int, Created] = {}
    for place, draft in page.drafts.items():
        if place not in page.outcomes:
            made[place] = kept_as_is(draft, parts.settings.strength.decay)
        if place % TURN == 0:
            await trio.lowlevel.checkpoint()
    return made


async def keep(parts: Parts, page: Page, made: Mapping[int, Created]) -> list[Verdict]:
    """Keep these new memories of a page."""
    verdicts = await parts.mailboxes.gate.ask(
        KeepAll(tuple(made.values())), within=BULK_DEADLINE, lane=Lane.BACKGROUND
    )
    page.outcomes.update(_outcomes(made, verdicts))
    return verdicts


async def merge(parts: Parts, page: Page) -> None:
    """Keep the rows that are not here and were not erased, each as it is in the other home."""
    page.outcomes.update(await _left(parts, page.drafts))
    made = await as_they_are(parts, page)
    verdicts = await keep(parts, page, made)
    await parts.commit(tuple(_as_there(parts, page.rows, made, verdicts)))


async def judge(parts: Parts, page: Page) -> None:
    """Have the gate decide on each row."""
    verdicts = await judged(parts, Keep, tuple(page.drafts.values()))
    page.outcomes.update(_outcomes(page.drafts, verdicts))


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


async def judged(
    parts: Parts,
    question: Callable[[tuple[Any, ...]], Question[list[Verdict]]],
    texts: tuple[Any, ...],
) -> list[Verdict]:
    """Judge in slices and behind everyone else: a person's remember comes between."""
    verdicts: list[Verdict] = []
    for slice_ in sliced(texts, SLICE):
        some = await parts.mailboxes.gate.ask(
            question(slice_), within=BULK_DEADLINE, lane=Lane.BACKGROUND
        )
        verdicts += some
    return verdicts
