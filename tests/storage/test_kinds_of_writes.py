"""Each kind of write is carried out by one function, and indexes hear of those that they have to take up."""

from __future__ import annotations

from typing import get_args

import pytest

from actors.intake.messages import Derived
from actors.memory.commit import StoreWrite, Unit
from actors.memory.use import Exposed
from actors.memory.writes import Erased, ModelChosen
from actors.passages.shapes import PassagesKept
from actors.policy.passages import Piece
from actors.session.shapes import Delivered
from daemon.storage.database.sql import WRITES
from daemon.storage.store import OpenStore
from tests.writing import DIMENSIONS, MODEL, new, vectors, written


def test_every_kind_of_write_is_carried_out() -> None:
    assert set(WRITES) == set(get_args(StoreWrite))


TOLD = (Delivered("s", (b"h",), 1.0), Exposed((1,), "s", "prompt", 1.0))
PASSAGE = PassagesKept("summary", None, "s/1", (Piece("", "a piece"),), "s", 1, 1, 1.0)


@pytest.mark.trio
@pytest.mark.parametrize(
    ("unit", "is_news"),
    [
        ((*TOLD, Derived(1)), False),
        ((*TOLD, new("b")), True),
        ((PASSAGE,), True),
        ((vectors(1, "a", 3),), True),
        ((Erased(()),), True),  # the kept arrays are read anew, though no text left
    ],
)
async def test_what_follows_a_prompt_is_no_reason_to_look_through_the_indexes(
    store: OpenStore, unit: Unit, is_news: bool
) -> None:
    await written(store, ModelChosen(MODEL, DIMENSIONS), new("a"))

    assert (await store.writing.commit([unit])).is_news is is_news
