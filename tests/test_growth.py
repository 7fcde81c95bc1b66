"""Whatever reads a text takes CPU in proportion to it: every pattern, and every text function.

A pattern is searched for every match in the whole text, however it is used: what is only ever matched
at a beginning says so with ``\\A``. Every run takes the few telling seeds up to 16 KB; `make test-all`
takes all of them up to 64 KB.
"""

import re
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

import pytest

from tests.growth import ENDS, FEW, SEEDS, Growth, too_fast
from tests.product import patterns, text_functions

KB: Final = 1024

EXCEPTED: Final = {
    # They compile the patterns of this product.
    "actors.policy.secrets.secret_values.compiled",
    "actors.policy.secrets.secret_values.fits",
    "actors.policy.secrets.secret_values.holds",
    "actors.policy.patterns.pattern",
    "actors.policy.text.words.caseless",
    # They read the table beside the module that they are given.
    "actors.policy.text.speech.forms",
    "actors.policy.secrets.secret_values.sections",
    "actors.policy.text.words.beside",
    "actors.policy.text.words.table",
    "actors.policy.text.words.expressions",
    "actors.policy.text.words.word_list",
}
Works = dict[str, Callable[[str], object]]


@cache
def searches() -> Works:
    """A search for each pattern of the product, all of which is imported for it."""
    return {name: _searching(pattern) for name, pattern in patterns().items()}


@cache
def functions() -> Works:
    """Each text function but the few that are excepted."""
    found = text_functions()
    return {name: _refusing(found[name]) for name in found.keys() - EXCEPTED}


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


def _too_fast(
    works: Works, seed: str, longest: int, ends: tuple[str, ...]
) -> dict[str, list[Growth]]:
    """What grows faster than a text of this seed, by its name."""
    grown = {name: too_fast(work, (seed,), longest, ends) for name, work in works.items()}
    return {name: how for name, how in grown.items() if how}


def test_patterns_and_functions_of_the_whole_product_are_found() -> None:
    named = searches().keys()

    assert len(named) > 400
    assert len(functions()) > 100
    assert {
        "actors.policy.session.citation._SCAN",
        "actors.policy.text.phrases._ENDED",
    } <= named
    assert {name.split(".")[0] for name in named} == {"actors", "daemon", "hooks", "lsp"}
    assert {
        "actors.policy.text.phrases.phrases_of",
        "actors.policy.statements.statements.statements",
        "actors.policy.gate.correcting_sentence.said_in",
    } <= functions().keys()


def test_a_pattern_that_takes_the_square_of_its_text_is_told() -> None:
    assert too_fast(_searching(re.compile(r"\s+x")), (" ",), 4 * KB, ENDS[:1])
    assert too_fast(_searching(re.compile(r"-*-*-*x")), ("-",), 4 * KB, ENDS[:1])
    assert not too_fast(_searching(re.compile(r"(?<!\s)\s++x")), SEEDS, 4 * KB)


@pytest.mark.parametrize("seed", FEW)
def test_a_pattern_takes_cpu_in_proportion_to_its_text(seed: str) -> None:
    assert _too_fast(searches(), seed, 16 * KB, ENDS[1:]) == {}


@pytest.mark.parametrize("seed", FEW)
def test_a_text_function_takes_cpu_in_proportion_to_its_text(seed: str) -> None:
    assert _too_fast(functions(), seed, 16 * KB, ENDS[1:]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_pattern_does_so_on_every_seed(seed: str) -> None:
    assert _too_fast(searches(), seed, 64 * KB, ENDS[1:]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_text_function_does_so_on_every_seed(seed: str) -> None:
    assert _too_fast(functions(), seed, 64 * KB, ENDS[2:]) == {}
