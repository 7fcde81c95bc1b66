"""Ground of a note of the reader, in sentences: its words, its reading, memories it ended, times of its silence."""

from collections.abc import Iterator
from typing import Final

from actors.gate.endings import ENDS
from actors.policy.recall.moment import SILENT
from actors.policy.recall.notes import age
from actors.reader.rows import NoteRow
from daemon.answers.tool_events import BEFORE, FAILED
from daemon.context import Parts
from daemon.storage import read_notes, strength
from daemon.views import short_id

_SPEAKERS: Final = {"user": "The user", "agent": "An agent", "tool": "A program"}
_MOMENTS: Final = {BEFORE: "before its command", FAILED: "at its error"}
_VERDICTS: Final = {"kept": "kept it", "edited": "worded it anew", "dropped": "dropped it"}


async def read_of(parts: Parts, memory_id: int) -> list[str]:
    """Sentences on a reader's part in a memory; none without such a part."""
    note = await parts.reader.read(read_notes.note_of, memory_id)
    told = list[str]()
    if note is not None:
        told += [*_sentences(note, parts.clock.now()), *await _silence(parts, memory_id)]
    for other, why in await parts.reader.read(read_notes.kept_beside, memory_id):
        told.append(f"{short_id(other)} would have ended it, and both stay: {why}.")
    return told


async def _silence(parts: Parts, memory_id: int) -> list[str]:
    """Moments at which a note is not told any more, since nobody used it there."""
    silent = list[str]()
    for place, where in _MOMENTS.items():
        unused = await parts.reader.read(strength.told_unused, [memory_id], place, "")
        sessions, _ = unused.get(memory_id, (0, False))
        if sessions >= SILENT:
            silent.append(
                f"It is not told {where} any more: {sessions} sessions were told it there,"
                " and none has used it since."
            )
    return silent


def _sentences(note: NoteRow, now: float) -> Iterator[str]:
    engine = f" ({note.engine})" if note.engine else ""
    why = f": {note.why}" if note.why else ""
    yield f"The reader{engine} wrote it {age(now - note.read_at)}{why}."
    if note.quotation:
        answered = f", to “{note.agreed_to}”" if note.agreed_to else ""
        yield f"{_SPEAKERS[note.said_by]} said: “{note.quotation}”{answered}."
    else:
        yield "The words that prove it were erased."
    if note.named is not None and note.ended:
        yield f"It {note.relation} {short_id(note.named)}, which ended by it."
    elif note.named is not None and note.refusal and note.relation in ENDS:
        yield f"It {note.relation} {short_id(note.named)}, and both stay: {note.refusal}."
    if note.waits:
        yield "It waits until you keep it: reverie inbox."
    if note.verdict:
        yield f"A person {_VERDICTS[note.verdict]}."
