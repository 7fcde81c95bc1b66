"""The supervisor: one for one, with backoff, intensity, dead letters and a guard."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
import trio
from msgspec import Struct, field
from trio.testing import MockClock

from actors.core.failures import described
from actors.core.mailbox import Crashed, Inbox, Queue, SwitchedOff
from daemon.supervisor import Child, RestartLimitExceeded, Restarts, Supervisor

pytestmark = pytest.mark.trio

MEMORY = "the secret " + "recipe"  # a traceback quotes its source line


class Slip(Exception):
    """What the actors of these tests crash with; its text is a memory's."""


class Divider(Struct):
    """Divides a hundred by what it is sent, and crashes by 0."""

    heard: list[float]
    built: list[float] = field(default_factory=list[float])

    async def run(self, inbox: Inbox[int]) -> None:
        async for number in inbox:
            if number == 0:
                raise Slip(MEMORY)
            self.heard.append(100 / number)

    def statistics(self) -> dict[str, Any]:
        return {"heard": len(self.heard)}


def child(name: str, build: Callable[[], Any], **more: Any) -> Child:
    return Child(name, build, Queue(name, room=64), **more)


async def test_a_crash_costs_one_message_and_the_rest_is_handled(
    autojump_clock: MockClock,
) -> None:
    heard: list[float] = []
    divider = child("divider", lambda: Divider(heard))
    supervisor = Supervisor(jitter=random.Random(1))
    for number in (1, 0, 2):
        divider.queue.mailbox.offer(number)
    divider.queue.close()
    await supervisor.run(divider)

    assert heard == [100, 50]
    assert divider.crashes == 1
    assert divider.state == "ended"


async def test_a_crash_touches_no_sibling(autojump_clock: MockClock) -> None:
    first: list[float] = []
    second: list[float] = []
    one, other = child("one", lambda: Divider(first)), child("other", lambda: Divider(second))
    supervisor = Supervisor(jitter=random.Random(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(supervisor.run, one)
        nursery.start_soon(supervisor.run, other)
        await one.queue.mailbox.tell(0)
        await other.queue.mailbox.tell(4)
        await trio.sleep(0.01)  # less than the backoff

        assert (one.state, other.state, second) == ("restarting", "running", [25])

        one.queue.close()
        other.queue.close()


async def test_the_pause_before_a_restart_doubles_up_to_its_bound(
    autojump_clock: MockClock,
) -> None:
    starts: list[float] = []

    class Broken:
        async def run(self, inbox: Inbox[int]) -> None:
            starts.append(trio.current_time())
            raise Slip

    rules = Restarts(intensity=6, period=1000, backoff=1, backoff_max=10)
    supervisor = Supervisor(jitter=random.Random(1))
    await supervisor.run(child("broken", Broken, restarts=rules))
    pauses = [after - before for before, after in pairwise(starts)]

    assert len(pauses) == 6
    for pause, least in zip(pauses, [1, 2, 4, 8, 10, 10], strict=True):
        assert least <= pause <= 1.2 * least


async def test_crashes_that_lie_far_apart_are_forgiven(autojump_clock: MockClock) -> None:
    heard: list[float] = []
    divider = child("divider", lambda: Divider(heard), restarts=Restarts(intensity=1, period=10))
    supervisor = Supervisor(jitter=random.Random(1))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(supervisor.run, divider)
        for _ in range(4):
            await divider.queue.mailbox.tell(0)
            await trio.sleep(11)
        await divider.queue.mailbox.tell(1)
        divider.queue.close()

    assert (divider.crashes, divider.state, heard) == (4, "ended", [100])


async def test_an_actor_that_keeps_crashing_is_switched_off_and_the_rest_goes_on(
    autojump_clock: MockClock,
) -> None:
    divider = child("divider", lambda: Divider([]), restarts=Restarts(intensity=2))
    supervisor = Supervisor(jitter=random.Random(1))
    for number in (0, 0, 0, 7):
        divider.queue.mailbox.offer(number)
    await supervisor.run(divider)

    assert divider.state == "off"
    assert [letter.error for letter in supervisor.dead_letters] == ["Slip"] * 3 + ["SwitchedOff"]
    with pytest.raises(SwitchedOff, match="divider crashed 3 times"):
        await divider.queue.mailbox.tell(1)


async def test_the_daemon_ends_with_an_actor_that_it_cannot_be_without(
    autojump_clock: MockClock,
) -> None:
    divider = child("divider", lambda: Divider([]), restarts=Restarts(intensity=0), vital=True)
    divider.queue.mailbox.offer(0)

    with pytest.raises(RestartLimitExceeded, match="divider"):
        await Supervisor(jitter=random.Random(1)).run(divider)


async def test_an_actor_that_cannot_be_built_counts_as_crashed(
    autojump_clock: MockClock,
) -> None:
    def build() -> Divider:
        raise Slip

    broken = child("broken", build, restarts=Restarts(intensity=1))
    await Supervisor(jitter=random.Random(1)).run(broken)

    assert (broken.state, broken.crashes) == ("off", 2)


async def test_neither_dead_letters_nor_the_log_hold_contents(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    divider = child("divider", lambda: Divider([]), restarts=Restarts(intensity=1))
    supervisor = Supervisor(jitter=random.Random(1))
    for _ in range(2):
        divider.queue.mailbox.offer(0)
    with caplog.at_level(logging.DEBUG):
        await supervisor.run(divider)

    assert "recipe" not in caplog.text
    assert "recipe" not in repr(supervisor.dead_letters)
    assert divider.last_error is not None
    assert divider.last_error.startswith("Slip at test_supervisor.py:")


async def test_statistics_name_state_crashes_and_mailbox(autojump_clock: MockClock) -> None:
    divider = child("divider", lambda: Divider([]))
    divider.queue.mailbox.offer(5)
    divider.queue.close()
    before = divider.statistics()
    await Supervisor(jitter=random.Random(1)).run(divider)
    after = divider.statistics()

    assert (before["state"], before["mailbox"]["interactive"]) == ("waiting", 0)
    assert before["mailbox"]["background"] == 1
    assert (after["state"], after["crashes"], after["heard"]) == ("ended", 0, 1)
    assert after["mailbox"]["handled"] == 1


async def test_a_guarded_bug_costs_itself_and_is_buried(caplog: pytest.LogCaptureFixture) -> None:
    supervisor = Supervisor(jitter=random.Random(1))

    async def work() -> int:
        raise Slip(MEMORY)

    with pytest.raises(Crashed, match="recall"):
        await supervisor.guard("recall", work, (ValueError,))

    assert [letter.message for letter in supervisor.dead_letters] == ["recall"]
    assert "recipe" not in caplog.text


async def test_what_a_guard_expects_comes_through() -> None:
    async def work() -> int:
        raise KeyError("x")

    async def fine() -> int:
        return 7

    supervisor = Supervisor(jitter=random.Random(1))
    with pytest.raises(KeyError):
        await supervisor.guard("recall", work, (KeyError,))

    assert await supervisor.guard("recall", fine, ()) == 7
    assert not supervisor.dead_letters


async def test_an_error_is_described_by_its_type_and_place() -> None:
    with pytest.raises(ValueError, match="secret") as caught:
        int("the secret")
    nested = ExceptionGroup("", [ExceptionGroup("", [Slip(MEMORY)])])

    assert described(caught.value).startswith("ValueError at test_supervisor.py:")
    assert described(nested) == "Slip"
