"""Memories at their places in the text of an open file, and feedback on their hints."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.memory.rows import Memory, Scope
from actors.policy.decay.forecast import Rules
from actors.policy.decay.suppression import Suppression, is_suppressed
from actors.policy.references import bearing, hints
from actors.policy.references.references import Reference
from actors.policy.references.symbols import definition
from actors.policy.times.validity import DAY, is_valid
from actors.staleness.rows import Folder
from actors.strength import rows
from actors.strength.rows import Opinion
from actors.strength.writes import HintMuted, HintsShown
from daemon.answers.about import CUED, project_of_file
from daemon.context import (
    PAGE,
    PAGE_LIMIT,
    Parts,
    commit,
    known_memories,
    project_meant,
    table,
)
from daemon.projects import place_in
from daemon.requests.hints import (
    Anchored,
    Anchors,
    Hinted,
    Match,
    Matched,
    MatchView,
    MuteHint,
)
from daemon.requests.shapes import BadRequest, Done
from daemon.states import origin_of, state_of
from daemon.storage import read_notes, references, strength
from daemon.views import memory_number, memory_view

MATCH_DEADLINE = 5.0  # seconds
AT_ONE_PLACE = 16  # memories that are hinted at one, the newest
RENAMED = 3  # symbols that a text does not define any more and that are looked for by other names


async def match(parts: Parts, request: Match) -> Matched:
    """The memories that a text in an editor mentions."""
    project = project_meant(parts, request.project)
    if project is None and request.path:
        project = await project_of_file(parts, Path(request.path))
    revision = parts.changes.revision
    limit = max(1, min(request.limit, PAGE))
    with trio.fail_after(MATCH_DEADLINE):
        found = await parts.triggers.called(request.text, Scope(project), limit)
    code = request.path is not None
    called = [one for one in found if one.given or not code or hints.is_name(one.match.phrase)]
    look = await _look(parts, {one.match.owner for one in called}, project, request.path)
    views: list[MatchView] = []
    for one in called:
        memory, match = look.memories.get(one.match.owner), one.match
        if memory is not None:
            own = hints.repeats(request.text, match.start, memory.text)
            base = hints.SET if one.given and not own else hints.MENTIONED
            views.append(look.view(memory, match.start, match.end, match.phrase, base, 1))
    return Matched(matches=views, revision=revision)


async def anchors(parts: Parts, request: Anchors) -> Anchored:
    """Memories about symbols and lines of a file, at their places in its text in the editor."""
    project, place = await _placed(parts, request.path)
    if project is None:
        return Anchored(matches=[], known=0)
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.about_places_of, project, place, PAGE_LIMIT)
    cues = await parts.reader.read(read_notes.cued_at, project, (place, request.path), CUED)
    named = partial(bearing.cued, place, request.text, cues)
    with trio.fail_after(MATCH_DEADLINE):
        cued = await parts.sources.visit(project, lambda _: named()) if cues else None
    stored = {one.memory_id: one.references for one in known}
    here: dict[int, Reference] = {}
    called: Counter[Reference] = Counter()
    for memory_id, those in sorted({**(cued or {}), **stored}.items(), reverse=True):
        about = hints.subject(those, shared)  # the newest first
        if about is None or about.path != place:
            continue
        called[about] += 1
        if called[about] <= AT_ONE_PLACE:
            here[memory_id] = about
    look = await _look(parts, here, project, request.path)
    wanted = dict.fromkeys(here[id_] for id_ in look.memories)
    with trio.fail_after(MATCH_DEADLINE):
        found = await parts.sources.visit(project, partial(_found, wanted, request.text)) or {}
    views: list[MatchView] = []
    for id_, memory in look.memories.items():
        about = here[id_]
        anchor = found.get(about)
        if anchor is not None and not hints.repeats(request.text, anchor.start, memory.text):
            name, crowd = about.symbol or place, shared.get((about.path, about.symbol), 1)
            seen = look.view(memory, anchor.start, anchor.end, name, anchor.base, crowd)
            views.append(
                msgspec.structs.replace(seen, anchored=True, stale=anchor.stale, lines=anchor.lines)
            )
    return Anchored(matches=views, known=len(here))


def _found(wanted: Iterable[Reference], text: str, _: Folder) -> dict[Reference, hints.Anchor]:
    """Find places in a text, on a thread: one takes milliseconds in a large one."""
    found: dict[Reference, hints.Anchor] = {}
    gone = 0
    for about in wanted:
        is_gone = bool(about.symbol and about.digest) and definition(text, about.symbol) is None
        gone += is_gone
        place = hints.anchor(about, text, is_gone=is_gone and gone > RENAMED)
        if place is not None:
            found[about] = place
    return found


async def hinted(parts: Parts, request: Hinted) -> Done:
    """Hints were shown in a file; the count is that of the showings that were new."""
    project, place = await _placed(parts, request.path)
    if project is None:
        return Done(count=0)
    now = parts.clock.now()
    shown, heeded = (tuple(map(memory_number, some)) for some in (request.shown, request.heeded))
    return Done(count=sum(await commit(parts, (HintsShown(project, place, shown, heeded, now),))))


async def mute_hint(parts: Parts, request: MuteHint) -> Done:
    """Hide the hint of a memory in a file, or show it again."""
    (memory,) = await known_memories(parts, [request.id])
    project, place = await _placed(parts, request.path)
    if project is None:
        raise BadRequest("the file is in no project with memories")
    unit = (HintMuted(memory.id, project, place, request.muted),)
    return Done(count=sum(await commit(parts, unit)))


async def _placed(parts: Parts, path: str) -> tuple[str | None, str]:
    """The project of a file and its path there; None for one that lies in none."""
    project = await project_of_file(parts, Path(path))
    place = place_in(project, path) if project is not None else None
    return (project, place) if place is not None else (None, "")


@dataclass(frozen=True, slots=True)
class _Look:
    """Living memories, and what people said of them in a project."""

    memories: dict[int, Memory]
    opinions: dict[int, Opinion]
    hinted: dict[int, rows.Hinted]
    now: float
    fading: Rules

    def view(
        self, memory: Memory, start: int, end: int, phrase: str, base: float, crowd: int
    ) -> MatchView:
        """Describe a memory at a stretch of text."""
        said, hint = self.opinions.get(memory.id, Opinion()), self.hinted.get(memory.id)
        hushed = is_suppressed(Suppression(said.suppressions, said.suppressed_at), self.now)
        state = state_of(memory, self.now, self.fading)
        standing = hints.Standing(
            memory.tier, state, max(0.0, self.now - memory.created_at) / DAY,
            said.useful, said.useless, hushed or (hint is not None and hint.muted),
            hint.unheeded if hint is not None else 0, crowd,
        )  # fmt: skip
        return memory_view(
            MatchView,
            memory,
            start=start,
            end=end,
            phrase=phrase,
            score=hints.worth(base, standing),
            state=state,
            origin=origin_of(memory),
            valid=is_valid(memory.validity, self.now),
        )


async def _look(parts: Parts, ids: Iterable[int], project: str | None, path: str | None) -> _Look:
    wanted = sorted(ids)
    stored = await parts.reader.memories(wanted)
    living = {i: one for i in wanted if (one := stored.get(i)) and one.ended is None}
    opinions = await parts.reader.opinions([*living], project)
    place = place_in(project, path) if project is not None and path is not None else None
    hinted: dict[int, rows.Hinted] = {}
    if project is not None and place is not None:
        hinted = await parts.reader.read(strength.hinted, [*living], project, place)
    return _Look(living, opinions, hinted, parts.clock.now(), parts.settings.fading)


ANSWERS = table(match, anchors, hinted, mute_hint)
