"""The words of many texts as they are written, for misspelt ones of a query.

An index of stems has no spellings; so the words of each text are counted, the more frequent one
being meant where two are as near. A word stays when its text leaves: what is made of it is looked up
before anybody is told.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from actors.policy.text.concrete import parts
from actors.policy.text.spelling import KNOWN, SHORTEST, WIDEST, Known, closest, known
from actors.policy.text.words import EVERYDAY, STOP_WORDS

READ: Final = 4_000  # characters of a text
FRESH: Final = 2_000  # new words that have a small table of their own, until all is made anew
ASKED: Final = 4  # words of a query whose spelling is questioned, and
COMPARED: Final = 200_000  # known words that all of them are compared with: half a millisecond

_WORD: Final = re.compile(rf"[^\W\d_]{{{SHORTEST - 1},{WIDEST}}}")


class Spellings:
    """Words and in how many texts each stands. Mutable, single-owner, no I/O."""

    def __init__(self, arrays: Mapping[str, npt.NDArray[Any]] | None = None) -> None:
        """``arrays``: what was kept of an earlier one."""
        self._counts: dict[str, int] = {}  # 110 bytes a word
        if arrays is not None and arrays["counts"].size:
            words = arrays["spelt"].tobytes().decode("utf-8", "surrogatepass").split("\n")
            self._counts = dict(zip(words, arrays["counts"].tolist(), strict=True))
        self._new: list[str] = []  # words that came after the table was made
        self._fresh: Known | None = None  # of these
        self._all: Known = self._table()

    def __len__(self) -> int:
        """Number of different words that are known."""
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
        """Known words that those of these mean which are not known themselves."""
        if self._fresh is None:
            self._fresh = known(self._new)
        found: dict[str, str] = {}
        asked = max(1, min(ASKED, COMPARED // max(1, len(self._all))))
        for term in [one for one in terms if self._is_strange(one)][:asked]:
            meant = closest(term, self._all) or closest(term, self._fresh)
            if meant is not None:
                found[term] = meant
        return found

    def _is_strange(self, term: str) -> bool:
        return term not in EVERYDAY and term not in STOP_WORDS and term not in self._counts

    def _table(self) -> Known:
        """The table of all words, the most frequent first."""
        words = list(self._counts)
        counts: npt.NDArray[np.int64] = np.fromiter(self._counts.values(), np.int64, len(words))
        order: Iterable[int] = np.argsort(-counts, kind="stable").tolist()
        return known(words[at] for at in order)
