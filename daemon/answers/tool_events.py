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
from actors.intake.messages import WhatEndedIt
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
from actors.policy.session.ledger import has
from actors.policy.statements.trust import is_users_word
from actors.policy.text import wording
from actors.recall.standing_notes import true_and_wanted
from actors.recall.tell_or_not import block_of, made
from actors.session.shapes import Delivered, IsSilent, WhatItHas
from daemon.context import Parts
from daemon.storage import read_notes, strength

log = logging.getLogger(__name__)


LINE = 2 * 1024  # characters of a command that is read before an answer
ROOM = 1_200  # characters of a note and its frame
MOST: Final = 64  # matches of names in a call
BEFORE: Final = "tool"  # place of a telling: before a call
FAILED: Final = "failure"  # at a failure
REASONS: Final = {BEFORE: "its cue begins the command", FAILED: "its error stands in the message"}
GIVEN_FOR: Final = "the user kept it for this file or command"


class Moment(Struct, frozen=True):
    """A moment at which a note may be told: before a call of a session, or at its failure."""

    parts: Parts
    session: str
    project: str
    place: str
    now: float
    within: float  # seconds

    async def living(self, ids: Iterable[int]) -> dict[int, Memory]:
        """Memories among these true now and left out by nobody."""
        reader = self.parts.reader
        living = [one for one in (await reader.memories([*ids])).values() if one.ended is None]
        wanted = await true_and_wanted(reader, living, self.project, self.now)
        return {one.id: one for one in wanted}

    async def chosen(
        self, known: Mapping[int, Memory], said: Mapping[int, int], kept: Set[int], *, again: bool
    ) -> tuple[Memory, tuple[Considered, ...]] | None:
        """The one note to tell, of those with a cue here, and what was weighed for it.

        ``again``: also one that the session's start said; that was long before.
        """
        parts, place = self.parts, self.place
        had = await parts.mailboxes.working_memory.ask(
            WhatItHas(self.session, self.project, self.now), within=self.within
        )
        new = replace(had, told=frozenset()) if again else had
        cued = {i: known[i] for i, words in said.items() if words and i in known}
        there = {
            i: one
            for i, one in cued.items()
            if not has(new, self.session, made(one)) and (self.session, place, i) not in parts.told
        }
        if not there:
            return None
        unused = await parts.reader.read(strength.told_unused, [*there], place, self.session)
        best = notes.chosen(
            Cued(
                i, said[i], one.kind, is_users_word(one.source), i in kept,
                *unused.get(i, (0, False)),
            )
            for i, one in there.items()
        )  # fmt: skip
        if best is None:
            return None
        why = GIVEN_FOR if best.is_kept else REASONS[place]
        silent = {i for i, (sessions, _) in unused.items() if sessions >= notes.SILENT}
        fates = {i: Fate.WASTED if i in silent else Fate.LESS_SURE for i in there}
        left = [
            Considered(i, 0.0, REASONS[place], fates.get(i, Fate.KNOWN))
            for i in cued
            if i != best.identity
        ]
        told = Considered(best.identity, 1.0, why, Fate.TOLD)
        return there[best.identity], (told, *left[:NEAR])

    def told(
        self,
        note: Memory,
        considered: tuple[Considered, ...],
        receipt: Receipt,
        *,
        edit: Tool | None = None,
    ) -> str:
        """The block of one note; its telling counts, with the reason, once the hook has read it."""
        parts, session, place = self.parts, self.session, self.place
        now, injection = parts.clock.now(), parts.settings.injection
        room = wording.Settings(characters=min(ROOM, injection.characters), note=injection.note)
        said = replace(note, text=notes.spoken(note.text, note.source))
        heading = notes.RULES_HEADING if place == BEFORE else notes.ENDED_HEADING
        block, ids = block_of([Candidate(said, why="standing")], room, now, heading=heading)
        delivered = Delivered(session, (note.content_hash,), now)
        injected = Injected(
            session, self.project, place, self.now, len(block), "none", considered,
            1_000 * (now - self.now),
        )  # fmt: skip
        seen = Answered(injected, Exposed(ids, session, place, now), edit)
        receipt.if_taken(lambda: parts.told.update({(session, place, note.id): True}))
        receipt.if_taken(lambda: parts.mailboxes.working_memory.hint(delivered))
        receipt.if_taken(lambda: parts.mailboxes.strength.hint(seen))
        return block


async def after_tool(
    parts: Parts, event: Event, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell known facts of a failure: a note with its error, else its last fix; mostly nothing."""
    if not parts.settings.injection.failures:
        return ""
    if project is None or not event.session or not _may_have_failed(event):
        return ""
    moment = Moment(parts, event.session, project, FAILED, parts.clock.now(), within)
    note = ended = None
    try:
        with trio.fail_after(max(within, 0.0)):
            if await wants_none(parts, event.session, within):
                return ""
            note = await _known(moment, event)
            if note is None and event.tool is not None and event.tool.command:
                ended = await parts.mailboxes.extraction.ask(
                    WhatEndedIt(event, project), within=within
                )
    except PASSING as error:
        log.warning("failure_unanswered why=%s", type(error).__name__)
    if note is not None:
        return moment.told(*note, receipt)
    if ended is None:
        return ""
    return notes.ended(ended.paths, ended.session, moment.now - ended.at)


async def before_tool(
    parts: Parts, call: Upcoming, project: str | None, within: float, receipt: Receipt
) -> str:
    """Tell the one note about a call, once a session; mostly nothing."""
    if project is None or not call.session or call.agent_id:
        return ""
    moment = Moment(parts, call.session, project, BEFORE, parts.clock.now(), within)
    try:
        with trio.fail_after(max(within, 0.0)):
            note = await _before(moment, call)
            if note is None or await wants_none(parts, call.session, within):
                return ""
    except PASSING as error:
        log.warning("call_unanswered why=%s", type(error).__name__)
        return ""
    return moment.told(*note, receipt, edit=call.tool if _files(call) else None)


async def _before(moment: Moment, call: Upcoming) -> tuple[Memory, tuple[Considered, ...]] | None:
    """The note about a call: one kept by a person about its files or command, else one with a cue at its
    beginning."""
    run = commands(call.tool.command) if call.tool.name in SHELLS else ()
    given = await _given(moment, call, run)
    said = await _cued(moment, run) if run else {}
    if not said and not given:
        return None
    known = await moment.living({*said, *given})
    there = {i: words for i, words in said.items() if i in known and says_how(known[i].kind)}
    kept = {i for i in given if i in known and known[i].status == "confirmed"}
    there |= dict.fromkeys(kept - there.keys(), 1)
    return await moment.chosen(known, there, kept, again=bool(run))


async def _given(moment: Moment, call: Upcoming, run: Sequence[Command]) -> frozenset[int]:
    """Memories kept on purpose by a person, naming a file to be written, its folder, or a command."""
    files, lines = _files(call), [line for one in run for line in one.spellings]
    said = (*files, *lines)  # of a name that stands twice the first place counts
    if not any(said):
        return frozenset()
    starts = [*accumulate((len(one) + 1 for one in said), initial=0)]
    begins, commands_from = {*starts}, starts[len(files)]
    called = await moment.parts.triggers.called(
        "\n".join(said), Scope(moment.project), MOST, folders=(moment.project, call.cwd)
    )
    named = (one.match for one in called if one.named)
    return frozenset(one.owner for one in named if one.start < commands_from or one.start in begins)


def _files(call: Upcoming) -> tuple[str, ...]:
    tool = call.tool
    if tool.name in SHELLS:
        return shell_writes(tool.command[:LINE], call.cwd)
    return (tool.path,) if tool.name in EDITORS else ()


async def _cued(moment: Moment, run: Sequence[Command]) -> dict[int, int]:
    """Notes of which a cue begins one of these commands, each with the words of its longest."""
    said = dict[int, int]()
    cues = await moment.parts.reader.read(read_notes.cues, moment.project, "command")
    for number, cue in cues:
        if words := begun(cue, run):
            said[number] = max(said.get(number, 0), words)
    return said


async def _known(moment: Moment, event: Event) -> tuple[Memory, tuple[Considered, ...]] | None:
    """The note with one of its error cues in a call's failure."""
    tool = event.tool
    cues = await moment.parts.reader.read(read_notes.cues, moment.project, "error")
    said = notes.errors_in(tool.error or tool.output, cues) if tool is not None and cues else {}
    if not said:
        return None
    return await moment.chosen(await moment.living(said), said, frozenset(), again=True)


async def wants_none(parts: Parts, session: str, within: float) -> bool:
    """Return whether a person wants no notes in this session, or nobody can tell."""
    try:
        return await parts.mailboxes.working_memory.ask(IsSilent(session), within=max(within, 0.0))
    except PASSING as error:
        log.warning("silence_unknown why=%s", type(error).__name__)
        return True


def _may_have_failed(event: Event) -> bool:
    """Tell whether a call failed, as far as a look tells; a long line is not read for it."""
    tool = event.tool
    if event.kind is EventKind.TOOL_ERROR:
        return tool is not None
    return tool is not None and 0 < len(tool.command) <= LINE and has_failed(event)
