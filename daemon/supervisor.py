"""The supervisor: actors one for one, with backoff, restart intensity and dead letters; their mailboxes; threads for blocking work."""

import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar, runtime_checkable

import trio
from msgspec import Struct, field

from actors.core.failures import described, without_contents
from actors.core.mailbox import Crashed, DeadLetter, Inbox, Mailbox, Queue
from actors.gate.messages import GateMessage
from actors.intake.messages import ExtractionMessage, IntakeMessage
from actors.memory.commit import LongTermMessage
from actors.memory.rows import EmbedderMessage
from actors.memory.use import StrengthMessage
from actors.night.shapes import ArchivistMessage, DreamingMessage
from actors.reader.messages import SessionReaderMessage
from actors.recall.shapes import RecallMessage
from actors.session.shapes import WorkingMemoryMessage
from actors.staleness.messages import StalenessMessage

# ---- the supervisor: one-for-one, with backoff, restart intensity and dead letters
#
# A crash of one actor touches no other. The mailbox outlives the instance; the crashing message is
# buried, not replayed (``actors.core.mailbox``). An actor crashing more than ``intensity`` times
# within ``period`` seconds is switched off and named in ``reverie status``; only when the daemon is
# nothing without it (``vital``) does the daemon end, loudly. The words are OTP's.

T = TypeVar("T")

log = logging.getLogger(__name__)

DEAD_LETTERS_KEPT = 100
DERIVING = frozenset({"extraction", "gate"})  # who makes memories of events


class RestartLimitExceeded(Exception):
    """A vital actor of the daemon keeps crashing."""


class Actor(Protocol):
    """Interface of an actor to the supervisor."""

    async def run(self, inbox: Inbox[Any]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        ...


@runtime_checkable
class Telling(Protocol):
    """An actor with figures of its own for ``reverie status``."""

    def statistics(self) -> dict[str, Any]:
        """Figures by their names."""
        ...


class Restarts(Struct, frozen=True):
    """Settings of how crashes are answered."""

    intensity: int = 5  # crashes within the period that are forgiven
    period: float = 60.0  # seconds
    backoff: float = 0.2  # seconds before the first restart
    backoff_max: float = 10.0  # seconds


class Child(Struct):
    """One supervised actor: how it is built, and how it has fared."""

    name: str
    build: Callable[[], Actor]
    queue: Queue[Any]
    vital: bool = False
    restarts: Restarts = field(default_factory=Restarts)
    instance: Actor | None = None
    crashes: int = 0
    state: str = "waiting"
    last_error: str | None = None

    def statistics(self) -> dict[str, Any]:
        """State, crashes, mailbox and the actor's own figures."""
        telling = self.instance if isinstance(self.instance, Telling) else None
        return {
            "state": self.state,
            "crashes": self.crashes,
            "last_error": self.last_error,
            "mailbox": self.queue.statistics(),
            **(telling.statistics() if telling is not None else {}),
        }


class Supervisor:
    """Runs the children; owns the dead letters."""

    def __init__(
        self, *, jitter: random.Random, event_ended: Callable[[int], object] = lambda _: None
    ) -> None:
        self._jitter = jitter
        self._event_ended = event_ended  # told the number of an event that nothing will come of
        self.children: dict[str, Child] = {}
        self.dead_letters: deque[DeadLetter] = deque(maxlen=DEAD_LETTERS_KEPT)

    def add(self, child: Child) -> None:
        """Take a child; ``run`` starts it."""
        self.children[child.name] = child

    async def run(self, child: Child) -> None:
        """Run one child until its mailbox is closed and drained.

        Raises ``RestartLimitExceeded`` when a vital child keeps crashing.
        """
        crashes: deque[float] = deque()
        while True:
            try:
                child.instance = child.build()
                child.state = "running"
                await child.instance.run(child.queue.inbox)
            except Exception as error:  # the supervisor is the place for it
                delay = self._after_crash(child, crashes, error)
                if delay is None:
                    return
                await trio.sleep(delay)
            else:
                child.state = "ended"
                return

    async def guard(
        self,
        name: str,
        work: Callable[[], Awaitable[T]],
        expected: tuple[type[Exception], ...],
    ) -> T:
        """Do one piece of work of nobody's: its bug costs itself and not the daemon.

        Raises ``expected`` errors as they are, and ``Crashed`` for everything else.
        """
        try:
            return await work()
        except expected:
            raise
        except Exception as error:
            self._bury(DeadLetter("gateway", name, described(error)))
            log.error("answer_failed kind=%s", name, exc_info=without_contents(error))
            raise Crashed(name) from None

    def _after_crash(self, child: Child, crashes: deque[float], error: Exception) -> float | None:
        """Seconds to wait before the restart, ``None`` to stay off."""
        rules = child.restarts
        now = trio.current_time()
        crashes.append(now)
        while now - crashes[0] > rules.period:
            crashes.popleft()
        child.crashes += 1
        child.last_error = described(error)
        self._bury(child.queue.crashed(error))
        if len(crashes) > rules.intensity:
            self._switch_off(child, error)
            return None
        child.state = "restarting"
        delay = min(rules.backoff * 2.0 ** (len(crashes) - 1), rules.backoff_max)
        delay *= 1.0 + 0.2 * self._jitter.random()
        log.error(
            "crashed actor=%s restart_in=%.1f error=%s", child.name, delay, child.last_error,
            exc_info=without_contents(error),
        )  # fmt: skip
        return delay

    def _switch_off(self, child: Child, error: Exception) -> None:
        child.state = "off"
        why = f"{child.name} crashed {child.crashes} times and was switched off"
        for letter in child.queue.switch_off(why):
            self._bury(letter)
        log.error("switched_off actor=%s error=%s", child.name, child.last_error)
        if child.vital:
            raise RestartLimitExceeded(why) from error

    def _bury(self, letter: DeadLetter | None) -> None:
        if letter is not None:
            self.dead_letters.append(letter)
            if letter.seq is not None and letter.actor in DERIVING:
                self._event_ended(letter.seq)  # or it would crash its reader at every start
            log.error("dead_letter actor=%s message=%s error=%s", *letter[:3])


class Mailboxes(Struct, frozen=True):
    """The actors for clients' requests."""

    intake: Mailbox[IntakeMessage]
    gate: Mailbox[GateMessage]
    long_term: Mailbox[LongTermMessage]
    embedder: Mailbox[EmbedderMessage]
    recall: Mailbox[RecallMessage]
    strength: Mailbox[StrengthMessage]
    working_memory: Mailbox[WorkingMemoryMessage]
    archivist: Mailbox[ArchivistMessage]
    extraction: Mailbox[ExtractionMessage]
    dreaming: Mailbox[DreamingMessage]
    staleness: Mailbox[StalenessMessage]
    session_reader: Mailbox[SessionReaderMessage]


class WorkThread:
    """A thread with a name for blocking work, a piece at a time; callers wait for their turn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._turn = trio.CapacityLimiter(1)

    @property
    def in_flight(self) -> int:
        """Pieces of work under way; one abandoned by its caller is among them until it is done."""
        return self._turn.borrowed_tokens

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value. A cancelled caller leaves; begun work is finished unseen."""
        return await trio.to_thread.run_sync(
            function, thread_name=self._name, abandon_on_cancel=True, limiter=self._turn
        )


class Here:
    """No thread at all: work is done where it is asked for, in a simulation and in tests."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value."""
        await trio.lowlevel.checkpoint()
        return function()
