"""Mailboxes: order, lanes, backpressure, questions, crashes and the end."""

from __future__ import annotations

from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.core.mailbox import (
    BACKGROUND_TURN,
    FAIR,
    Crashed,
    DeadLetter,
    Lane,
    MailboxClosed,
    MailboxFull,
    Question,
    Queue,
    SwitchedOff,
)
from tests.actors.post import mail

pytestmark = pytest.mark.trio


class Said(Struct, frozen=True):
    """A fact."""

    number: int


class HowMuch(Question[int], frozen=True):
    """A question."""

    number: int


async def asked(queue: Queue[Any], number: int, *, within: float) -> int:
    return await queue.mailbox.ask(HowMuch(number), within=within)


async def test_messages_of_one_lane_are_taken_in_order() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    for number in range(5):
        queue.mailbox.offer(Said(number))

    assert mail(queue) == [Said(number) for number in range(5)]


async def test_a_batch_is_of_one_lane_and_at_most_the_limit() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    for number in range(3):
        await queue.mailbox.tell(Said(number))
        await queue.mailbox.tell(Said(10 + number), lane=Lane.BACKGROUND)

    assert await queue.lease(2) == [Said(0), Said(1)]
    assert await queue.lease(9) == [Said(2)]
    assert await queue.lease(9) == [Said(10), Said(11), Said(12)]


async def test_the_background_gets_one_turn_after_every_sixteen_interactive_ones() -> None:
    queue: Queue[Said] = Queue("ears", room=100)
    for number in range(40):
        await queue.mailbox.tell(Said(number))
    for number in range(2):
        await queue.mailbox.tell(Said(100 + number), lane=Lane.BACKGROUND)
    turns = [(await queue.lease(1) or [])[0].number for _ in range(42)]

    assert BACKGROUND_TURN == 16
    assert [turns.index(100), turns.index(101)] == [16, 33]
    assert [number for number in turns if number < 100] == list(range(40))


async def test_a_full_mailbox_makes_its_sender_wait(autojump_clock: MockClock) -> None:
    queue: Queue[Said] = Queue("ears", room=2)
    sent: list[int] = []

    async def talk() -> None:
        for number in range(5):
            await queue.mailbox.tell(Said(number))
            sent.append(number)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(talk)
        await wait_all_tasks_blocked()
        before = list(sent)
        taken = await queue.lease(1)
        await wait_all_tasks_blocked()

        assert before == [0, 1]
        assert taken == [Said(0)]
        assert sent == [0, 1, 2]

        nursery.cancel_scope.cancel()


async def test_a_full_lane_does_not_stop_the_other_one() -> None:
    queue: Queue[Said] = Queue("ears", room=1)
    queue.mailbox.offer(Said(1), lane=Lane.BACKGROUND)
    with pytest.raises(MailboxFull):
        queue.mailbox.offer(Said(2), lane=Lane.BACKGROUND)
    await queue.mailbox.tell(Said(3))

    assert mail(queue) == [Said(3), Said(1)]


async def test_a_hint_that_cannot_be_taken_costs_its_sender_nothing() -> None:
    queue: Queue[Said] = Queue("ears", room=1)
    taken = [queue.mailbox.hint(Said(1)), queue.mailbox.hint(Said(2))]
    queue.switch_off("it crashed")
    taken.append(queue.mailbox.hint(Said(3)))
    queue.close()
    taken.append(queue.mailbox.hint(Said(4)))

    assert taken == [True, False, False, False]


async def test_an_asker_gets_the_first_answer() -> None:
    queue: Queue[HowMuch] = Queue("sums", room=4)

    async def answer() -> None:
        async for question in queue.inbox:
            question.reply(question.number * 2)
            question.reply(0)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(answer)

        assert await asked(queue, 21, within=1) == 42

        queue.mailbox._queue.close()  # pyright: ignore[reportPrivateUsage]


async def test_an_asker_waits_no_longer_than_its_deadline(autojump_clock: MockClock) -> None:
    queue: Queue[HowMuch] = Queue("sums", room=4)
    with pytest.raises(trio.TooSlowError):
        await asked(queue, 1, within=3)

    assert trio.current_time() == pytest.approx(3)


async def test_the_deadline_covers_the_wait_for_room(autojump_clock: MockClock) -> None:
    queue: Queue[HowMuch | Said] = Queue("sums", room=1)
    await queue.mailbox.tell(Said(1))
    with pytest.raises(trio.TooSlowError):
        await asked(queue, 1, within=3)

    assert mail(queue) == [Said(1)]


async def test_a_question_whose_asker_gave_up_is_skipped(autojump_clock: MockClock) -> None:
    queue: Queue[HowMuch | Said] = Queue("sums", room=4)
    with pytest.raises(trio.TooSlowError):
        await asked(queue, 1, within=1)
    await queue.mailbox.tell(Said(2))

    assert mail(queue) == [Said(2)]


async def test_a_crash_hands_a_batch_back_one_message_at_a_time() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    for number in range(3):
        queue.mailbox.offer(Said(number))
    await queue.lease(8)
    letter = queue.crashed(ValueError())
    queue.mailbox.offer(Said(3))

    assert letter is None
    assert [await queue.lease(8) for _ in range(4)] == [[Said(n)] for n in range(4)]


async def test_the_message_that_crashes_alone_is_the_dead_letter() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    queue.mailbox.offer(Said(1))
    await queue.lease(8)

    assert queue.crashed(ValueError("a secret")) == DeadLetter("ears", "Said", "ValueError")
    assert mail(queue) == []
    assert queue.statistics()["dead"] == 1


async def test_a_crash_between_two_batches_costs_no_message() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    queue.mailbox.offer(Said(1))
    await queue.lease(8)
    with trio.move_on_after(0):
        await queue.lease(8)
    letter = queue.crashed(ValueError())

    assert letter is None


async def test_a_dead_letter_fails_its_question() -> None:
    queue: Queue[HowMuch] = Queue("sums", room=4)
    failures: list[Exception] = []

    async def ask() -> None:
        try:
            await asked(queue, 1, within=9)
        except Crashed as error:
            failures.append(error)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        await queue.lease(8)
        queue.crashed(ValueError())

    assert [str(error) for error in failures] == ["sums"]


async def test_what_waits_for_an_actor_that_is_switched_off_is_refused() -> None:
    queue: Queue[HowMuch | Said] = Queue("sums", room=1)
    failures: list[str] = []

    async def ask() -> None:
        try:
            await asked(queue, 1, within=9)
        except SwitchedOff as error:
            failures.append(str(error))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await wait_all_tasks_blocked()
        nursery.start_soon(ask)  # waits for room
        await wait_all_tasks_blocked()
        letters = queue.switch_off("sums is off")

    assert failures == ["sums is off"] * 2
    assert [letter.message for letter in letters] == ["HowMuch"]
    with pytest.raises(SwitchedOff):
        await queue.mailbox.tell(Said(1))
    with pytest.raises(SwitchedOff):
        queue.mailbox.offer(Said(1))


async def test_a_closed_mailbox_drains_and_ends_its_reader() -> None:
    queue: Queue[Said] = Queue("ears", room=8)
    heard: list[Said] = []
    for number in range(3):
        queue.mailbox.offer(Said(number))
    queue.close()
    async for message in queue.inbox:
        heard.append(message)

    assert heard == [Said(0), Said(1), Said(2)]
    with pytest.raises(MailboxClosed):
        await queue.mailbox.tell(Said(4))


async def test_closing_wakes_a_sender_that_waits_for_room() -> None:
    queue: Queue[Said] = Queue("ears", room=1)
    refused: list[str] = []

    async def talk() -> None:
        await queue.mailbox.tell(Said(1))
        try:
            await queue.mailbox.tell(Said(2))
        except MailboxClosed:
            refused.append("closed")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(talk)
        await wait_all_tasks_blocked()
        queue.close()

    assert refused == ["closed"]
    assert mail(queue) == [Said(1)]


async def test_a_busy_reader_lets_others_run() -> None:
    queue: Queue[Said] = Queue("ears", room=500)
    for number in range(500):
        queue.mailbox.offer(Said(number))
    queue.close()
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await trio.lowlevel.checkpoint()
            turns += 1

    async with trio.open_nursery() as nursery:
        nursery.start_soon(count)
        async for _ in queue.inbox:
            pass
        nursery.cancel_scope.cancel()

    # One turn to start the counting, and two tasks of one round run in any order.
    assert turns >= 500 // FAIR - 2


@given(
    lanes=st.lists(st.tuples(st.booleans(), st.integers(0, 9)), max_size=60),
    limit=st.integers(1, 20),
)
async def test_whatever_crashes_every_sound_message_is_finished_once_and_in_order(
    lanes: list[tuple[bool, int]], limit: int
) -> None:
    """Model: a 0 crashes its reader; all else of both lanes is finished exactly once."""
    queue: Queue[tuple[Lane, int, int]] = Queue("ears", room=100)
    for place, (interactive, number) in enumerate(lanes):
        lane = Lane.INTERACTIVE if interactive else Lane.BACKGROUND
        queue.mailbox.offer((lane, place, number), lane=lane)
    queue.close()
    finished: list[tuple[Lane, int, int]] = []
    dead: list[Any] = []

    async def read() -> None:
        while (batch := await queue.inbox.batch(limit)) is not None:
            for _, _, number in batch:
                _ = 1 // number
            finished.extend(batch)

    async def supervise() -> None:
        while True:
            try:
                return await read()
            except ZeroDivisionError as error:
                letter = queue.crashed(error)
                dead.extend([] if letter is None else [letter])

    await supervise()

    assert len(dead) == sum(number == 0 for _, number in lanes)
    for lane in Lane:
        sound = [
            place
            for place, (interactive, number) in enumerate(lanes)
            if number and interactive is (lane is Lane.INTERACTIVE)
        ]
        assert [place for of, place, _ in finished if of is lane] == sound
    assert queue.statistics()["dead"] == len(dead)
