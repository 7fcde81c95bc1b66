"""A model that is chosen, fetched or taken away while the daemon runs."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio

from daemon.embedding.choice import Choice, chosen, chosen_now, follow
from daemon.embedding.models import MINILM
from daemon.embedding.process import EmbeddingProcess, open_worker
from daemon.home import Home
from daemon.settings import Embedding
from tests.clock import until

pytestmark = pytest.mark.trio


@asynccontextmanager
async def followed(home: Home) -> AsyncGenerator[EmbeddingProcess]:
    """A worker as the daemon has it, with whatever model the home has."""
    choice = chosen(home, Embedding())
    async with (
        open_worker(choice.path, absent=choice.absent) as worker,
        trio.open_nursery() as all_,
    ):
        all_.start_soon(partial(follow, worker, home, choice, every=0.05))
        yield worker
        all_.cancel_scope.cancel()


def added(home: Home, model: Path, name: str) -> None:
    """A model of this name comes into the home."""
    shutil.copy(model, home.models / f"{name}.part")
    (home.models / f"{name}.part").rename(home.models / f"{name}.gguf")


async def test_a_model_that_comes_is_taken_up_without_a_restart(
    home: Home, tiny_model: Path
) -> None:
    async with followed(home) as worker:
        assert (await worker.settled()).state == "off"
        added(home, tiny_model, Path(MINILM.file).stem)
        await until(lambda: worker.state.state == "ready")

        assert worker.state.model


async def test_another_model_that_is_chosen_is_used_and_one_that_is_not_here_is_named(
    home: Home, tiny_model: Path
) -> None:
    added(home, tiny_model, Path(MINILM.file).stem)
    async with followed(home) as worker:
        assert (await worker.settled()).state == "ready"
        home.config.write_text('[embedding]\nmodel = "elsewhere.gguf"\n')
        await until(lambda: worker.state.state == "off")
        said = worker.state.reason
        added(home, tiny_model, "elsewhere")
        await until(lambda: worker.state.state == "ready")

    assert "'elsewhere.gguf' is not here" in said
    assert worker.starts == 2


async def test_what_changes_beside_the_choice_is_no_other_choice(
    home: Home, tiny_model: Path
) -> None:
    added(home, tiny_model, Path(MINILM.file).stem)
    used = chosen(home, Embedding())

    found: list[Choice | None] = []
    for settings in ("[gate]\nhigh = ", "[gate]\nhigh = 0.9\n"):  # the first is half written
        home.config.write_text(settings)
        found.append(chosen_now(home))
    added(home, tiny_model, "another")

    assert [*found, chosen_now(home)] == [None, used, used]
