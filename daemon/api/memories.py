"""Lists of memories, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.operation import InProject, Limit, Line, Operation, Option, Verb
from daemon.commands.terminal.words import counted, now
from daemon.shapes import memory as words
from daemon.shapes.memory import MemoryView, Status
from daemon.shapes.replies import Reply, Row, Tier

if TYPE_CHECKING:
    from daemon.context import Parts, Progress


class Listed(Reply, frozen=True, kw_only=True):
    """A page of memories, newest first."""

    memories: list[MemoryView]
    total: (
        int | None
    )  # of all pages; None where it is not counted: of words, of a state, behind a place
    after: int | None = None  # behind which the next page begins; None: this was the last


class List(Operation[Listed], frozen=True, kw_only=True):
    """Show which memories there are.

    The newest first, of every project unless one is named.
    """

    NAME = "list"
    FOR_AGENTS = True
    VERBS = (Verb("list"),)
    project: Annotated[
        str | None,
        InProject("--project", "Of this project ('.': the current one) and what holds everywhere."),
    ] = None
    type: Annotated[str | None, Option("--type", "Only of this type: decision, preference, …")] = (
        None
    )
    tier: Annotated[Tier | None, Option("--tier", "Only of this tier.")] = None
    state: Annotated[  # of what ended, how it did
        str | None, Option("--state", "Only in this lifecycle state: HOT, WARM, COLD, DORMANT, …")
    ] = None
    status: Annotated[Status | None, Option("--status", "Only of this status.")] = None
    ended: Annotated[bool, Option("--ended", "Those that ended, instead of those that live.")] = (
        False
    )
    limit: Limit = 50
    # What programs ask for besides.
    alone: bool = False  # without what holds everywhere
    query: str = ""  # all of its words, the last one as a beginning
    said_by: str | None = None  # user, agent, tool, document, import, dream
    stale: bool = False
    pinned: bool = False
    offset: Row = 0  # how many to leave out at the beginning
    after: Row | None = None  # where the page before ended

    async def answer(self, parts: Parts, _: Progress) -> Listed:
        from actors.policy.text.words import typed
        from daemon.answers.memories import chosen, seen
        from daemon.storage import memories

        place, conditions = self._place(parts), self._conditions()
        words, begun = ("", self.query.strip().lower()) if self._over else typed(self.query)
        if begun:
            conditions.append((memories.HOLDS, begun))
        # An index knows the living of a project in their order; else it is the order of all.
        indexed = self.alone and not self._over
        scope, others = (place, conditions) if indexed else ([], [*place, *conditions])
        if self.offset:
            every = [*place, *conditions]
            page = await parts.reader.read(memories.listed, every, self.limit, self.offset)
            after = None
        else:
            state = None if self._over else self.state
            page, after = await chosen(parts, scope, others, words, state, self.limit, self.after)
        total = None
        if not (self.query or self.state or self.said_by or self.after):
            total = await parts.reader.read(memories.count, [*place, *conditions])
        at = parts.clock.now()
        shown = [seen(parts, memory, at) for memory in page]
        return Listed(memories=shown, total=total, after=after)

    @property
    def _over(self) -> bool:
        return self.ended or self.status == "refuted"  # what is refuted has ended

    def _place(self, parts: Parts) -> list[tuple[str, object]]:
        """Conditions on the list: living or ended, and the project."""
        living = (f"m.ended IS {'NOT ' if self._over else ''}NULL", None)
        where = parts.project_meant(self.project)
        if self.alone:
            return [living, ("m.project IS ?", where)]
        if where is None:
            return [living]
        return [living, ("(m.project IS NULL OR m.project = ?)", where)]

    def _conditions(self) -> list[tuple[str, object]]:
        from daemon.storage import memories

        asked: list[tuple[str, object]] = [
            (f"{memories.STATUS} = ?", self.status),
            ("m.kind = ?", self.type),
            ("m.tier = ?", self.tier),
            (f"{memories.SAID_BY} = ?", self.said_by),
            ("m.ended = ?", self.state if self._over else None),
            ("m.stale <> ?", "" if self.stale else None),
            ("m.pinned = ?", 1 if self.pinned else None),
        ]
        return [one for one in asked if one[1] is not None]

    def lines(self, listed: Listed) -> Iterator[Line]:
        moment, shown = now(), len(listed.memories)
        for one in listed.memories:
            yield words.row(one, moment)
        if not shown:
            yield "there are no such memories"
        elif listed.total is not None and shown < listed.total:
            every = counted(listed.total, "memory", "memories")
            yield f"{shown:,} of {every}; --limit shows more"
        elif listed.total is None and listed.after is not None:
            yield "there may be more: --limit shows them"


class Facet(msgspec.Struct, frozen=True, kw_only=True):
    """A value that one may look for alone, and how many living memories have it."""

    name: str
    memories: int


class FacetsShown(Reply, frozen=True, kw_only=True):
    """Values that one may look for alone, most first."""

    projects: list[Facet]  # "": what holds everywhere
    kinds: list[Facet]
    said_by: list[Facet]
    states: list[str]


class Facets(Operation[FacetsShown], frozen=True, kw_only=True):
    """Request for what one may look for in a list of memories."""

    NAME = "facets"

    async def answer(self, parts: Parts, _: Progress) -> FacetsShown:
        from actors.policy.decay.states import STATES
        from daemon.storage import memories

        values_of = await parts.reader.read(memories.facets)
        return FacetsShown(
            states=list(STATES),
            **{
                name: [Facet(name=value, memories=count) for value, count in values]
                for name, values in values_of.items()
            },
        )
