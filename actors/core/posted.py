"""A question that is out, whose answer is taken when it is wanted: no task waits meanwhile.

``Mailbox.ask`` costs whoever asks several neighbours beside his own work a task, a cancel scope and
two turns of the loop for each. Most have answered by the time that work is done.
"""

from collections.abc import Callable
from typing import Generic, TypeVar, cast

import trio

from actors.core.mailbox import Lane, Mailbox, MailboxClosed, MailboxFull, Question, SwitchedOff

A = TypeVar("A")
M = TypeVar("M")


class Posted(Generic[A]):
    """The answer to a question that was posted; it counts from then until when it came.

    ``heard`` is told the answer in the moment in which it comes, by whoever gives it.
    """

    __slots__ = ("_ended", "_heard", "_reply", "_until", "began")

    def __init__(
        self, question: Question[A], within: float, heard: Callable[[A], None] | None = None
    ) -> None:
        self.began = trio.current_time()
        self._reply = question.reply
        self._reply.when_given = self._end
        self._ended: float | None = None
        self._until = self.began + within
        self._heard = heard

    def _end(self) -> None:
        self._ended = trio.current_time()
        answer = self._reply.given
        if self._heard is not None and answer is not None:
            self._heard(answer)

    async def answer(self) -> A:
        """The answer, at once when it is there.

        Raises ``trio.TooSlowError`` once the time for it is over, and what ``Mailbox.ask`` raises
        when there will be none.
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
        """Absence of an answer, and of word that there will be none."""
        return self._ended is None

    @property
    def spent(self) -> float:
        """Milliseconds that it took until there was an answer or none any more, or so far."""
        ended = trio.current_time() if self._ended is None else self._ended
        return 1000 * (ended - self.began)


def posted(
    mailbox: Mailbox[M],
    question: Question[A],
    *,
    within: float,
    heard: Callable[[A], None] | None = None,
) -> Posted[A]:
    """Post a question that has ``within`` seconds for its answer; this never waits.

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
