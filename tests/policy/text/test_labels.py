"""Labels before the first colon of a text (K28)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.labels import label, named


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("Melanie: I signed up.", {"melani"}),
        ("claude_mem convention: Use null objects.", {"claud", "mem", "convent"}),
        ("Łukasz: podpisałem.", {"łukasz"}),
        ("No colon in it", set[str]()),
        ("def paste(xsel=False): return 1", set[str]()),
        ("https://example.org is down", set[str]()),
        ("at 12:30 we met", set[str]()),
        ("this is a sentence of many words that ends here: so", set[str]()),
        ("", set[str]()),
    ],
)
def test_a_label_stands_before_the_first_colon(text: str, stems: set[str]) -> None:
    assert label(text) == stems


def test_a_label_is_named_and_a_name_in_the_text_is_none() -> None:
    asked = {"melani", "paint"}

    assert named(asked, "Melanie: I painted it.") == 1.0
    assert named(asked, "Caroline: Melanie painted it.") == 0.0


def test_a_label_that_is_named_in_part_lifts_in_part() -> None:
    assert named({"shop"}, "shop convention: cents") == 0.5


@given(st.text(max_size=200), st.sets(st.text(max_size=8), max_size=5))
def test_a_share_is_a_share_of_any_text(text: str, asked: set[str]) -> None:
    assert 0.0 <= named(asked, text) <= 1.0
