"""Reasons by which a prompt is told something, or not: the table as a whole. What a row does is seen in answers."""

from __future__ import annotations

from actors.policy.recall.notes import Fate
from actors.recall.tell_or_not import TABLE

OF_PAGES = {Fate.LISTED, Fate.LEFT}


def test_every_reason_for_silence_has_its_row() -> None:
    reasons = {*Fate} - {Fate.TOLD, Fate.CROWDED} - OF_PAGES

    assert {row.fate for row in TABLE} == reasons


def test_what_is_far_is_held_back_before_anything_else_is_asked() -> None:
    assert [row.fate for row in TABLE[:2]] == [Fate.WASTED, Fate.FAR]
