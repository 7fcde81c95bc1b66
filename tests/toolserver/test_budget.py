"""Answers cut to their tokens."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from toolserver.tool import CHARACTERS, fitted

answers = st.dictionaries(
    st.text("abc", min_size=1, max_size=5),
    st.recursive(
        st.none() | st.integers(0, 9_999) | st.text(max_size=600),
        lambda inner: (
            st.lists(inner, max_size=9) | st.dictionaries(st.text("ab", max_size=3), inner)
        ),
    ),
    max_size=6,
)


def size(answer: object) -> int:
    return len(msgspec.json.encode(answer))


def test_what_fits_is_left_as_it_is() -> None:
    answer = {"notes": [{"id": "m1"}], "confidence": 0.5}

    assert fitted(answer, 100) == answer


def test_of_a_list_the_first_items_stay_and_small_parts_stay_whole() -> None:
    notes = [{"id": f"m{number}", "text": "x" * 80} for number in range(30)]
    found = fitted({"notes": notes, "confidence": 0.5}, 300)

    kept = len(found["notes"])
    assert found["notes"] == notes[:kept]
    assert kept >= 5
    assert found["confidence"] == 0.5
    assert found["shortened"] == [f"notes: {30 - kept} of 30 are left out"]


def test_a_long_text_says_how_much_of_it_is_missing() -> None:
    found = fitted({"note": {"id": "m1", "text": "y" * 4_000}}, 200)

    text = found["note"]["text"]
    assert text.endswith("…")
    assert found["note"]["id"] == "m1"
    assert found["shortened"] == [
        f"note.text: {4_001 - len(text):,} of 4,000 characters are left out"
    ]


def test_figures_are_not_cut_and_that_is_said() -> None:
    figures = {f"count of {number}": number for number in range(60)}
    found = fitted(figures, 100)

    assert found == {
        **figures,
        "shortened": [f"no more could be left out: it takes {size(figures) // CHARACTERS} tokens"],
    }


@given(answers, st.integers(100, 2_000))
def test_an_answer_is_about_as_long_as_it_may_be_and_no_cut_is_hidden(
    answer: dict[str, Any], tokens: int
) -> None:
    found = fitted(answer, tokens)

    if size(answer) <= tokens * CHARACTERS:
        assert found == answer
    else:
        assert found["shortened"]
        assert size(found) <= size(answer) + 500
