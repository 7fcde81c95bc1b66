"""The benchmark's recall has neighbours that answer, as a user's has."""

from __future__ import annotations

import pytest
from trio.testing import MockClock

from daemon.home import Home
from daemon.settings import Injection, Settings
from daemon.storage.database.connection import open_connection
from lab.benchmarks import house
from tests.clock import open_patiently

pytestmark = pytest.mark.trio


async def test_a_prompt_of_the_benchmark_waits_for_nobody_and_is_answered_by_words_and_vectors(
    home: Home, autojump_clock: MockClock
) -> None:
    _ = autojump_clock
    async with open_patiently(home):
        pass
    async with open_connection(home.database, thread="filling", read_only=False) as connection:
        await connection.run(lambda sql: house.filled(sql, 40))
    (said,) = house.texts(40)
    (made,) = house.vectors(40, 11)
    ready = house.ready([made[0].tobytes()])
    patient = Settings(injection=Injection(deadline=60.0, embedding_wait=30.0))
    async with (
        open_patiently(home) as store,
        house.at_work(store, home, ready, patient) as recall,
    ):
        question = f"Why {' '.join(said[0].split()[3:11])}?"  # an order asks no archive
        found = await recall.ask(house.asked(question), within=60)
        again = await recall.ask(house.asked(question), within=60)

    assert found.missing == ()
    assert found.notes[0].memory.id == 1
    assert {"word_score", "cosine"} <= found.notes[0].parts.keys()
    # The session knows what it was told.
    assert {note.memory.id for note in found.notes}.isdisjoint(
        note.memory.id for note in again.notes
    )
