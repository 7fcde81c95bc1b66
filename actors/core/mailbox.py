"""Mailboxes: bounded queues of two lanes, actors' only handle on each other.

The queue outlives the actor reading it. Drained messages stay *leased* until the reader comes back for more; after
a crash a leased batch is handed back one message at a time, and a message crashing alone becomes the dead letter.
So one poisonous message costs one message, and nothing queued behind it.

Draining without a checkpoint costs 0.7-1.1 µs a message where ``trio``'s memory channels cost 11-16 µs; the reader
yields once every ``FAIR`` messages instead.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import Generic, NamedTuple, TypeVar, cast

import trio
from msgspec import Struct, field

M = TypeVar("M")
A = TypeVar("A")

FAIR = 64  # messages between two checkpoints of a busy reader
BACKGROUND_TURN = 16  # interactive turns after which the background lane gets one


class MailboxFull(Exception):
    """The queue has no room and the sender would not wait."""


class MailboxClosed(Exception):
    """The actor takes no more messages: the daemon is stopping."""


class SwitchedOff(Exception):
    """The actor crashed too often and was switched off; the text says which."""


class Crashed(Exception):
    """The actor crashed on this very question."""


class Lane(Enum):
    """Lane of a mailbox: whether a person waits, or a background job."""

    INTERACTIVE = 0
    BACKGROUND = 1


class Reply(Generic[A]):
    """Place where the answer to one question goes, once."""

    __slots__ = ("_answer", "_error", "_given", "abandoned", "when_given")

    def __init__(self) -> None:
        self._given = trio.Event()
        self._answer: list[A] = []
        self._error: Exception | None = None
        self.abandoned = False  # the asker gave up: the question can be skipped
        self.when_given: Callable[[], None] | None = None  # called as it is given

    def __eq__(self, other: object) -> bool:
        """Any other place is as good: two questions are equal when they ask the same."""
        return isinstance(other, Reply)

    def __hash__(self) -> int:
        """One number for all, as they are equal."""
        return hash(Reply)

    def __call__(self, answer: A) -> None:
        """Give the answer; later ones are ignored."""
        if not self._given.is_set():
            self._answer.append(answer)
            self._end()

    def fail(self, error: Exception) -> None:
        """Fail the question: the asker gets this error instead."""
        if not self._given.is_set():
            self._error = error
            self._end()

    def _end(self) -> None:
        self._given.set()
        if self.when_given is not None:
            self.when_given()

    @property
    def is_given(self) -> bool:
        """Presence of the answer, or of an error instead."""
        return self._given.is_set()

    @property
    def given(self) -> A | None:
        """The answer, or ``None`` before it is out and after an error."""
        return self._answer[0] if self._answer else None

    async def wait(self) -> A:
        """The answer, when it is given; at once when it is."""
        if not self._given.is_set():
            await self._given.wait()
        if self._error is not None:
            raise self._error
        return self._answer[0]


class Question(Struct, Generic[A], frozen=True, kw_only=True):
    """A message with an answer: whoever takes it calls ``reply`` once, on every path."""

    reply: Reply[A] = field(default_factory=cast("Callable[[], Reply[A]]", Reply))


def _reply_of(message: object) -> Reply[object] | None:
    """Place of a message's answer; None where it wants none."""
    return cast("Question[object]", message).reply if isinstance(message, Question) else None


class DeadLetter(NamedTuple):
    """A message left unhandled; its type only, never its contents."""

    actor: str
    message: str
    error: str
    seq: int | None = None  # of the journaled event that it was about


class Queue(Generic[M]):
    """The state behind one mailbox: made once by the composition root."""

    def __init__(self, name: str, *, room: int) -> None:
        self.name = name
        self._room = room  # per lane
        self._lanes: tuple[deque[M], deque[M]] = (deque(), deque())
        self._senders = (trio.lowlevel.ParkingLot(), trio.lowlevel.ParkingLot())
        self._reader = trio.lowlevel.ParkingLot()
        self._leased: list[M] = []
        self._handed_back: deque[M] = deque()
        self._closed = False
        self._off: str | None = None
        self._turns = 0
        self._handled = self._dead = 0
        self.mailbox: Mailbox[M] = Mailbox(self)
        self.inbox: Inbox[M] = Inbox(self)

    # -- the sending side

    async def put(self, message: M, lane: Lane) -> None:
        waiting = self._lanes[lane.value]
        while len(waiting) >= self._room and self._off is None and not self._closed:
            await self._senders[lane.value].park()
        self._accept(message, lane)

    def put_nowait(self, message: M, lane: Lane) -> None:
        if len(self._lanes[lane.value]) >= self._room and self._off is None:
            raise MailboxFull(self.name)
        self._accept(message, lane)

    def _accept(self, message: M, lane: Lane) -> None:
        if self._closed:
            raise MailboxClosed(self.name)
        if self._off is not None:
            self._dead += 1
            raise SwitchedOff(self._off)
        self._lanes[lane.value].append(message)
        self._reader.unpark()

    def close(self) -> None:
        """No more messages; the reader drains the queue, then ends."""
        self._closed = True
        self._wake_everyone()

    def switch_off(self, why: str) -> list[DeadLetter]:
        """Refuse everything from now on; waiting messages become dead letters."""
        self._off = why
        waiting = [*self._handed_back, *self._lanes[0], *self._lanes[1]]
        self._handed_back.clear()
        for lane in self._lanes:
            lane.clear()
        self._wake_everyone()
        return [self._bury(message, SwitchedOff(why)) for message in waiting]

    def _wake_everyone(self) -> None:
        self._reader.unpark_all()
        for senders in self._senders:
            senders.unpark_all()

    # -- the reading side

    async def lease(self, limit: int) -> list[M] | None:
        """The next batch, or ``None`` when the mailbox is closed and drained."""
        self._leased = []
        while True:
            if self._handed_back:
                self._leased = self._living([self._handed_back.popleft()])
            else:
                self._leased = self._living(self._drain(limit))
            if self._leased:
                self._handled += len(self._leased)
                return list(self._leased)
            if self._closed and not self.waiting:
                return None
            if not self.waiting:
                await self._reader.park()

    @property
    def waiting(self) -> int:
        """Messages not taken yet."""
        return len(self._handed_back) + len(self._lanes[0]) + len(self._lanes[1])

    def _drain(self, limit: int) -> list[M]:
        index = self._lane_of_this_turn()
        lane = self._lanes[index]
        batch = [lane.popleft() for _ in range(min(limit, len(lane)))]
        if batch:
            self._senders[index].unpark(count=len(batch))
        return batch

    def _lane_of_this_turn(self) -> int:
        interactive, background = self._lanes
        if not background:
            return Lane.INTERACTIVE.value
        if interactive and self._turns < BACKGROUND_TURN:
            self._turns += 1
            return Lane.INTERACTIVE.value
        self._turns = 0
        return Lane.BACKGROUND.value

    def _living(self, batch: list[M]) -> list[M]:
        living: list[M] = []
        for message in batch:
            reply = _reply_of(message)
            if reply is not None and reply.abandoned:
                reply.fail(trio.TooSlowError())  # whoever counts what is out hears of it
            else:
                living.append(message)
        return living

    def crashed(self, error: BaseException) -> DeadLetter | None:
        """The reader crashed: bury the message at fault, hand back the rest."""
        leased, self._leased = self._leased, []
        if len(leased) == 1:
            return self._bury(leased[0], error)
        self._handed_back.extend(leased)
        return None

    def _bury(self, message: M, error: BaseException) -> DeadLetter:
        self._dead += 1
        reply = _reply_of(message)
        if reply is not None:
            reply.fail(error if isinstance(error, SwitchedOff) else Crashed(self.name))
        seq = getattr(message, "seq", None)
        return DeadLetter(self.name, type(message).__name__, type(error).__name__, seq)

    def statistics(self) -> dict[str, int]:
        """Counts of messages: waiting in each lane, taken by the actor, crashed on or refused."""
        return {
            "interactive": len(self._lanes[0]) + len(self._handed_back),
            "background": len(self._lanes[1]),
            "handled": self._handled,
            "dead": self._dead,
        }


class Mailbox(Generic[M]):
    """The sending half."""

    __slots__ = ("_queue",)

    def __init__(self, queue: Queue[M]) -> None:
        self._queue = queue

    async def tell(self, message: M, *, lane: Lane = Lane.INTERACTIVE) -> None:
        """Post, waiting for room: backpressure reaches the sender."""
        await self._queue.put(message, lane)

    def offer(self, message: M, *, lane: Lane = Lane.BACKGROUND) -> None:
        """Post without waiting; raises ``MailboxFull`` when there is no room."""
        self._queue.put_nowait(message, lane)

    def hint(self, message: M) -> bool:
        """Post a message of little weight, without waiting; returns whether there was room and a reader."""
        try:
            self.offer(message)
        except (MailboxFull, MailboxClosed, SwitchedOff):
            return False
        return True

    async def ask(
        self, question: Question[A], *, within: float, lane: Lane = Lane.INTERACTIVE
    ) -> A:
        """Post a question and wait for its answer, at most ``within`` seconds.

        ``tests/docs`` checks this actor takes it: no type says *of this union and a question*. Raises
        ``trio.TooSlowError``, or ``Crashed`` and ``SwitchedOff`` when there will be no answer.
        """
        try:
            with trio.fail_after(within):
                await self._queue.put(cast("M", question), lane)
                return await question.reply.wait()
        finally:
            question.reply.abandoned = True


class Inbox(Generic[M]):
    """The reading half; it belongs to whoever runs the actor.

    Iterates over single messages. No generator: nothing is left open by a crash.
    """

    __slots__ = ("_queue", "_taken")

    def __init__(self, queue: Queue[M]) -> None:
        self._queue = queue
        self._taken = 0

    def __aiter__(self) -> Inbox[M]:
        """One message at a time, until the mailbox is closed and drained."""
        return self

    async def __anext__(self) -> M:
        self._taken += 1
        if self._taken % FAIR == 0:
            await trio.lowlevel.checkpoint()
        batch = await self._queue.lease(1)
        if batch is None:
            raise StopAsyncIteration
        return batch[0]

    @property
    def empty(self) -> bool:
        """Return whether nothing waits: time for less urgent work."""
        return self._queue.waiting == 0

    async def batch(self, limit: int) -> list[M] | None:
        """All waiting messages of one lane, at most ``limit``; ``None`` at the end."""
        await trio.lowlevel.checkpoint()
        return await self._queue.lease(limit)
