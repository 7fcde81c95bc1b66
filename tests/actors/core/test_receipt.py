"""A receipt says once whether an answer was taken, to whoever waits for that or asks later."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from actors.core.equipment import GIVES_UP, Receipt

pytestmark = pytest.mark.trio


def heard(receipt: Receipt) -> list[str]:
    """What those hear who want to know."""
    said: list[str] = []
    receipt.if_taken(lambda: said.append("taken"))
    receipt.if_lost(lambda: said.append("lost"))
    return said


@pytest.mark.parametrize(("taken", "word"), [(True, "taken"), (False, "lost")])
async def test_it_is_said_once_to_each_that_wants_to_know(taken: bool, word: str) -> None:
    receipt = Receipt()
    early = heard(receipt)
    assert early == []
    receipt(taken=taken)
    receipt(taken=not taken)

    assert early == [word]
    assert heard(receipt) == [word]
    assert await receipt.wait() is taken


async def test_who_says_nothing_for_long_has_taken_it(autojump_clock: MockClock) -> None:
    _ = autojump_clock
    began = trio.current_time()

    assert await Receipt().wait() is True
    assert trio.current_time() - began == GIVES_UP


async def test_one_that_is_known_to_be_taken_waits_for_nobody() -> None:
    receipt = Receipt(taken=True)

    assert receipt.is_known
    assert heard(receipt) == ["taken"]
