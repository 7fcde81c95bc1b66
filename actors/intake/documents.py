"""Documents written, edited or read whole in sessions: learnt when a turn is over, as eighteen edits are one look.

The file itself is read then, if it is there: an event brings long texts without their middle. Where it is not (an
agent's own notes lie outside of the project), the text comes from the events. Waiting documents are in memory
alone: a restart within a turn costs the turn's texts, until the document is touched again.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final

import trio
from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest, Worker
from actors.gate.messages import DocumentTold
from actors.intake.messages import Happened, Place
from actors.policy.documents.items import Topic, items
from actors.policy.documents.sections import LEARNT, Purpose, own_note, purpose
from actors.policy.documents.versions import Version, is_superseded, version_after
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event, EventKind
from actors.policy.events.fence import stripped
from actors.policy.references.naming import relative
from actors.policy.secrets.secret_words import is_all_secret
from actors.policy.statements.extraction import DOCUMENT, is_injected
from actors.policy.statements.statement_rules import Candidate, numbered
from daemon.sources import DiskFolder, ProjectSources

VERSIONS: Final = 64  # documents whose last version is remembered
PENDING: Final = 32  # documents that one turn may touch; further ones are not learnt from
SESSIONS: Final = 64
WITHIN: Final = 5.0  # seconds for reading them
_DURING: Final = frozenset({EventKind.TOOL, EventKind.TOOL_ERROR})
# The kind of memory and its importance, 0..1. Open work is a state: it fades after a month.
_KINDS: Final = {
    Topic.DECISION: ("decision", 0.6),
    Topic.CAUSE: ("discovery", 0.55),
    Topic.RULE: ("convention", 0.6),
    Topic.TRAP: ("discovery", 0.6),
    Topic.OPEN: ("state", 0.5),
}

Where = tuple[str, str]  # a project, and a document's place in it


class Waiting(Struct, frozen=True):
    """A touched document, with its version as the events show it."""

    place: str
    path: str  # in the project's folder; "" when it does not lie there
    purpose: Purpose
    version: Version


class Looked(Struct, frozen=True):
    """A document at the end of a turn, and its lesson, if any."""

    place: str
    version: Version
    told: DocumentTold | None


class Documents(Struct):
    """Documents known from sessions, and their lessons."""

    sources: ProjectSources
    thread: Worker
    redact: Redact
    place: Place
    versions: Latest[Where, Version] = field(default_factory=lambda: Latest(VERSIONS))
    waiting: Latest[str, dict[str, Waiting]] = field(default_factory=lambda: Latest(SESSIONS))

    async def documents_read(self, happened: Happened) -> tuple[Looked, ...]:
        """Note a document shown in an event; at the end of a turn, return the turn's documents."""
        event, project = happened.event, happened.project
        if project is None or not event.session:
            return ()
        if event.kind in _DURING:
            self._note(event, project)
            return ()
        waiting = self.waiting.pop(event.session, None)
        return await self._look(tuple(waiting.values()), project) if waiting else ()

    def _note(self, event: Event, project: str) -> None:
        path = event.tool.path if event.tool is not None else ""
        own = own_note(path)
        if purpose(path.rpartition("/")[2]) is None:
            return  # by its name alone: most files are code, and no file is looked at
        place = own or self.place(project, path) or ""
        what = purpose(place) if place else None
        if what is None:
            return
        version = version_after(event, self.versions.get((project, place)))
        touched = self.waiting.get(event.session) or {}
        if version is None or (len(touched) >= PENDING and place not in touched):
            return
        self.versions[project, place] = version
        inside = "" if own or relative(path, project) != place else place
        self.waiting[event.session] = {**touched, place: Waiting(place, inside, what, version)}

    async def _look(self, waiting: Sequence[Waiting], project: str) -> tuple[Looked, ...]:
        try:
            with trio.fail_after(WITHIN):
                work = partial(_read, waiting, self.redact)
                found = await self.sources.visit(project, work)
                if found is None:
                    found = await self.thread.run(
                        lambda: [_looked(one.place, one.purpose, one.version) for one in waiting]
                    )
        except trio.TooSlowError:
            return ()
        numbers = count()
        return tuple(_numbered_on(one, numbers) for one in found)


# ---- on the thread that reads files


def _read(waiting: Sequence[Waiting], redact: Redact, folder: DiskFolder) -> list[Looked]:
    """Read the documents as they are now, except those ignored by git.

    An agent's notes are learnt from even so: a repository not sharing them is no reason to forget
    them, and nothing of them leaves the machine.
    """
    paths = [one.path for one in waiting if one.path]
    ignored = folder.ignored(paths)
    found: list[Looked] = []
    for one in waiting:
        if one.path in ignored and one.purpose is not Purpose.NOTE:
            continue
        text = folder.read(one.path) if one.path else None
        version = one.version if text is None else Version(redact(stripped(text))[0], is_whole=True)
        found.append(_looked(one.place, one.purpose, version))
    return found


def read_document(place: str, redact: Redact, folder: DiskFolder) -> Looked | None:
    """Read one document of a project; None when it cannot be read, or is empty."""
    what, text = purpose(place), folder.read(place) or ""
    if what is None or not text.strip():
        return None
    return _looked(place, what, Version(redact(stripped(text))[0], is_whole=True))


def _looked(place: str, what: Purpose, version: Version) -> Looked:
    if what not in LEARNT:
        return Looked(place, version, None)
    outdated = is_superseded(version.text)
    said = () if outdated else items(version.text, what)
    worth = tuple(one for one in said if not (is_injected(one.text) or is_all_secret(one.text)))
    drafts: list[Candidate] = []
    for item in worth:
        kind, importance = _KINDS[item.topic]
        drafts.append(Candidate(DOCUMENT, item.text, kind, "declarative", importance, "research"))
    is_whole = version.is_whole or outdated
    return Looked(place, version, DocumentTold(place, worth, numbered(drafts, None), is_whole))


def _numbered_on(one: Looked, numbers: Iterator[int]) -> Looked:
    """The document with its candidates numbered through all documents of an event."""
    if one.told is None:
        return one
    candidates = tuple(replace(each, ordinal=next(numbers)) for each in one.told.candidates)
    return replace(one, told=replace(one.told, candidates=candidates))
