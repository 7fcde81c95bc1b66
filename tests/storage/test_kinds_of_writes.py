"""Each kind of write is carried out by one function."""

from __future__ import annotations

from typing import get_args

from actors.memory.unit import Write
from daemon.storage.writes import INDEX_CHANGING, INDEX_KEEPING


def test_every_kind_of_write_is_carried_out() -> None:
    assert {*INDEX_KEEPING, *INDEX_CHANGING} == set(get_args(Write))


def test_a_kind_of_write_either_keeps_the_indexes_or_changes_them() -> None:
    assert not INDEX_KEEPING.keys() & INDEX_CHANGING.keys()
