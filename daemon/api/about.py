"""Files open in an editor or asked about: the memories with a bearing on each, and their hints in its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import msgspec

from daemon.api.operation import HERE, Argument, Line, Operation, Results, Terminal, Title, Verb
from daemon.commands.terminal.words import age, fitted, now, one_line
from daemon.shapes.memory import MatchView
from daemon.shapes.replies import BadRequest, Done, Reply
from daemon.shapes.results import Recalled, result
from daemon.views import short_id, view

if TYPE_CHECKING:
    from daemon.context import Parts, Progress

ENDED = 3  # failures that an edit of it ended


class Open(Operation[Done], frozen=True, kw_only=True):
    """An editor shows this file: what is known about it is compared with it again."""

    NAME = "open"
    ASKED_BY = "program"
    path: str

    async def answer(self, parts: Parts, _: Progress) -> Done:
        from actors.staleness.messages import FileOpened
        from daemon.answers.about import project_of_file

        project = await project_of_file(parts, Path(self.path))
        if project is not None:
            parts.mailboxes.staleness.hint(FileOpened(self.path, project))
            parts.looks.heard(project)
        return Done()


class EndedView(msgspec.Struct, frozen=True, kw_only=True):
    """A failure that an edit of a file ended, the last time it was met."""

    family: str  # of the command that failed
    signature: str  # the line that says most of it, without what varies
    paths: tuple[str, ...]  # every edited file that it names
    at: float
    session: str


class SourceView(msgspec.Struct, frozen=True, kw_only=True):
    """Commit or session in which a memory was said."""

    session: str | None
    commit: str  # that says it; empty when none does, or git did not tell its name
    author: str = ""  # the name of who made the commit; empty when unknown


class Bearing(Reply, frozen=True, kw_only=True):
    """Memories that bear on a file, and what happened around it."""

    project: str | None
    found: Recalled
    ended: list[EndedView]  # the newest first
    # of each memory that was found, by its id
    sources: dict[str, SourceView] = msgspec.field(default_factory=dict[str, SourceView])


class About(Operation[Bearing], frozen=True, kw_only=True):
    """Find what bears on a file.

    Memories about what it defines, about the file itself, and about what it uses. Then the failures that
    an edit of it ended.
    """

    NAME = "about"
    ASKED_BY = "program"
    VERBS = (Verb("about"),)
    path: Annotated[str, Argument("FILE", is_file=True)]
    k: Results = 10
    sure: bool = False  # not of those about what it uses

    def prepared(self, _: Terminal, /) -> Self:
        return msgspec.structs.replace(self, path=str(Path(self.path).absolute()))

    async def answer(self, parts: Parts, _: Progress) -> Bearing:
        from daemon.answers.about import project_of_file, results_near
        from daemon.projects import place_in
        from daemon.storage import files

        path = Path(self.path)
        project = await project_of_file(parts, path)
        place = place_in(project, self.path) if project is not None else None
        if project is None or place is None:
            return Bearing(project=project, found=Recalled(results=[]), ended=[])
        near = (await results_near(parts, project, path, place, sure=self.sure))[: self.k]
        ended = await parts.reader.read(files.ended_by, project, place, ENDED)
        return Bearing(
            project=project,
            found=Recalled(results=[one for _, one in near], confidence=1.0 if near else 0.0),
            ended=[view(EndedView, one) for one in ended],
            sources={short_id(memory.id): view(SourceView, memory) for memory, _ in near},
        )

    def lines(self, found: Bearing) -> Iterator[Line]:
        if not (found.found.results or found.ended):
            yield "nothing that is known bears on this file"
        for one in found.found.results:
            yield from result(one, explain=True)
        yield from ended_lines(found.ended, "an edit of it ended:")


def ended_lines(failures: list[EndedView], heading: str) -> Iterator[Line]:
    """Failures and their fixes, under a heading; nothing for none."""
    if failures:
        yield Title(heading)
    for one in failures:
        when = f"session {one.session[:8]}, {age(now() - one.at)}"
        yield fitted(f"  {one_line(one.family)}: {one_line(one.signature)}")
        yield fitted(f"    by {one_line(', '.join(one.paths))} ({when})")


# ---- hints in its text


class Matched(Reply, frozen=True, kw_only=True):
    """The matches in order of their place, at most ``limit``."""

    matches: list[MatchView]
    revision: int


class Match(Operation[Matched], frozen=True, kw_only=True):
    """Request for the memories that a text mentions. ``path`` tells the project, unless it is given."""

    NAME = "match"
    FOR_AGENTS = True
    ASKED_BY = "editor"
    text: str
    path: str | None = None
    project: Annotated[str | None, HERE] = None
    limit: int = 200

    async def answer(self, parts: Parts, _: Progress) -> Matched:
        from daemon.answers.about import matches

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
        from daemon.answers.about import anchored

        found, known = await anchored(parts, self.path, self.text)
        return Anchored(matches=found, known=known)


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
