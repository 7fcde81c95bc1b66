"""Memories that bear on an open file."""

from collections.abc import Sequence
from pathlib import Path

from actors.intake.rows import EndedFailure
from actors.policy.references import bearing
from actors.policy.references.bearing import Bond
from actors.recall.messages import Found, Note
from actors.staleness.messages import FileOpened
from actors.staleness.rows import Folder
from daemon.answers.recall import recalled
from daemon.context import PAGE_LIMIT, Parts, table
from daemon.projects import place_in
from daemon.requests.about import (
    About,
    Bearing,
    CompanionView,
    EndedView,
    Open,
    SourceView,
)
from daemon.requests.recall import Recalled
from daemon.requests.shapes import BadRequest, Done
from daemon.storage import changes, memories, read_notes, references
from daemon.views import short_id, view

COMPANIONS = 8  # files that were changed together with one
ENDED = 3  # failures that an edit of it ended
KNOWN = 5_000  # memories of a project that are looked at for a file
CUED = 200  # cues of a reader's notes that are; a project has some hundred
# What a reader sees as their score.
WORTH = {Bond.DEFINED: 1.0, Bond.NAMED: 0.9, Bond.USED: 0.7}


async def opened(parts: Parts, request: Open) -> Done:
    """An editor shows a file: what is known about it is compared with it again."""
    project = await project_of_file(parts, Path(request.path))
    if project is not None:
        parts.mailboxes.staleness.hint(FileOpened(request.path, project))
    return Done()


async def about(parts: Parts, request: About) -> Bearing:
    """Memories that bear on a file, and what changed with it."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    path = Path(request.path)
    project = await project_of_file(parts, path)
    place = place_in(project, request.path) if project is not None else None
    if project is None or place is None:
        return Bearing(project=project, found=_recalled(parts, []), together=[], ended=[])
    near = await _near(parts, project, path, place)
    stored = await parts.reader.memories([one.memory_id for one in near])
    notes = [
        Note(memory, WORTH[one.bond], one.why, {})
        for one in near
        if (memory := stored.get(one.memory_id)) is not None
        and memory.ended is None
        and not (request.sure and one.bond is Bond.USED)
    ][: request.k]
    together = await parts.reader.read(changes.companions, project, place, COMPANIONS)
    ended = await parts.reader.read(changes.ended_by, project, place, ENDED)
    return Bearing(
        project=project,
        found=_recalled(parts, notes),
        together=[view(CompanionView, one) for one in together],
        ended=[ended_view(one) for one in ended],
        sources={short_id(one.memory.id): view(SourceView, one.memory) for one in notes},
    )


async def _near(parts: Parts, project: str, path: Path, place: str) -> list[bearing.Bearing]:
    """Memories that bear on a file of a project, by its text where that can be read."""
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.referring_in, project, KNOWN)
    about = {one.memory_id: one.references for one in known}
    cues = await parts.reader.read(read_notes.cued_at, project, (place, str(path)), CUED)
    root = await parts.sources.checkout(project, str(path.parent))

    def chosen(folder: Folder) -> list[bearing.Bearing]:
        text = folder.read(place) or ""
        for memory_id, own in bearing.cued(place, text, cues).items():
            about[memory_id] = (*about.get(memory_id, ()), *own)
        return bearing.bearing(place, bearing.words_of(text), about, shared)

    return await parts.sources.visit(root, chosen) or []


def _recalled(parts: Parts, notes: Sequence[Note]) -> Recalled:
    found = Found(tuple(notes), 1.0 if notes else 0.0, "none", None, {}, {})
    return recalled(found, explain=False, at=parts.clock.now())


def ended_view(one: EndedFailure) -> EndedView:
    """Return how a failure was ended, for clients."""
    return view(EndedView, one, paths=list(one.paths), repairs=list(one.repairs))


async def project_of_file(parts: Parts, path: Path) -> str | None:
    """The project a file lies in: its repository, else the nearest folder with memories."""
    folder = parts.project_of(str(path.parent))
    if folder is None or Path(folder) != path.parent:
        return folder
    above = [str(parent) for parent in (path.parent, *path.parent.parents)]
    known = await parts.reader.read(memories.known_project, above)
    return known or folder


ANSWERS = table(opened, about)
