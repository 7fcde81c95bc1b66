"""Memories that a note may end: never what a person keeps, never what was said later."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from actors.policy.reader import notes
from actors.policy.reader.exchange import FIELDS
from actors.policy.reader.notes import KINDS, NoteTarget, refusal
from actors.policy.statements.sources import READER, READER_NOTICED

NOTICED = NoteTarget(READER_NOTICED, 0.45, "normal", pinned=False, stated_at=10.0)


def test_a_later_note_ends_what_was_noticed_before() -> None:
    assert refusal(READER_NOTICED, 11.0, NOTICED) == ""


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (replace(NOTICED, pinned=True), notes.PINNED),
        (replace(NOTICED, tier="constitutional"), notes.TIERED),
        (replace(NOTICED, stated_at=12.0), notes.LATER),
        (replace(NOTICED, is_living=False), notes.GONE),
    ],
)
def test_not_even_a_persons_word_ends_these(held: NoteTarget, why: str) -> None:
    assert refusal(READER, 11.0, held) == why


@pytest.mark.parametrize(
    "held", [replace(NOTICED, source="hand"), replace(NOTICED, confidence=0.6)]
)
def test_a_persons_word_is_ended_by_a_persons_word_alone(held: NoteTarget) -> None:
    assert refusal(READER_NOTICED, 11.0, held) == notes.STATED
    assert refusal(READER, 11.0, held) == ""


def test_each_kind_that_is_asked_for_becomes_one() -> None:
    assert KINDS.keys() == set(FIELDS["kind"]["enum"])
