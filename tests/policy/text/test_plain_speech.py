"""Whose words a prompt is made of, and how they are written in full."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.turn import (
    is_embedded,
    is_reported,
    spelled,
    with_quotations,
    without_quotations,
)


@pytest.mark.parametrize(
    ("line", "full"),
    [
        ("dont mock it, im serious", "don't mock it, I'm serious"),
        ("Wont work, pls stop", "Won't work, please stop"),
        ("its well and ill", "its well and ill"),
        ("cant.py and `dont` and a/cant", "cant.py and `dont` and a/cant"),
    ],
)
def test_apostrophes_that_were_left_out_are_set(line: str, full: str) -> None:
    assert spelled(line) == full


def test_a_quotation_is_set_aside_and_put_back() -> None:
    text = 'Tom wrote "let\'s stick to webpack" and “we never use vite”, the word "seat" stays'

    masked = without_quotations(text)

    assert masked.quotations == ('"let\'s stick to webpack"', "“we never use vite”")
    assert "webpack" not in masked.text
    assert '"seat"' in masked.text
    assert with_quotations(masked.text, masked.quotations) == text


def test_a_mark_that_somebody_typed_stands_for_nothing() -> None:
    masked = without_quotations('\ue000 and "one two three"')

    assert with_quotations(masked.text, masked.quotations) == '  and "one two three"'


@pytest.mark.parametrize(
    ("line", "what", "expected"),
    [
        ("Tom said we never use vite", "we never", True),
        ("according to the wiki we never merge", "we never", True),
        ("the footer should say that we never sell data", "we never", True),
        ("add a banner that we never track", "we never", True),
        ("we said we never use vite", "we never", False),
        ("After talking to Ines we never deploy on Fridays", "we never", False),
    ],
)
def test_what_others_say_is_reported(line: str, what: str, expected: bool) -> None:
    assert is_reported(line, line.index(what)) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("explain why we never merge", True),
        ("check whether we never merge", True),
        ("the test checks we never merge", True),
        ("now that we never merge", False),
        ("make sure that we never merge", False),
        ("because we never merge", False),
    ],
)
def test_the_object_of_another_clause_is_embedded(line: str, expected: bool) -> None:
    assert is_embedded(line, line.index("we never")) is expected


@given(st.text(max_size=300))
def test_no_text_breaks_it_and_masking_loses_nothing(text: str) -> None:
    masked = without_quotations(text)

    if masked.text == text:
        assert masked.quotations == ()
    if not any(0xE000 <= ord(letter) < 0xE040 for letter in text):
        assert with_quotations(masked.text, masked.quotations) == text
    assert isinstance(spelled(text), str)
