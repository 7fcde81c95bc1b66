"""Another embedding model is measured on the store's own memories, and decides as the first."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator

import apsw
import numpy as np
import pytest

from actors.gate.messages import WhatWouldYouDo
from actors.gate.neighbours import Neighbours
from actors.memory.rows import EmbeddingState
from daemon.home import Home
from daemon.storage.database.sql import Sql
from daemon.storage.store import OpenStore
from tests.actors.fakes import DIMENSIONS, TableEmbedding, at
from tests.actors.house import PORT, PORTS, THRESHOLDS, House, open_house, until
from tests.clock import VIRTUAL_TIME, FollowingClock
from tests.writing import draft

pytestmark = VIRTUAL_TIME

TABLE = {**PORTS, "lunch is at noon": at(0.05)}
UPDATED, OPPOSITE, RELATED, NEAR, UNLIKE = list(TABLE)[1:]
FIRST, OTHER = "table-64", "other-64"
FILLERS = tuple(f"note number {number} about something" for number in range(200))


class TwoModels(TableEmbedding):
    """The table's cosines; once ``squeezes``, all of them lie between .7 and 1."""

    squeezes = False

    def __init__(self) -> None:
        random = np.random.default_rng(5)
        centres = random.normal(size=(20, DIMENSIONS - 9)) + 0.3
        rows = centres[np.arange(len(FILLERS)) % 20] + 0.6 * random.normal(
            size=(len(FILLERS), DIMENSIONS - 9)
        )
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        fillers = {
            text: (*([0.0] * 8), *map(float, row)) for text, row in zip(FILLERS, rows, strict=True)
        }
        super().__init__({**TABLE, **fillers})

    def vector(self, text: str) -> bytes:
        """The vector of the model in use; the last axis is what it finds in every text."""
        vector = super().vector(text)
        if not self.squeezes:
            return vector
        row = np.frombuffer(vector, np.float32) * math.sqrt(0.3)
        row[-1] += math.sqrt(0.7)
        return row.astype(np.float32).tobytes()

    def change(self) -> None:
        """The other model comes into use."""
        self.squeezes = True
        self.state = EmbeddingState("ready", "", OTHER, DIMENSIONS)


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house whose settings speak of the first model."""
    async with open_house(store, TwoModels(), clock) as opened:
        opened.judge.near.default = FIRST
        yield opened


async def filled(house: House, count: int = 120) -> None:
    await house.keep_all(*(draft(text) for text in FILLERS[:count]), judged=False)
    await house.vectored()


async def measured(house: House) -> None:
    async def is_measured() -> bool:
        return house.judge.near.unrelated is not None

    await until(is_measured)


async def asked(house: House, *incoming: str) -> list[tuple[str, float]]:
    verdicts = await house.gate.mailbox.ask(
        WhatWouldYouDo(tuple((PORT, text) for text in incoming)), within=60
    )
    return [(verdict.action, round(verdict.similarity or 0.0, 2)) for verdict in verdicts]


async def test_two_models_of_one_store_lead_to_the_same_decisions(house: House) -> None:
    """The other one's cosines lie between .7 and 1; read on the first one's scale they do not."""
    await filled(house)
    before = await asked(house, UPDATED, OPPOSITE, RELATED, NEAR, UNLIKE)
    assert isinstance(house.embedding, TwoModels)
    house.embedding.change()
    await measured(house)
    after = await asked(house, UPDATED, OPPOSITE, RELATED, NEAR, UNLIKE)

    assert [action for action, _ in before] == [
        "UPDATE", "SUPERSEDE", "CREATE_LINKED", "CREATE", "CREATE",
    ]  # fmt: skip
    assert [action for action, _ in after] == [action for action, _ in before]
    assert [s for _, s in after] == pytest.approx([s for _, s in before], abs=0.1)


async def test_when_the_vectors_are_gone_nothing_is_measured_and_the_gate_goes_on(
    house: House, home: Home
) -> None:
    """Another model may be chosen between two looks into the store."""
    await filled(house)
    Sql(apsw.Connection(str(home.database))).rows("DELETE FROM embedding_cache")
    near = Neighbours(THRESHOLDS, house.store.reading, house.embedder.mailbox, OTHER)
    await near.look()

    assert (near.model, near.unrelated) == (FIRST, None)
    assert (await house.keep(UNLIKE)).action == "CREATE"
