"""Folders: how much each project weighs, and what its folders are for, by their own documents."""

from typing import Any

from actors.policy.documents import descriptions
from actors.policy.documents.descriptions import Description
from actors.policy.recall.folders import Members, weights
from actors.staleness.rows import Folder
from daemon.context import Parts, check_limit, project_meant, seen_by, table
from daemon.requests.folders import FolderPage, Folders, FolderView
from daemon.requests.shapes import Request
from daemon.storage import stats

DAY = 86_400.0  # seconds
PROJECTS = 20  # whose files are read for one question: git takes a tenth of a second for each


async def relevances(parts: Parts, request: Request[Any]) -> dict[str, float]:
    """Rate each project, the best first; an agent is told of its own and of what holds everywhere."""
    seen, now = seen_by(parts, request), parts.clock.now()
    return weights(
        Members(project or "", tier, (now - changed) / DAY, count)
        for project, tier, count, changed in await parts.reader.read(stats.tiers_of_projects)
        if seen is None or project in seen
    )


async def folders(parts: Parts, request: Folders) -> FolderPage:
    """Describe folders; with a question those that share a word with it, the best first."""
    check_limit(request.limit)
    asked = descriptions.terms(request.query)
    found: list[FolderView] = []
    for project in await _projects(parts, request):
        for one in await parts.sources.visit(project, _described) or ():
            share = descriptions.matched(asked, one)
            if share or not request.query:
                found.append(
                    FolderView(
                        project=project, folder=one.folder,
                        description=one.sentence, matched=round(share, 3),
                    )
                )  # fmt: skip
    found.sort(key=lambda one: -one.matched)  # equals stay by the project's weight and the path
    return FolderPage(folders=found[: request.limit], total=len(found))


async def _projects(parts: Parts, request: Folders) -> list[str]:
    if request.everywhere:
        return [one for one in await relevances(parts, request) if one][:PROJECTS]
    meant = project_meant(parts, request.project)
    return [meant] if meant else []


def _described(folder: Folder) -> list[Description]:
    places = descriptions.describing(folder.files(".", descriptions.may_describe) or ())
    return [
        descriptions.description(place, text)
        for place, path in places.items()
        if (text := folder.read(path)) is not None
    ]


ANSWERS = table(folders)
