"""Equipment of actors: answers on their way, and receipts for them."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.core.equipment import GIVES_UP, Posted, Receipt, posted
from actors.core.mailbox import Crashed, MailboxClosed, Question, Queue, SwitchedOff

pytestmark = pytest.mark.trio


class HowMany(Question[int], frozen=True):
    """A question."""


def asked(queue: Queue[HowMany], within: float = 0.02) -> Posted[int]:
    return posted(queue.mailbox, HowMany(), within=within)


async def test_an_answer_that_is_there_is_taken_without_waiting(
    autojump_clock: MockClock,
) -> None:
    queue = Queue[HowMany]("counter", room=4)
    question = asked(queue)
    async for message in queue.inbox:
        await trio.sleep(0.01)
        message.reply(3)
        break
    await trio.sleep(5)
    turn = trio.lowlevel.current_statistics().tasks_runnable

    assert await question.answer() == 3
    assert trio.lowlevel.current_statistics().tasks_runnable == turn
    assert autojump_clock.current_time() > 0


async def test_who_has_to_know_at_once_is_told_the_first_answer() -> None:
    queue, heard = Queue[HowMany]("counter", room=4), list[int]()
    question = posted(queue.mailbox, HowMany(), within=0.02, heard=heard.append)
    (message,) = await queue.lease(1) or []
    message.reply(3)
    message.reply(4)

    assert heard == [3]
    assert await question.answer() == 3


async def test_what_is_asked_for_too_early_is_waited_for(autojump_clock: MockClock) -> None:
    _ = autojump_clock
    queue = Queue[HowMany]("counter", room=4)
    found: list[int] = []

    async def ask() -> None:
        found.append(await asked(queue).answer())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        (message,) = await queue.lease(1) or []
        message.reply(4)

    assert found == [4]


async def test_several_that_never_answer_cost_their_time_once(autojump_clock: MockClock) -> None:
    """It counts from when the question was posted, not from when its answer is wanted."""
    _ = autojump_clock
    queue = Queue[HowMany]("counter", room=4)
    began = trio.current_time()
    questions = [asked(queue), asked(queue)]
    await trio.sleep(0.005)
    for question in questions:
        with pytest.raises(trio.TooSlowError):
            await question.answer()

    assert trio.current_time() - began == pytest.approx(0.02)
    queue.close()
    assert all(question.is_out for question in questions)
    assert await queue.lease(4) is None  # nobody answers what nobody waits for
    assert not any(question.is_out for question in questions)


async def test_a_mailbox_without_room_is_late_at_once(autojump_clock: MockClock) -> None:
    _ = autojump_clock
    queue = Queue[HowMany]("counter", room=1)
    first, second = asked(queue), asked(queue)

    with pytest.raises(trio.TooSlowError):
        await second.answer()
    assert trio.current_time() - first.began < 0.001


@pytest.mark.parametrize("how", ["closed", "off", "crashed"])
async def test_where_there_will_be_no_answer_the_reason_is_raised(
    autojump_clock: MockClock, how: str
) -> None:
    _ = autojump_clock
    queue = Queue[HowMany]("counter", room=4)
    if how == "closed":
        queue.close()
    if how == "off":
        queue.switch_off("counter is off")
    question = asked(queue)
    if how == "crashed":
        await queue.lease(1)
        queue.crashed(ValueError())

    await trio.sleep(5)  # whoever asked is busy elsewhere

    errors = {"closed": MailboxClosed, "off": SwitchedOff, "crashed": Crashed}
    with pytest.raises(errors[how]):
        await question.answer()


# ---- receipts: whether an answer was taken, said once


def words_of(receipt: Receipt) -> list[str]:
    """Words for those who want to hear of the receipt."""
    said: list[str] = []
    receipt.if_taken(lambda: said.append("taken"))
    receipt.if_lost(lambda: said.append("lost"))
    return said


@pytest.mark.parametrize(("taken", "word"), [(True, "taken"), (False, "lost")])
async def test_it_is_said_once_to_each_that_wants_to_know(taken: bool, word: str) -> None:
    receipt = Receipt()
    early = words_of(receipt)
    assert early == []
    receipt(taken=taken)
    receipt(taken=not taken)

    assert early == [word]
    assert words_of(receipt) == [word]
    assert await receipt.wait() is taken


async def test_who_says_nothing_for_long_has_taken_it(autojump_clock: MockClock) -> None:
    _ = autojump_clock
    began = trio.current_time()

    assert await Receipt().wait() is True
    assert trio.current_time() - began == GIVES_UP


async def test_one_that_is_known_to_be_taken_waits_for_nobody() -> None:
    receipt = Receipt(taken=True)

    assert receipt.is_known
    assert words_of(receipt) == ["taken"]
