"""The notes that a request names: what may end comes before what documents say."""

from __future__ import annotations

from actors.policy.reader.notes import GIVEN, KNOWN, acquainted, nearest


def test_what_a_person_said_or_a_reader_wrote_comes_before_what_documents_say() -> None:
    documents, spoken = range(1, 41), [50, 51]

    named = acquainted([], [*documents, *spoken], frozenset(spoken))

    assert named[:3] == (50, 51, 1)
    assert len(named) == KNOWN


def test_what_the_session_gave_is_among_them_and_leaves_room_for_the_rest() -> None:
    given = list(range(100, 120))

    named = acquainted(given, [1, 2], frozenset({1}))

    assert named == (*given[:GIVEN], 1, 2)


def test_what_several_searches_find_first_is_nearest() -> None:
    assert nearest([[1, 2, 3], [2, 1], [2]])[0] == 2
