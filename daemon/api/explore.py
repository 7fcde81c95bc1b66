"""Connections of memories, around one or between two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

import msgspec

from daemon.api.link import MOST, WRITTEN
from daemon.api.operation import (
    Argument,
    Aside,
    Here,
    Line,
    Operation,
    Option,
    Terminal,
    Title,
    Verb,
)
from daemon.commands.terminal.words import counted, fitted, one_line
from daemon.shapes.replies import BadRequest, Reply
from daemon.views import memory_number, short_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.policy.graph.link_graph import Way
    from daemon.context import Parts, Progress

SHOWN: Final = 10  # ways
MOST_WAYS: Final = 100
AROUND: Final = 3  # links of a way at most, around one memory
BETWEEN: Final = 10  # and between two
Depth = Annotated[int, msgspec.Meta(ge=1, le=BETWEEN)]
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


class BridgeView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that stands between two."""

    memory: str
    ways: int
    best: WayView


class Explored(Reply, frozen=True, kw_only=True):
    """Memories around, the surest first."""

    start: str
    end: str | None
    titles: dict[str, str]  # of every memory named
    ways: list[WayView]  # with ``bridges``: empty
    bridges: list[BridgeView]
    total: int
    cut: bool  # there are more links around than were read


class Explore(Operation[Explored], frozen=True, kw_only=True):
    """Show what a memory is connected with.

    Over causal links, what dreaming connected, and what is alike. A memory is given by its id,
    or by what it is about. The surest come first: a way is as sure as its links together.
    Without a memory --graphml and --json write the whole graph, of a memory only its title.
    """

    NAME = "explore"
    start: Annotated[str, Argument("[ID|TEXT]")]  # an id, or what the memory is about
    to: Annotated[
        str | None,
        Option("--to", "Show by which ways it leads to this one.", metavar="ID|TEXT"),
    ] = None
    action: Literal["associations", "chain", "bridges"] = "associations"
    depth: Annotated[
        Depth | None,
        Option("--depth", "Links of a way at most; 3, and with --to 10.", within=(1, BETWEEN)),
    ] = None
    limit: Annotated[
        int,
        msgspec.Meta(ge=1, le=MOST_WAYS),
        Option(
            "--limit",
            f"Ways at most; {SHOWN}, and {MOST_WAYS} are the most."
            f" Memories of the whole graph; {WRITTEN:,}.",
            within=(1, MOST),
        ),
    ] = SHOWN
    # Where a text is looked for, and whose memories ways lead over.
    project: Annotated[
        str | None,
        Here("--project", "Look for a TEXT in this project; else in the current one."),
    ] = None
    everywhere: Annotated[
        bool, Option("--all", "Look for a TEXT, and lead ways, in every project.")
    ] = False

    VERBS = (
        Verb("explore"),
        Verb(
            "explore",
            {"action": "bridges"},
            flag=Option("--bridges", "With --to: only the memories that stand between."),
        ),
    )

    def prepared(self, _: Terminal, /) -> Self:
        """Choose one of the three requests by the words typed."""
        if self.action == "bridges" and self.to is None:
            raise ValueError("Bridges stand between two memories: give --to as well.")
        if self.limit > MOST_WAYS:
            raise ValueError(f"At most {MOST_WAYS} ways: give --limit a smaller number.")
        if self.action == "associations" and self.to is not None:
            return msgspec.structs.replace(self, action="chain")
        return self

    async def answer(self, parts: Parts, _: Progress) -> Explored:
        from actors.policy.graph import link_graph
        from daemon.answers.link import around, ways_of

        depth = self.depth or (AROUND if self.to is None else BETWEEN)
        if (self.action == "associations") == (self.to is not None):
            raise BadRequest("chains and bridges lead to another memory; associations do not")
        start = await self._meant(parts, self.start)
        end = None if self.to is None else await self._meant(parts, self.to)
        if end is not None and end.id == start.id:
            raise BadRequest(f"{short_id(start.id)} is meant both times: there is no way to itself")
        projects = {None, start.project, parts.project_meant(self.project)}
        projects |= {end.project} if end is not None else set()
        near = await around(parts, start, end, depth, None if self.everywhere else projects)
        ways = await ways_of(near.links, start.id, end.id if end else None, depth)
        bridges = link_graph.bridges(ways) if self.action == "bridges" else ()
        shown = () if self.action == "bridges" else ways[: self.limit]
        over = bridges[: self.limit]
        named = {start.id} | ({end.id} if end is not None else set[int]())
        named |= {
            one for way in (*shown, *(bridge.best for bridge in over)) for one in way.memories
        }
        return Explored(
            start=short_id(start.id),
            end=short_id(end.id) if end is not None else None,
            titles={short_id(one): near.memories[one].title for one in sorted(named)},
            ways=[_way(way) for way in shown],
            bridges=[
                BridgeView(memory=short_id(one.memory), ways=one.ways, best=_way(one.best))
                for one in over
            ],
            total=len(bridges) if self.action == "bridges" else len(ways),
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
                parts.check_seen(self.agent_in, [there[number]])
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
        end = _named(found, found.end or "")
        between = f"  …  {end}" if self.action == "bridges" else ""
        yield Title(f"{_named(found, found.start)}{between}")
        reached = [(way.memories[-1], way) for way in found.ways]
        reached += [(bridge.memory, bridge.best) for bridge in found.bridges]
        nothing = {
            "associations": "nothing leads anywhere from it: it has no links and resembles nothing",
            "chain": f"nothing leads from it to {end}",
            "bridges": "nothing stands between them",
        }
        if not reached:
            yield f"  {nothing[self.action]}"
        for memory, way in reached:
            if self.action == "chain":
                yield f"  {counted(len(way.steps), 'link')}, {way.sure:.0%} sure"
                for step in way.steps:
                    yield fitted(f"    {_step(step)}  {one_line(found.titles[step.target])}")
            else:
                yield fitted(f"  {way.sure:.2f}  {_named(found, memory)}")
                steps = " ".join(_step(one) for one in way.steps)
                yield Aside(fitted(f"        {way.memories[0]} {steps}"))
        if found.total > len(reached):
            much = ("way",) if self.action == "chain" else ("memory", "memories")
            yield f"{len(reached)} of {counted(found.total, *much)}; --limit shows more"
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
