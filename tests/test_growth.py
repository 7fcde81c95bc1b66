"""Whatever reads a text takes CPU in proportion to it: every pattern, and every text function.

A pattern is searched for every match in the whole text, however it is used: what is only ever matched
at a beginning says so with ``\\A``. Every run takes the few telling seeds up to 16 KB; `make test-all`
takes all of them up to 64 KB.
"""

import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest

from tests.growth import ENDS, FEW, SEEDS, too_fast
from tests.product import patterns, text_functions

KB: Final = 1024

EXCEPTED: Final = {
    # What a phrase begins with is as much text as the square of its words, and these are twelve.
    "actors.policy.text.phrase_arrays.prefixes",
    # It compiles the patterns of this product.
    "actors.policy.events.secret_values.compiled",
}
PATTERNS: Final = patterns()
FUNCTIONS: Final = {
    name: function for name, function in text_functions().items() if name not in EXCEPTED
}


def _searching(pattern: re.Pattern[str]) -> Callable[[str], object]:
    def work(text: str) -> None:
        for _ in pattern.finditer(text):
            pass

    return work


def _refusing(function: Callable[[str], object]) -> Callable[[str], object]:
    def work(text: str) -> None:
        # The text is none of those that it reads, or an odd pattern where it takes one.
        with (
            suppress(ValueError, re.error),
            warnings.catch_warnings(action="ignore", category=FutureWarning),
        ):
            function(text)

    return work


def test_patterns_and_functions_of_the_whole_product_are_found() -> None:
    assert len(PATTERNS) > 400
    assert len(FUNCTIONS) > 100
    assert {"actors.policy.session.citation._SCAN", "actors.policy.text.phrases._FILE"} <= set(
        PATTERNS
    )
    assert {name.split(".")[0] for name in PATTERNS} == {"actors", "daemon", "hooks", "lsp"}
    assert "actors.policy.text.phrases.phrases_of" in FUNCTIONS


def test_a_pattern_that_takes_the_square_of_its_text_is_told() -> None:
    assert too_fast(_searching(re.compile(r"\s+x")), (" ",), 4 * KB)
    assert too_fast(_searching(re.compile(r"-*-*-*x")), ("-",), 4 * KB)
    assert not too_fast(_searching(re.compile(r"(?<!\s)\s++x")), SEEDS, 4 * KB)


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_takes_cpu_in_proportion_to_its_text(name: str) -> None:
    assert too_fast(_searching(PATTERNS[name]), FEW, 16 * KB, ENDS[1:]) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_text_function_takes_cpu_in_proportion_to_its_text(name: str) -> None:
    assert too_fast(_refusing(FUNCTIONS[name]), FEW, 16 * KB, ENDS[1:]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_does_so_on_every_seed(name: str) -> None:
    assert too_fast(_searching(PATTERNS[name]), SEEDS, 64 * KB, ENDS[1:]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_text_function_does_so_on_every_seed(name: str) -> None:
    assert too_fast(_refusing(FUNCTIONS[name]), SEEDS, 64 * KB, ENDS[2:]) == []
