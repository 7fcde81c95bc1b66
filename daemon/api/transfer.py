"""Pages of rows to keep, of pairs to judge, and of all living memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from daemon.api.operation import Operation
from daemon.shapes.replies import PAGE, PAGE_LIMIT, Reply, Row
from daemon.shapes.rows import Decided, GoneRow, ImportRow, Left
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress


class Imported(Reply, frozen=True, kw_only=True):
    """Outcomes of the rows, in order."""

    outcomes: list[Decided]


class Import(Operation[Imported], frozen=True, kw_only=True):
    """Keep all of these (a client sends at most 500 rows at a time).

    A ``merge`` leaves a row out that is here (``HERE``, with its id) or was erased (``ERASED``), revives
    one that ended here before it was said there (``BACK``), and keeps every other one as it is, with its
    strength, pin and quotation, beside what is there.
    """

    NAME = "import"
    rows: list[ImportRow]
    gate: bool = True
    merge: bool = False

    async def answer(self, parts: Parts, _: Progress) -> Imported:
        from daemon.answers import transfer

        page = await transfer.ready(parts, self.rows, merge=self.merge)
        if self.merge:
            await transfer.merge(parts, page)
        elif self.gate:
            await transfer.judge(parts, page)
        else:
            await transfer.keep(parts, page, await transfer.as_they_are(parts, page))
        return Imported(outcomes=[page.outcomes[place] for place in range(len(self.rows))])


class Leave(Operation[Left], frozen=True, kw_only=True):
    """Let go of what ended or was erased in another home of this person (at most 5,000 rows at a time).

    What a person said here later stays. What is erased leaves every file, and every copy with it.
    """

    NAME = "leave"
    WITHIN = 620.0  # seconds: every file is rewritten; the daemon gives up before
    rows: Annotated[list[GoneRow], msgspec.Meta(max_length=PAGE)]

    async def answer(self, parts: Parts, _: Progress) -> Left:
        from daemon.answers.transfer import follow

        return await follow(parts, self.rows)


class Exported(Reply, frozen=True, kw_only=True):
    """A page of an export; ``after`` asks for the next one, ``None`` says it was the last."""

    rows: list[dict[str, Any]]
    after: int | None


class Export(Operation[Exported], frozen=True, kw_only=True):
    """Give me everything that lives, page by page."""

    NAME = "export"
    after: Row = 0
    limit: int = 500
    project: str | None = None
    whole: bool = False  # with id, strength, pin and links, for a merge

    async def answer(self, parts: Parts, _: Progress) -> Exported:
        from functools import partial

        from daemon.storage.homes import living_page

        limit = max(1, min(self.limit, PAGE_LIMIT))
        project = parts.project_meant(self.project)
        read = partial(living_page, whole=self.whole)
        rows, after = await parts.reader.read(read, self.after, limit, project)
        return Exported(rows=rows, after=after)


class ExportGone(Operation[Exported], frozen=True, kw_only=True):
    """Give me what ended and what was erased, without a text, page by page; of a project what ended alone."""

    NAME = "export-gone"
    after: Row = 0
    project: str | None = None

    async def answer(self, parts: Parts, _: Progress) -> Exported:
        from daemon.storage.homes import gaps_page

        project = parts.project_meant(self.project)
        rows, after = await parts.reader.read(gaps_page, self.after, PAGE, project)
        return Exported(rows=rows, after=after)


# ---- pairs of texts, only judged


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """An existing and an incoming text."""

    id: str
    existing: str
    incoming: str


class PairVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Decision that the gate would make."""

    id: str
    action: str
    similarity: float | None
    contradiction: str | None


class Judged(Reply, frozen=True, kw_only=True):
    """The verdicts, in order."""

    verdicts: list[PairVerdict]


class Judge(Operation[Judged], frozen=True, kw_only=True):
    """Request for what the gate would do with these pairs. Nothing is stored."""

    NAME = "judge"
    pairs: list[Pair]

    async def answer(self, parts: Parts, _: Progress) -> Judged:
        from actors.gate.messages import WhatWouldYouDo
        from daemon.answers.transfer import judged

        texts = tuple((pair.existing, pair.incoming) for pair in self.pairs)
        verdicts = await judged(parts, WhatWouldYouDo, texts)
        told = zip(self.pairs, verdicts, strict=True)
        return Judged(verdicts=[view(PairVerdict, verdict, id=pair.id) for pair, verdict in told])
