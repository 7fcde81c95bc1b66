"""Memories at their places in the text of an open file, and feedback on their hints."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio

from actors.memory import use as rows
from actors.memory.rows import Memory, Scope
from actors.memory.use import Opinion
from actors.policy.decay.reinforcement import Suppression, is_suppressed
from actors.policy.decay.states import Rules
from actors.policy.references import hints
from actors.policy.references.references import Reference
from actors.policy.references.symbols import definition
from actors.policy.times.validity import DAY, is_valid
from daemon.answers.about import CUED, place_of_file, project_of_file
from daemon.context import Parts
from daemon.projects import place_in
from daemon.shapes.hint import MatchView
from daemon.shapes.replies import PAGE, PAGE_LIMIT
from daemon.sources import DiskFolder
from daemon.states import origin_of, state_of
from daemon.storage import opinions as opinions_stored
from daemon.storage import read_notes, references
from daemon.views import memory_view

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
    called = [one for one in found if one.given or not code or hints.is_name(one.match.phrase)]
    look = await _look(parts, {one.match.owner for one in called}, project, path)
    views: list[MatchView] = []
    for one in called:
        memory, match = look.memories.get(one.match.owner), one.match
        if memory is not None:
            own = hints.repeats(text, match.start, memory.text)
            base = hints.SET if one.given and not own else hints.MENTIONED
            views.append(look.view(memory, match.start, match.end, match.phrase, base))
    return views


async def anchored(parts: Parts, path: str, text: str) -> tuple[list[MatchView], int]:
    """Find memories about symbols and lines of a file at their places in its text in the editor.

    And their number, including memories without a place there.
    """
    project, place = await place_of_file(parts, path)
    if project is None:
        return [], 0
    shared = await parts.reader.read(references.shared_symbols, project)
    known = await parts.reader.read(references.about_places_of, project, place, PAGE_LIMIT)
    cues = await parts.reader.read(read_notes.cued_at, project, (place, path), CUED)
    named = partial(hints.cued, place, text, cues)
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
    look = await _look(parts, here, project, path)
    wanted = dict.fromkeys(here[id_] for id_ in look.memories)
    with trio.fail_after(MATCH_DEADLINE):
        found = await parts.sources.visit(project, partial(_found, wanted, text)) or {}
    views: list[MatchView] = []
    for id_, memory in look.memories.items():
        about = here[id_]
        anchor = found.get(about)
        if anchor is not None and not hints.repeats(text, anchor.start, memory.text):
            name, crowd = about.symbol or place, shared.get((about.path, about.symbol), 1)
            views.append(
                look.view(memory, anchor.start, anchor.end, name, anchor.base, crowd, anchor)
            )
    return views, len(here)


def _found(wanted: Iterable[Reference], text: str, _: DiskFolder) -> dict[Reference, hints.Anchor]:
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


@dataclass(frozen=True, slots=True)
class _Look:
    """Living memories, and people's opinions of them in a project."""

    memories: dict[int, Memory]
    opinions: dict[int, Opinion]
    hinted: dict[int, rows.Hinted]
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
        anchor: hints.Anchor | None = None,
    ) -> MatchView:
        """Weigh a memory at a stretch of text."""
        said, hint = self.opinions.get(memory.id, Opinion()), self.hinted.get(memory.id)
        hushed = is_suppressed(Suppression(said.suppressions, said.suppressed_at), self.now)
        state = state_of(memory, self.now, self.fading)
        figures = hints.Figures(
            memory.tier, state, max(0.0, self.now - memory.created_at) / DAY,
            said.useful, said.useless, hushed or (hint is not None and hint.muted),
            hint.unheeded if hint is not None else 0, crowd,
        )  # fmt: skip
        return memory_view(
            MatchView, memory, start=start, end=end, phrase=phrase, score=hints.worth(base, figures),
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
    hinted: dict[int, rows.Hinted] = {}
    if project is not None and place is not None:
        hinted = await parts.reader.read(opinions_stored.hinted, [*living], project, place)
    return _Look(living, opinions, hinted, parts.clock.now(), parts.settings.fading)
