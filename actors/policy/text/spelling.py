"""Spelling: the known term that a misspelt word of a query means.

An edit is a letter put in, left out, exchanged or swapped with its neighbour; one is forgiven, two
from twelve letters on, or from eight when no letter is foreign, and none of the first letter: nobody
means "gather" by "father". Each known term has a bit for every letter, so that few of many terms are
compared letter by letter. Another form of a known word is no misspelling: the
index's stemmer finds it. A word of four or five letters must have the letters of the term, swapped or
doubled; what a query means so is added to it, never exchanged in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from actors.policy.text.words import stem

SHORTEST: Final = 4  # letters of a word whose spelling is questioned
EXCHANGED: Final = 6  # from here on a letter may be another: "made" is not "mode" misspelt
TWO: Final = 8  # letters from which two edits are forgiven when no letter is foreign, and
FOREIGN: Final = 12  # whatever they are: "reaction" is no "rejection"
CHECKED: Final = 32  # known terms that are compared letter by letter
SAME: Final = 3  # first letters that forms of one word have in common
KNOWN: Final = 200_000  # terms that are kept
WIDEST: Final = 40  # letters of a known term


@dataclass(frozen=True, slots=True)
class Known:
    """Known terms with which letters each has, so that few need to be compared letter by letter."""

    terms: tuple[str, ...]  # in lower case, the most frequent first
    letters: npt.NDArray[np.uint64]  # a bit for each letter that occurs; some share one
    lengths: npt.NDArray[np.uint8]
    firsts: npt.NDArray[np.uint32]  # the first letter

    def __len__(self) -> int:
        """How many terms there are."""
        return len(self.terms)


def known(terms: Iterable[str]) -> Known:
    """Terms as `closest` needs them, most frequent first: the earlier wins when two are as near."""
    lowered = dict.fromkeys(term.lower() for term in terms)
    kept = tuple(term for term in lowered if SHORTEST - 1 <= len(term) <= WIDEST)[:KNOWN]
    lengths = np.fromiter(map(len, kept), np.int64, len(kept))
    starts = np.cumsum(lengths) - lengths
    codes = np.frombuffer("".join(kept).encode("utf-32-le", "surrogatepass"), "<u4")
    bits = _bits(codes)
    return Known(
        kept,
        np.bitwise_or.reduceat(bits, starts) if kept else bits,
        lengths.astype(np.uint8),
        codes[starts],
    )


def closest(word: str, terms: Known) -> str | None:
    """The known term that a misspelt ``word`` means: one edit off, two in a long word.

    None for a known word or another form of one, a short one, one with digits, one far from all,
    and one whose nearest begin otherwise.
    """
    asked = word.lower()
    if not SHORTEST <= len(asked) <= WIDEST or not asked.isalnum():
        return None
    if any(letter.isdigit() for letter in asked):
        return None
    key = stem(asked)
    # Two edits are looked for only where one has found nothing.
    for edits in (1,) if len(asked) < TWO else (1, 2):
        found: tuple[int, int] | None = None
        for place in _near(asked, terms, edits):
            term = terms.terms[place]
            if term[:SAME] == asked[:SAME] and stem(term) == key:
                return None
            if len(asked) < EXCHANGED and set(term) != set(asked):
                continue
            if edits > 1 and len(asked) < FOREIGN and set(term) != set(asked):
                continue
            apart = distance(asked, term, edits)
            if apart <= edits:
                one = (apart, place)
                found = one if found is None else min(found, one)
        if found is not None:
            return terms.terms[found[1]]
    return None


def _near(asked: str, terms: Known, edits: int) -> list[int]:
    """Places of the terms that may be so many edits away, those with the same letters first."""
    length, most = len(asked), WIDEST + 1
    within = terms.firsts == ord(asked[0])
    within &= (terms.lengths >= length - edits) & (terms.lengths <= min(most, length + edits))
    places = np.flatnonzero(within)
    codes = np.fromiter(map(ord, asked), np.uint32, length)
    differing = np.bitwise_count(terms.letters[places] ^ np.bitwise_or.reduce(_bits(codes)))
    close = differing <= 2 * edits
    places, differing = places[close], differing[close]
    if len(places) > CHECKED:
        # Fewest differing letters first; a swap differs in none. Equal ones: the more frequent.
        places = places[np.argsort(differing, kind="stable")[:CHECKED]]
    return [int(place) for place in places]


def distance(one: str, other: str, most: int) -> int:
    """Edits between two words (optimal string alignment); ``most + 1`` when there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        last, before, row = before, row, [at, *([most + 1] * len(other))]
        for place in range(max(1, at - most), min(len(other), at + most) + 1):
            same = letter == other[place - 1]
            row[place] = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (not same))
            swapped = at > 1 and place > 1 and letter == other[place - 2]
            if swapped and one[at - 2] == other[place - 1]:
                row[place] = min(row[place], last[place - 2] + 1)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def _bits(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """A bit for each letter; letters that share one only cost a comparison more."""
    return np.uint64(1) << (codes % 64).astype(np.uint64)
