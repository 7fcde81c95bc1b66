"""Slices of a long text, each matched for phrases by itself, so nobody waits for the whole."""

from collections.abc import Iterator
from typing import Final, NamedTuple

SLICE: Final = 2_048  # characters; with sixteen owners a phrase under 5 ms
BEYOND: Final = 256  # characters read past a slice, for a phrase that begins in it. Choice.
WORD: Final = 512  # characters up to which the end of a word is looked for: a longer one is none


class Slice(NamedTuple):
    """A stretch of a text: matches beginning in its first ``own`` characters are its own."""

    start: int  # in the whole text
    own: int
    text: str


def slices(text: str) -> Iterator[Slice]:
    """Cut a text between words; a short one is one slice."""
    start = 0
    while start < len(text):
        end = _between_words(text, start + SLICE)
        yield Slice(start, end - start, text[start : _between_words(text, end + BEYOND)])
        start = end


def _between_words(text: str, at: int) -> int:
    """The end of the word at a place."""
    most = min(at + WORD, len(text))
    while at < most and not text[at].isspace():
        at += 1
    return min(at, len(text))
