"""An import ends nothing, and across people nothing ends, whatever their vectors say."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest

from actors.memory.writes import Origin as Source
from daemon.storage.store import OpenStore
from tests.actors.fakes import TableEmbedding, at
from tests.actors.house import House, open_house
from tests.clock import BEGINNING, VIRTUAL_TIME, FollowingClock

pytestmark = VIRTUAL_TIME

NEW, OLD = "We deploy on Tuesdays.", "We deploy on Fridays."


@pytest.fixture
async def house(store: OpenStore, clock: FollowingClock) -> AsyncGenerator[House]:
    """A house to which all these texts are near copies; the weights judge them."""
    table = {text: at(0.97) for text in (NEW, OLD)}
    async with open_house(store, TableEmbedding(table), clock) as opened:
        yield opened


async def test_an_import_ends_nothing(house: House) -> None:
    await house.keep(OLD)
    told = await house.keep(NEW, origin=Source("import"), ends=False)

    assert told.action == "CREATE_LINKED"
    assert await house.texts() == [OLD, NEW]


@pytest.mark.parametrize(("first", "second"), [("hand", "shared"), ("shared", "hand")])
@pytest.mark.parametrize("text", [NEW, OLD], ids=["contradicts", "says the same"])
async def test_across_people_nothing_ends_and_nothing_counts_as_a_copy(
    house: House, first: str, second: str, text: str
) -> None:
    old = await house.keep(OLD, origin=Source(first))
    told = await house.keep(text, origin=Source(second), at=BEGINNING + 99)

    assert told.action == "CREATE_LINKED"
    assert await house.texts() == [OLD, text]
    assert old.memory_id != told.memory_id
