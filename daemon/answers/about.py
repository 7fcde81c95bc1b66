"""Memories that bear on a file that is open, and what is made ready for it (Q08)."""

from pathlib import Path

import msgspec

from actors.core.mailbox import Lane, MailboxFull
from actors.memory.rows import Scope
from actors.policy.recall.evidence import Reason
from actors.policy.recall.ranking import UNREAD
from actors.policy.session.prefetch import question_about
from actors.recall.messages import Expectation, Expected, Found, Opened, Search
from daemon.answers.recall import RECALL_DEADLINE, recalled
from daemon.context import PAGE_LIMIT, Parts, Progress, table
from daemon.ids import short_id
from daemon.requests.about import About, Bearing, Foreseen, Open
from daemon.requests.shapes import BadRequest, Done
from daemon.storage import memories
from daemon.views import view

EXPECTED_WITHIN = 2.0  # seconds
FAR = frozenset({str(Reason.DISTANT), UNREAD})  # reasons of results that nobody would miss


async def opened(parts: Parts, request: Open, _: Progress) -> Done:
    """An editor shows a file; what it is likely to call for is made ready in the background."""
    project = await project_of_file(parts, Path(request.path))
    try:
        parts.mailboxes.recall.offer(Opened(request.path, project), lane=Lane.BACKGROUND)
    except MailboxFull:
        return Done(count=0, note="too much is going on: nothing is made ready")
    return Done()


async def about(parts: Parts, request: About, _: Progress) -> Bearing:
    """What bears on a file, closely, and what is expected to be asked there."""
    if not 1 <= request.k <= PAGE_LIMIT:
        raise BadRequest(f"k is {request.k}: it must be between 1 and {PAGE_LIMIT}")
    project = await project_of_file(parts, Path(request.path))
    question = question_about(request.path, project)
    found: Found = await parts.mailboxes.recall.ask(
        lambda reply: Search(
            question, request.k, Scope(project), request.track, False, RECALL_DEADLINE, reply
        ),
        within=RECALL_DEADLINE,
    )
    expected: tuple[Expectation, ...] = await parts.mailboxes.recall.ask(
        lambda reply: Expected(request.path, project, reply), within=EXPECTED_WITHIN
    )
    answer = recalled(found, explain=True, as_prompt=False, at=parts.clock.now())
    near = [one for one in answer.results if one.why not in FAR]
    return Bearing(
        question=question,
        project=project,
        found=msgspec.structs.replace(answer, results=near),
        ready="prepared" in found.timings,
        expected=[_foreseen(one) for one in expected],
    )


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
