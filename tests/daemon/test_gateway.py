"""The gateway: what a peer does wrong costs its own connection and no other."""

from __future__ import annotations

import errno
import os
import socket
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import pytest
import trio
from msgspec import Struct, field
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.core.equipment import Receipt
from daemon.gateway import (
    CONNECTIONS,
    FOR_HOOKS,
    HALF_FRAME,
    LARGE,
    LARGE_AT_ONCE,
    REQUESTS,
    SLOW_READER,
    Gateway,
    Send,
)
from daemon.wire import MAX_FRAME, MOST_VALUES, Decoder, Frame, encoded
from tests.clock import until
from tests.strangers import only_root

pytestmark = pytest.mark.trio


class Desk(Struct):
    """A gateway at work whose answers the test decides."""

    path: Path
    gateway: Gateway
    held: list[Frame] = field(default_factory=list[Frame])
    release: trio.Event = field(default_factory=trio.Event)
    hook_waits: bool = False
    under_way: int = 0
    most: int = 0
    taken: list[object] = field(default_factory=list[object])  # what was taken of answers,
    lost: list[object] = field(default_factory=list[object])  # and what was not

    async def answer(self, frame: Frame, send: Send, receipt: Receipt) -> None:
        """An echo; ``hold`` waits for the test, ``large`` answers with much."""
        receipt.if_taken(lambda: self.taken.append(frame.body))
        receipt.if_lost(lambda: self.lost.append(frame.body))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            if frame.kind in ("hold", "watch") or (self.hook_waits and frame.kind == "hook"):
                self.held.append(frame)
                await self.release.wait()
            body = b"x" * 5_000_000 if frame.kind == "large" else frame.body
            await send(Frame(frame.id, "reply", body))
        finally:
            self.under_way -= 1

    async def connect(self) -> trio.SocketStream:
        return await trio.open_unix_socket(self.path)

    async def is_served(self) -> bool:
        """Whether somebody else is answered."""
        async with await self.connect() as stream:
            await stream.send_all(encoded(Frame(5, "echo", "hello")))
            return await replies(stream, 1) == [Frame(5, "reply", "hello")]


async def replies(stream: trio.SocketStream, count: int) -> list[Frame]:
    """So many frames from the gateway."""
    decoder = Decoder()
    found: list[Frame] = []
    with trio.fail_after(120):
        while len(found) < count:
            data = await stream.receive_some(65536)
            assert data, "the gateway closed the connection"
            decoder.feed(bytes(data))
            found += decoder.frames()
    return found


async def ends(stream: trio.SocketStream) -> bool:
    """Whether the gateway closes this connection, whatever it says before."""
    with trio.move_on_after(SLOW_READER + 1):
        try:
            while await stream.receive_some(65536):
                pass
        except trio.BrokenResourceError:
            pass
        return True
    return False


@pytest.fixture
async def desk() -> AsyncGenerator[Desk]:
    """A gateway on a socket of its own."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        path = Path(folder) / "s"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen(64)
        listener.setblocking(False)
        waiting: list[Desk] = []

        async def answer(frame: Frame, send: Send, receipt: Receipt) -> None:
            await waiting[0].answer(frame, send, receipt)

        gateway = Gateway(answer, {"watch"}.__contains__, frozenset({"hook"}))
        waiting.append(Desk(path, gateway))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(gateway.serve, listener)
            yield waiting[0]
            nursery.cancel_scope.cancel()
        listener.close()


async def test_frames_are_answered_as_they_are_ready(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(1, "hold", "a")) + encoded(Frame(2, "echo", "b")))
        first = await replies(stream, 1)
        desk.release.set()

        assert first == [Frame(2, "reply", "b")]
        assert await replies(stream, 1) == [Frame(1, "reply", "a")]


async def test_a_frame_may_come_byte_by_byte(desk: Desk) -> None:
    async with await desk.connect() as stream:
        for byte in encoded(Frame(1, "echo", "slowly")):
            await stream.send_all(bytes([byte]))
            await trio.lowlevel.checkpoint()

        assert await replies(stream, 1) == [Frame(1, "reply", "slowly")]


async def test_a_hook_that_has_sent_and_said_goodbye_is_answered(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(0, "hold", "a")))
        await stream.send_eof()
        await wait_all_tasks_blocked()
        desk.release.set()

        assert await replies(stream, 1) == [Frame(0, "reply", "a")]


GARBAGE = {
    "another protocol": b"GET / HTTP/1.1\r\n\r\n",
    "an endless frame": b"\xff\xff\xff\xff",
    "no message pack": b"\0\0\0\1\xc1",
    "no frame": b"\0\0\0\1\x90",
}


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
async def test_garbage_closes_that_connection_and_no_other(desk: Desk, data: bytes) -> None:
    async with await desk.connect() as other, await desk.connect() as stream:
        await other.send_all(encoded(Frame(1, "hold", "a")))
        await stream.send_all(data)
        (complaint,) = await replies(stream, 1)
        closed = await ends(stream)
        desk.release.set()

        assert (complaint.kind, complaint.body["code"]) == ("error", "garbage")
        assert closed
        assert await replies(other, 1) == [Frame(1, "reply", "a")]
        assert desk.gateway.statistics()["rejected"] == 1


async def test_another_version_is_told_ours_under_its_own_id(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(b"\0\0\0\5\x94\x63\x09\xa0\xc0")
        (complaint,) = await replies(stream, 1)

        assert (complaint.id, complaint.body["code"]) == (9, "version")
        assert await ends(stream)


async def test_who_asks_for_too_much_at_once_is_told_under_the_id_of_its_request(
    desk: Desk,
) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(9, "echo", [{}] * MOST_VALUES)))
        (complaint,) = await replies(stream, 1)

        assert (complaint.id, complaint.body["code"]) == (9, "too_many")
        assert await ends(stream)
    assert await desk.is_served()


async def test_half_a_frame_that_never_ends_is_abandoned(
    desk: Desk, autojump_clock: MockClock
) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(1, "echo", "a"))[:-1])

        assert await ends(stream)
        assert trio.current_time() == pytest.approx(HALF_FRAME, abs=0.1)
    assert await desk.is_served()


async def test_bytes_that_drip_in_do_not_move_the_deadline_of_their_frame(
    desk: Desk, autojump_clock: MockClock
) -> None:
    whole = encoded(Frame(1, "echo", "a" * 100))
    dripped = 0
    async with await desk.connect() as stream, trio.open_nursery() as nursery:

        async def drip() -> None:
            nonlocal dripped
            for byte in whole:
                await stream.send_all(bytes([byte]))
                dripped += 1
                await trio.sleep(HALF_FRAME / 10)

        nursery.start_soon(drip)
        assert await ends(stream)
        nursery.cancel_scope.cancel()

    assert dripped < 15


async def test_few_at_a_time_collect_a_large_frame_and_the_others_wait(desk: Desk) -> None:
    """Forty unfinished frames of 15 MB once cost 890 MB, and 256 would have cost six times that."""
    frame = encoded(Frame(1, "echo", b"x" * 8 * LARGE))
    streams = [await desk.connect() for _ in range(LARGE_AT_ONCE + 4)]
    taken: list[trio.SocketStream] = []

    async def send(stream: trio.SocketStream) -> None:
        await stream.send_all(frame[:-1])
        taken.append(stream)

    async with trio.open_nursery() as nursery:
        for stream in streams:
            nursery.start_soon(send, stream)
        await until(lambda: len(taken) == LARGE_AT_ONCE)
        await wait_all_tasks_blocked(0.05)
        assert len(taken) == LARGE_AT_ONCE
        assert await desk.is_served()
        for first in tuple(taken[:2]):
            await first.send_all(frame[-1:])  # whole: the next two begin
        for other in taken[2:4]:
            await other.aclose()
        await until(lambda: len(taken) == len(streams))
    for stream in streams:
        await stream.aclose()


async def test_a_frame_that_follows_another_has_a_deadline_of_its_own(
    desk: Desk, autojump_clock: MockClock
) -> None:
    first, second = encoded(Frame(1, "echo", "a")), encoded(Frame(2, "echo", "b"))
    async with await desk.connect() as stream:
        await stream.send_all(first[:-1])
        await trio.sleep(HALF_FRAME * 0.8)
        await stream.send_all(first[-1:] + second[:-1])
        await trio.sleep(HALF_FRAME * 0.8)
        await stream.send_all(second[-1:])

        assert len(await replies(stream, 2)) == 2


async def test_a_connection_that_says_nothing_may_stay(
    desk: Desk, autojump_clock: MockClock
) -> None:
    async with await desk.connect() as stream:
        await trio.sleep(100 * HALF_FRAME)
        await stream.send_all(encoded(Frame(1, "echo", "a")))

        assert await replies(stream, 1) == [Frame(1, "reply", "a")]


@pytest.mark.parametrize("kind", ["echo", "large", "hold", "watch"])
async def test_a_peer_that_leaves_without_its_answer_harms_nobody(desk: Desk, kind: str) -> None:
    """An unread answer makes the kernel report a reset: that once ended the daemon."""
    for _ in range(5):
        stream = await desk.connect()
        await stream.send_all(encoded(Frame(1, kind, "a")) * 3)
        await wait_all_tasks_blocked()
        await stream.aclose()
        await wait_all_tasks_blocked()
    desk.release.set()

    assert await desk.is_served()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere what lay unread is not seen")
async def test_an_answer_that_lies_unread_when_its_peer_leaves_is_lost(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(0, "echo", "a")))
        await wait_all_tasks_blocked()
        assert (desk.taken, desk.lost) == ([], [])
    await wait_all_tasks_blocked()

    assert (desk.taken, desk.lost) == ([], ["a"])


async def test_an_answer_for_which_nobody_waited_is_lost(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(0, "hold", "a")))
        await wait_all_tasks_blocked()
    await wait_all_tasks_blocked()
    desk.release.set()
    await wait_all_tasks_blocked()

    assert (desk.taken, desk.lost) == ([], ["a"])


async def test_who_read_its_answer_and_leaves_or_asks_on_has_taken_it(desk: Desk) -> None:
    async with await desk.connect() as stream:
        for number, body in enumerate(("a", "b")):
            await stream.send_all(encoded(Frame(number, "echo", body)))
            await replies(stream, 1)
        await wait_all_tasks_blocked()
        assert (desk.taken, desk.lost) == (["a"], [])
    await wait_all_tasks_blocked()

    assert (desk.taken, desk.lost) == (["a", "b"], [])


async def test_a_peer_that_leaves_in_the_middle_of_a_frame_harms_nobody(desk: Desk) -> None:
    stream = await desk.connect()
    await stream.send_all(encoded(Frame(1, "echo", "a"))[:-1])
    await stream.aclose()

    assert await desk.is_served()


async def test_a_peer_that_takes_no_answer_is_given_up(
    desk: Desk, autojump_clock: MockClock
) -> None:
    stream = await desk.connect()
    await stream.send_all(encoded(Frame(1, "large", None)))
    await trio.sleep(SLOW_READER + 1)

    assert desk.gateway.statistics()["connections"] == 0
    assert await desk.is_served()
    await stream.aclose()


async def test_who_watches_and_leaves_is_gone(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(1, "watch", None)))
        await until(lambda: bool(desk.held))
    await until(lambda: not desk.under_way)

    assert desk.gateway.busy == 0


async def test_requests_of_one_connection_are_bounded(desk: Desk) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(
            b"".join(encoded(Frame(n, "hold", None)) for n in range(1, REQUESTS + 20))
        )
        await until(lambda: len(desk.held) == REQUESTS)
        await wait_all_tasks_blocked()
        most = desk.most
        desk.release.set()
        answered = await replies(stream, REQUESTS + 19)

    assert most == REQUESTS
    assert {frame.id for frame in answered} == set(range(1, REQUESTS + 20))


async def test_many_connections_at_once_are_all_served(desk: Desk) -> None:
    served: list[bool] = []

    async def one() -> None:
        served.append(await desk.is_served())

    async with trio.open_nursery() as nursery:
        for _ in range(60):
            nursery.start_soon(one)

    assert served == [True] * 60
    assert desk.gateway.statistics()["served"] == 60


async def occupied(desk: Desk, count: int, kind: str | None) -> list[trio.SocketStream]:
    """So many connections that say nothing more once each has had its answer to ``kind``."""
    streams: list[trio.SocketStream] = []
    for _ in range(count):
        stream = await desk.connect()
        streams.append(stream)
        if kind is not None:
            await stream.send_all(encoded(Frame(1, kind, None)))
        if kind == "echo":
            await replies(stream, 1)
        await wait_all_tasks_blocked()
    return streams


async def closed(streams: list[trio.SocketStream]) -> list[int]:
    """The positions of those that the gateway has closed."""
    await wait_all_tasks_blocked()
    found: list[int] = []
    for number, stream in enumerate(streams):
        with suppress(BlockingIOError):
            if not os.read(stream.socket.fileno(), 100):
                found.append(number)
    return found


@pytest.mark.parametrize("kind", [None, "echo", "watch"])
async def test_as_many_as_there_may_be_make_way_for_the_next_the_longest_idle_first(
    desk: Desk, kind: str | None
) -> None:
    streams = await occupied(desk, CONNECTIONS - FOR_HOOKS, kind)
    silent = await occupied(desk, FOR_HOOKS, None)
    if kind == "echo":  # who is heard again is not the longest idle
        await streams[0].send_all(encoded(Frame(2, "echo", "still here")))
        await replies(streams[0], 1)

    async with await desk.connect() as hook:
        await hook.send_all(encoded(Frame(0, "hook", "a prompt")))
        assert await replies(hook, 1) == [Frame(0, "reply", "a prompt")]

    expected: dict[str | None, tuple[list[int], list[int]]]
    expected = {None: ([0], []), "echo": ([1], []), "watch": ([], [0])}
    assert (await closed(streams), await closed(silent)) == expected[kind]
    assert desk.gateway.statistics()["made_way"] == 1
    for stream in (*streams, *silent):
        await stream.aclose()


async def test_who_watches_makes_way_only_where_nobody_is_idle(desk: Desk) -> None:
    watching = await occupied(desk, CONNECTIONS - FOR_HOOKS, "watch")

    assert await desk.is_served()
    assert await closed(watching) == [0]
    for stream in watching:
        await stream.aclose()


async def test_who_waits_for_an_answer_is_never_closed_and_hooks_have_places_left(
    desk: Desk,
) -> None:
    waiting = await occupied(desk, CONNECTIONS - FOR_HOOKS, "hold")

    async with await desk.connect() as one_more, await desk.connect() as hook:
        await one_more.send_all(encoded(Frame(7, "echo", None)))
        (refusal,) = await replies(one_more, 1)
        assert (refusal.id, refusal.kind, refusal.body["code"]) == (7, "error", "full")
        assert await ends(one_more)
        await hook.send_all(encoded(Frame(0, "hook", "a prompt")))
        assert await replies(hook, 1) == [Frame(0, "reply", "a prompt")]

    desk.release.set()
    for stream in waiting:
        assert len(await replies(stream, 1)) == 1
        await stream.aclose()


async def test_a_connection_that_waits_for_a_place_gets_that_of_the_first_that_is_idle(
    desk: Desk,
) -> None:
    guests = await occupied(desk, CONNECTIONS - FOR_HOOKS, "hold")
    hooks = [await desk.connect() for _ in range(FOR_HOOKS)]
    desk.hook_waits = True
    for hook in hooks:
        await hook.send_all(encoded(Frame(0, "hook", None)))
    await until(lambda: len(desk.held) == CONNECTIONS)

    async with await desk.connect() as late:
        await late.send_all(encoded(Frame(0, "hook", "late")))
        await wait_all_tasks_blocked()
        assert desk.gateway.connections == CONNECTIONS
        desk.hook_waits = False
        desk.release.set()

        assert await replies(late, 1) == [Frame(0, "reply", "late")]
    for stream in (*guests, *hooks):
        await stream.aclose()


async def test_the_largest_frame_is_served(desk: Desk) -> None:
    body = "x" * (MAX_FRAME - 100)
    async with await desk.connect() as stream, trio.open_nursery() as nursery:
        nursery.start_soon(stream.send_all, encoded(Frame(1, "echo", body)))
        (frame,) = await replies(stream, 1)

        assert frame.body == body


async def test_what_waits_for_an_answer_now_is_counted_and_what_watches_is_not(
    desk: Desk,
) -> None:
    async with await desk.connect() as stream:
        await stream.send_all(encoded(Frame(1, "hold", None)) + encoded(Frame(2, "watch", None)))
        await until(lambda: len(desk.held) == 2)

        assert desk.gateway.busy == 1

        desk.release.set()


async def test_no_room_for_one_more_descriptor_passes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = trio.SocketListener.accept
    refusals = [errno.EMFILE, errno.ENFILE, errno.ENOBUFS]

    async def accept(self: trio.SocketListener) -> trio.SocketStream:
        if refusals:
            raise OSError(refusals.pop(), "no room")
        return await real(self)

    assert await desk.is_served()
    monkeypatch.setattr(trio.SocketListener, "accept", accept)
    assert await desk.is_served()  # the accept before it was under way already
    assert await desk.is_served()
    assert refusals == []


STRANGER = """
import os, socket, sys
os.setgid(65534), os.setuid(65534)
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.sendall(bytes.fromhex(sys.argv[2]))
print(s.recv(100))
"""


@only_root
@pytest.mark.skipif(sys.platform != "linux", reason="peer credentials are Linux's")
async def test_another_user_is_not_served_even_if_the_socket_lies_open(desk: Desk) -> None:
    desk.path.parent.chmod(0o755)
    desk.path.chmod(0o666)
    request = encoded(Frame(1, "echo", "a")).hex()
    done = await trio.run_process(
        [sys.executable, "-I", "-c", STRANGER, str(desk.path), request],
        capture_stdout=True, capture_stderr=True, check=False,
    )  # fmt: skip

    assert b"reply" not in done.stdout
    assert desk.gateway.statistics()["rejected"] == 1
    assert await desk.is_served()
