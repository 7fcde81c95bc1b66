"""Reach of an answer: mailboxes, the reading side, the daemon's state, and their common uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, TypeVar

import trio
from msgspec import Struct, field
from msgspec.structs import asdict

from actors.core.equipment import Clock, Latest
from actors.core.mailbox import MailboxClosed
from actors.gate.messages import NoSuchMemory
from actors.memory.commit import Commit, Unit
from actors.memory.observatory import Observatory
from actors.memory.rows import Embedding, Memory
from actors.passages.passages import Passages
from actors.policy.events.cutting import Redact
from actors.policy.secrets.redaction import redacted
from actors.recall.archive import Archive
from actors.recall.triggers import Triggers
from daemon.conditions import Activity
from daemon.durability.backups import Backups
from daemon.engines.process import Place
from daemon.home import Home
from daemon.hook_answers import LateAnswers
from daemon.schedule import PASSING, Schedule
from daemon.settings import Settings
from daemon.shapes.replies import WRITE_DEADLINE, BadRequest
from daemon.share.folder import Looks
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide
from daemon.supervisor import Mailboxes, Supervisor
from daemon.views import memory_number, short_id

# ---- changes for watchers: a number rising with every change of the store


class Changes:
    """The revision, and who waits for the next one."""

    def __init__(self) -> None:
        self.revision = 0
        self._waiting = trio.lowlevel.ParkingLot()

    def announce(self) -> None:
        """Something changed."""
        self.revision += 1
        self._waiting.unpark_all()

    async def after(self, revision: int) -> int:
        """The first revision later than this one."""
        while self.revision <= revision:
            await self._waiting.park()
        return self.revision


Progress = Callable[[dict[str, Any]], Awaitable[None]]

TELLINGS: Final = 256  # before calls and at failures: a session has a few


class Parts(Struct):
    """Everything an answer needs; made once by the composition root."""

    home: Home
    settings: Settings
    clock: Clock
    reader: ReadingSide
    embedding: Embedding
    mailboxes: Mailboxes
    supervisor: Supervisor
    changes: Changes
    project_of: Callable[[str], str | None]
    sources: ProjectSources
    started: float  # monotonic
    stop: trio.Event
    gateway: Callable[[], dict[str, Any]]
    triggers: Triggers
    archive: Archive  # of passages
    passages: Passages
    place: Place  # of the engines that read sessions
    schedule: Schedule
    last_event: float = 0.0  # monotonic: when somebody last asked or reported something
    warnings: tuple[str, ...] = ()  # what was set and is not used, and why
    redact: Redact = redacted  # with the user's patterns
    loop: Callable[[], dict[str, Any]] = dict  # how long its turns were
    activity: Activity = field(default_factory=Activity)
    late: LateAnswers = field(default_factory=LateAnswers)
    # told before calls and at failures, by session, place and memory: calls follow each other at once,
    # and the store knows of it later
    told: Latest[tuple[str, str, int], bool] = field(default_factory=lambda: Latest(TELLINGS))
    looks: Looks = field(default_factory=Looks)  # at the notes of repositories
    observatory: Observatory = field(default_factory=Observatory)
    backups: Backups | None = None  # none of a life that is only played

    def project_meant(self, given: str | None) -> str | None:
        """A path means the project it lies in; any other name stands for itself."""
        if given is None:
            return None
        return (self.project_of(given) or given) if given.startswith("/") else given

    async def known_memories(self, shorts: list[str]) -> list[Memory]:
        """These memories, in order. Raises ``NoSuchMemory`` when one is not there."""
        ids = [memory_number(short) for short in shorts]
        found = await self.reader.memories(ids)
        if any(memory_id not in found for memory_id in ids):
            raise NoSuchMemory
        return [found[memory_id] for memory_id in ids]

    def seen_by(self, agent_in: str | None) -> frozenset[str | None] | None:
        """Projects with memories open to the agent of this one; ``None``: a person asks, of all."""
        if agent_in is None:
            return None
        return frozenset({None, self.project_meant(agent_in)})

    def check_seen(self, agent_in: str | None, memories: Iterable[Memory]) -> None:
        """Raise ``BadRequest`` for a memory closed to the agent of this project."""
        seen = self.seen_by(agent_in)
        for memory in memories:
            if seen is not None and memory.project not in seen:
                name = short_id(memory.id)
                raise BadRequest(f"{name} is not of this project: search says what is")

    async def commit(self, unit: Unit) -> list[int]:
        return await self.mailboxes.long_term.ask(Commit(unit), within=WRITE_DEADLINE)


T = TypeVar("T")


def sliced(whole: tuple[T, ...], size: int) -> Iterator[tuple[T, ...]]:
    """The whole in pieces of at most this size, in order."""
    return (whole[start : start + size] for start in range(0, len(whole), max(1, size)))


# ---- long work for whoever asked: its steps are told, and it ends when the person leaves

WITHIN: Final = 3_600.0  # seconds for everything
TOLD_EVERY: Final = 0.1  # seconds between two words of how far it is
PROBLEMS = (*PASSING, MailboxClosed)


async def with_progress(
    progress: Progress, work: Callable[[Callable[[Any], None]], Awaitable[T]]
) -> T:
    """Result of the work; it gets a function for reporting each step (a value) taken."""
    latest: list[Any] = []
    found: list[T] = []
    problem: Exception | None = None

    def seen(step: Any) -> None:
        latest[:] = [step]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(_tell, latest, progress)
        try:
            found.append(await work(seen))
        except PROBLEMS as error:  # raised below: here it would come out as a group
            problem = error
        nursery.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return found[0]


async def _tell(latest: list[Any], progress: Progress) -> None:
    said: list[Any] = []
    with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # the person is leaving
        while True:
            if latest != said:
                said = [*latest]
                await progress(asdict(said[0]))
            await trio.sleep(TOLD_EVERY)
