"""Folders of projects, each in one sentence of its own document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import msgspec

from daemon.api.operation import Argument, Here, Line, Operation, Option, Verb
from daemon.commands.terminal.words import one_line, shown_of
from daemon.shapes.replies import Reply, check_limit

if TYPE_CHECKING:
    from daemon.context import Parts, Progress


class FolderView(msgspec.Struct, frozen=True, kw_only=True):
    """A folder in one sentence."""

    project: str
    folder: str  # its path in the project; "" is the project itself
    description: str
    matched: float  # share of the terms asked for, 0..1


class FolderPage(Reply, frozen=True, kw_only=True):
    """Folders, the best match first; without a question by project and path."""

    folders: list[FolderView]
    total: int  # that match


class Folders(Operation[FolderPage], frozen=True, kw_only=True):
    """Show the folders that a question is about; without one, all.

    Of a project; ``everywhere``: of every one that has memories.
    """

    NAME = "folders"
    query: Annotated[str, Argument("[QUERY]...", joined=" ")] = ""
    project: Annotated[str | None, Here("--project", "Of this project instead.")] = None
    everywhere: Annotated[bool, Option("--all", "In every project.")] = False
    k: Annotated[int, Option("-k", "Results.", shows_default=True, within=(1, 1_000))] = 20

    VERBS = (
        Verb(
            "recall",
            flag=Option(
                "--folders",
                "Find the folders it is about, by their README or spec.md; without a QUERY all.",
            ),
        ),
    )

    async def answer(self, parts: Parts, _: Progress) -> FolderPage:
        from actors.policy.documents.descriptions import matched, terms
        from daemon.answers.folders import described, projects

        check_limit(self.k)
        asked, meant = terms(self.query), parts.project_meant(self.project)
        where = [meant] if meant else []
        if self.everywhere:
            where = await projects(parts, parts.seen_by(self.agent_in))
        found: list[FolderView] = []
        for project in where:
            for one in await parts.sources.visit(project, described) or ():
                share = matched(asked, one)
                if share or not self.query:
                    found.append(
                        FolderView(
                            project=project, folder=one.folder,
                            description=one.sentence, matched=round(share, 3),
                        )
                    )  # fmt: skip
        found.sort(key=lambda one: -one.matched)  # equals stay by the project's weight and the path
        return FolderPage(folders=found[: self.k], total=len(found))

    def lines(self, found: FolderPage) -> Iterator[Line]:
        """Each folder with its purpose."""
        if not found.folders:
            yield "no folder with a README or a spec.md is about that"
        for one in found.folders:
            name = one.project.rstrip("/").rpartition("/")[2]
            yield one_line(f"{name}/{one.folder}")
            yield f"  {one_line(one.description) or 'its document says nothing of what it is for'}"
        if more := shown_of(found.folders, found.total):
            yield more
