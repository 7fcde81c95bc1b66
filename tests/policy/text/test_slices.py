"""Slices of a text: together they are the text, and a phrase over a cut is in the first of them."""

from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.phrases import BEYOND, SLICE, WORD, PhraseIndex, slices


@given(st.text(alphabet="ab .\n", max_size=3 * SLICE))
def test_slices_own_every_character_once(text: str) -> None:
    cut = list(slices(text))

    assert "".join(one.text[: one.own] for one in cut) == text
    assert all(text.startswith(one.text, one.start) for one in cut)


def test_a_text_without_spaces_is_cut_all_the_same() -> None:
    assert max(len(one.text) for one in slices("x" * 10_000)) <= SLICE + BEYOND + 2 * WORD


@given(st.integers(SLICE - 60, SLICE + 20))
def test_a_phrase_that_lies_across_a_cut_is_found_once(before: int) -> None:
    index = PhraseIndex([("the blue whale swims", 1)])
    text = "x " * (before // 2) + "the blue whale swims" + " y" * SLICE
    begun = [
        one.start + match.start
        for one in slices(text)
        for match in index.matches(one.text)
        if match.start < one.own
    ]

    assert begun == [text.index("the blue")]
