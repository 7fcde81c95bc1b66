"""What a note tells of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.dreams import happenings
from actors.policy.dreams.happenings import Happening


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who rotates the backups?", Happening.QUESTION),
        ("The worker crashed, no idea why", Happening.QUESTION),
        ("Legal has not answered yet", Happening.QUESTION),
        ("The deploy failed", Happening.FAILURE),
        ("The crash is still not fixed", Happening.FAILURE),
        ("Fixed the crash by closing the pool", Happening.FIX),
        ("We decided to use Postgres", Happening.DECISION),
        ("Asked “Inline or embedded?”, the user chose: Inline.", Happening.DECISION),
        ("Changed DATABASE_URL on staging", Happening.CHANGE),
        ("The canteen closes at two", Happening.FACT),
        ("", Happening.FACT),
    ],
)
def test_a_note_tells_of_a_question_a_failure_a_fix_a_decision_or_a_change(
    text: str, expected: Happening
) -> None:
    assert happenings.happening(text) is expected


def test_the_kind_that_a_memory_was_stored_with_says_it_too() -> None:
    assert happenings.happening("The pool is closed now", "bugfix") is Happening.FIX
    assert happenings.happening("Is the pool closed?", "bugfix") is Happening.QUESTION


@given(st.text(max_size=700), st.text(max_size=10))
def test_any_text_tells_of_something(text: str, kind: str) -> None:
    assert happenings.happening(text, kind) in Happening
