"""Folders: the weight of each project, and the purpose of its folders, by their own documents."""

from actors.policy.documents import descriptions
from actors.policy.documents.descriptions import Description
from actors.policy.recall.folders import Members, project_weights
from daemon.context import Parts
from daemon.sources import DiskFolder
from daemon.storage import stats

DAY = 86_400.0  # seconds
PROJECTS = 20  # whose files are read for one question: git takes a tenth of a second for each


async def relevances(parts: Parts, seen: frozenset[str | None] | None) -> dict[str, float]:
    """Rate each project, the best first; only the ones ``seen``, where not all may be."""
    now = parts.clock.now()
    return project_weights(
        Members(project or "", tier, (now - changed) / DAY, count)
        for project, tier, count, changed in await parts.reader.read(stats.tiers_of_projects)
        if seen is None or project in seen
    )


async def projects(parts: Parts, seen: frozenset[str | None] | None) -> list[str]:
    """Name the projects of the greatest weight."""
    return [one for one in await relevances(parts, seen) if one][:PROJECTS]


def described(folder: DiskFolder) -> list[Description]:
    """Describe the folders of a project, on the thread of the files."""
    places = descriptions.describing(folder.files(".", descriptions.may_describe) or ())
    return [
        descriptions.description(place, text)
        for place, path in places.items()
        if (text := folder.read(path)) is not None
    ]
