"""The daemon's side of the embedding worker: start it, ask it, restart it, give up on it.

A dead worker is started again after a doubling pause; one dying again and again is said to be off meanwhile. A file
refused by llama.cpp is not tried again. Whatever happens here, `embed` answers with vectors or `EmbeddingUnavailable`.
"""

import itertools
import logging
import math
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, Literal, assert_never

import trio
from msgspec import Struct, field

from actors.memory.rows import (
    Embedded,
    EmbeddingOff,
    EmbeddingState,
    EmbeddingUnavailable,
    Role,
)
from daemon.embedding import frames

log = logging.getLogger(__name__)

IN_FLIGHT: Final = 32  # requests that the pipe has not taken yet
TEXT: Final = 4_000
"""Characters of one text that are looked at: far more than a window of tokens, and short enough
that the worst word (no space in it) is split into tokens in a tenth of a second."""

_BOOT: Final = (
    "import sys; sys.path.append(sys.argv[1]); from daemon.embedding.worker import main; main()"
)
_GOES_WITHIN: Final = 1.0  # seconds from closing its pipe to killing the worker
_ROOT: Final = str(Path(__file__).resolve().parents[2])


class Settings(Struct, frozen=True):
    """Bounds of the worker's life. Times in seconds."""

    python: str = sys.executable  # of an environment that has llama-cpp-python
    list_size: int = 8  # texts of one background list; bounds what is lost to a crash
    load_within: float = 60.0  # 0.6 s of CPU measured, on a busy machine with a cold disk
    answer_within: float = 30.0  # a list is 0.3 s of CPU
    backoff: float = 0.5  # before the second start; twice as long before each further one
    rest: float = 600.0  # at most
    crashes: int = 4  # in a row: said to be off until it runs
    steady: float = 300.0  # a life that is no crash


class _Answer(Struct):
    arrived: trio.Event = field(default_factory=trio.Event)
    made: list[Embedded] | None = None
    reason: str = "the embedding worker was stopped"


class _Life(Struct):
    """One run of the worker process."""

    requests: trio.MemorySendChannel[bytes]
    scope: trio.CancelScope
    ready: frames.Ready | None = None
    refused: str = ""  # why the model cannot be loaded: no use in trying again
    hung: str = ""  # why it ended, when that is known
    answers: dict[int, _Answer] = field(default_factory=dict[int, _Answer])

    def answer(self, number: int, made: list[Embedded] | None, reason: str) -> None:
        """Hand over the result, unless the asker gave up."""
        if answer := self.answers.get(number):
            answer.made, answer.reason = made, reason
            answer.arrived.set()


class EmbeddingProcess:
    """Vectors from the worker. Made by `open_worker`."""

    def __init__(self, model: Path | None, settings: Settings, absent: str) -> None:
        self._settings = settings
        self._absent = absent
        self._path = model and model.absolute()
        self._state = EmbeddingState("starting", "the model is being loaded", "", 0)
        self._settled = trio.Event()
        self._life: _Life | None = None
        self._numbers = itertools.count(1)
        self._background = trio.Lock()
        self._crashes = 0  # in a row
        self._pid: int | None = None
        self.starts = 0

    @property
    def state(self) -> EmbeddingState:
        """State: whether there are vectors, of which model, and why not. Free to ask."""
        return self._state

    @property
    def pid(self) -> int | None:
        """The worker's process id while one runs, for the daemon's account of memory."""
        return self._pid

    async def settled(self) -> EmbeddingState:
        """The state, once it is not `starting`."""
        while self._state.state == "starting":
            await self._settled.wait()
        return self._state

    async def embed(
        self, texts: Sequence[str], *, role: Role, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        """One vector a text: float32, little-endian, of length 1, all of one model.

        With ``tokens`` also each text's tokens: numbers of a query's, signs of a document's. An
        interactive request does not wait for a worker not yet ready. A text longer than the model's
        window stands for its beginning only: split it first, with `actors.policy.text.chunking`.
        Raises EmbeddingUnavailable.
        """
        kept: frames.Kept = "" if not tokens else "numbers" if role == "query" else "signs"
        life, ready = await self._served(wait=not interactive)
        prefix = ready.query_prefix if role == "query" else ready.document_prefix
        encoded = [(prefix + text[:TEXT]).encode("utf-8", "replace") for text in texts]
        # Between short lists whoever waits comes in.
        turn = nullcontext() if interactive else self._background
        made: list[Embedded] = []
        for start in range(0, len(encoded), self._settings.list_size):
            part = encoded[start : start + self._settings.list_size]
            async with turn:
                made += await self._ask(life, part, kept, interactive=interactive)
        return made

    async def _served(self, *, wait: bool) -> tuple[_Life, frames.Ready]:
        if wait:
            await self.settled()
        await trio.lowlevel.checkpoint()
        if self._state.state != "ready" or not self._life or not self._life.ready:
            gone = EmbeddingOff if self._state.state == "off" else EmbeddingUnavailable
            raise gone(self._state.reason)
        return self._life, self._life.ready

    async def _ask(
        self, life: _Life, texts: list[bytes], kept: frames.Kept, *, interactive: bool
    ) -> list[Embedded]:
        number = next(self._numbers)
        answer = life.answers[number] = _Answer()
        answered = False
        try:
            with trio.move_on_after(self._settings.answer_within) as patience:
                order = frames.Embed(number, interactive, texts, kept)
                await life.requests.send(frames.packed(order))
                await answer.arrived.wait()
                answered = True
            if patience.cancelled_caught:
                self._abandon(life, f"no answer within {self._settings.answer_within:g} s")
                raise EmbeddingUnavailable("the embedding worker hangs and is started again")
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise EmbeddingUnavailable("the embedding worker was stopped") from None
        finally:
            life.answers.pop(number, None)
            if not answered:  # where the worker cannot be told, its answer is ignored
                with suppress(trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
                    life.requests.send_nowait(frames.packed(frames.Cancel(number)))
        if answer.made is None:
            raise EmbeddingUnavailable(answer.reason)
        return answer.made

    async def run(self) -> None:
        """Keep a worker alive until cancelled, where there is a model that it can load."""
        if self._path is None:
            self._set("off", self._absent)
            return
        refused = ""
        while not refused:
            began = trio.current_time()
            life = await self._live(self._path)
            refused = life.refused
            await self._recover(life, trio.current_time() - began)

    async def _live(self, path: Path) -> _Life:
        self.starts += 1
        requests, to_write = trio.open_memory_channel[bytes](IN_FLIGHT)
        life = _Life(requests, trio.move_on_after(math.inf))
        try:
            process = await _started(self._settings.python)
        except OSError as error:
            life.hung = f"it cannot be started: {error.strerror}"
            return life
        self._life, self._pid = life, process.pid
        try:
            with life.scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(_write, process, to_write)
                    requests.send_nowait(frames.packed(frames.Load(str(path))))
                    await self._read(process, life)
                    nursery.cancel_scope.cancel()
        finally:
            self._life, self._pid = None, None
            requests.close()
            status = await _ended(process)
            for answer in life.answers.values():
                answer.arrived.set()
            if self._state.state == "ready":
                self._set("starting", "the embedding worker is started again")
        how = f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}"
        life.hung = life.hung or how
        return life

    async def _read(self, process: trio.Process, life: _Life) -> None:
        """Hand out the worker's frames, until there are no more."""
        assert process.stdout
        buffer = bytearray()
        with trio.move_on_after(self._settings.load_within) as loading:
            async for received in process.stdout:
                buffer += received
                try:
                    while (news := frames.taken(buffer)) is not None:
                        self._heard(news, life)
                except frames.BadFrame:
                    self._abandon(life, "it does not speak our language")
                if life.ready:
                    loading.deadline = math.inf
        if loading.cancelled_caught:
            life.hung = f"the model was not loaded within {self._settings.load_within:g} s"

    def _heard(self, news: frames.News, life: _Life) -> None:
        match news:
            case frames.Ready():
                if self._life is not life:  # abandoned just now
                    return
                life.ready = news
                self._set("ready", "")
                log.info("embedding_ready model=%s", news.model)
            case frames.Failed(reason):
                life.refused = reason
            case frames.Vectors():
                life.answer(news.number, _embedded(news), "")
            case frames.Refused(number, reason):
                life.answer(number, None, reason)
            case _:
                assert_never(news)

    def _abandon(self, life: _Life, reason: str) -> None:
        """End a useless life; from now on nobody is sent to it."""
        if self._life is life:
            self._life = None
            self._set("starting", "the embedding worker is started again")
        life.hung = reason
        life.scope.cancel()

    async def _recover(self, life: _Life, lasted: float) -> None:
        """Wait as long as this end deserves; not at all for a file that was refused."""
        bounds, pause = self._settings, 0.0
        if life.refused:
            self._set("off", f"the embedding model cannot be used: {life.refused}")
        else:
            self._crashes = 1 if lasted > bounds.steady else self._crashes + 1
            doublings = min(self._crashes, 12) - 1  # a float overflows at a thousand
            pause = min(bounds.backoff * 2**doublings, bounds.rest)
            if self._crashes >= bounds.crashes:
                self._set("off", f"the embedding worker keeps failing: {life.hung}")
            else:
                self._set("starting", f"the embedding worker is started again: {life.hung}")
        log.warning("embedding_ended reason=%r", life.refused or life.hung)
        await trio.sleep(pause)

    def _set(self, state: Literal["ready", "starting", "off"], reason: str) -> None:
        known = self._life.ready if self._life and state == "ready" else None
        model = known.model if known else self._state.model
        dimensions = known.dimensions if known else self._state.dimensions
        self._state = EmbeddingState(state, reason, model, dimensions)
        self._settled.set()
        self._settled = trio.Event()


def _embedded(news: frames.Vectors) -> list[Embedded]:
    """Results of each text; unwanted parts of its tokens are empty."""
    nothing = [b""] * len(news.vectors)
    kept = news.kept or nothing
    words = news.words or [[] for _ in nothing]
    return [
        Embedded(vector, tokens, tuple(said))
        for vector, tokens, said in zip(news.vectors, kept, words, strict=True)
    ]


@asynccontextmanager
async def open_worker(
    model: Path | None, settings: Settings | None = None, *, absent: str = "no embedding model"
) -> AsyncGenerator[EmbeddingProcess]:
    """The embedding worker for the GGUF file `model`, stopped at the end of the block.

    `absent` is why there are no vectors while there is no model. Does not wait for the
    worker to be ready; `EmbeddingProcess.settled` does.
    """
    worker = EmbeddingProcess(model, settings or Settings(), absent)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(worker.run)
        try:
            yield worker
        finally:
            nursery.cancel_scope.cancel()


async def _started(python: str) -> trio.Process:
    """The worker process, in a session of its own: an interrupt is for the daemon to handle."""
    return await trio.lowlevel.open_process(
        [python, "-I", "-c", _BOOT, _ROOT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # it may quote a text of ours
        cwd="/",
        start_new_session=True,
        # Without the first, a failed assertion starts a debugger to print a backtrace.
        env=os.environ | {"GGML_NO_BACKTRACE": "1", "OMP_NUM_THREADS": "1"},
    )


async def _ended(process: trio.Process) -> int:
    """The exit status of the worker, which leaves when its pipe closes or is killed."""
    with trio.CancelScope(shield=True):
        if process.stdin:
            await process.stdin.aclose()
        with trio.move_on_after(_GOES_WITHIN):
            await process.wait()
        if process.returncode is None:
            process.kill()
        await process.wait()
        if process.stdout:
            await process.stdout.aclose()
    assert process.returncode is not None  # waited for, and nothing above can be cancelled
    return process.returncode


async def _write(process: trio.Process, requests: trio.MemoryReceiveChannel[bytes]) -> None:
    """Whole frames down the pipe: nobody's cancellation may leave half of one there."""
    assert process.stdin
    async with requests:
        try:
            async for request in requests:
                await process.stdin.send_all(request)
        except trio.BrokenResourceError:
            pass  # it died, which the reading side tells
