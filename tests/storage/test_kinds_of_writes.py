"""Each kind of write is carried out by one function."""

from __future__ import annotations

from typing import get_args

from actors.intake.messages import Derived
from actors.memory.commit import StoreWrite
from actors.memory.use import Exposed
from actors.passages.shapes import PassagesPruned
from actors.session.shapes import Delivered
from daemon.storage.database.sql import WRITES
from daemon.storage.database.writes import reach_indexes
from tests.writing import new


def test_every_kind_of_write_is_carried_out() -> None:
    assert set(WRITES) == set(get_args(StoreWrite))


def test_what_follows_a_prompt_is_no_reason_to_look_through_the_indexes() -> None:
    told = (Delivered("s", (b"h",), 1.0), Exposed((1,), "s", "prompt", 1.0))

    assert not reach_indexes([told, (Derived(1),)])
    assert reach_indexes([told, (new("a"),)])
    assert reach_indexes([(PassagesPruned(1.0, 9),)])
