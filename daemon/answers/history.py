"""History of a repository, learnt in bulk: reasons given in its commits.

Each commit is read as if an agent had just made it, by the reading and the rules of live events,
and is dated by its making: it ends nothing said later. Nothing is learnt of a commit taken back by
a later one: its fault is for the later one to tell.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from actors.intake.extraction import signed, understood
from actors.intake.reading import read_object
from actors.policy.events.cutting import Redact
from actors.policy.events.events import Event
from actors.policy.events.trail import SessionTrail
from actors.staleness.rows import Commit
from daemon.answers.sayings import MOST_NOTES, Saying, compared, learn_saying, saying
from daemon.context import Parts, Progress
from daemon.recording import NO_SESSION, Recording
from daemon.shapes.learnt import DocumentSaid
from daemon.shapes.replies import NotThere
from daemon.sources import DiskFolder

AT_ONCE: Final = 50  # commits read without a turn for others: 10 ms
AGENT: Final = "reverie"  # who is journaled to have read them
SHORT: Final = 7  # digits by which commits name each other
_REVERTS: Final = re.compile(r"^This reverts commit ([0-9a-f]{7,40})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class History:
    """Sayings of the commits of a repository, the newest first."""

    telling: tuple[tuple[Commit, Saying], ...]
    looked: int
    off: int  # made where or while recording was off
    left_out: int  # new notes over those of one run

    def preview(self) -> list[DocumentSaid]:
        """Preview of the commits' sayings, in the form of documents."""
        return [
            DocumentSaid(place=f"{one.id[:10]} {one.subject}"[:100], items=said.items(), ended=0)
            for one, said in self.telling
        ]


async def history(parts: Parts, root: str, limit: int, run: str, progress: Progress) -> History:
    """Read the newest commits of a checkout and compare them with the memories."""
    commits = await parts.sources.visit(root, lambda folder: folder.commits(limit))
    if not commits:
        raise NotThere("no_history", "git told no commits of this folder")
    off = Recording(parts.home).off
    recorded = [one for one in commits if off([root], NO_SESSION, one.at, one.at) is None]
    kept = not_reverted(recorded)
    project, said, now = parts.project_of(root) or root, set[str](), parts.clock.now()
    found: list[tuple[Commit, Saying]] = []
    for start in range(0, len(kept), AT_ONCE):
        work = partial(_read, kept[start : start + AT_ONCE], root, run, project, parts.redact)
        for one, says in await parts.sources.visit(root, work) or ():
            found.append((one, await compared(parts, says, project, said, now)))
        await progress({"done": start + AT_ONCE, "documents": len(kept)})
    return _bounded(found, len(commits), len(commits) - len(recorded))


def not_reverted(commits: Sequence[Commit]) -> list[Commit]:
    """Leave out commits taken back by a later one, unless that one was taken back itself; the newest first."""
    reverted, found = set[str](), list[Commit]()
    for one in commits:
        if one.id[:SHORT] not in reverted:
            found.append(one)
            reverted |= {name[:SHORT] for name in _REVERTS.findall(one.body)}
    return found


async def learn_history(
    parts: Parts, found: History, run: str, project: str, at: float, progress: Progress
) -> None:
    """Propose new sayings to the gate, the oldest commit first."""
    news = [said for _, said in reversed(found.telling) if any(said.new)]
    for done, one in enumerate(news, 1):
        await learn_saying(parts, one, run, project, at)
        await progress({"done": done, "documents": len(news)})


def _bounded(found: Sequence[tuple[Commit, Saying]], looked: int, off: int) -> History:
    """Leave out new sayings beyond the bound of a run."""
    kept: list[tuple[Commit, Saying]] = []
    notes = left_out = 0
    for commit, one in found:
        fresh = sum(one.new)
        if notes + fresh <= MOST_NOTES:
            kept.append((commit, one))
            notes += fresh
        else:
            left_out += fresh
    return History(tuple(kept), looked, off, left_out)


# ---- on the thread that reads files


def _read(
    commits: Sequence[Commit], root: str, run: str, project: str, redact: Redact, _: DiskFolder
) -> list[tuple[Commit, Saying]]:
    """Sayings of these commits, as far as they have any.

    A title alone is no reason: a thousand of them would be a changelog.
    """
    found: list[tuple[Commit, Saying]] = []
    for one in commits:
        reading = read_object(AGENT, one.event(root, run), redact)
        if isinstance(reading.event, Event):
            said = signed(understood(reading.event, SessionTrail()).candidates, [one], redact)
            title = one.subject.rstrip(".")
            candidates = [each for each in said if each.text.rstrip(".") != title]
            if candidates:
                found.append(
                    (one, saying(f"{project} {one.id}", AGENT, one.at, reading, candidates))
                )
    return found
