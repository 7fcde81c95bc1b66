"""Recall among its neighbours, each made as the daemon makes it, for benchmarks.

All neighbours of recall answer for a prompt: phrases, working memory, intentions, pressure. Changes
of the store after an answer are dropped, because they are no part of it. The one stand-in is the
embedder, which has every query's vector and tokens at hand: targets leave the embedding out.
"""

import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, assert_never

import numpy as np
import trio

from actors.core.mailbox import Inbox, Mailbox, Queue
from actors.memory.rows import Embed, Embedded, EmbedderMessage, MemoriesChanged
from actors.policy.events.events import Event, EventKind
from actors.policy.index import sign_bits
from actors.recall.shapes import Bring, RecallMessage
from daemon.assembly import Projects, Surroundings, builders
from daemon.context import Changes
from daemon.embedding import models
from daemon.embedding.process import open_worker
from daemon.files import DiskFiles, SpoolFolder
from daemon.home import Home, current_home
from daemon.host import ORDER
from daemon.main import THREADS
from daemon.settings import Settings
from daemon.storage.store import OpenStore
from daemon.supervisor import WorkThread
from daemon.times import WallClock

ALONE = dict.fromkeys(THREADS, "1")  # the environment of a daemon: numpy with one thread
SESSION = "benchmark"
AT_WORK = ("working_memory", "pressure", "recall")
TOKENS = 32  # of a query, at most


def model(folder: Path | None = None) -> Path:
    """The model of this folder or of this user's own home; raises ``SystemExit`` without one."""
    home = current_home()
    path = models.model_file(home, "") if folder is None else models.located(folder, "")
    if path is None:
        raise SystemExit("there is no model: run make setup, or name a folder that has one")
    return path


def apart(benchmark: str, home: Path, *options: str) -> str:
    """Output of a benchmark measuring in a process of its own, over this home."""
    command = [sys.executable, "-m", f"lab.benchmarks.{benchmark}", "--home", str(home), *options]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, text=True, env=os.environ | ALONE
    )
    return done.stdout


@dataclass(frozen=True, slots=True)
class Ready:
    """Vectors for the embedder to hand over, one query after the other; made before it is asked.

    Directions of tokens are random, as the signs of the store's are (``lab.benchmarks.filling``).
    """

    vectors: Sequence[bytes]
    directions: Sequence[bytes]  # of the tokens of a query

    async def hand_over(self, inbox: Inbox[EmbedderMessage]) -> None:
        """Do the embedder's work, in no time."""
        turn = 0
        async for message in inbox:
            match message:
                case Embed():
                    turn += 1
                    message.reply([self._embedded(text, turn) for text in message.texts])
                case MemoriesChanged():
                    pass
                case _:
                    assert_never(message)

    def _embedded(self, text: str, turn: int) -> Embedded:
        words = ("[CLS]", *text.split(), "[SEP]")[:TOKENS]
        vector = self.vectors[turn % len(self.vectors)]
        tokens = self.directions[turn % len(self.directions)]
        return Embedded(vector, tokens[: len(words) * len(vector)], words)


def ready(vectors: Sequence[bytes], seed: int = 17) -> Ready:
    """These vectors, with tokens for 64 queries."""
    width = len(vectors[0]) // 4
    made = np.random.default_rng(seed).standard_normal((64, TOKENS, width), np.float32)
    return Ready(vectors, [sign_bits.directions(rows).tobytes() for rows in made])


def asked(text: str) -> Bring:
    """A prompt as a hook brings it, for ``Mailbox.ask``."""
    event = Event("claude", EventKind.PROMPT, session=SESSION, prompt=text)
    return Bring(event, None, WallClock().now(), 60.0)


@asynccontextmanager
async def at_work(
    store: OpenStore, home: Home, embedder: Ready, settings: Settings | None = None
) -> AsyncGenerator[Mailbox[RecallMessage]]:
    """Recall, once its neighbours have taken up their content; with shipped settings, or these."""
    queues = {name: Queue[Any](name, room=1024) for name in ORDER}
    files = WorkThread("files")
    async with open_worker(None) as worker, trio.open_nursery() as nursery:
        around = Surroundings(
            store, settings or Settings(), WallClock(), worker, DiskFiles(files),
            SpoolFolder(files, home.spool), Changes(), Projects({}),
        )  # fmt: skip
        build = builders(queues, around)
        actors = {name: build[name]() for name in AT_WORK}
        for name, actor in actors.items():
            nursery.start_soon(actor.run, queues[name].inbox, name=name)
        nursery.start_soon(embedder.hand_over, queues["embedder"].inbox)
        for name in set(ORDER).difference(AT_WORK, {"embedder"}):
            nursery.start_soon(_let_go, queues[name].inbox, name=name)
        memories = (await store.reading.counts()).memories
        while len(around.triggers.projects) < memories:  # noqa: ASYNC110 - it reads as it goes
            await trio.sleep(0.05)
        yield queues["recall"].mailbox
        nursery.cancel_scope.cancel()


async def _let_go(inbox: Inbox[Any]) -> None:
    async for _ in inbox:
        pass
