"""Notes leaving for a repository: a person's words and kept notes, and the reasons of all others to stay."""

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.gate.drafts import title_of
from actors.memory.rows import Memory
from actors.memory.writes import NoteHeld
from actors.policy.references.naming import is_secret
from actors.policy.statements.sources import SHARED
from actors.policy.statements.trust import is_stated
from actors.policy.text.wording import shortened
from daemon.context import Parts
from daemon.shapes.replies import BadRequest
from daemon.share import folder
from daemon.share.note import (
    FOLDER,
    ITEMS,
    KINDS,
    NAME,
    NAMED,
    Note,
    Refused,
    digest,
    file_name,
    plain,
    read,
    shared_id,
    written,
)
from daemon.sources import DiskFolder
from daemon.storage import shared_notes as stored
from daemon.storage.homes import store_id
from daemon.views import short_id

MOST: Final = 500  # memories of one sharing
OFFERED: Final = ("decision", "rule", "trap")  # kinds that leave unless each is named
NOTES: Final = 10_000  # of a reader that are looked at
LINE: Final = 120  # characters of a title: others are told it alone until they open the note
_WORDS: Final = {kind: word for word, kind in KINDS.items()}


class Going(Struct, frozen=True):
    """A leaving memory, and its file."""

    memory: Memory
    note: Note
    file: str
    before: Note | None  # what the file says now

    @property
    def is_same(self) -> bool:
        """Tell whether the file says it already."""
        return self.note == self.before


async def departure(
    parts: Parts, project: str, memories: Sequence[Memory], by: str, *, named: bool
) -> tuple[list[Going], dict[int, str]]:
    """Notes of these memories for a repository, and the reasons of those that stay. Nothing is written.

    A note taken out of the repository stays out unless a person has ``named`` it. Raises
    ``BadRequest`` where nothing can be written.
    """
    there = await looked_into(parts, project)
    store = await parts.reader.read(store_id)
    held = await parts.reader.read(stored.held_notes, project)
    marks = await parts.reader.marks(project, NOTES)
    kept = {one for one, mark in marks.items() if mark.verdict in {"kept", "edited"}}
    gone = {one.memory_id for one in held if one.own and one.file not in there.names}
    reasons: dict[int, str] = {}
    for one in memories:
        reasons[one.id] = why_it_stays(one, project, is_kept=one.id in kept)
        if not reasons[one.id] and parts.redact("\n".join(_said(one)))[1]:
            reasons[one.id] = "it holds what looks like a secret"
        if not (reasons[one.id] or named) and one.id in gone:
            reasons[one.id] = f"its file was taken out: reverie share {short_id(one.id)} writes it"
    names = {one.memory_id: one.note for one in held if one.ended is None}
    leaving = [one for one in memories if not reasons[one.id]]
    names |= {one.id: names.get(one.id) or shared_id(store, one.id) for one in leaving}
    going: list[Going] = []
    for one in leaving:
        name = names[one.id]
        before, own = there.notes.get(name), name == shared_id(store, one.id)
        about = await parts.reader.read(stored.paths_of, one.id)
        note = note_of(one, name, by, about, before, own=own)
        reasons[one.id] = _why_no_file(note)
        if not reasons[one.id]:
            going.append(Going(one, note, there.files.get(name) or file_name(note), before))
    return going, {number: reason for number, reason in reasons.items() if reason}


def _why_no_file(note: Note) -> str:
    """Reason why a note cannot be a file; empty when others will read the same from it."""
    try:
        return "" if read(written(note)) == note else "a file would not say it as it is"
    except Refused as why:
        return str(why)


def why_it_stays(memory: Memory, project: str, *, is_kept: bool) -> str:
    """Tell why a memory does not leave; empty when it may."""
    if memory.project is None:
        return "it is yours for all work, and of no project"
    if memory.project != project:
        return "it is of another project"
    if memory.ended is not None:
        return f"it is {memory.ended}"
    if memory.kind == "preference":
        return "a wish is yours: it does not leave"
    if memory.kind not in _WORDS:
        return f"its type, {memory.kind}, does not leave"
    if memory.source == SHARED and memory.versions == 1:
        return f"{memory.author} shares it already"
    if not (is_kept or memory.pinned or is_stated(memory.source, memory.confidence)):
        return f"nobody said or kept it: reverie confirm {short_id(memory.id)}"
    if memory.status == "hypothesis":
        return "it is only supposed"
    if any(str(Path.home()) in one for one in _said(memory)):
        return "it names a place in your home folder"
    return ""


def _said(memory: Memory) -> tuple[str, ...]:
    return memory.title, memory.text, memory.particulars.why, *memory.triggers


def note_of(
    memory: Memory, name: str, by: str, about: Iterable[str], before: Note | None, *, own: bool
) -> Note:
    """The note of a memory; an existing one keeps its sharer, and another's keeps all but its text."""
    title = _title(memory)
    if before is not None and not own:
        same = plain(memory.text) == before.text
        return before if same else replace(before, title=title, text=plain(memory.text))
    return Note(
        id=name,
        kind=_WORDS[memory.kind],
        title=title,
        text=plain(memory.text),
        by=before.by if before is not None else " ".join(plain(by).split())[:NAME] or NAMED,
        when=float(int(memory.created_at)),
        cues=tuple(filter(None, (" ".join(plain(one).split()) for one in memory.triggers)))[:ITEMS],
        about=tuple(one for one in about if not is_secret(one))[:ITEMS],
        why=" ".join(plain(memory.particulars.why).split()),
    )


def _title(memory: Memory) -> str:
    """The title of a note: longer than a memory's where the latter is only the beginning of its text."""
    first = memory.text.strip().partition("\n")[0]
    is_given = memory.title and memory.title != title_of(memory.text)
    said = " ".join(plain(memory.title if is_given else first).split())
    return shortened(said, LINE)


async def written_out(parts: Parts, project: str, going: Sequence[Going]) -> None:
    """Write the notes into the repository, and keep which memories they are.

    A file already there as it would be is not written, and kept as well: its writer may have been
    killed before. Raises ``BadRequest`` where they cannot be written.
    """
    files = {one.file: written(one.note) for one in going if not one.is_same}
    try:
        if files:
            await parts.sources.visit(project, lambda there: folder.write(there.root, files))
    except (Refused, OSError) as why:
        raise BadRequest(f"not every note was written: {why}") from None
    unit = tuple(
        NoteHeld(
            project,
            one.note.id,
            one.memory.source != SHARED,
            one.memory.id,
            one.file,
            digest(one.note),
        )
        for one in going
    )
    if unit:
        await parts.commit(unit)


async def taken_out(parts: Parts, memories: Sequence[int]) -> list[str]:
    """Take the files of these memories out of their repositories; returns the removed ones, with their folders.

    A note of others with the same text stays.
    """
    gone: list[str] = []
    for project, _, file in await _own_files(parts, memories):
        names = await parts.sources.visit(project, partial(_without, file=file))
        gone += [f"{FOLDER}/{one}" for one in names or ()]
    return gone


def _without(there: DiskFolder, file: str) -> list[str]:
    return folder.take_out(there.root, [file])


async def in_a_repository(parts: Parts, memories: Sequence[int]) -> set[int]:
    """Memories whose files are in a repository now."""
    return {
        number
        for project, number, file in await _own_files(parts, memories)
        if await parts.sources.visit(project, partial(_has, file=file))
    }


def _has(there: DiskFolder, file: str) -> bool:
    return folder.has(there.root, file)


async def _own_files(parts: Parts, memories: Sequence[int]) -> list[tuple[str, int, str]]:
    store = await parts.reader.read(store_id)
    return [
        (project, number, file)
        for project, note, number, file in await parts.reader.read(stored.shared_by, list(memories))
        if note == shared_id(store, number)
    ]


async def looked_into(parts: Parts, project: str) -> folder.Seen:
    """Content of a repository's folder. Raises ``BadRequest`` where nothing can be read or written now."""
    there = await parts.sources.visit(project, lambda one: folder.seen(one.root))
    if there is None:
        raise BadRequest(f"{project} is no folder: share in a repository")
    if there.busy:
        raise BadRequest(there.busy)
    return there


async def shareable(parts: Parts, project: str) -> list[Memory]:
    """Memories of a project fit to leave together."""
    found = await parts.reader.read(
        stored.shareable, project, [KINDS[one] for one in OFFERED], MOST
    )
    return sorted(found, key=lambda one: one.id)
