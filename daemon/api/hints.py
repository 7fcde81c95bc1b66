"""Memories in the text of an open file, and the record of their hints there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.operation import HERE, Offer, Operation
from daemon.shapes.hint import MatchView
from daemon.shapes.replies import BadRequest, Done, Reply
from daemon.views import memory_number

if TYPE_CHECKING:
    from daemon.context import Parts, Progress


class Matched(Reply, frozen=True, kw_only=True):
    """The matches in order of their place, at most ``limit``."""

    matches: list[MatchView]
    revision: int


class Match(Operation[Matched], frozen=True, kw_only=True):
    """Request for the memories that a text mentions. ``path`` tells the project, unless it is given."""

    NAME = "match"
    ASKED_BY = "editor"
    text: str
    path: str | None = None
    project: Annotated[str | None, HERE] = None
    limit: int = 200

    OFFERS = (
        Offer(
            "memory_match_triggers",
            "Notes that a text mentions",
            "Find the notes whose trigger phrases stand in a prompt. Quicker than a search, and blind to"
            " other words for the same.",
            "prompt=text limit",
            usual={"limit": 3},
            unused="session_id turnNumber include_cognitive",
            reads_only=True,
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> Matched:
        from daemon.answers.hints import matches

        revision = parts.changes.revision
        found = await matches(parts, self.text, self.path, self.project, self.limit)
        return Matched(matches=found, revision=revision)


class Anchored(Reply, frozen=True, kw_only=True):
    """Memories at their places in a text; ``known`` counts those that have none there, too."""

    matches: list[MatchView]
    known: int


class Anchors(Operation[Anchored], frozen=True, kw_only=True):
    """Request for the memories about symbols and lines of a file, each at its place in the text."""

    NAME = "anchors"
    ASKED_BY = "program"
    path: str
    text: str

    async def answer(self, parts: Parts, _: Progress) -> Anchored:
        from daemon.answers.hints import anchored

        found, known = await anchored(parts, self.path, self.text)
        return Anchored(matches=found, known=known)


class Hinted(Operation[Done], frozen=True, kw_only=True):
    """An editor showed hints of these memories in a file, and somebody reacted to those.

    The reply counts the showings that were new.
    """

    NAME = "hinted"
    ASKED_BY = "program"
    path: str
    shown: list[str] = msgspec.field(default_factory=list[str])
    heeded: list[str] = msgspec.field(default_factory=list[str])

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.use import HintsShown
        from daemon.answers.about import place_of_file

        project, place = await place_of_file(parts, self.path)
        if project is None:
            return Done(count=0)
        shown, heeded = (tuple(map(memory_number, some)) for some in (self.shown, self.heeded))
        unit = (HintsShown(project, place, shown, heeded, parts.clock.now()),)
        return Done(count=sum(await parts.commit(unit)))


class MuteHint(Operation[Done], frozen=True, kw_only=True):
    """Show no hint of this memory in this file, or show it again."""

    NAME = "mute-hint"
    id: str
    path: str
    muted: bool = True

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.memory.use import HintMuted
        from daemon.answers.about import place_of_file

        (memory,) = await parts.known_memories([self.id])
        project, place = await place_of_file(parts, self.path)
        if project is None:
            raise BadRequest("the file is in no project with memories")
        unit = (HintMuted(memory.id, project, place, self.muted),)
        return Done(count=sum(await parts.commit(unit)))
