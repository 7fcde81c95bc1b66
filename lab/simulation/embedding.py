"""The real embedding worker, one list after the other, in an order that repeats itself.

The worker is a process: how long it takes is no virtual second. While it works the clock
stands still, and what it answers is heard when everybody else has come to rest.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import trio
from trio.testing import wait_all_tasks_blocked

from actors.embedding.rows import Embedded, EmbeddingState, Role
from daemon.embedding.process import EmbeddingProcess, open_worker
from lab.simulation.clock import be_patient

T = TypeVar("T")


class SteadyEmbedding:
    """``actors.embedding.rows.Embedding``: a worker whose answers come one at a time."""

    def __init__(self, worker: EmbeddingProcess) -> None:
        self._worker = worker
        self._turn = trio.Lock()  # first come, first served
        self.in_flight = 0

    @property
    def state(self) -> EmbeddingState:
        """The worker's."""
        return self._worker.state

    @property
    def under_way(self) -> int:
        """What virtual time waits for; nothing while there is no process that would end it."""
        if self._worker.pid is None:
            return 0
        return self.in_flight + (self.state.state == "starting")

    async def embed(self, texts: Sequence[str], *, role: Role, interactive: bool) -> list[bytes]:
        """One vector a text. Raises ``EmbeddingUnavailable``."""
        return await self._in_turn(
            partial(self._worker.embed, texts, role=role, interactive=interactive)
        )

    async def embed_with_tokens(
        self, texts: Sequence[str], *, role: Role, interactive: bool
    ) -> list[Embedded]:
        """One vector a text, and its tokens. Raises ``EmbeddingUnavailable``."""
        return await self._in_turn(
            partial(self._worker.embed_with_tokens, texts, role=role, interactive=interactive)
        )

    async def _in_turn(self, ask: Callable[[], Awaitable[T]]) -> T:
        self.in_flight += 1
        try:
            async with self._turn:
                made = await ask()
                await wait_all_tasks_blocked()
                return made
        finally:
            self.in_flight -= 1


@asynccontextmanager
async def open_steady(model: Path | None, *, absent: str) -> AsyncGenerator[SteadyEmbedding]:
    """The worker for this model, once it is ready or known to be of no use."""
    async with open_worker(model, absent=absent) as worker:
        embedding = SteadyEmbedding(worker)
        be_patient(lambda: embedding.under_way)
        await worker.settled()
        yield embedding
