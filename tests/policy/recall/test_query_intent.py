"""Purposes of queries, and what words and vectors weigh for each."""

from dataclasses import replace

import pytest

from actors.policy.recall import fusion
from actors.policy.recall.query_intent import ANYTHING, INTENTS, intent_of, weighed
from tests.policy.adversarial import too_slow

SHIPPED = fusion.Settings()


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("fix the crash of the login", "fix bug"),
        ("why did we choose sqlite", "find decision"),
        ("the acceptance criteria of the importer", "find spec"),
        ("csrf hardening of the gateway", "security audit"),
        ("please simplify and rename the parser", "refactor"),
        ("add support for arm builds", "add feature"),
        ("explain how the gate works", "understand"),
        ("redis", "anything"),
        ("", "anything"),
    ],
)
def test_the_intent_with_most_of_its_words_is_meant(query: str, intent: str) -> None:
    assert intent_of(query).name == intent


def test_a_bug_weighs_words_as_much_as_vectors_and_a_specification_less() -> None:
    by = {one.name: weighed(one, SHIPPED) for one in (*INTENTS, ANYTHING)}

    assert (by["fix bug"].words, by["fix bug"].vectors) == pytest.approx((0.375, 0.375))
    assert by["find spec"].words == pytest.approx(1 / 6)
    for one in by.values():
        assert one.words + one.vectors == pytest.approx(SHIPPED.words + SHIPPED.vectors)
        assert replace(one, words=SHIPPED.words, vectors=SHIPPED.vectors) == SHIPPED


def test_no_text_takes_long() -> None:
    assert too_slow(intent_of) == []
