"""Passages of the archive: what a question finds besides memories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import msgspec

from daemon.api.operation import (
    Argument,
    Complaint,
    Here,
    Line,
    Operation,
    Option,
    Results,
    Terminal,
    Title,
    Verb,
)
from daemon.commands.terminal.words import day, fitted, one_line, when
from daemon.shapes.replies import NotThere, Reply
from daemon.shapes.results import INDENT, beginning
from daemon.views import passage_id, passage_number, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

WITHIN: Final = 30.0  # seconds; a person waits


class PassageView(msgspec.Struct, frozen=True, kw_only=True):
    """One passage as a person sees it."""

    id: str
    kind: Literal["document", "summary", "turn"]
    project: str | None
    place: str  # a document's path; the session and first event of others
    session: str | None
    title: str  # headings, or the prompt in one line
    text: str
    at: float  # seconds UTC, when it was written the last time
    score: float | None = None  # 0…1, of a search


class PassagesFound(Reply, frozen=True, kw_only=True):
    """Passages about a query, best first."""

    passages: list[PassageView]
    degraded: str | None  # why words answer alone


class FindPassages(Operation[PassagesFound], frozen=True, kw_only=True):
    """Request for the passages about a query."""

    NAME = "passages"
    query: Annotated[str, Argument("[QUERY]...", joined=" ")] = ""
    k: Results = 10
    project: Annotated[str | None, Here("--project", "In this project instead.")] = None
    everywhere: Annotated[bool, Option("--all", "In every project.")] = False
    # whether what is found counts as used
    track: Annotated[bool, Option("--no-track", "Do not note that it was shown.")] = True

    VERBS = (
        Verb(
            "recall",
            flag=Option("--passages", "Search what was written and said, in place of memories."),
        ),
    )

    def prepared(self, _: Terminal, /) -> Self:
        if not self.query:
            raise ValueError("--passages takes a QUERY.")
        return self

    async def answer(self, parts: Parts, _: Progress) -> PassagesFound:
        import trio

        from actors.memory.rows import Scope

        scope = Scope(parts.project_meant(self.project), everywhere=self.everywhere)
        with trio.fail_after(WITHIN):
            found = await parts.archive.find(self.query, self.k, scope, track=self.track)
        return PassagesFound(
            passages=[
                view(PassageView, one.passage, id=passage_id(one.passage.id), score=one.score)
                for one in found.passages
            ],
            degraded=found.without_vectors or None,
        )

    def lines(self, found: PassagesFound) -> Iterator[Line]:
        if found.degraded is not None:
            yield Complaint(found.degraded)
        if not found.passages:
            yield "no passage is about this"
        for one in found.passages:
            yield Title(f"{one.score or 0.0:.2f}  {one.id}  {one_line(one.title)}")
            yield fitted(f"{INDENT}{one.kind}, {day(one.at)}, {one_line(_source(one))}")
            yield from beginning(one.id, one.text)


class PassageShown(Reply, frozen=True, kw_only=True):
    """One passage, whole."""

    passage: PassageView


class ShowPassage(Operation[PassageShown], frozen=True, kw_only=True):
    """Request for one passage."""

    NAME = "passage"
    id: str

    async def answer(self, parts: Parts, _: Progress) -> PassageShown:
        number = passage_number(self.id)
        found = await parts.reader.passages([number] if number is not None else [])
        if number not in found:
            raise NotThere("no_such_passage", "there is no passage with this id, or no longer")
        return PassageShown(passage=view(PassageView, found[number], id=passage_id(number)))

    def lines(self, found: PassageShown) -> Iterator[Line]:
        shown = found.passage
        yield Title(f"{shown.id}  {one_line(shown.title)}".rstrip())
        yield shown.text
        yield ""
        yield ["what", shown.kind]
        yield ["from", _source(shown)]
        yield ["kept for", shown.project or "every project"]
        yield ["written", when(shown.at)]


def _source(one: PassageView) -> str:
    return one.place if one.kind == "document" else f"session {one.session}"
