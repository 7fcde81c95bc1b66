"""Memories with a bearing on an open file, their places in its text, and feedback on their hints."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import trio
from msgspec import Struct

from actors.memory.rows import Memory, Scope
from actors.memory.use import Opinion, origin_of, state_of
from actors.policy.decay.curve import is_suppressed
from actors.policy.decay.states import Rules
from actors.policy.recall.candidates import Candidate
from actors.policy.references import places
from actors.policy.references.places import Bond
from actors.policy.references.references import Reference
from actors.policy.references.symbols import definition
from actors.policy.times.stated_times import DAY, is_valid
from daemon.context import Parts
from daemon.projects import place_in
from daemon.shapes.memory import MatchView
from daemon.shapes.replies import PAGE, PAGE_LIMIT
from daemon.shapes.results import Scored, scored
from daemon.sources import DiskFolder
from daemon.storage import files, memories, read_notes, strength
from daemon.views import memory_view

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


async def _near(parts: Parts, project: str, path: Path, place: str) -> list[places.Bearing]:
    """Memories with a bearing on a file of a project, by its text where readable."""
    shared = await parts.reader.read(files.shared_symbols, project)
    known = await parts.reader.read(files.referring_in, project, KNOWN)
    about = {one.memory_id: one.references for one in known}
    cues = await parts.reader.read(read_notes.cued_at, project, (place, str(path)), CUED)
    root = await parts.sources.checkout(project, str(path.parent))

    def chosen(folder: DiskFolder) -> list[places.Bearing]:
        text = folder.read(place) or ""
        for memory_id, own in places.cued(place, text, cues).items():
            about[memory_id] = (*about.get(memory_id, ()), *own)
        return places.bearing(place, places.words_of(text), about, shared)

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


# ---- their places in the text of a file, and the hints there


MATCH_DEADLINE = 5.0  # seconds
AT_ONE_PLACE = 16  # memories that are hinted at one, the newest
RENAMED = 3  # symbols that a text does not define any more and that are looked for by other names


async def matches(
    parts: Parts, text: str, path: str | None, project: str | None, limit: int
) -> list[MatchView]:
    """Find the memories called by a text; in code (it has a path) only by names there."""
    project = parts.project_meant(project)
    if project is None and path:
        project = await project_of_file(parts, Path(path))
    limit = max(1, min(limit, PAGE))
    with trio.fail_after(MATCH_DEADLINE):
        found = await parts.triggers.called(text, Scope(project), limit)
    code = path is not None
    called = [one for one in found if one.given or not code or places.is_name(one.match.phrase)]
    look = await _look(parts, {one.match.owner for one in called}, project, path)
    views: list[MatchView] = []
    for one in called:
        memory, match = look.memories.get(one.match.owner), one.match
        if memory is not None:
            own = places.repeats(text, match.start, memory.text)
            base = places.SET if one.given and not own else places.MENTIONED
            views.append(look.view(memory, match.start, match.end, match.phrase, base))
    return views


async def anchored(parts: Parts, path: str, text: str) -> tuple[list[MatchView], int]:
    """Find memories about symbols and lines of a file at their places in its text in the editor.

    And their number, including memories without a place there.
    """
    project, place = await place_of_file(parts, path)
    if project is None:
        return [], 0
    shared = await parts.reader.read(files.shared_symbols, project)
    known = await parts.reader.read(files.about_places_of, project, place, PAGE_LIMIT)
    cues = await parts.reader.read(read_notes.cued_at, project, (place, path), CUED)
    named = partial(places.cued, place, text, cues)
    with trio.fail_after(MATCH_DEADLINE):
        cued = await parts.sources.visit(project, lambda _: named()) if cues else None
    stored = {one.memory_id: one.references for one in known}
    here: dict[int, Reference] = {}
    called: Counter[Reference] = Counter()
    for memory_id, those in sorted({**(cued or {}), **stored}.items(), reverse=True):
        about = places.subject(those, shared)  # the newest first
        if about is None or about.path != place:
            continue
        called[about] += 1
        if called[about] <= AT_ONE_PLACE:
            here[memory_id] = about
    look = await _look(parts, here, project, path)
    wanted = dict.fromkeys(here[id_] for id_ in look.memories)
    with trio.fail_after(MATCH_DEADLINE):
        found = await parts.sources.visit(project, partial(_found, wanted, text)) or {}
    views: list[MatchView] = []
    for id_, memory in look.memories.items():
        about = here[id_]
        anchor = found.get(about)
        if anchor is not None and not places.repeats(text, anchor.start, memory.text):
            name, crowd = about.symbol or place, shared.get((about.path, about.symbol), 1)
            views.append(
                look.view(memory, anchor.start, anchor.end, name, places.DEFINED, crowd, anchor)
            )
    return views, len(here)


def _found(wanted: Iterable[Reference], text: str, _: DiskFolder) -> dict[Reference, places.Anchor]:
    """Find places in a text, on a thread: one takes milliseconds in a large one."""
    found: dict[Reference, places.Anchor] = {}
    gone = 0
    for about in wanted:
        is_gone = bool(about.symbol and about.digest) and definition(text, about.symbol) is None
        gone += is_gone
        place = places.anchor(about, text, is_gone=is_gone and gone > RENAMED)
        if place is not None:
            found[about] = place
    return found


class _Look(Struct, frozen=True):
    """Living memories, and people's opinions of them in a project."""

    memories: dict[int, Memory]
    opinions: dict[int, Opinion]
    muted: set[int]
    now: float
    fading: Rules

    def view(
        self,
        memory: Memory,
        start: int,
        end: int,
        phrase: str,
        base: float,
        crowd: int = 1,
        anchor: places.Anchor | None = None,
    ) -> MatchView:
        """Weigh a memory at a stretch of text."""
        said = self.opinions.get(memory.id, Opinion())
        hushed = is_suppressed(said.suppressed_at, self.now)
        state = state_of(memory, self.now, self.fading)
        figures = places.Figures(
            memory.tier, state, max(0.0, self.now - memory.created_at) / DAY,
            said.useful, said.useless, hushed or memory.id in self.muted, crowd,
        )  # fmt: skip
        return memory_view(
            MatchView, memory, start=start, end=end, phrase=phrase, score=places.worth(base, figures),
            state=state, origin=origin_of(memory), valid=is_valid(memory.validity, self.now),
            stale=memory.stale if anchor is None else anchor.stale, anchored=anchor is not None,
            lines=1 if anchor is None else anchor.lines,
        )  # fmt: skip


async def _look(parts: Parts, ids: Iterable[int], project: str | None, path: str | None) -> _Look:
    wanted = sorted(ids)
    stored = await parts.reader.memories(wanted)
    living = {i: one for i in wanted if (one := stored.get(i)) and one.ended is None}
    opinions = await parts.reader.opinions([*living], project)
    place = place_in(project, path) if project is not None and path is not None else None
    muted = set[int]()
    if project is not None and place is not None:
        muted = await parts.reader.read(strength.muted, project, place)
    return _Look(living, opinions, muted, parts.clock.now(), parts.settings.fading)
