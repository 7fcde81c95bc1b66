"""Reach of an answer: mailboxes, the reading side, the daemon's state; what most do with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import trio

from actors.core.ports import Clock
from actors.embedding.rows import Embedding
from actors.gate.messages import NoSuchMemory
from actors.memory.messages import Commit
from actors.memory.rows import Memory
from actors.memory.unit import Unit
from actors.observatory.observatory import Observatory
from actors.passages.finding import Finding
from actors.passages.passages import Passages
from actors.policy.events.cutting import Redact
from actors.policy.events.redaction import redacted
from actors.recall.triggers import Triggers
from daemon.activity import Activity
from daemon.changes import Changes
from daemon.conditions import Machine, SteadyMachine
from daemon.durability.backups import Backups
from daemon.engines.process import Place
from daemon.home import Home
from daemon.late import LateAnswers
from daemon.mailboxes import Mailboxes
from daemon.moments import Moments
from daemon.schedule import Schedule
from daemon.settings import Settings
from daemon.shapes.replies import BadRequest
from daemon.sources import ProjectSources
from daemon.storage.reader import ReadingSide
from daemon.supervisor import Supervisor
from daemon.views import memory_number, short_id

Progress = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Parts:
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
    last_event: float = 0.0  # monotonic: when somebody last asked or reported something
    warnings: tuple[str, ...] = ()  # what was set and is not used, and why
    redact: Redact = redacted  # with the user's patterns
    loop: Callable[[], dict[str, Any]] = dict  # how long its turns were
    activity: Activity = field(default_factory=Activity)
    late: LateAnswers = field(default_factory=LateAnswers)
    moments: Moments = field(default_factory=Moments)
    observatory: Observatory = field(default_factory=Observatory)
    machine: Machine = field(default_factory=SteadyMachine)
    backups: Backups | None = None  # none of a life that is only played
    triggers: Triggers = field(kw_only=True)
    finding: Finding = field(kw_only=True)  # of passages
    passages: Passages = field(kw_only=True)
    place: Place = field(kw_only=True)  # of the engines that read sessions
    schedule: Schedule = field(kw_only=True)


T = TypeVar("T")
WRITE_DEADLINE = 30.0  # seconds
PAGE_LIMIT = 1_000
PAGE = 5_000  # rows at most, where a row is short


class NotThere(Exception):
    """Error: what a client names is not there; ``code`` is for programs, the text for people."""

    def __init__(self, code: str, line: str) -> None:
        super().__init__(line)
        self.code = code


def project_meant(parts: Parts, given: str | None) -> str | None:
    """A path means the project it lies in; any other name stands for itself."""
    if given is None:
        return None
    return (parts.project_of(given) or given) if given.startswith("/") else given


def check_limit(limit: int, most: int = PAGE_LIMIT) -> None:
    """Raises ``BadRequest`` for a limit that no answer has."""
    if not 1 <= limit <= most:
        raise BadRequest(f"the limit is {limit}: it must be between 1 and {most}")


def sliced(whole: tuple[T, ...], size: int) -> Iterator[tuple[T, ...]]:
    """The whole in pieces of at most this size, in order."""
    return (whole[start : start + size] for start in range(0, len(whole), max(1, size)))


async def known_memories(parts: Parts, shorts: list[str]) -> list[Memory]:
    """These memories, in order.

    Raises ``NoSuchMemory`` when one is not there.
    """
    ids = [memory_number(short) for short in shorts]
    found = await parts.reader.memories(ids)
    if any(memory_id not in found for memory_id in ids):
        raise NoSuchMemory
    return [found[memory_id] for memory_id in ids]


def seen_by(parts: Parts, agent_in: str | None) -> frozenset[str | None] | None:
    """Projects whose memories the agent of this one would be told; ``None``: a person asks, of all."""
    if agent_in is None:
        return None
    return frozenset({None, project_meant(parts, agent_in)})


def check_seen(parts: Parts, agent_in: str | None, memories: Iterable[Memory]) -> None:
    """Raise ``BadRequest`` for a memory that the agent of this project would not be told."""
    seen = seen_by(parts, agent_in)
    for memory in memories:
        if seen is not None and memory.project not in seen:
            name = short_id(memory.id)
            raise BadRequest(f"{name} is not of this project: search says what is")


async def commit(parts: Parts, unit: Unit) -> list[int]:
    return await parts.mailboxes.long_term.ask(Commit(unit), within=WRITE_DEADLINE)
