"""Answers to an agent's tool events: before a call the note about it, after a failure its known fix.

The event is durable already, and a call about to be made is kept by nobody. A note too late for the hook's
time is not told.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate
from typing import Final

import trio
from msgspec import Struct
from msgspec.structs import replace

from actors.core.equipment import Receipt
from actors.intake.messages import EndedFailure, WhatEndedIt
from actors.memory.commit import PASSING
from actors.memory.rows import Memory, Scope
from actors.memory.use import Answered, Exposed, Injected
from actors.policy.events.edits import shell_writes
from actors.policy.events.events import Event, EventKind, Tool, Upcoming
from actors.policy.events.trail import EDITORS, SHELLS, has_failed
from actors.policy.recall import notes
from actors.policy.recall.candidates import Candidate
from actors.policy.recall.notes import NEAR, Considered, Cued, Fate
from actors.policy.references.mentions import Command, begun, commands, says_how
from actors.policy.session.ledger import Context, has
from actors.policy.statements.trust import is_users_word
from actors.policy.text import wording
from actors.recall.standing import true_and_wanted
from actors.recall.tell_or_not import block_of, made
from actors.session.shapes import Delivered, IsSilent, WhatItHas
from daemon.context import Parts
from daemon.storage import read_notes, strength

log = logging.getLogger(__name__)


class ToldNote(Struct, frozen=True):
    """A note told at a moment, and the candidates weighed for it."""

    note: Memory
    place: str
    considered: tuple[Considered, ...]


LINE = 2 * 1024  # characters of a command that is read before an answer
ROOM = 1_200  # characters of a note and its frame
MOST: Final = 64  # matches of names in a call
BEFORE: Final = "tool"  # place of a telling: before a call
FAILED: Final = "failure"  # at a failure
REASONS: Final = {
    BEFORE: "its cue begins the command",
    FAILED: "its error stands in the message",
}
GIVEN_FOR: Final = "the user kept it for this file or command"


async def after_tool(
    parts: Parts, event: Event, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell known facts of a failure: a note with its error, else its last fix; mostly nothing."""
    session, now = event.session, parts.clock.now()
    if not parts.settings.injection.failures:
        return ""
    if project is None or not session or not _may_have_failed(event):
        return ""
    note: ToldNote | None = None
    ended: EndedFailure | None = None
    try:
        with trio.fail_after(max(within, 0.0)):
            if await wants_none(parts, session, within):
                return ""
            note = await _known(parts, event, project, now, within)
            if note is None and event.tool is not None and event.tool.command:
                ended = await parts.mailboxes.extraction.ask(
                    WhatEndedIt(event, project), within=within
                )
    except PASSING as error:
        log.warning("failure_unanswered why=%s", type(error).__name__)
    if note is not None:
        return _told(parts, note, session, project, now, receipt)
    if ended is None:
        return ""
    ago = now - ended.at
    return notes.ended(ended.paths, ended.repairs, ended.commit, ended.session, ago)


async def before_tool(
    parts: Parts, call: Upcoming, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell the one note about a call, once a session; mostly nothing."""
    session, now = call.session, parts.clock.now()
    if project is None or not session or call.agent_id:
        return ""
    try:
        with trio.fail_after(max(within, 0.0)):
            note = await _before(parts, call, project, now, within)
            if note is None or await wants_none(parts, session, within):
                return ""
    except PASSING as error:
        log.warning("call_unanswered why=%s", type(error).__name__)
        return ""
    edit = call.tool if _files(call) else None
    return _told(parts, note, session, project, now, receipt, edit=edit)


async def _before(
    parts: Parts, call: Upcoming, project: str, now: float, within: float
) -> ToldNote | None:
    """The note about a call: one kept by a person about its files or command, else one with a cue at its
    beginning."""
    run = commands(call.tool.command) if call.tool.name in SHELLS else ()
    given = await _given(parts, call, run, project)
    said = await _cued(parts, run, project) if run else {}
    if not said and not given:
        return None
    known = await _living(parts, {*said, *given}, project, now)
    there = {i: words for i, words in said.items() if i in known and says_how(known[i].kind)}
    kept = {i for i in given if i in known and known[i].status == "confirmed"}
    there |= dict.fromkeys(kept - there.keys(), 1)
    had = await parts.mailboxes.working_memory.ask(
        WhatItHas(call.session, project, now), within=within
    )
    # A command's note is told once more where the start said it: that was long before.
    new = replace(had, told=frozenset()) if run else had
    return await _chosen(parts, known, there, kept, call.session, BEFORE, new)


async def _given(
    parts: Parts, call: Upcoming, run: Sequence[Command], project: str
) -> frozenset[int]:
    """Memories kept on purpose by a person, naming a file to be written, its folder, or a command."""
    files, lines = _files(call), [line for one in run for line in one.spellings]
    said = (*files, *lines)  # of a name that stands twice the first place counts
    if not any(said):
        return frozenset()
    starts = [*accumulate((len(one) + 1 for one in said), initial=0)]
    begins, commands_from = {*starts}, starts[len(files)]
    folders = (project, call.cwd)
    called = await parts.triggers.called("\n".join(said), Scope(project), MOST, folders=folders)
    named = (one.match for one in called if one.named)
    return frozenset(one.owner for one in named if one.start < commands_from or one.start in begins)


def _files(call: Upcoming) -> tuple[str, ...]:
    """The files written by a call."""
    tool = call.tool
    if tool.name in SHELLS:
        return shell_writes(tool.command[:LINE], call.cwd)
    return (tool.path,) if tool.name in EDITORS else ()


async def _cued(parts: Parts, run: Sequence[Command], project: str) -> dict[int, int]:
    """Notes of which a cue begins one of these commands, each with the words of its longest."""
    said = dict[int, int]()
    for number, cue in await parts.reader.read(read_notes.cues, project, "command"):
        if words := begun(cue, run):
            said[number] = max(said.get(number, 0), words)
    return said


async def _known(
    parts: Parts, event: Event, project: str, now: float, within: float
) -> ToldNote | None:
    """The note with one of its error cues in a call's failure."""
    tool = event.tool
    cues = await parts.reader.read(read_notes.cues, project, "error")
    if tool is None or not cues:
        return None
    said = notes.errors_in(tool.error or tool.output, cues)
    if not said:
        return None
    known = await _living(parts, said, project, now)
    had = await parts.mailboxes.working_memory.ask(
        WhatItHas(event.session, project, now), within=within
    )
    new = replace(had, told=frozenset())
    return await _chosen(parts, known, said, frozenset(), event.session, FAILED, new)


async def _living(parts: Parts, ids: Iterable[int], project: str, now: float) -> dict[int, Memory]:
    """Memories among these true now and left out by nobody."""
    known = await parts.reader.memories([*ids])
    living = [one for one in known.values() if one.ended is None]
    return {one.id: one for one in await true_and_wanted(parts.reader, living, project, now)}


async def _chosen(
    parts: Parts,
    known: Mapping[int, Memory],
    said: Mapping[int, int],
    kept: Set[int],
    session: str,
    place: str,
    had: Context,
) -> ToldNote | None:
    """The one note to tell at a place, of the notes with a cue there."""
    cued = {i: known[i] for i, words in said.items() if words and i in known}
    there = {
        i: one
        for i, one in cued.items()
        if not has(had, session, made(one)) and not parts.moments.has(session, place, i)
    }
    if not there:
        return None
    unused = await parts.reader.read(strength.told_unused, [*there], place, session)
    nowhere = (0, False)
    chosen = notes.chosen(
        Cued(
            i, said[i], one.kind, is_users_word(one.source), i in kept,
            *unused.get(i, nowhere),
        )
        for i, one in there.items()
    )  # fmt: skip
    if chosen is None:
        return None
    why = GIVEN_FOR if chosen.is_kept else REASONS[place]
    told = Considered(chosen.identity, 1.0, why, Fate.TOLD)
    silent = {i for i, (sessions, _) in unused.items() if sessions >= notes.SILENT}
    fates = {i: Fate.WASTED if i in silent else Fate.LESS_SURE for i in there}
    left = [
        Considered(i, 0.0, REASONS[place], fates.get(i, Fate.KNOWN))
        for i in cued
        if i != chosen.identity
    ]
    return ToldNote(there[chosen.identity], place, (told, *left[:NEAR]))


def _told(
    parts: Parts,
    chosen: ToldNote,
    session: str,
    project: str,
    began: float,
    receipt: Receipt,
    *,
    edit: Tool | None = None,
) -> str:
    """The block of one note; its telling counts, with the reason, once the hook has read it."""
    note, place = chosen.note, chosen.place
    now, injection = parts.clock.now(), parts.settings.injection
    room = wording.Settings(characters=min(ROOM, injection.characters), note=injection.note)
    said = replace(note, text=notes.spoken(note.text, note.source))
    heading = notes.RULES_HEADING if place == BEFORE else notes.ENDED_HEADING
    block, ids = block_of([Candidate(said, why="standing")], room, now, heading=heading)
    told = Delivered(session, (note.content_hash,), now)
    took = 1_000 * (now - began)
    injected = Injected(session, project, place, began, len(block), "none", chosen.considered, took)
    seen = Answered(injected, Exposed(ids, session, place, now), edit)
    receipt.if_taken(lambda: parts.moments.tell(session, place, note.id))
    receipt.if_taken(lambda: parts.mailboxes.working_memory.hint(told))
    receipt.if_taken(lambda: parts.mailboxes.strength.hint(seen))
    return block


async def wants_none(parts: Parts, session: str, within: float) -> bool:
    """Return whether a person wants no notes in this session, or nobody can tell."""
    try:
        silent = await parts.mailboxes.working_memory.ask(
            IsSilent(session), within=max(within, 0.0)
        )
    except PASSING as error:
        log.warning("silence_unknown why=%s", type(error).__name__)
        return True
    return silent


def _may_have_failed(event: Event) -> bool:
    """Tell whether a call failed, as far as a look tells; a long line is not read for it."""
    tool = event.tool
    if event.kind is EventKind.TOOL_ERROR:
        return tool is not None
    return tool is not None and 0 < len(tool.command) <= LINE and has_failed(event)
