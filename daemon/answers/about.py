"""Memories that bear on an open file or stand in its text, and what is made ready for it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import trio

from actors.core.mailbox import Lane, MailboxFull
from actors.intake.rows import EndedFailure
from actors.memory.rows import Memory, Scope
from actors.policy.decay.forecast import Rules
from actors.policy.decay.suppression import Suppression, is_suppressed
from actors.policy.references import bearing, hints
from actors.policy.references.bearing import Bond
from actors.policy.times.validity import is_valid
from actors.recall.messages import Called, Expectation, Expected, Found, Note, Opened, WhatMatches
from actors.staleness.messages import FileOpened
from actors.staleness.rows import Folder
from actors.strength.rows import Opinion
from daemon.answers.recall import recalled
from daemon.context import PAGE, PAGE_LIMIT, Parts, Progress, project_meant, table
from daemon.projects import place_in
from daemon.requests.about import (
    About,
    Anchored,
    Anchors,
    Bearing,
    CompanionView,
    EndedView,
    Foreseen,
    Match,
    Matched,
    MatchView,
    Open,
)
from daemon.requests.recall import Recalled
from daemon.requests.shapes import BadRequest, Done
from daemon.states import origin_of, state_of
from daemon.storage import changes, memories, references
from daemon.views import memory_view, short_id, view

EXPECTED_WITHIN = 2.0  # seconds
COMPANIONS = 8  # files that were changed together with one
ENDED = 3  # failures that an edit of it ended
KNOWN = 5_000  # memories of a project that are looked at for a file
# What a reader sees as their score.
WORTH = {Bond.DEFINED: 1.0, Bond.NAMED: 0.9, Bond.USED: 0.7}


async def opened(parts: Parts, request: Open, _: Progress) -> Done:
    """An editor shows a file; what it is likely to call for is made ready in the background."""
    project = await project_of_file(parts, Path(request.path))
    if project is not None:
        parts.mailboxes.staleness.hint(FileOpened(request.path, project))
    try:
        parts.mailboxes.recall.offer(Opened(request.path, project), lane=Lane.BACKGROUND)
    except MailboxFull:
        return Done(count=0, note="too much is going on: nothing is made ready")
    return Done()


async def about(parts: Parts, request: About, _: Progress) -> Bearing:
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
        if (memory := stored.get(one.memory_id)) is not None and memory.ended is None
    ]
    together = await parts.reader.read(changes.companions, project, place, COMPANIONS)
    ended = await parts.reader.read(changes.ended_by, project, place, ENDED)
    return Bearing(
        project=project,
        found=_recalled(parts, notes[: request.k]),
        expected=await expected_at(parts, request.path, project),
        together=[view(CompanionView, one) for one in together],
        ended=[ended_view(one) for one in ended],
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
    """What is likely to be asked or needed at a file."""
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


MATCH_DEADLINE = 5.0  # seconds


async def match(parts: Parts, request: Match, _: Progress) -> Matched:
    """The memories that a text in an editor mentions."""
    project = project_meant(parts, request.project)
    if project is None and request.path:
        project = await project_of_file(parts, Path(request.path))
    revision = parts.changes.revision
    found: list[Called] = await parts.mailboxes.triggers.ask(
        lambda reply: WhatMatches(
            request.text, Scope(project), max(1, min(request.limit, PAGE)), reply
        ),
        within=MATCH_DEADLINE,
    )
    code = request.path is not None
    called = [one for one in found if one.given or not code or hints.is_name(one.match.phrase)]
    look = await _look(parts, {one.match.owner for one in called}, project)
    views: list[MatchView] = []
    for one in called:
        memory, match = look.memories.get(one.match.owner), one.match
        if memory is not None:
            own = hints.repeats(request.text, match.start, memory.text)
            base = hints.SET if one.given and not own else hints.MENTIONED
            views.append(look.view(memory, match.start, match.end, match.phrase, base))
    return Matched(matches=views, revision=revision)


async def anchors(parts: Parts, request: Anchors, _: Progress) -> Anchored:
    """Memories about symbols of a file, where its text as the editor has it defines them."""
    project = await project_of_file(parts, Path(request.path))
    place = place_in(project, request.path) if project is not None else None
    if project is None or place is None:
        return Anchored(matches=[], known=0)
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.about_symbols_of, project, place, PAGE_LIMIT)
    here = {
        one.memory_id: about
        for one in known
        if (about := hints.subject(one.references, shared)) is not None and about.path == place
    }
    look = await _look(parts, here, project)
    views: list[MatchView] = []
    for memory in look.memories.values():
        await trio.lowlevel.checkpoint()  # a symbol of a large text takes milliseconds
        about = here[memory.id]
        found = hints.anchor(about, request.text)
        if found is None or hints.repeats(request.text, found.start, memory.text):
            continue
        seen = look.view(memory, found.start, found.end, about.symbol, hints.DEFINED)
        stale = "; ".join(filter(None, (found.stale, memory.remarks)))
        views.append(msgspec.structs.replace(seen, anchored=True, stale=stale))
    return Anchored(matches=views, known=len(here))


@dataclass(frozen=True, slots=True)
class _Look:
    """Living memories, and what people said of them in a project."""

    memories: dict[int, Memory]
    opinions: dict[int, Opinion]
    now: float
    fading: Rules

    def view(self, memory: Memory, start: int, end: int, phrase: str, base: float) -> MatchView:
        """Describe a memory at a stretch of text."""
        said = self.opinions.get(memory.id, Opinion())
        hushed = is_suppressed(Suppression(said.suppressions, said.suppressed_at), self.now)
        return memory_view(
            MatchView,
            memory,
            start=start,
            end=end,
            phrase=phrase,
            score=hints.worth(base, memory.tier, said.useful, said.useless, hushed),
            state=state_of(memory, self.now, self.fading),
            origin=origin_of(memory),
            valid=is_valid(memory.validity, self.now),
        )


async def _look(parts: Parts, ids: Iterable[int], project: str | None) -> _Look:
    wanted = sorted(ids)
    stored = await parts.reader.memories(wanted)
    living = {i: one for i in wanted if (one := stored.get(i)) and one.ended is None}
    opinions = await parts.reader.opinions([*living], project)
    return _Look(living, opinions, parts.clock.now(), parts.settings.fading)


ANSWERS = table(opened, about, match, anchors)
