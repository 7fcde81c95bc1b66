"""A page of rows becomes memories, through the gate or as they are there; texts are judged in slices."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.mailbox import Lane, Question
from actors.gate.drafts import CONFIRMED, kept_as_is
from actors.gate.messages import Keep, KeepAll, Verdict
from actors.memory.commit import StoreWrite, Unit
from actors.memory.use import Reviewed, Validated
from actors.memory.writes import (
    Created,
    Draft,
    Ended,
    Erased,
    ErasedElsewhere,
    FormerErased,
    Pinned,
    Revived,
    StatusSet,
)
from actors.policy.decay.curve import Grade
from actors.policy.gate.gate_features import content_hash
from actors.policy.statements.sources import (
    IMPORTED,
    IMPORTED_NOTICED,
    Fate,
    Life,
    fate,
    is_erased,
    latest,
    says_more,
)
from actors.reader.messages import Cue, NoteRead, NotesSeen
from daemon.answers.forget import erase
from daemon.answers.remember import AllSecret, draft_of
from daemon.context import Parts, sliced
from daemon.shapes.rows import Decided, GoneRow, ImportRow, Left, RowReading, moment
from daemon.share.leaving import taken_out
from daemon.storage import homes
from daemon.storage.homes import ERASED, Match
from daemon.views import short_id, view

SPACING: Final = 1e-5  # seconds between two rows without a time: a page takes longer than it spans
REFUSAL: Final = Decided(id="", action="REFUSED", reason=str(AllSecret()), similarity=None)
TURN: Final = 16  # rows made ready, about 1 ms, until whoever waits gets a turn
BULK_DEADLINE: Final = 900.0  # seconds for a page of an import through the gate
SLICE: Final = 10  # texts that the gate judges before somebody else gets a turn


class Page(Struct, frozen=True):
    """Rows with their drafts, and the outcomes of settled ones, by their places."""

    rows: Sequence[ImportRow]
    drafts: dict[int, Draft]
    outcomes: dict[int, Decided]


async def ready(parts: Parts, rows: Sequence[ImportRow], *, merge: bool) -> Page:
    """Make rows ready to be kept; those without a date get increasing ones in their order.

    A row of nothing but a secret is refused, and the others are kept.
    """
    page = Page(rows, {}, {})
    now = parts.clock.now() - len(rows) * SPACING
    for place, row in enumerate(rows):
        at = moment(row.created_at, now + place * SPACING)
        source = IMPORTED_NOTICED if row.status == "noticed" else IMPORTED
        try:
            draft = replace(draft_of(parts, row, source, at), key=row.key, ends=False)
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
    """The new memories of rows kept without a look at similar ones."""
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
    """Keep the rows neither here nor erased here, each as it is in the other home."""
    lives = {place: _life_there(parts, page.rows[place]) for place in page.drafts}
    await parts.commit(await _settle(parts, page, lives))
    made = {
        place: replace(one, since=lives[place].since)
        for place, one in (await as_they_are(parts, page)).items()
    }
    verdicts = await keep(parts, page, made)
    await parts.commit(tuple(_as_there(parts, page.rows, made, verdicts)))


def _life_there(parts: Parts, row: ImportRow) -> Life:
    """Time since which a row lives in its home; one without a time is older than any other."""
    since = moment(row.created_at, 0.0) if row.since is None else row.since
    return Life(True, min(since, parts.clock.now()), row.status == "confirmed")


async def judge(parts: Parts, page: Page) -> None:
    """Have the gate decide on each row."""
    verdicts = await judged(parts, Keep, tuple(page.drafts.values()))
    page.outcomes.update(_outcomes(page.drafts, verdicts))


async def _settle(parts: Parts, page: Page, lives: Mapping[int, Life]) -> Unit:
    """Settle rows already here, erased, or twice on the page; returns the writes for it."""
    texts = {
        place: (draft.project, content_hash(draft.text)) for place, draft in page.drafts.items()
    }
    here = await parts.reader.read(homes.here, list(texts.values()))
    last: dict[homes.Said, int] = {}  # the place of its row, of several that say the same
    for place, text in texts.items():
        if latest((lives[last.get(text, place)], lives[place])) == lives[place]:
            last[text] = place
    due: list[StoreWrite] = []
    for (place, text), own in zip(texts.items(), here, strict=True):
        there, now = lives[place], own.now
        erased = is_erased(own.erased_at, there.stated_at)
        become = fate(now and now.life, own.former, there, erased=erased)
        if last[text] != place:
            become = Fate.HERE
        elif now is not None and become is Fate.BACK:
            due += [Revived(now.memory_id, there.since), *_said_there(now.memory_id, there.since)]
        elif now is not None and now.life.lives and says_more(now.life, there):
            due += _said_there(now.memory_id, there.since)
        if become is not Fate.NEW:
            page.outcomes[place] = _settled(become, own)
    return tuple(due)


def _said_there(memory_id: int, since: float) -> Unit:
    """Writes by which a memory is as sure as in the other home, where a person said it then."""
    return (
        Validated(memory_id, CONFIRMED, "confirmed", since),
        StatusSet(memory_id, "confirmed", since),
    )


def _settled(become: Fate, own: homes.Here) -> Decided:
    known = own.now or next(iter(own.traces), None)
    name = short_id(known.memory_id) if known is not None else ""
    return Decided(id=name, action=become.value, reason="", similarity=None)


def _as_there(
    parts: Parts, rows: Sequence[ImportRow], made: Mapping[int, Created], verdicts: list[Verdict]
) -> Iterator[StoreWrite]:
    """Writes giving memories their state in the other home: strength, pin, quotation."""
    now = parts.clock.now()
    for place, verdict in zip(made, verdicts, strict=True):
        if (there := rows[place].strength) is not None:
            yield Reviewed(
                verdict.memory_id, there.stability, there.difficulty, 0, Grade.GOOD, IMPORTED,
                implicit=False, at=min(there.at, now),
            )  # fmt: skip
        if rows[place].pinned:
            yield Pinned(verdict.memory_id, pinned=True, at=made[place].since or now)
        if (said := rows[place].read) is not None:
            yield _quoted(parts, said, verdict.memory_id, now)
            yield NotesSeen((verdict.memory_id,), now)  # there, or nowhere


def _quoted(parts: Parts, said: RowReading, memory_id: int, at: float) -> NoteRead:
    """Proof of a reader's note from another home, without secrets."""

    def clean(text: str) -> str:
        return parts.redact(text.replace("\0", "�"))[0]

    return NoteRead(
        memory_id, 0, said.session, 0, said.kind, said.said_by, said.scope, clean(said.quotation),
        at, clean(said.agreed_to), cues=tuple(Cue(one.kind, clean(one.text)) for one in said.cues),
    )  # fmt: skip


def _outcomes(places: Iterable[int], verdicts: Iterable[Verdict]) -> dict[int, Decided]:
    return {
        place: view(Decided, one, id=short_id(one.memory_id))
        for place, one in zip(places, verdicts, strict=True)
    }


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


# ---- what ended or was erased in another home


async def follow(parts: Parts, rows: Sequence[GoneRow]) -> Left:
    """End and erase memories here as in the other home, unless a person said them here later.

    No time is later than now: a fast clock there decides nothing for ever.
    """
    now = parts.clock.now()
    asked = [(row.salt, bytes.fromhex(row.gone)) for row in rows]
    found = await parts.reader.read(homes.matches, asked)
    doomed = tuple(_erased(rows, found, now))
    erased = {one for write in doomed if isinstance(write, Erased) for one in write.memory_ids}
    await parts.commit(_heard(rows, now))
    if doomed:
        await taken_out(parts, sorted(erased))
        await erase(parts, doomed)
    ended = tuple(_ended(rows, found, now))
    await parts.commit(ended)
    return Left(ended=len(ended), erased=len(erased))


def _erased(
    rows: Sequence[GoneRow], found: Sequence[Match], now: float
) -> Iterator[Erased | FormerErased]:
    for place, trace in found:
        if rows[place].how != ERASED:
            continue
        if not trace.is_text:
            yield FormerErased(trace.memory_id, trace.content)
        elif is_erased(min(rows[place].at, now), trace.said):
            yield Erased((trace.memory_id,), elsewhere=True)


def _heard(rows: Sequence[GoneRow], now: float) -> Unit:
    """Keep the digests: neither home nor a third one brings the texts back."""
    heard: dict[str, list[tuple[bytes, float]]] = {}  # by the salt
    for row in rows:
        if row.how == ERASED:
            digest = bytes.fromhex(row.gone), min(row.at, now)
            heard.setdefault(row.salt, []).append(digest)
    return tuple(ErasedElsewhere(salt, tuple(heard[salt])) for salt in sorted(heard))


def _ended(rows: Sequence[GoneRow], found: Sequence[Match], now: float) -> Iterator[Ended]:
    for place, trace in found:
        row = rows[place]
        there = Life(False, min(row.at, now))
        if row.how == ERASED or row.project != trace.project or not trace.is_own:
            continue
        if trace.life.lives and latest((trace.life, there)) == there:
            yield Ended(trace.memory_id, row.how, there.since)
