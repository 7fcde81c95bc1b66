"""A vocabulary in arrays numbers words as a dictionary would."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actors.policy.text.vocabulary import RECENT, UNKNOWN, Folded, Vocabulary, hashed

WORDS = st.text(max_size=6)


def _of(words: list[str]) -> Vocabulary:
    made = Vocabulary()
    for word in words:
        made.numbered(word)
    return made


@given(st.lists(st.lists(WORDS, max_size=9), max_size=5), WORDS)
def test_words_are_numbered_as_they_come_however_often_they_are_folded(
    parts: list[list[str]], other: str
) -> None:
    vocabulary = Vocabulary()
    plain: dict[str, int] = {}
    for part in parts:
        for word in part:
            assert vocabulary.numbered(word) == plain.setdefault(word, len(plain))
        vocabulary.folded()

    assert len(vocabulary) == len(plain)
    assert all(vocabulary.number(word) == number for word, number in plain.items())
    assert vocabulary.number(other) == plain.get(other, UNKNOWN)


def test_more_words_than_the_dictionary_takes_keep_their_numbers() -> None:
    words = [f"w{number}" for number in range(2 * RECENT + 9)]
    vocabulary = _of(words)

    assert [vocabulary.number(word) for word in words] == list(range(len(words)))
    assert [vocabulary.numbered(word) for word in words[:9]] == list(range(9))
    assert len(vocabulary) == len(words)


def test_a_vocabulary_goes_on_from_its_arrays() -> None:
    again = Vocabulary(_of(["b", "a"]).folded())

    assert (again.number("b"), again.number("a"), again.number("c")) == (0, 1, UNKNOWN)
    assert again.numbered("c") == 2


def test_twelve_bytes_hold_a_word() -> None:
    vocabulary = _of([f"w{number}" for number in range(1_000)])
    vocabulary.folded()

    assert vocabulary.nbytes == 12_000


def test_arrays_are_exchanged_for_equal_ones_only() -> None:
    vocabulary = _of(["a", "b"])
    hashes, numbers = vocabulary.folded()
    mapped = Folded(np.frombuffer(hashes.tobytes(), np.uint64), numbers)
    before = vocabulary.arrays_nbytes(read_only=True)
    vocabulary.replace(mapped)
    exchanged = vocabulary.arrays_nbytes(read_only=True)
    vocabulary.numbered("c")
    vocabulary.folded()
    vocabulary.replace(mapped)  # of a moment ago

    assert (before, exchanged) == (0, mapped.hashes.nbytes)
    assert vocabulary.number("c") == 2


def test_a_hash_is_the_same_in_every_process() -> None:
    assert hashed("zanzibar") == 2_932_144_766_258_587_224
