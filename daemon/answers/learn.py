"""Documents, commits and sessions: read, learnt in bulk on a person's word, and taken back."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import Final

import msgspec
import trio
from msgspec.structs import replace

from actors.core.mailbox import Lane
from actors.gate.drafts import derived_of
from actors.gate.endings import changes_by
from actors.gate.messages import Decide, DocumentTold, Proposed
from actors.intake.documents import Looked, read_document
from actors.intake.extraction import understood
from actors.intake.messages import Happened, RunTakenBack
from actors.intake.reading import read_object
from actors.memory.rows import Memory, Scope
from actors.memory.writes import Draft, Origin, Rewritten
from actors.policy.documents.items import Item
from actors.policy.documents.sections import purpose
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event, EventKind
from actors.policy.events.trail import SessionTrail
from actors.policy.gate.gate_features import content_hash
from actors.policy.statements.extraction import is_injected
from actors.policy.statements.statement_rules import Candidate
from actors.policy.text.wording import one_line
from actors.staleness.messages import Commit
from daemon.answers.transcripts import (
    MOST_NOTES,
    Look,
    Run,
    Saying,
    compared,
    journaled,
    learn_saying,
    learn_sessions,
    saying,
    sessions,
)
from daemon.context import Parts, Progress
from daemon.recording import NO_SESSION, Recording
from daemon.shapes.learnt import DocumentSaid, ItemSaid, Learnt
from daemon.shapes.replies import BadRequest, Done, NotThere
from daemon.sources import DiskFolder
from daemon.storage import edit as edit_stored
from daemon.storage import learn as stored

# ---- commits
#
# Each is read as if an agent had just made it, by the reading and the rules of live events, and is dated
# by its making: it ends nothing said later. Nothing is learnt of a commit taken back by a later one: its
# fault is for the later one to tell.


NEWEST: Final = 1_000  # commits of a run
AT_ONCE: Final = 50  # commits read without a turn for others: 10 ms
AGENT: Final = "reverie"  # who is journaled to have read them
SHORT: Final = 7  # digits by which commits name each other
_REVERTS: Final = re.compile(r"^This reverts commit ([0-9a-f]{7,40})", re.MULTILINE)


async def of_history(parts: Parts, run: Run, folder: str, progress: Progress) -> Learnt:
    """Read the newest commits of a folder's repository, and learn the reasons in them, the oldest first."""
    root = await parts.sources.checkout(run.project, folder)
    commits = await parts.sources.visit(root, lambda folder: folder.commits(NEWEST))
    if not commits:
        raise NotThere("no_history", "git told no commits of this folder")
    off = Recording(parts.home).off
    recorded = [one for one in commits if off([root], NO_SESSION, one.at, one.at) is None]
    kept, found = not_reverted(recorded), list[tuple[Commit, Saying]]()
    for start in range(0, len(kept), AT_ONCE):
        work = partial(_read, kept[start : start + AT_ONCE], root, run, parts.redact)
        for one, says in await parts.sources.visit(root, work) or ():
            found.append((one, await compared(parts, says, run)))
        await progress({"done": start + AT_ONCE, "documents": len(kept)})
    telling, left_out = _bounded(found)
    news = [said for _, said in reversed(telling) if any(said.new)] if run.takes else []
    for done, said in enumerate(news, 1):
        await learn_saying(parts, said, run.name, run)
        await progress({"done": done, "documents": len(news)})
    documents = [
        DocumentSaid(place=f"{one.id[:10]} {one.subject}"[:100], items=said.items(), ended=0)
        for one, said in telling
    ]
    paused = len(commits) - len(recorded)
    brought = Learnt(documents=documents, off=paused, left_out=left_out, commits=len(commits))
    return await _learnt(parts, run, brought)


def not_reverted(commits: Sequence[Commit]) -> list[Commit]:
    """Leave out commits taken back by a later one, unless that one was taken back itself; the newest first."""
    reverted, found = set[str](), list[Commit]()
    for one in commits:
        if one.id[:SHORT] not in reverted:
            found.append(one)
            reverted |= {name[:SHORT] for name in _REVERTS.findall(one.body)}
    return found


def _bounded(found: Sequence[tuple[Commit, Saying]]) -> tuple[list[tuple[Commit, Saying]], int]:
    """Leave out those with new notes beyond the bound of a run; and how many notes these are."""
    kept: list[tuple[Commit, Saying]] = []
    notes = left_out = 0
    for commit, one in found:
        fresh = sum(one.new)
        if notes + fresh <= MOST_NOTES:
            kept.append((commit, one))
            notes += fresh
        else:
            left_out += fresh
    return kept, left_out


def _read(
    commits: Sequence[Commit], root: str, run: Run, redact: Redact, _: DiskFolder
) -> list[tuple[Commit, Saying]]:
    """Sayings of these commits, as far as they have any.

    A title alone is no reason: a thousand of them would be a changelog.
    """
    found: list[tuple[Commit, Saying]] = []
    for one in commits:
        reading = read_object(AGENT, one.event(root, run.name), redact)
        if isinstance(reading.event, Event):
            said = _signed(understood(reading.event, SessionTrail()).candidates, one, redact)
            title = one.subject.rstrip(".")
            candidates = [each for each in said if each.text.rstrip(".") != title]
            if candidates:
                found.append(
                    (one, saying(f"{run.project} {one.id}", AGENT, one.at, reading, candidates))
                )
    return found


def _signed(candidates: Sequence[Candidate], made: Commit, redact: Redact) -> tuple[Candidate, ...]:
    """Add to the candidates of a commit which it is, and who made it.

    The name is on one line; empty for an address, a secret, or an order to an agent.
    """
    name, secrets = redact(one_line(made.author, NAME))
    author = "" if secrets or is_injected(name) else name
    return tuple(replace(one, commit=made.id[:SHORT], author=author) for one in candidates)


MOST: Final = 2_000  # documents of a run
NAME: Final = 60  # characters of an author's
GATE_WITHIN: Final = 300.0  # seconds for the items of one document
UNDONE: Final = "what was learnt of documents was taken back"


def run_in(parts: Parts, folder: str, *, takes: bool) -> Run:
    """Begin a run in the project of a folder. Raises ``BadRequest`` for a relative path."""
    name = f"{stored.PREFIX}{token_hex(4)}"
    return Run(name, project_of(parts, folder), parts.clock.now(), takes)


def project_of(parts: Parts, folder: str) -> str:
    """Project of a folder. Raises ``BadRequest`` for a relative path."""
    if not folder.startswith("/"):
        raise BadRequest("the folder is to be an absolute path")
    return parts.project_meant(folder) or folder


async def of_documents(parts: Parts, run: Run, folder: str, progress: Progress) -> Learnt:
    """Read the documents below a folder, and learn their items, one after the other."""
    root = await parts.sources.checkout(run.project, folder)
    listed = await parts.sources.visit(root, partial(_listed, root, folder, parts))
    if listed is None:
        raise NotThere("no_list", "git did not list the documents of this folder in time")
    places, left = listed
    said: list[DocumentSaid] = []
    for done, place in enumerate(places, 1):
        work = partial(read_document, place, parts.redact)
        if (one := await parts.sources.visit(root, work)) is not None:
            said.append(await _said(parts, one, run))
        await progress({"done": done, "documents": len(places)})
    found = replace(left, documents=said, unread=len(places) - len(said))
    return await _learnt(parts, run, found)


async def of_sessions(
    parts: Parts, run: Run, look: Look, folder: str, progress: Progress
) -> Learnt:
    """Read the newest transcripts of a folder, and learn the statements in them."""
    found = await sessions(parts, look, folder, run, progress)
    if run.takes:
        await learn_sessions(parts, found, run, progress)
    said = Learnt(
        documents=found.preview(), off=sum(one.off for one in found.read),
        left_out=found.left_out,
        unread=sum(not one.is_whole or one.damaged > 0 for one in found.read),
        turns=sum(len(one.settled) for one in found.read), sessions=len(found.read),
        heard=found.heard,
    )  # fmt: skip
    return await _learnt(parts, run, said)


async def _learnt(parts: Parts, run: Run, found: Learnt) -> Learnt:
    brought = stored.Run(run.name, run.project, run.at)
    notes = await parts.reader.read(stored.brought, brought)
    passages = await parts.reader.read(stored.passages_of, run.name)
    name = run.name if run.takes else ""
    return replace(found, run=name, notes=len(notes), passages=passages)


def _listed(
    root: str, folder: str, parts: Parts, files: DiskFolder
) -> tuple[list[str], Learnt] | None:
    """List the documents below a folder, and count those left out, on the thread of the files."""
    found = files.files(
        str(Path(folder).resolve().relative_to(root)),
        lambda place: place.isprintable() and purpose(place) is not None,
    )
    if found is None:
        return None
    at, off = parts.clock.now(), Recording(parts.home).off
    on = [place for place in found if off([f"{root}/{place}"], NO_SESSION, at, at) is None]
    return on[:MOST], Learnt(off=len(found) - len(on), left_out=max(0, len(on) - MOST))


async def _said(parts: Parts, one: Looked, run: Run) -> DocumentSaid:
    said = DocumentSaid(place=one.place, items=[], ended=0)
    if one.told is not None:
        said = await _compared(parts, one.told, run)
    if run.takes:
        # Whoever asked may leave at any moment: a document that was begun is learnt whole.
        with trio.CancelScope(shield=True):
            await _learn(parts, one, run)
    return said


async def _compared(parts: Parts, told: DocumentTold, run: Run) -> DocumentSaid:
    changes = await changes_by(parts.reader, told, run.project)
    back = {item.digest for memory_id, item in changes.moved if memory_id in changes.revived}
    new = {item.digest for item, _ in changes.fresh} | back
    items = [
        ItemSaid(
            topic=item.topic.value,
            line=item.line,
            text=item.text,
            new=item.digest in new and not await _is_said(parts, item, run),
        )
        for item in told.items
    ]
    return DocumentSaid(place=told.place, items=items, ended=len(changes.ended))


async def _is_said(parts: Parts, item: Item, run: Run) -> bool:
    """Tell whether another document of the run, or a memory, says the same in these words."""
    if item.digest in run.said:
        return True
    run.said.add(item.digest)
    return bool(await parts.reader.same_content(content_hash(item.text), Scope(run.project)))


async def _learn(parts: Parts, one: Looked, run: Run) -> None:
    """Do the work of a turn's end, as if an agent had read this document in the turn."""
    event = Event(AGENT, EventKind.TURN_END, run.name)
    body = {"hook_event_name": "DocumentLearnt", "session_id": run.name, "place": one.place}
    row = journaled(token_bytes(16), AGENT, run.name, run, msgspec.msgpack.encode(body))
    (seq,) = await parts.commit((row,))
    happened = Happened(seq, run.at, event, run.project)
    if one.told is not None:
        proposed = Proposed(seq, run.at, run.name, run.project, (), documents=(one.told,))
        await parts.mailboxes.gate.ask(Decide(proposed), within=GATE_WITHIN, lane=Lane.BACKGROUND)
    await parts.passages.keep_document(happened, one.place, one.version)


async def take_back(parts: Parts, folder: str, name: str) -> Done:
    """Take back the results of a run, or of the project's last one, in one transaction."""
    run = await parts.reader.read(stored.run_of, project_of(parts, folder), name)
    if run is None:
        nothing = "nothing that was learnt of this project in bulk is left to take back"
        line = f"there is no run {name[:40]!r}" if name else nothing
        raise NotThere("no_such_run", f"{line} (runs are known for 30 days)")
    at = parts.clock.now()
    ids = await parts.reader.read(stored.rewritten, run.name)
    memories = await parts.reader.memories(ids)
    back = [await _worded_as_before(parts, one, at) for one in memories.values()]
    outcome = await parts.commit((RunTakenBack(*run, at), *back))
    return Done(count=outcome[0], note=run.name)


async def _worded_as_before(parts: Parts, memory: Memory, at: float) -> Rewritten:
    before = await parts.reader.read(edit_stored.last_version, memory.id)
    text, title = before or (memory.text, memory.title)
    draft = Draft(
        text, title, memory.kind, memory.tier, memory.project, memory.triggers,
        Origin(memory.source), at,
    )  # fmt: skip
    return Rewritten(
        memory.id, text, title, memory.triggers, derived_of(draft), content_hash(text), at, UNDONE
    )
