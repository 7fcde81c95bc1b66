"""Connections around a memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from daemon.api.operation import HERE, Argument, Aside, Line, Operation, Option, Title, Verb
from daemon.commands.terminal.words import fitted, one_line
from daemon.shapes.replies import NotThere, Reply
from daemon.views import short_id

if TYPE_CHECKING:
    from actors.policy.graph.link_graph import Way
    from daemon.context import Parts, Progress

WAYS: Final = 10  # that are told, the surest
NO_ID: Final = "there is no memory with this id: 'reverie recall TEXT' finds the memory"
FARTHEST: Final = 3  # links of a way
LIKE: Final = frozenset({"similar", "semantic"})  # shown by a wave, a direction by an arrow


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a way, as it is walked."""

    kind: str  # a relation, a kind of connection, or similar
    directed: bool  # whether the link has a direction
    forward: bool  # whether it is walked in its direction


class WayView(msgspec.Struct, frozen=True, kw_only=True):
    """A way from one memory to another."""

    memories: list[str]
    steps: list[StepView]  # from each of them to the next
    sure: float  # product of the strengths


class Explored(Reply, frozen=True, kw_only=True):
    """Memories around, the surest first."""

    start: str
    titles: dict[str, str]  # of every memory named
    ways: list[WayView]


class Explore(Operation[Explored], frozen=True, kw_only=True):
    """Show what a memory is connected with.

    Over causal links, what dreaming connected, and what is alike, within three links. The ten surest,
    best first: a way is as sure as its links together.
    With --graphml the whole graph is written, of a memory only its title.
    """

    NAME = "explore"
    FOR_AGENTS = True
    MEMORIES = ("start",)
    start: Annotated[str, Argument("[ID]")]
    project: Annotated[str | None, HERE] = None  # whose memories ways lead over, besides its own
    everywhere: Annotated[bool, Option("--all", "Over the memories of every project.")] = False

    VERBS = (Verb("explore"),)

    async def answer(self, parts: Parts, _: Progress) -> Explored:
        from actors.gate.messages import NoSuchMemory
        from daemon.answers.link import around

        try:
            (start,) = await parts.known_memories([self.start])
        except NoSuchMemory:
            raise NotThere("no_such_memory", NO_ID) from None
        projects = {None, start.project, parts.project_meant(self.project)}
        near = await around(parts, start, FARTHEST, None if self.everywhere else projects)
        shown = near.ways[:WAYS]
        named = {start.id} | {one for way in shown for one in way.memories}
        return Explored(
            start=short_id(start.id),
            titles={short_id(one): near.memories[one].title for one in sorted(named)},
            ways=[_way(way) for way in shown],
        )

    def lines(self, found: Explored) -> Iterator[Line]:
        yield Title(_named(found, found.start))
        if not found.ways:
            yield "  nothing leads anywhere from it: it has no links and resembles nothing"
        for way in found.ways:
            yield fitted(f"  {way.sure:.2f}  {_named(found, way.memories[-1])}")
            steps = " ".join(map(_step, way.steps, way.memories[1:]))
            yield Aside(fitted(f"        {way.memories[0]} {steps}"))


def _way(way: Way) -> WayView:
    """A way by the ids people type."""
    from daemon.answers.link import ONE_WAY

    return WayView(
        memories=[short_id(one) for one in way.memories],
        steps=[
            StepView(kind=link.kind, directed=link.kind in ONE_WAY, forward=link.one == one)
            for link, one in zip(way.links, way.memories, strict=False)
        ],
        sure=round(way.sure, 6),
    )


def _named(found: Explored, memory: str) -> str:
    return f"{memory}  {one_line(found.titles.get(memory, ''))}".rstrip()


def _step(step: StepView, target: str) -> str:
    if step.kind in LIKE:
        return f"~ {target}"
    kind = one_line(step.kind).replace("_", " ")
    if not step.directed:
        return f"-{kind}- {target}"
    return f"-{kind}-> {target}" if step.forward else f"<-{kind}- {target}"
