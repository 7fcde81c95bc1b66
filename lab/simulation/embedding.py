"""The real embedding worker, one list after the other, in a repeatable order.

The worker is a process: how long it takes is no virtual second. While it works the clock stands
still, and its answer is heard when everybody else has come to rest.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio
from trio.testing import wait_all_tasks_blocked

from actors.memory.rows import Embedded, EmbeddingState, Role
from daemon.embedding.process import EmbeddingProcess, open_worker
from lab.simulation.clock import be_patient


class SteadyEmbedding:
    """``actors.memory.rows.Embedding``: a worker with one answer at a time."""

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
        """Work for virtual time to wait for; nothing while there is no process to end it."""
        if self._worker.pid is None:
            return 0
        return self.in_flight + (self.state.state == "starting")

    async def embed(
        self, texts: Sequence[str], *, role: Role, interactive: bool, tokens: bool = False
    ) -> list[Embedded]:
        """One vector a text, and its tokens if they are wanted. Raises ``EmbeddingUnavailable``."""
        self.in_flight += 1
        try:
            async with self._turn:
                made = await self._worker.embed(
                    texts, role=role, interactive=interactive, tokens=tokens
                )
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
