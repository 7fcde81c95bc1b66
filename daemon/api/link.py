"""Links between memories: drawn and taken out, the connections around one, and the whole graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import msgspec

from daemon.api.operation import (
    HERE,
    Argument,
    Aside,
    Line,
    Operation,
    Option,
    Terminal,
    Title,
    Verb,
)
from daemon.commands.terminal.words import fitted, one_line
from daemon.shapes.memory import LinkView
from daemon.shapes.replies import BadRequest, Done, NotThere, Reply
from daemon.views import memory_number, memory_view, short_id

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.policy.graph.link_graph import Way
    from daemon.context import Parts, Progress

EVIDENCE: Final = 1_000  # characters
BY_AGENT: Final = "noted by an agent"  # how the evidence of its links begins


class LinkDrawn(Reply, frozen=True, kw_only=True):
    """The link is in the graph."""

    link: LinkView
    new: bool  # False: it was there, and has this strength and evidence now


class Link(Operation[LinkDrawn], frozen=True, kw_only=True):
    """Say how one memory stands to another.

    RELATION is caused, enabled, supersedes, contradicts, derived_from or supports; read it
    as a sentence: m4 caused m7. Said again, the strength and the evidence are the new ones.
    """

    NAME = "link"
    FOR_AGENTS = True
    MEMORIES = ("source", "target")
    source: Annotated[str, Argument("ID")]
    relation: Annotated[str, Argument("RELATION")]
    target: Annotated[str, Argument("OTHER")]
    strength: Annotated[float, Option("--strength", "How sure it is, from 0 to 1.", True)] = 1.0
    evidence: Annotated[str, Option("--evidence", "Why, in a line.")] = ""

    VERBS = (Verb("link"),)

    async def answer(self, parts: Parts, _: Progress) -> LinkDrawn:
        from actors.memory.writes import Connected
        from actors.policy.graph.link_graph import check_edge
        from daemon.answers.link import link_view
        from daemon.storage import graph

        source, target = await parts.known_memories([self.source, self.target])
        if len(self.evidence) > EVIDENCE:
            raise BadRequest(
                f"the evidence has {len(self.evidence)} characters, the limit is {EVIDENCE}"
            )
        evidence, _kinds = parts.redact(self.evidence.encode("utf-8", "replace").decode())
        if self.agent_in is not None:
            there = await parts.reader.read(graph.drawn, source.id, self.relation, target.id)
            if there is not None and not there.evidence.startswith(BY_AGENT):
                return LinkDrawn(link=link_view(there), new=False)
            evidence = f"{BY_AGENT}: {evidence}" if evidence else BY_AGENT
        check_edge(source.id, target.id, self.relation, self.strength)
        at = parts.clock.now()
        wanted = Connected(source.id, target.id, self.relation, self.strength, evidence, at)
        (new,) = await parts.commit((wanted,))
        return LinkDrawn(link=link_view(wanted), new=bool(new))

    def lines(self, done: LinkDrawn) -> list[Line]:
        link = done.link
        relation = one_line(link.relation).replace("_", " ")
        said = f"{link.source} {relation} {link.target} (strength {link.strength:.2f})"
        evidence = f": {one_line(link.evidence)}" if link.evidence else ""
        return [
            f"{'linked' if done.new else 'changed'} {said}{evidence}",
            f"undo with reverie unlink {link.id}",
        ]


class Unlink(Operation[Done], frozen=True, kw_only=True):
    """Take a link between two memories out.

    LINK is its id, such as m1:supersedes:m2, or the three words: m1 supersedes m2.
    """

    NAME = "unlink"
    FOR_AGENTS = True
    link: Annotated[str, Argument("LINK", joined=":")]  # its id

    VERBS = (Verb("unlink"),)

    def prepared(self, _: Terminal, /) -> Self:
        if self.link.count(":") == 1:
            raise ValueError("Give a link's id, or three words: ID RELATION OTHER.")
        return self

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.writes import Disconnected
        from actors.policy.graph.link_graph import InvalidLink, check_edge
        from daemon.storage import graph

        if self.link.count(":") != 2:
            raise InvalidLink(f"{self.link[:60]!r} is no link: write it as m1:supersedes:m2")
        source, relation, target = self.link.split(":")
        ends = memory_number(source), memory_number(target)
        check_edge(*ends, relation)
        if self.agent_in is not None:
            parts.check_seen(self.agent_in, await parts.known_memories([source, target]))
            there = await parts.reader.read(graph.drawn, ends[0], relation, ends[1])
            if there is not None and not there.evidence.startswith(BY_AGENT):
                raise BadRequest(
                    f"no agent drew {self.link}: it stays, unless the user takes it out"
                )
        (gone,) = await parts.commit((Disconnected(*ends, relation),))
        return Done(count=gone, note="" if gone else "there is no such link")

    def lines(self, done: Done) -> list[Line]:
        return [one_line(f"unlinked {self.link}" if done.count else done.note)]


# ---- connections around a memory


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


# ---- the whole graph


MOST: Final = 2_000  # memories: those joined most strongly
EDGES: Final = 10 * MOST  # between these: the strongest
ONCE: Final = 50  # memories read before others have a turn
WITHIN: Final = 60.0  # seconds for the look through the store
TITLE: Final = 200  # characters


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A memory in the graph. Its text is not there, only its title."""

    id: str
    title: str
    kind: str
    tier: str
    state: str
    project: str | None
    created: float  # seconds since the epoch, UTC


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """Edge between two memories; ``directed``: from ``one`` to ``other``, else either way."""

    one: str
    other: str
    kind: str
    strength: float
    evidence: str
    found_by: str  # dreaming, vectors, gate, person
    directed: bool


class Graph(Reply, frozen=True, kw_only=True):
    """Memories joined with others, and the edges between them."""

    nodes: list[Node]
    edges: list[Edge]


class ExportGraph(Operation[Graph], frozen=True, kw_only=True):
    """Request for the whole graph, those that are joined most strongly first."""

    NAME = "export-graph"
    project: str | None = None  # with the memories for everywhere
    everywhere: bool = False

    async def answer(self, parts: Parts, _: Progress) -> Graph:
        import trio

        from actors.memory.rows import Scope
        from daemon.context import sliced
        from daemon.storage import graph

        scope = Scope(parts.project_meant(self.project), self.everywhere)
        with trio.fail_after(WITHIN):
            ids = await parts.reader.read(graph.joined, scope, MOST)
            rows = await parts.reader.read(graph.edges_among, ids, EDGES)
        nodes: list[Node] = []
        for some in sliced(tuple(ids), ONCE):
            memories = await parts.reader.memories(some)
            nodes += [_node(parts, memories[one]) for one in some if one in memories]
        edges = await trio.to_thread.run_sync(lambda: [_edge(row) for row in rows])
        return Graph(nodes=nodes, edges=edges)


def _node(parts: Parts, memory: Memory) -> Node:
    from actors.memory.use import state_of

    return memory_view(
        Node,
        memory,
        title=(memory.title or memory.kind)[:TITLE],
        state=state_of(memory, parts.clock.now(), parts.settings.fading),
        created=memory.created_at,
    )


def _edge(row: Sequence[Any]) -> Edge:
    from daemon.answers.link import ONE_WAY

    one, other, kind, strength, evidence, found_by = row
    return Edge(
        one=short_id(one), other=short_id(other), kind=kind, strength=round(strength, 3),
        evidence=evidence, found_by=found_by, directed=kind in ONE_WAY,
    )  # fmt: skip
