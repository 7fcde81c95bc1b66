"""Equipment of actors beside their mailboxes: the time of day, a thread, somebody's presence, a bounded mapping, answers on their way."""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, cast

import trio
from msgspec import Struct

from actors.core.mailbox import Lane, Mailbox, MailboxClosed, MailboxFull, Question, SwitchedOff

# ---- the time of day, and where blocking work is done: the wall's or a simulation's, a thread or none
T = TypeVar("T")


class Clock(Protocol):
    """The time of day."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Worker(Protocol):
    """Thread for blocking work, one piece at a time."""

    async def run(self, function: Callable[[], T]) -> T:
        """The function's value; a cancelled caller leaves, the work is finished unseen."""
        ...


# ---- somebody's presence: long work asks for it before it begins, and waits as it goes on
#
# Times are monotonic: setting the wall clock, or a sleep of the laptop, is no activity.


class Foreground(Struct):
    """Moment in which somebody last did something.

    Somebody is there when an agent's hook reports an event, an editor's text changes, or a person
    runs a command: ``daemon.conditions`` tells.
    """

    came: int = 0  # times somebody did something: work begun at another number was disturbed
    _last: float = -math.inf  # monotonic

    def happened(self) -> None:
        """Somebody did something, now."""
        self._last = trio.current_time()
        self.came += 1

    def idle_for(self) -> float:
        """Seconds since then; infinite when there was nothing yet."""
        return trio.current_time() - self._last


# ---- a mapping of bounded size


K = TypeVar("K")
V = TypeVar("V")


class Latest(OrderedDict[K, V]):
    """Mapping of bounded size. Setting or looking up a key moves it to the end; ``get`` moves nothing."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def __getitem__(self, key: K) -> V:
        """The entry, which is in use from now on."""
        value = super().__getitem__(key)
        self.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        """Keep it, and let go of the entry longest out of use when there are too many."""
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)


# ---- a question already out: its answer is taken when wanted, and no task waits meanwhile
#
# ``Mailbox.ask`` costs an actor with several questions beside its own work a task, a cancel scope and
# two turns of the loop for each. Most answers are there by the end of its own work.
A = TypeVar("A")
M = TypeVar("M")


class Posted(Generic[A]):
    """The answer to a posted question; its time counts from the post to the answer.

    ``heard`` gets the answer at once, from the giver's task.
    """

    __slots__ = ("_heard", "_reply", "_until", "began")

    def __init__(
        self, question: Question[A], within: float, heard: Callable[[A], None] | None = None
    ) -> None:
        self.began = trio.current_time()
        self._reply = question.reply
        self._reply.when_given = self._end
        self._until = self.began + within
        self._heard = heard

    def _end(self) -> None:
        answer = self._reply.given
        if self._heard is not None and answer is not None:
            self._heard(answer)

    async def answer(self) -> A:
        """The answer, at once when it is there.

        Raises ``trio.TooSlowError`` once its time is over, and the errors of ``Mailbox.ask`` when
        there will be none.
        """
        try:
            if self._reply.is_given:
                return await self._reply.wait()
            with trio.fail_at(self._until):
                return await self._reply.wait()
        finally:
            self._reply.abandoned = True

    @property
    def is_out(self) -> bool:
        """Return whether there is neither an answer nor an error yet."""
        return not self._reply.is_given


def posted(
    mailbox: Mailbox[M],
    question: Question[A],
    *,
    within: float,
    heard: Callable[[A], None] | None = None,
) -> Posted[A]:
    """Post a question with ``within`` seconds for its answer; this never waits.

    A mailbox without room could not answer in time.
    """
    out = Posted(question, within, heard)
    try:
        mailbox.offer(cast("M", question), lane=Lane.INTERACTIVE)
    except MailboxFull:
        question.reply.fail(trio.TooSlowError())
    except (MailboxClosed, SwitchedOff) as error:
        question.reply.fail(error)
    return out


# ---- receipts: word that an answer was taken, after it is out
#
# A hook gives up when its time is over, and then nobody reads the answer on its way. The effects of
# an answer (the ledger, exposure, reminders) count once it was taken.


GIVES_UP = 1.0  # seconds: the longest that a hook waits, and a fifth; who is still there has read

Call = Callable[[], object]


class Receipt:
    """Word of whether one answer was taken; ``taken``: known from the start."""

    __slots__ = ("_calls", "_known", "_taken")

    def __init__(self, *, taken: bool = False) -> None:
        self._known = trio.Event()
        self._taken = True
        self._calls: list[tuple[bool, Call]] = []
        if taken:
            self._known.set()

    def __call__(self, *, taken: bool) -> None:
        """Record whether it was taken; later calls are ignored."""
        if self.is_known:
            return
        self._taken = taken
        self._known.set()
        for wanted, call in self._calls:
            if wanted is taken:
                call()

    @property
    def is_known(self) -> bool:
        """Presence of word, either way."""
        return self._known.is_set()

    def if_taken(self, call: Call) -> None:
        """Call this once the answer is known to be taken; at once when it is."""
        self._when(call, taken=True)

    def if_lost(self, call: Call) -> None:
        """Call this once nobody is known to have taken the answer; at once when so."""
        self._when(call, taken=False)

    def _when(self, call: Call, *, taken: bool) -> None:
        if not self.is_known:
            self._calls.append((taken, call))
        elif self._taken is taken:
            call()

    async def wait(self) -> bool:
        """Return whether it was taken; it was, where nothing is heard of somebody who gave up."""
        with trio.move_on_after(GIVES_UP):
            await self._known.wait()
        return self._taken
