"""History of a repository, learnt in bulk: what its commits say of their reasons.

Each commit is read as if an agent had just made it, by the reading and the rules of live events, and is
dated when it was made: what it says ends nothing that was said later.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from secrets import token_bytes
from typing import Final

import msgspec
import trio

from actors.core.mailbox import Lane
from actors.gate.drafts import content_hash
from actors.gate.messages import Decide, Proposed
from actors.intake.extraction import understood
from actors.intake.reading import read_object
from actors.intake.writes import Journaled
from actors.memory.rows import Scope
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event
from actors.policy.events.trail import SessionTrail
from actors.policy.statements.candidates import Candidate
from actors.staleness.rows import Commit, Folder
from daemon.context import NotThere, Parts, Progress, commit
from daemon.recording import NO_SESSION, Recording
from daemon.requests.learn import DocumentSaid, ItemSaid, Learn

AT_ONCE: Final = 50  # commits read without a turn for others: 10 ms
MOST_NOTES: Final = 300  # of a run: the newest
GATE_WITHIN: Final = 300.0  # seconds for what one commit says
AGENT: Final = "reverie"  # who is journaled to have read them


@dataclass(frozen=True, slots=True)
class Saying:
    """A commit with what it says that is worth a note, and its event as it is journaled."""

    commit: Commit
    body: bytes
    candidates: tuple[Candidate, ...]
    new: tuple[bool, ...]  # of each: nothing that is remembered says it in these words


@dataclass(frozen=True, slots=True)
class History:
    """What the commits of a repository say, the newest first."""

    sayings: tuple[Saying, ...]
    looked: int
    off: int  # made where or while recording was off
    left_out: int  # new notes over those of one run


async def history(parts: Parts, request: Learn, root: str, run: str, progress: Progress) -> History:
    """Read the newest commits of a checkout and compare what they say with what is remembered."""
    commits = await parts.sources.visit(root, lambda folder: folder.commits(request.limit))
    if not commits:
        raise NotThere("no_history", "git told no commits of this folder")
    off = Recording(parts.home).off
    kept = [one for one in commits if off([root], NO_SESSION, one.at, one.at) is None]
    project, said = parts.project_of(root) or root, set[str]()
    found: list[Saying] = []
    for start in range(0, len(kept), AT_ONCE):
        work = partial(_read, kept[start : start + AT_ONCE], root, run, parts.redact)
        for one in await parts.sources.visit(root, work) or ():
            new = [await _is_new(parts, each.text, project, said) for each in one.candidates]
            found.append(replace(one, new=tuple(new)))
        await progress({"done": start + AT_ONCE, "documents": len(kept)})
    return _bounded(found, len(commits), len(commits) - len(kept))


def told(found: History) -> list[DocumentSaid]:
    """What the commits say, as documents are told: the newest first."""
    return [
        DocumentSaid(
            place=f"{one.commit.id[:10]} {one.commit.subject}"[:100],
            items=[
                ItemSaid(topic=each.rule, line=0, text=each.text, new=new)
                for each, new in zip(one.candidates, one.new, strict=True)
            ],
            ended=0,
        )
        for one in found.sayings
    ]


async def learn_history(
    parts: Parts, found: History, run: str, project: str, at: float, progress: Progress
) -> None:
    """Propose what is new to the gate, the oldest commit first."""
    news = [one for one in reversed(found.sayings) if any(one.new)]
    for done, one in enumerate(news, 1):
        # Whoever asked may leave at any moment: a commit that was begun is learnt whole.
        with trio.CancelScope(shield=True):
            row = Journaled(token_bytes(16), AGENT, at, "learn", run, project, one.body, done=True)
            seq = (await commit(parts, (row,)))[0]
            fresh = tuple(c for c, new in zip(one.candidates, one.new, strict=True) if new)
            proposed = Proposed(seq, one.commit.at, run, project, fresh)
            await parts.mailboxes.gate.ask(
                partial(Decide, proposed), within=GATE_WITHIN, lane=Lane.BACKGROUND
            )
        await progress({"done": done, "documents": len(news)})


def _bounded(found: Sequence[Saying], looked: int, off: int) -> History:
    """Leave out what is new beyond the bound of a run."""
    kept: list[Saying] = []
    notes = left_out = 0
    for one in found:
        fresh = sum(one.new)
        if notes + fresh <= MOST_NOTES:
            kept.append(one)
            notes += fresh
        else:
            left_out += fresh
    return History(tuple(kept), looked, off, left_out)


async def _is_new(parts: Parts, text: str, project: str, said: set[str]) -> bool:
    """Tell whether neither a newer commit nor a memory says it in these words."""
    if text in said:
        return False
    said.add(text)
    return not await parts.reader.same_content(content_hash(text), Scope(project))


# ---- on the thread that reads files


def _read(
    commits: Sequence[Commit], root: str, run: str, redact: Redact, _: Folder
) -> list[Saying]:
    """What these commits say, of those that say anything.

    A title alone is no reason: a thousand of them would be a changelog.
    """
    found: list[Saying] = []
    for one in commits:
        reading = read_object(AGENT, one.event(root, run), redact)
        if isinstance(reading.event, Event):
            said = understood(reading.event, SessionTrail()).candidates
            title = one.subject.rstrip(".")
            candidates = tuple(each for each in said if each.text.rstrip(".") != title)
            if candidates:
                body = msgspec.msgpack.encode(reading.body)
                found.append(Saying(one, body, candidates, ()))
    return found
