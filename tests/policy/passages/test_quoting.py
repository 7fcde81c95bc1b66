"""Which sentences of a passage are quoted."""

from __future__ import annotations

import subprocess
import sys

from actors.policy.passages import ROOM, answer_of_turn, quoted, whence
from tests.patience import ROOT

CACHE = {"cach": 1.0, "hour": 0.8}
LONG = " ".join(f"Sentence number {n} tells of something else altogether." for n in range(40))


def test_the_sentences_with_the_words_that_are_asked_for_are_quoted() -> None:
    text = f"{LONG} The cache keeps an hour. {LONG}"

    quote = quoted(text, CACHE)

    assert "The cache keeps an hour." in quote
    assert len(quote) <= ROOM


def test_of_a_text_without_the_words_the_beginning_is_quoted() -> None:
    assert quoted(LONG, CACHE).startswith("Sentence number 0")


def test_the_marks_of_markdown_are_left_out() -> None:
    text = "## Cache\n\n- **The cache** keeps an hour.\n| a | b |\n|---|---|\n```sh\nmake\n```"

    assert quoted(text, CACHE) == "Cache The cache keeps an hour. a | b make"


def test_sentences_that_did_not_stand_together_are_not_put_together() -> None:
    text = f"The cache is warm. {LONG} The hour is late."

    assert quoted(text, CACHE).startswith("The cache is warm. Sentence number 0")


def test_a_sentence_longer_than_the_room_is_shortened() -> None:
    quote = quoted("cache " * 100, CACHE)

    assert quote.endswith("…")
    assert len(quote) <= ROOM


def test_nothing_is_quoted_of_nothing() -> None:
    assert not quoted("```\n```", CACHE)


def test_of_a_turn_the_answer_is_left() -> None:
    assert answer_of_turn("Why a cache?", "Why a cache?\n\nIt is slow.") == "It is slow."


def test_a_prompt_of_several_paragraphs_is_left_out_as_far_as_the_title_says_it() -> None:
    text = "Why a cache?\n\nAnd why so long?\n\nIt is slow."

    assert answer_of_turn("Why a cache? And why so…", text) == "It is slow."


def test_what_does_not_begin_with_its_title_is_left_as_it_is() -> None:
    assert answer_of_turn("Decisions", "It is slow.") == "It is slow."
    assert answer_of_turn("", "It is slow.") == "It is slow."


def test_a_passage_says_where_it_stands() -> None:
    assert whence("document", "docs/cache.md", "Cache › Why") == "docs/cache.md, Cache › Why"
    assert whence("document", "docs/cache.md", "") == "docs/cache.md"
    assert whence("turn", "s1/7", "Why a\ncache?") == "an agent, asked “Why a cache?”"
    assert whence("turn", "s1/7", "") == "an agent"
    assert whence("summary", "s1/7", "") == "a session's summary"


def test_an_agents_account_of_its_steps_is_not_quoted() -> None:
    text = "Done! I've added the cache.\n- Updated `cache.py`\n- The cache keeps an hour."

    assert quoted(text, CACHE) == "The cache keeps an hour."


CHOOSE = """
from actors.policy.passages import quoted

words = [f"{letter}{letter}x" for letter in "abcdefghijklmnop"]
weights = {word: 0.1 * (1 + at % 8) for at, word in enumerate(words)}
far = "This says nothing. " * 30
for turn in range(40):
    mixed = words[turn % 16:] + words[:turn % 16]
    print(quoted(f"{' '.join(mixed[:8])}. {far} {' '.join(mixed[8:])}.", weights)[:2])
"""


def test_what_is_quoted_does_not_hang_on_the_order_of_a_set() -> None:
    def chosen(seed: int) -> bytes:
        command = [sys.executable, "-c", CHOOSE]
        return subprocess.run(
            command, env={"PYTHONHASHSEED": str(seed)}, cwd=ROOT, capture_output=True, check=True
        ).stdout

    assert chosen(1) == chosen(2) != b""
