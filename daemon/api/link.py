"""Causal links between memories, drawn and taken out by people and agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Self

from daemon.api.operation import Argument, Line, Offer, Operation, Option, Terminal, Verb
from daemon.commands.terminal.words import one_line
from daemon.shapes.link import LinkView
from daemon.shapes.replies import BadRequest, Done, Reply
from daemon.views import memory_number

if TYPE_CHECKING:
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
    MEMORIES = ("source", "target")
    source: Annotated[str, Argument("ID")]
    relation: Annotated[str, Argument("RELATION")]
    target: Annotated[str, Argument("OTHER")]
    strength: Annotated[float, Option("--strength", "How sure it is, from 0 to 1.", True)] = 1.0
    evidence: Annotated[str, Option("--evidence", "Why, in a line.")] = ""

    VERBS = (Verb("link"),)
    OFFERS = (
        Offer(
            "memory_causal_link",
            "Link two memories",
            "Say how one memory stands to another, when you found that out and neither text says it.",
            "sourceId=source targetId=target relation strength evidence",
            idempotent=True,
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> LinkDrawn:
        from actors.links.writes import Connected
        from daemon.answers.link import link_view
        from daemon.storage import link

        source, target = await parts.known_memories([self.source, self.target])
        if len(self.evidence) > EVIDENCE:
            raise BadRequest(
                f"the evidence has {len(self.evidence)} characters, the limit is {EVIDENCE}"
            )
        evidence, _kinds = parts.redact(self.evidence.encode("utf-8", "replace").decode())
        if self.agent_in is not None:
            there = await parts.reader.read(link.drawn, source.id, self.relation, target.id)
            if there is not None and not there.evidence.startswith(BY_AGENT):
                drawn = link_view(
                    source.id, self.relation, target.id, there.strength, there.evidence
                )
                return LinkDrawn(link=drawn, new=False)
            evidence = f"{BY_AGENT}: {evidence}" if evidence else BY_AGENT
        at = parts.clock.now()
        wanted = Connected(source.id, target.id, self.relation, self.strength, evidence, at)
        wanted.to_edge()  # raises InvalidLink for what can be none
        (new,) = await parts.commit((wanted,))
        drawn = link_view(source.id, self.relation, target.id, self.strength, evidence)
        return LinkDrawn(link=drawn, new=bool(new))

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

    LINK is its id, such as m1:supersedes:m2, or the three words: m1 supersedes m2. A link that a text
    declares does not come back.
    """

    NAME = "unlink"
    link: Annotated[str, Argument("LINK", joined=":")]  # its id

    VERBS = (Verb("unlink"),)
    OFFERS = (
        Offer(
            "memory_causal_unlink",
            "Take a link out",
            "Take out a link that an agent drew, by the id that memory_drift_why gives it.",
            "edgeId=link",
            destructive=True,
            idempotent=True,
        ),
    )

    def prepared(self, _: Terminal, /) -> Self:
        """One word or three."""
        if self.link.count(":") == 1:
            raise ValueError("Give a link's id, or three words: ID RELATION OTHER.")
        return self

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.links.writes import Disconnected
        from actors.policy.graph.causal import InvalidLink, edge
        from daemon.storage import link

        match self.link.split(":"):
            case [source, relation, target]:
                ends = memory_number(source), memory_number(target)
            case _:
                raise InvalidLink(f"{self.link[:60]!r} is no link: write it as m1:supersedes:m2")
        edge("", str(ends[0]), str(ends[1]), relation)  # raises InvalidLink for what can be none
        if self.agent_in is not None:
            parts.check_seen(self.agent_in, await parts.known_memories([source, target]))
            there = await parts.reader.read(link.drawn, ends[0], relation, ends[1])
            if there is not None and not there.evidence.startswith(BY_AGENT):
                raise BadRequest(
                    f"no agent drew {self.link}: it stays, unless the user takes it out"
                )
        (gone,) = await parts.commit((Disconnected(*ends, relation),))
        return Done(count=gone, note="" if gone else "there is no such link")

    def lines(self, done: Done) -> list[Line]:
        return [one_line(f"unlinked {self.link}" if done.count else done.note)]
