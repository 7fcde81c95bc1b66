"""What an answer may reach: the mailboxes, the reading side, and the daemon's state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import trio

from actors.mailbox import Mailbox
from actors.messages import (
    ActivationMessage,
    CausalMessage,
    EmbedderMessage,
    GateMessage,
    ImportanceMessage,
    IntakeMessage,
    LongTermMessage,
    ProspectiveMessage,
    RecallMessage,
    SessionsMessage,
    StrengthMessage,
    TaggingMessage,
    TriggersMessage,
    WorkingMemoryMessage,
)
from actors.ports import Clock, Embedding
from daemon.changes import Changes
from daemon.home import Home
from daemon.requests.shapes import Request
from daemon.settings import Settings
from daemon.storage.reading import ReadingSide
from daemon.supervisor import Supervisor

Progress = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Mailboxes:
    """The actors that clients' requests go to."""

    intake: Mailbox[IntakeMessage]
    gate: Mailbox[GateMessage]
    long_term: Mailbox[LongTermMessage]
    embedder: Mailbox[EmbedderMessage]
    triggers: Mailbox[TriggersMessage]
    recall: Mailbox[RecallMessage]
    strength: Mailbox[StrengthMessage]
    sessions: Mailbox[SessionsMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    tagging: Mailbox[TaggingMessage]
    prospective: Mailbox[ProspectiveMessage]
    importance: Mailbox[ImportanceMessage]
    activation: Mailbox[ActivationMessage]
    causal: Mailbox[CausalMessage]


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
    started: float  # monotonic
    stop: trio.Event
    gateway: Callable[[], dict[str, Any]]
    last_event: float = 0.0  # monotonic: when somebody last asked or reported something
    warnings: tuple[str, ...] = ()  # what was set and is not used, and why


Answering = Callable[[Parts, Any, Progress], Awaitable[Any]]
Table = dict[type[Request[Any]], Answering]
