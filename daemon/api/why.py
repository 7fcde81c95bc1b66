"""Reasons why a memory is there and as strong as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Final, Self

import msgspec

from daemon.api.operation import Argument, Line, Offer, Operation, Option, Terminal, Title, Verb
from daemon.commands.terminal.words import one_line
from daemon.shapes.link import Direction
from daemon.shapes.memory import Reasons
from daemon.shapes.results import SEEN
from daemon.views import view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

DIRECTIONS: Final[Mapping[str, Direction]] = {"in": "incoming", "out": "outgoing"}  # as typed


class Why(Operation[Reasons], frozen=True, kw_only=True):
    """Say why a memory is there.

    Where it comes from, which decision made it, what took its place, what it is linked with,
    when it was shown and used, how its strength came to be, and what calls it.
    """

    NAME = "why"
    MEMORIES = ("id",)
    VERBS = (Verb("why"),)
    OFFERS = (
        Offer(
            "memory_drift_why",
            "Why a memory is so",
            "Follow the causes of a memory: what led to it, what it led to, what speaks against it.",
            "memoryId=id maxDepth=depth direction",
            unused="relations includeMemoryDetails",
            keeps="memory sentences lineage supersedes",
            leaves=SEEN,
            reads_only=True,
        ),
    )
    id: Annotated[str, Argument("ID")]
    depth: Annotated[
        int,
        Option("--depth", "How many links its lineage is followed for.", True, within=(1, 10)),
    ] = 3
    direction: Annotated[
        Direction,
        Option(
            "--direction",
            "Only what led to it (in), or what it led to (out).",
            True,
            choices=(*DIRECTIONS, "both"),
        ),
    ] = "both"

    def prepared(self, _: Terminal, /) -> Self:
        """Spell a direction out."""
        direction = DIRECTIONS.get(self.direction, self.direction)
        return msgspec.structs.replace(self, direction=direction)

    async def answer(self, parts: Parts, _: Progress) -> Reasons:
        from daemon.answers.reasons import sentences
        from daemon.answers.why import known_of

        (memory,) = await parts.known_memories([self.id])
        known = await known_of(
            parts, memory, self.depth, self.direction, parts.seen_by(self.agent_in)
        )
        return view(Reasons, known, sentences=sentences(known))

    def lines(self, reasons: Reasons) -> Iterator[Line]:
        memory = reasons.memory
        yield Title(f"{memory.id}  {one_line(memory.title or memory.text)}")
        yield from map(one_line, reasons.sentences)
