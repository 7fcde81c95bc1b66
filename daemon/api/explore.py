"""Connections around a memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from daemon.api.operation import Argument, Aside, Here, Line, Operation, Option, Title, Verb
from daemon.commands.terminal.words import counted, fitted, one_line
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import memory_number, short_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.policy.graph.link_graph import Way
    from daemon.context import Parts, Progress

MOST: Final = 100  # ways
FARTHEST: Final = 10  # links of a way
SEARCH_DEADLINE: Final = 30.0  # seconds
ID: Final = re.compile(r"m[0-9a-z]{1,8}")
LIKE: Final = frozenset({"similar", "semantic"})  # shown by a wave, a direction by an arrow


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a way, as it is walked."""

    source: str
    target: str
    kind: str  # a relation, a kind of connection, or similar
    directed: bool  # whether the link has a direction
    forward: bool  # whether it is walked in its direction
    strength: float  # 0..1


class WayView(msgspec.Struct, frozen=True, kw_only=True):
    """A way from one memory to another."""

    memories: list[str]
    steps: list[StepView]
    sure: float  # product of the strengths


class Explored(Reply, frozen=True, kw_only=True):
    """Memories around, the surest first."""

    start: str
    titles: dict[str, str]  # of every memory named
    ways: list[WayView]
    total: int
    cut: bool  # there are more links around than were read


class Explore(Operation[Explored], frozen=True, kw_only=True):
    """Show what a memory is connected with.

    Over causal links, what dreaming connected, and what is alike. A memory is given by its id,
    or by what it is about. The surest come first: a way is as sure as its links together.
    With --graphml the whole graph is written, of a memory only its title.
    """

    NAME = "explore"
    start: Annotated[str, Argument("[ID|TEXT]")]  # an id, or what the memory is about
    depth: Annotated[
        int,
        msgspec.Meta(ge=1, le=FARTHEST),
        Option("--depth", "Links of a way at most.", True, within=(1, FARTHEST)),
    ] = 3
    limit: Annotated[
        int,
        msgspec.Meta(ge=1, le=MOST),
        Option("--limit", "Ways at most.", True, within=(1, MOST)),
    ] = 10
    # Where a text is looked for, and whose memories ways lead over.
    project: Annotated[
        str | None,
        Here("--project", "Look for a TEXT in this project; else in the current one."),
    ] = None
    everywhere: Annotated[
        bool, Option("--all", "Look for a TEXT, and lead ways, in every project.")
    ] = False

    VERBS = (Verb("explore"),)

    async def answer(self, parts: Parts, _: Progress) -> Explored:
        from daemon.answers.link import around

        start = await self._meant(parts, self.start)
        projects = {None, start.project, parts.project_meant(self.project)}
        near = await around(parts, start, self.depth, None if self.everywhere else projects)
        shown = near.ways[: self.limit]
        named = {start.id} | {one for way in shown for one in way.memories}
        return Explored(
            start=short_id(start.id),
            titles={short_id(one): near.memories[one].title for one in sorted(named)},
            ways=[_way(way) for way in shown],
            total=len(near.ways),
            cut=near.cut,
        )

    async def _meant(self, parts: Parts, said: str) -> Memory:
        """A memory by its id, or the best one about this. Raises ``NoSuchMemory``."""
        from actors.gate.messages import NoSuchMemory
        from actors.memory.rows import Scope
        from actors.recall.shapes import Search

        if ID.fullmatch(said.strip()):
            number = memory_number(said)
            there = await parts.reader.memories([number])
            if number in there:
                return there[number]
            if any(letter.isdigit() for letter in said):
                raise NoSuchMemory  # "mail" may be a word, "m4k" is none
        scope = Scope(parts.project_meant(self.project), everywhere=self.everywhere)
        answer = await parts.mailboxes.recall.ask(
            Search(said, 1, scope, False, SEARCH_DEADLINE),
            within=SEARCH_DEADLINE,
        )
        if not answer.notes:
            raise BadRequest(f"nothing is known about {said[:60]!r}: give the id of a memory")
        return answer.notes[0].memory

    def lines(self, found: Explored) -> Iterator[Line]:
        yield Title(_named(found, found.start))
        if not found.ways:
            yield "  nothing leads anywhere from it: it has no links and resembles nothing"
        for way in found.ways:
            yield fitted(f"  {way.sure:.2f}  {_named(found, way.memories[-1])}")
            steps = " ".join(_step(one) for one in way.steps)
            yield Aside(fitted(f"        {way.memories[0]} {steps}"))
        if found.total > len(found.ways):
            of = counted(found.total, "memory", "memories")
            yield f"{len(found.ways)} of {of}; --limit shows more"
        if found.cut:
            yield "there are more links around than were looked at"


def _way(way: Way) -> WayView:
    """A way by the ids people type."""
    from actors.policy.graph.link_graph import strength
    from daemon.answers.link import ONE_WAY

    return WayView(
        memories=[short_id(one) for one in way.memories],
        steps=[
            StepView(
                source=short_id(one),
                target=short_id(other),
                kind=link.kind,
                directed=link.kind in ONE_WAY,
                forward=link.one == one,
                strength=round(strength(link), 6),
            )
            for link, one, other in zip(way.links, way.memories, way.memories[1:], strict=False)
        ],
        sure=round(way.sure, 6),
    )


def _named(found: Explored, memory: str) -> str:
    return f"{memory}  {one_line(found.titles.get(memory, ''))}".rstrip()


def _step(step: StepView) -> str:
    if step.kind in LIKE:
        return f"~ {step.target}"
    kind = one_line(step.kind).replace("_", " ")
    if not step.directed:
        return f"-{kind}- {step.target}"
    return f"-{kind}-> {step.target}" if step.forward else f"<-{kind}- {step.target}"
