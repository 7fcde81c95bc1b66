"""Lists of memories, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.operation import InProject, Line, Operation, Option, Verb
from daemon.commands.terminal.words import counted, now
from daemon.shapes import memory as words
from daemon.shapes.memory import MemoryView, Status
from daemon.shapes.replies import Count, Reply, Row, Tier
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

# ---- a page of them


class Listed(Reply, frozen=True, kw_only=True):
    """A page of memories, newest first."""

    memories: list[MemoryView]
    total: int


class List(Operation[Listed], frozen=True, kw_only=True):
    """Show which memories there are.

    The newest first, of every project unless one is named.
    """

    NAME = "list"
    VERBS = (Verb("list"),)
    project: Annotated[
        str | None,
        InProject("--project", "Of this project ('.': the current one) and what holds everywhere."),
    ] = None
    everywhere: bool = True
    type: Annotated[str | None, Option("--type", "Only of this type: decision, preference, …")] = (
        None
    )
    tier: Annotated[Tier | None, Option("--tier", "Only of this tier.")] = None
    state: Annotated[
        str | None, Option("--state", "Only in this lifecycle state: HOT, WARM, COLD, DORMANT, …")
    ] = None
    status: Annotated[Status | None, Option("--status", "Only of this status.")] = None
    ended: Annotated[bool, Option("--ended", "Those that ended, instead of those that live.")] = (
        False
    )
    limit: Annotated[
        Count, Option("--limit", "How many at most.", shows_default=True, within=(1, 1_000))
    ] = 50
    offset: Row = 0  # how many to leave out at the beginning

    async def answer(self, parts: Parts, _: Progress) -> Listed:
        from daemon.answers.memories import in_state, newest

        conditions = self._conditions(parts)
        if self.state is None:
            total, page = await newest(parts, conditions, self.limit, self.offset)
        else:
            wanted = await in_state(parts, conditions, self.state, ended=self.ended)
            total, page = len(wanted), wanted[self.offset : self.offset + self.limit]
        return Listed(memories=page, total=total)

    def _conditions(self, parts: Parts) -> list[tuple[str, object]]:
        from daemon.storage import memories

        over = self.ended or self.status == "refuted"  # what is refuted has ended
        conditions: list[tuple[str, object]] = [(f"m.ended IS {'NOT ' if over else ''}NULL", None)]
        if self.status is not None:
            conditions.append((f"{memories.STATUS} = ?", self.status))
        if self.type is not None:
            conditions.append(("m.kind = ?", self.type))
        if self.tier is not None:
            conditions.append(("m.tier = ?", self.tier))
        if self.project is not None or not self.everywhere:
            where = parts.project_meant(self.project)
            conditions.append(("(m.project IS NULL OR m.project = ?)", where))
        return conditions

    def lines(self, listed: Listed) -> Iterator[Line]:
        moment, shown = now(), len(listed.memories)
        for one in listed.memories:
            yield words.row(one, moment)
        if not listed.total:
            yield "there are no such memories"
        elif shown < listed.total:
            every = counted(listed.total, "memory", "memories")
            yield f"{shown:,} of {every}; --limit shows more"


# ---- a list to look through, which goes on where it stopped


class BrowsedMemory(MemoryView, frozen=True, kw_only=True):
    """One memory of a list, with whose word it is."""

    said_by: str = ""  # user, agent, tool, document, import, dream


class BrowsedPage(Reply, frozen=True, kw_only=True):
    """A page of the list. It may be short, even empty, and not be the last."""

    memories: list[BrowsedMemory]
    after: str | None  # where the next page begins; None: this was the last
    total: int | None  # of the whole list, with its first page, where counting is cheap
    at: float  # now


class Browse(Operation[BrowsedPage], frozen=True, kw_only=True):
    """Request for a page of memories, the newest first; each page costs the same, however many there are.

    ``query``: all of its words, the last one as a beginning. ``project`` is that one alone, unless
    ``everywhere``; None is what belongs to no project.
    """

    NAME = "browse"
    query: str = ""
    project: str | None = None
    everywhere: bool = True
    kind: str | None = None
    said_by: str | None = None
    state: str | None = None  # HOT … DORMANT, archivable; of what ended, how it did
    stale: bool | None = None
    pinned: bool | None = None
    ended: bool = False
    limit: Count = 50
    after: str = ""

    async def answer(self, parts: Parts, _: Progress) -> BrowsedPage:
        from actors.policy.text.words import typed
        from daemon.answers.memories import browsed, views_of
        from daemon.storage import memories

        place, conditions = self._place(parts), self._conditions()
        words, begun = ("", self.query.strip().lower()) if self.ended else typed(self.query)
        if begun:
            conditions.append((memories.HOLDS, begun))
        state = None if self.ended else self.state
        # An index knows the living of a project in their order; else it is the order of all.
        indexed = bool(place[1:]) and not self.ended
        scope, others = (place, conditions) if indexed else ([], [*place, *conditions])
        page, after = await browsed(parts, scope, others, words, state, self.limit, self.after)
        by = await parts.reader.read(memories.said_by, [one.id for one in page])
        views = views_of(parts, page)
        counts = not (words or conditions or state or self.after or self.ended)
        return BrowsedPage(
            memories=[
                view(BrowsedMemory, one, said_by=by[row.id])
                for one, row in zip(views, page, strict=True)
            ],
            after=after,
            total=await parts.reader.read(memories.count, place) if counts else None,
            at=parts.clock.now(),
        )

    def _place(self, parts: Parts) -> list[tuple[str, object]]:
        """Conditions of the list: living or ended, and the project."""
        living = ("m.ended IS NOT NULL" if self.ended else "m.ended IS NULL", None)
        if self.everywhere:
            return [living]
        return [living, ("m.project IS ?", parts.project_meant(self.project))]

    def _conditions(self) -> list[tuple[str, object]]:
        from daemon.storage import memories

        found: list[tuple[str, object]] = []
        if self.kind is not None:
            found.append(("m.kind = ?", self.kind))
        if self.said_by is not None:
            found.append((f"{memories.SAID_BY} = ?", self.said_by))
        if self.ended and self.state is not None:
            found.append(("m.ended = ?", self.state))
        if self.stale is not None:
            found.append((f"m.stale {'<>' if self.stale else '='} ''", None))
        if self.pinned is not None:
            found.append(("m.pinned = ?", int(self.pinned)))
        return found


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
