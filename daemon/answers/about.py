"""Memories that bear on an open file, and what is made ready for it."""

from collections.abc import Sequence
from pathlib import Path

from actors.core.mailbox import Lane, MailboxFull
from actors.intake.rows import EndedFailure
from actors.policy.references import bearing
from actors.policy.references.bearing import Bond
from actors.recall.messages import Expectation, Expected, Found, Note, Opened
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
    Foreseen,
    Open,
    SourceView,
)
from daemon.requests.recall import Recalled
from daemon.requests.shapes import BadRequest, Done
from daemon.storage import changes, memories, references
from daemon.views import short_id, view

EXPECTED_WITHIN = 2.0  # seconds
COMPANIONS = 8  # files that were changed together with one
ENDED = 3  # failures that an edit of it ended
KNOWN = 5_000  # memories of a project that are looked at for a file
# What a reader sees as their score.
WORTH = {Bond.DEFINED: 1.0, Bond.NAMED: 0.9, Bond.USED: 0.7}


async def opened(parts: Parts, request: Open) -> Done:
    """An editor shows a file; what it is likely to call for is made ready in the background."""
    project = await project_of_file(parts, Path(request.path))
    if project is not None:
        parts.mailboxes.staleness.hint(FileOpened(request.path, project))
    try:
        parts.mailboxes.recall.offer(Opened(request.path, project), lane=Lane.BACKGROUND)
    except MailboxFull:
        return Done(count=0, note="too much is going on: nothing is made ready")
    return Done()


async def about(parts: Parts, request: About) -> Bearing:
    """Memories that bear on a file, what changed with it, and what is expected to be asked there."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    path = Path(request.path)
    project = await project_of_file(parts, path)
    place = place_in(project, request.path) if project is not None else None
    if project is None or place is None:
        return Bearing(
            project=project, found=_recalled(parts, []), expected=[], together=[], ended=[]
        )
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
        expected=await expected_at(parts, request.path, project),
        together=[view(CompanionView, one) for one in together],
        ended=[ended_view(one) for one in ended],
        sources={short_id(one.memory.id): view(SourceView, one.memory) for one in notes},
    )


async def _near(parts: Parts, project: str, path: Path, place: str) -> list[bearing.Bearing]:
    """Memories that bear on a file of a project, by its text where that can be read."""
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.referring_in, project, KNOWN)
    about = {one.memory_id: one.references for one in known}
    root = await parts.sources.checkout(project, str(path.parent))

    def chosen(folder: Folder) -> list[bearing.Bearing]:
        return bearing.bearing(place, bearing.words_of(folder.read(place) or ""), about, shared)

    return await parts.sources.visit(root, chosen) or []


def _recalled(parts: Parts, notes: Sequence[Note]) -> Recalled:
    found = Found(tuple(notes), 1.0 if notes else 0.0, "none", None, {}, {})
    return recalled(found, explain=False, at=parts.clock.now())


async def expected_at(parts: Parts, path: str, project: str | None) -> list[Foreseen]:
    """Questions and memories that are likely to be needed at a file."""
    expected: tuple[Expectation, ...] = await parts.mailboxes.recall.ask(
        lambda reply: Expected(path, project, reply), within=EXPECTED_WITHIN
    )
    return [_foreseen(one) for one in expected]


def ended_view(one: EndedFailure) -> EndedView:
    """Return how a failure was ended, for clients."""
    return view(EndedView, one, paths=list(one.paths), repairs=list(one.repairs))


def _foreseen(one: Expectation) -> Foreseen:
    memory = isinstance(one.what, int)
    return view(
        Foreseen,
        one,
        memory=short_id(one.what) if isinstance(one.what, int) else None,
        question=None if memory else str(one.what),
    )


async def project_of_file(parts: Parts, path: Path) -> str | None:
    """The project a file lies in: its repository, else the nearest folder with memories."""
    folder = parts.project_of(str(path.parent))
    if folder is None or Path(folder) != path.parent:
        return folder
    above = [str(parent) for parent in (path.parent, *path.parent.parents)]
    known = await parts.reader.read(memories.known_project, above)
    return known or folder


ANSWERS = table(opened, about)
