"""Memories with a bearing on an open file."""

from pathlib import Path

from actors.memory.rows import Memory
from actors.policy.recall.candidate import Candidate
from actors.policy.references import hints
from actors.policy.references.hints import Bond
from daemon.context import Parts
from daemon.projects import place_in
from daemon.shapes.results import Scored, scored
from daemon.sources import DiskFolder
from daemon.storage import memories, read_notes, references

KNOWN = 5_000  # memories of a project that are looked at for a file
CUED = 200  # cues of a reader's notes that are; a project has some hundred
# What a reader sees as their score.
WORTH = {Bond.DEFINED: 1.0, Bond.NAMED: 0.9, Bond.USED: 0.7}


async def results_near(
    parts: Parts, project: str, path: Path, place: str, *, sure: bool
) -> list[tuple[Memory, Scored]]:
    """Living memories with a bearing on a file, the surest first; ``sure``: without the ones about
    things used in it."""
    near = await _near(parts, project, path, place)
    stored = await parts.reader.memories([one.memory_id for one in near])
    at = parts.clock.now()
    return [
        (memory, scored(Candidate(memory, WORTH[one.bond], one.why), explain=False, at=at))
        for one in near
        if (memory := stored.get(one.memory_id)) is not None
        and memory.ended is None
        and not (sure and one.bond is Bond.USED)
    ]


async def _near(parts: Parts, project: str, path: Path, place: str) -> list[hints.Bearing]:
    """Memories with a bearing on a file of a project, by its text where readable."""
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.referring_in, project, KNOWN)
    about = {one.memory_id: one.references for one in known}
    cues = await parts.reader.read(read_notes.cued_at, project, (place, str(path)), CUED)
    root = await parts.sources.checkout(project, str(path.parent))

    def chosen(folder: DiskFolder) -> list[hints.Bearing]:
        text = folder.read(place) or ""
        for memory_id, own in hints.cued(place, text, cues).items():
            about[memory_id] = (*about.get(memory_id, ()), *own)
        return hints.bearing(place, hints.words_of(text), about, shared)

    return await parts.sources.visit(root, chosen) or []


async def project_of_file(parts: Parts, path: Path) -> str | None:
    """The project a file lies in: its repository, else the nearest folder with memories."""
    folder = parts.project_of(str(path.parent))
    if folder is None or Path(folder) != path.parent:
        return folder
    above = [str(parent) for parent in (path.parent, *path.parent.parents)]
    known = await parts.reader.read(memories.known_project, above)
    return known or folder


async def place_of_file(parts: Parts, path: str) -> tuple[str | None, str]:
    """The project of a file and its path there; ``None`` for one outside of any."""
    project = await project_of_file(parts, Path(path))
    place = place_in(project, path) if project is not None else None
    return (project, place) if place is not None else (None, "")
