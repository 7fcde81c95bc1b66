"""Spellings: the words of many texts as they are written, and the right one for a misspelt word.

An index of stems has no spellings; so the words of each text are counted, the more frequent one
being meant where two are as near. A word stays when its text leaves: its results are looked up
before anybody is told.

An edit is a letter put in, left out, exchanged or swapped with its neighbour; one is forgiven, two
from twelve letters on, or from eight when no letter is foreign, and none of the first letter:
nobody means "gather" by "father". Each known term has a bit for every letter: only few of many
terms are compared letter by letter. Another form of a known word is no misspelling: the index's
stemmer finds it. A word of four or five letters must have the letters of the term, swapped or
doubled; the right word is added to the query, never exchanged in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.concrete import parts
from actors.policy.text.words import EVERYDAY, STOP_WORDS, stem

READ: Final = 4_000  # characters of a text
FRESH: Final = 2_000  # new words that have a small table of their own, until all is made anew
ASKED: Final = 4  # words of a query whose spelling is questioned, and
COMPARED: Final = 200_000  # known words that all of them are compared with: half a millisecond
SHORTEST: Final = 4  # letters of a word whose spelling is questioned
EXCHANGED: Final = 6  # from here on a letter may be another: "made" is not "mode" misspelt
TWO: Final = 8  # letters from which two edits are forgiven when no letter is foreign, and
FOREIGN: Final = 12  # whatever they are: "reaction" is no "rejection"
CHECKED: Final = 32  # known terms that are compared letter by letter
SAME: Final = 3  # first letters that forms of one word have in common
KNOWN: Final = 200_000  # terms that are kept
WIDEST: Final = 40  # letters of a known term

_WORD: Final = pattern(rf"[^\W\d_]{{{SHORTEST - 1},{WIDEST}}}")


class KnownTerms(Struct, frozen=True):
    """Known terms with the letters of each, so few need to be compared letter by letter."""

    terms: tuple[str, ...]  # in lower case, the most frequent first
    letters: npt.NDArray[np.uint64]  # a bit for each letter that occurs; some share one
    lengths: npt.NDArray[np.uint8]
    firsts: npt.NDArray[np.uint32]  # the first letter

    def __len__(self) -> int:
        """Tell how many terms there are."""
        return len(self.terms)


def known_terms(terms: Iterable[str]) -> KnownTerms:
    """Terms as `closest` needs them, most frequent first: the earlier wins when two are as near."""
    lowered = dict.fromkeys(term.lower() for term in terms)
    kept = tuple(term for term in lowered if SHORTEST - 1 <= len(term) <= WIDEST)[:KNOWN]
    lengths = np.fromiter(map(len, kept), np.int64, len(kept))
    starts = np.cumsum(lengths) - lengths
    codes = np.frombuffer("".join(kept).encode("utf-32-le", "surrogatepass"), "<u4")
    bits = _bits(codes)
    return KnownTerms(
        kept,
        np.bitwise_or.reduceat(bits, starts) if kept else bits,
        lengths.astype(np.uint8),
        codes[starts],
    )


def closest(word: str, terms: KnownTerms) -> str | None:
    """The known term for a misspelt ``word``: one edit off, two in a long word.

    None for a known word or another form of one, a short one, one with digits, one far from all,
    and one with its nearest beginning otherwise.
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


def _near(asked: str, terms: KnownTerms, edits: int) -> list[int]:
    """Places of terms within so many edits, the ones with the same letters first."""
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
    """A bit for each letter; two letters on one bit only cost a comparison more."""
    return np.uint64(1) << (codes % 64).astype(np.uint64)


class Spellings:
    """Words and in how many texts each stands. Mutable, single-owner, no I/O."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        """``arrays``: the kept arrays of an earlier one."""
        self._counts: dict[str, int] = {}  # 110 bytes a word
        if arrays is not None and arrays["counts"].size:
            words = arrays["spelt"].tobytes().decode("utf-8", "surrogatepass").split("\n")
            self._counts = dict(zip(words, arrays["counts"].tolist(), strict=True))
        self._new: list[str] = []  # words that came after the table was made
        self._fresh: KnownTerms | None = None  # of these
        self._all: KnownTerms = self._table()

    def __len__(self) -> int:
        """Number of different known words."""
        return len(self._counts)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All words, for the next one."""
        words = "\n".join(self._counts).encode("utf-8", "surrogatepass")
        return {
            "spelt": np.frombuffer(words, np.uint8),
            "counts": np.fromiter(self._counts.values(), np.uint32, len(self)),
        }

    def add(self, text: str) -> None:
        """Count the words of a text once; a symbol by its parts as well."""
        words: set[str] = set()
        for word in set(_WORD.findall(text[:READ])):
            words.add(word.lower())
            if not word.islower():
                words.update(part for part in parts(word) if len(part) >= SHORTEST - 1)
        for word in words:
            if word in self._counts:
                self._counts[word] += 1
            elif len(self._counts) < KNOWN:
                self._counts[word] = 1
                self._new.append(word)
                self._fresh = None

    def tidied(self) -> None:
        """Make the table anew once many words are new: 30 ms of 100,000, and never in a question."""
        if len(self._new) > FRESH:
            self._all = self._table()
            self._new, self._fresh = [], None

    def meant(self, terms: Sequence[str]) -> dict[str, str]:
        """Known words for the unknown ones among these."""
        if self._fresh is None:
            self._fresh = known_terms(self._new)
        found: dict[str, str] = {}
        asked = max(1, min(ASKED, COMPARED // max(1, len(self._all))))
        for term in [one for one in terms if self._is_strange(one)][:asked]:
            meant = closest(term, self._all) or closest(term, self._fresh)
            if meant is not None:
                found[term] = meant
        return found

    def _is_strange(self, term: str) -> bool:
        return term not in EVERYDAY and term not in STOP_WORDS and term not in self._counts

    def _table(self) -> KnownTerms:
        """The table of all words, the most frequent first."""
        words = list(self._counts)
        counts: npt.NDArray[np.int64] = np.fromiter(self._counts.values(), np.int64, len(words))
        order: Iterable[int] = np.argsort(-counts, kind="stable").tolist()
        return known_terms(words[at] for at in order)
