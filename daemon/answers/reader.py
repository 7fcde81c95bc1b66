"""Orders of a person to the reader, and verdicts on its notes."""

import math
import os
from typing import Final

import trio

from actors.gate.endings import ENDS, refused_by
from actors.memory.commit import Unit
from actors.memory.writes import Ended, Linked, Revived, ValiditySet
from actors.reader.messages import (
    Chosen,
    HowItReads,
    NoteJudged,
    NoteRow,
    ReaderState,
    ReadingReport,
    ReadNow,
)
from daemon.answers import remember as edits
from daemon.context import Parts, Progress, with_progress
from daemon.engines.choice import reading_engine
from daemon.settings import Reader, environment_name, load
from daemon.shapes.replies import BadRequest
from daemon.storage import read_notes, readings
from daemon.views import short_id

LOOK_WITHIN: Final = 30.0  # seconds for what the store answers
NEWEST: Final = 200  # waiting sessions that are looked at


async def choose(parts: Parts, choice: Reader) -> None:
    """Write the engine a person agreed to, or none, into ``config.toml``, and have it read from now on.

    Raises ``BadRequest`` where the file cannot be written, or the setting would not hold.
    """
    # Not before: the daemon needs neither else.
    import click

    from daemon.commands.local.config import set_values

    values: dict[str, str | list[str] | None] = {  # empty ones are removed
        "engine": choice.engine or None,
        "command": list(choice.command) or None,
        "url": choice.url or None,
        "model": choice.model or None,
        "agents": list(choice.agents) or None,
    }
    names = [environment_name(f"reader.{key}") for key in values]
    if fixed := [name for name in names if name in os.environ]:
        raise BadRequest(f"{fixed[0]} is set for the daemon and wins: take it away first")
    try:
        await trio.to_thread.run_sync(set_values, parts.home.config, "reader", values)
        await trio.to_thread.run_sync(load, parts.home, os.environ)
    except click.ClickException as error:
        raise BadRequest(error.format_message()) from None
    engine = reading_engine(choice, parts.place) if choice.engine else None
    chosen = Chosen(engine, parts.clock.now())
    await parts.mailboxes.session_reader.ask(chosen, within=LOOK_WITHIN)


async def state_of(parts: Parts, *, by_person: bool) -> ReaderState:
    """The reader as it is."""
    asked = HowItReads(parts.clock.now(), by_person)
    return await parts.mailboxes.session_reader.ask(asked, within=LOOK_WITHIN)


async def waiting(parts: Parts) -> tuple[str, ...]:
    """Waiting sessions: with unread events, and over or still."""
    state, at = await state_of(parts, by_person=False), parts.clock.now()
    if state.since is None:
        return ()
    rows = await parts.reader.read(readings.unread_sessions, state.since, NEWEST)
    still = parts.settings.reader.still
    return tuple(one.session for one in rows if one.prompts and one.is_ripe(at, still))


async def read_now(
    parts: Parts, sessions: tuple[str, ...] | None, progress: Progress, *, dry_run: bool
) -> ReadingReport:
    """Have sessions read, or all ended ones; an asker who leaves stops it."""
    reader = parts.mailboxes.session_reader
    return await with_progress(
        progress, lambda seen: reader.ask(ReadNow(sessions, dry_run, seen), within=math.inf)
    )


# ---- verdicts of a person on its notes
#
# A dropped note gives back the memory it ended.


KEPT: Final = "kept"
EDITED: Final = "edited"
DROPPED: Final = "dropped"


async def keep(parts: Parts, note: NoteRow) -> str:
    """Keep a note."""
    if note.verdict == DROPPED:
        raise BadRequest(f"{short_id(note.memory_id)} was dropped: take that back first")
    await parts.commit((NoteJudged(note.memory_id, KEPT, parts.clock.now(), note.ended),))
    return ""


async def edit(parts: Parts, note: NoteRow, text: str) -> None:
    """Reword a note and keep it."""
    number = note.memory_id
    await edits.edit(parts, short_id(number), text)
    kept = await parts.reader.read(read_notes.note_of, number)
    ended = kept is not None and kept.ended
    await parts.commit((NoteJudged(number, EDITED, parts.clock.now(), ended),))


async def drop(parts: Parts, note: NoteRow) -> str:
    """Drop a note, undoably; the memory it ended lives again. Returns further effects."""
    if note.verdict == DROPPED:
        return ""
    at, number = parts.clock.now(), note.memory_id
    # One that was replaced has ended otherwise: from now on by a person's word.
    gone: Unit = (
        *(() if note.is_living else (Revived(number, at),)),
        Ended(number, "forgotten", at),
    )
    given_back, told = await _given_back(parts, note, at)
    await parts.commit((*gone, *given_back, NoteJudged(number, DROPPED, at, ended=False)))
    return told


async def undo(parts: Parts, note: NoteRow) -> str:
    """Take back the last verdict on a note; returns further effects."""
    at, number = parts.clock.now(), note.memory_id
    writes: Unit = ()
    ended, told = note.ended, ""
    match note.verdict:
        case "kept":
            pass
        case "edited":
            await edits.undo(parts, short_id(number))
        case "dropped":
            writes, ended, told = await _begun(parts, note, at)
        case _:
            return ""
    verdict = NoteJudged(number, note.before, at, ended, undoes=True)
    await parts.commit((*writes, verdict))
    return told


async def _begun(parts: Parts, note: NoteRow, at: float) -> tuple[Unit, bool, str]:
    """Writes for a note to live and end the memory it names, whether it does, and the line of it."""
    number = note.memory_id
    lives: Unit = (Revived(number, at),)
    if note.named is None or note.relation not in ENDS or note.refusal:
        return lives, False, ""
    known = await parts.reader.memories([number, note.named])
    mine, named = known.get(number), known.get(note.named)
    if mine is None or named is None or named.ended is not None:
        return lives, False, ""
    why = refused_by(mine.source, note.at, named)
    if why:
        return lives, False, f"{short_id(named.id)} stays as well: {why}"
    ends: Unit = (
        Linked(number, named.id, "supersedes", 1.0, at),
        Ended(named.id, "deprecated", at, superseded_by=number),
        ValiditySet(named.id, named.valid_from, min(named.valid_until or note.at, note.at)),
    )
    return (*lives, *ends), True, f"{short_id(named.id)} has ended by it"


async def _given_back(parts: Parts, note: NoteRow, at: float) -> tuple[Unit, str]:
    """Writes for the memory ended by a note to live again, and the line of it."""
    if not note.ended or note.named is None:
        return (), ""
    named = (await parts.reader.memories([note.named])).get(note.named)
    if named is None or named.superseded_by != note.memory_id:
        return (), ""
    until = None if named.valid_until == note.at else named.valid_until  # as before it was closed
    opened = ValiditySet(named.id, named.valid_from, until)
    return (Revived(named.id, at), opened), f"{short_id(named.id)} lives again"
