"""The client against a real server on both event loops: many at once, and every bad end."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import msgspec
import pytest
import trio

from daemon.api.recall import Recall
from daemon.api.status import AwaitEmbedded, Embedded
from daemon.api.transfer import Export, Exported
from daemon.asking import DaemonAway, Refused
from daemon.client import Client, open_client
from daemon.home import Home
from daemon.wire import Decoder, Frame, encoded
from tests.patience import PATIENCE

BOTH_LOOPS = pytest.mark.parametrize("backend", ["asyncio", "trio"])

Serve = Callable[[trio.SocketStream], Awaitable[None]]
Talk = Callable[[Client], Awaitable[Any]]


@contextmanager
def served(home: Home, serve: Serve) -> Generator[None]:
    """A trio server on a thread of its own at the home's address."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(home.socket))
    listener.listen(4)
    listener.setblocking(False)
    home.address.write_text(f"{home.socket}\n")
    started = threading.Event()
    stop: list[Callable[[], None]] = []

    async def run() -> None:
        token = trio.lowlevel.current_trio_token()
        with trio.CancelScope() as scope:
            stop.append(lambda: token.run_sync_soon(scope.cancel))
            started.set()
            accepting = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                async with await accepting.accept() as stream:
                    await serve(stream)

    thread = threading.Thread(target=trio.run, args=(run,))
    thread.start()
    started.wait()
    try:
        yield
    finally:
        with suppress(trio.RunFinishedError):
            stop[0]()
        thread.join()
        listener.close()


class frames:
    """Every frame that the client sends. No generator: nothing is left open."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._decoder = Decoder()
        self._whole: deque[Frame] = deque()

    def __aiter__(self) -> frames:
        return self

    async def __anext__(self) -> Frame:
        while not self._whole:
            data = await self._stream.receive_some(65536)
            if not data:
                raise StopAsyncIteration
            self._decoder.feed(bytes(data))
            self._whole.extend(self._decoder.frames())
        return self._whole.popleft()


async def sent(stream: trio.SocketStream, *out: Frame) -> None:
    for frame in out:
        await stream.send_all(encoded(frame))


def talked(home: Home, backend: str, talk: Talk) -> Any:
    """What the talk returns; raises what it raises."""

    async def run() -> Any:
        async with open_client(home) as client:
            with anyio.fail_after(PATIENCE):
                return await talk(client)

    return anyio.run(run, backend=backend)


def replied(home: Home, backend: str, answer: Callable[[Frame], bytes]) -> Embedded:
    """The reply to a question of a server that answers each frame with these bytes; raises what it raises."""

    async def serve(stream: trio.SocketStream) -> None:
        async for frame in frames(stream):
            await stream.send_all(answer(frame))

    with served(home, serve):
        found: Embedded = talked(home, backend, lambda c: c.ask(AwaitEmbedded(), within=PATIENCE))
    return found


@pytest.fixture
def home() -> Generator[Home]:
    """A home with a path that is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        yield Home(Path(folder))


def embedded(pending: int) -> dict[str, Any]:
    return {"pending": pending, "state": "ready", "detail": ""}


@BOTH_LOOPS
def test_a_request_gets_its_typed_reply(home: Home, backend: str) -> None:
    kinds: list[str] = []

    def answer(frame: Frame) -> bytes:
        kinds.append(frame.kind)
        return encoded(Frame(frame.id, "reply", embedded(3)))

    assert replied(home, backend, answer) == Embedded(pending=3, state="ready", detail="")
    assert kinds == ["await-embedded"]


@BOTH_LOOPS
def test_many_questions_at_once_get_their_own_answers_in_any_order(
    home: Home, backend: str
) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        waiting: list[Frame] = []
        async for frame in frames(stream):
            waiting.append(frame)
            if len(waiting) == 30:
                for asked in reversed(waiting):
                    body: dict[str, Any] = {"rows": [], "after": asked.body["after"]}
                    await sent(stream, Frame(asked.id, "reply", body))

    async def talk(client: Client) -> dict[int, Exported]:
        answers: dict[int, Exported] = {}

        async def one(number: int) -> None:
            answers[number] = await client.ask(Export(after=number), within=PATIENCE)

        async with anyio.create_task_group() as tasks:
            for number in range(30):
                tasks.start_soon(one, number)
        return answers

    with served(home, serve):
        answers = talked(home, backend, talk)

    assert {number: answer.after for number, answer in answers.items()} == {
        number: number for number in range(30)
    }


@BOTH_LOOPS
def test_progress_comes_before_the_reply_and_in_order(home: Home, backend: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        async for frame in frames(stream):
            steps = [Frame(frame.id, "progress", {"pending": n}) for n in (3, 2, 1)]
            await sent(stream, *steps, Frame(frame.id, "reply", embedded(0)))

    seen: list[dict[str, Any]] = []
    with served(home, serve):
        answer = talked(
            home, backend, lambda c: c.ask(AwaitEmbedded(), within=None, progress=seen.append)
        )

    assert seen == [{"pending": 3}, {"pending": 2}, {"pending": 1}]
    assert answer.pending == 0


@BOTH_LOOPS
def test_a_refusal_has_a_code_for_programs_and_a_line_for_people(home: Home, backend: str) -> None:
    body = {"code": "unwritable", "message": "the disk is full"}

    with pytest.raises(Refused, match="the disk is full") as caught:
        replied(home, backend, lambda frame: encoded(Frame(frame.id, "error", body)))

    assert caught.value.code == "unwritable"


@BOTH_LOOPS
def test_a_daemon_that_goes_away_fails_every_question_that_waits(home: Home, backend: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        count = 0
        async for _ in frames(stream):
            count += 1
            if count == 3:
                return

    async def talk(client: Client) -> int:
        away = 0

        async def one() -> None:
            nonlocal away
            try:
                await client.ask(AwaitEmbedded(), within=PATIENCE)
            except DaemonAway:
                away += 1

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(one)
        return away

    with served(home, serve):
        assert talked(home, backend, talk) == 3


@BOTH_LOOPS
def test_half_an_answer_and_then_nothing_is_a_daemon_that_is_away(home: Home, backend: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        async for frame in frames(stream):
            await stream.send_all(encoded(Frame(frame.id, "reply", embedded(1)))[:-3])
            return

    with served(home, serve), pytest.raises(DaemonAway):
        talked(home, backend, lambda c: c.ask(AwaitEmbedded(), within=PATIENCE))


GARBAGE = {
    "no frame": b"HTTP/1.1 200 OK\r\n\r\n",
    "an endless frame": b"\xff\xff\xff\xff",
    "no message pack": b"\0\0\0\1\xc1",
    "another version": b"\0\0\0\5\x94\x07\x01\xa0\xc0",
}


@BOTH_LOOPS
@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_a_daemon_that_is_away(home: Home, backend: str, data: bytes) -> None:
    with pytest.raises(DaemonAway):
        replied(home, backend, lambda _: data)


@BOTH_LOOPS
@pytest.mark.parametrize("body", [None, {}, {"pending": "3", "state": "ready", "detail": ""}])
def test_an_answer_of_another_shape_is_not_bent_into_one(
    home: Home, backend: str, body: Any
) -> None:
    with pytest.raises(msgspec.ValidationError):
        replied(home, backend, lambda frame: encoded(Frame(frame.id, "reply", body)))


@BOTH_LOOPS
def test_an_answer_of_an_unknown_kind_is_said(home: Home, backend: str) -> None:
    with pytest.raises(DaemonAway, match="song"):
        replied(home, backend, lambda frame: encoded(Frame(frame.id, "song", None)))


@BOTH_LOOPS
def test_an_answer_that_nobody_waits_for_is_dropped(home: Home, backend: str) -> None:
    def answer(frame: Frame) -> bytes:
        answers = ((frame.id + 70, 9), (frame.id, 1), (frame.id, 2))
        return b"".join(encoded(Frame(id_, "reply", embedded(n))) for id_, n in answers)

    assert replied(home, backend, answer).pending == 1


@BOTH_LOOPS
def test_a_question_that_is_given_up_leaves_the_connection_usable(home: Home, backend: str) -> None:
    """It is given up when all of it is out: one that is half out closes the connection."""
    late: list[Frame] = []

    async def serve(stream: trio.SocketStream) -> None:
        async for frame in frames(stream):
            if frame.kind == "await-embedded":
                late.append(frame)
            else:
                answers = [Frame(asked.id, "reply", embedded(7)) for asked in late]
                await sent(stream, *answers)
                await sent(stream, Frame(frame.id, "reply", {"rows": [], "after": None}))

    async def talk(client: Client) -> Any:
        with pytest.raises(TimeoutError):
            await client.ask(AwaitEmbedded(), within=1.0)  # a busy machine has sent it by then
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(client.ask, AwaitEmbedded(), within=PATIENCE))
            while len(late) < 2:  # noqa: ASYNC110 - the other thread's loop sets no event here
                await anyio.sleep(0.01)
            tasks.cancel_scope.cancel()
        return await client.ask(Export(), within=PATIENCE)

    with served(home, serve):
        assert talked(home, backend, talk) == Exported(rows=[], after=None)


@BOTH_LOOPS
def test_a_question_given_up_in_mid_sending_closes_the_connection_cleanly(
    home: Home, backend: str
) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await trio.sleep_forever()  # takes nothing: the client's sending fills the socket

    async def talk(client: Client) -> str:
        with pytest.raises(TimeoutError):
            await client.ask(Recall(query="x" * 4_000_000), within=0.05)
        with pytest.raises(DaemonAway, match="closed"):
            await client.ask(AwaitEmbedded(), within=PATIENCE)
        return "done"

    with served(home, serve):
        assert talked(home, backend, talk) == "done"


@BOTH_LOOPS
def test_nobody_at_the_address_is_said(home: Home, backend: str) -> None:
    async def run() -> None:
        async with open_client(home):
            pass

    with pytest.raises(DaemonAway, match="written its address"):
        anyio.run(run, backend=backend)
    home.address.write_text(str(home.socket))
    with pytest.raises(DaemonAway, match="no daemon listens"):
        anyio.run(run, backend=backend)


@BOTH_LOOPS
def test_what_is_raised_inside_the_block_comes_out_as_it_is(home: Home, backend: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await trio.sleep_forever()

    async def run() -> None:
        async with open_client(home):
            raise LookupError

    with served(home, serve), pytest.raises(LookupError):
        anyio.run(run, backend=backend)


def test_a_daemon_that_hangs_up_just_as_the_client_does_leaves_no_traceback(home: Home) -> None:
    """What the loop would print: asyncio's reader is called once more for a wait that was cancelled."""
    said: list[dict[str, Any]] = []
    home.address.write_text(f"{home.socket}\n")

    async def talk() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: said.append(what))
        async with open_client(home):
            await anyio.wait_all_tasks_blocked()
            peer, _ = listener.accept()
            peer.close()
            await anyio.lowlevel.checkpoint()  # the loop sees both in one turn
        await anyio.sleep(0.01)

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.socket))
        listener.listen(1)
        anyio.run(talk)

    assert said == []
