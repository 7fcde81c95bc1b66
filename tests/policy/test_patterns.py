"""Patterns that are compiled at their first use."""

import re
from typing import cast

import pytest

from actors.policy.patterns import Stated, pattern, patterns


def is_compiled(stated: re.Pattern[str]) -> bool:
    return "compiled" in vars(cast("Stated", stated))


def test_a_pattern_is_compiled_when_it_is_first_asked_something_and_once() -> None:
    words = pattern(r"(?P<word>\w+) again", re.IGNORECASE)
    before = is_compiled(words)

    met = words.search("Once Again")

    assert not before
    assert met is not None
    assert met["word"] == "Once"
    assert "search" in vars(words)  # the compiled pattern's own: no detour the next time


def test_its_text_is_known_without_compiling_it() -> None:
    words = pattern(r"\w+")

    assert words.pattern == r"\w+"
    assert not is_compiled(words)
    assert words in patterns()


def test_a_wrong_pattern_says_so_at_its_first_use() -> None:
    wrong = pattern("(")

    with pytest.raises(re.error):
        wrong.search("text")
