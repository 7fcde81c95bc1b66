"""The words that stand in memories, as they are written, for misspelt ones of a query.

The full-text index holds stems, which are no spellings; so the texts are read once after a start,
a few memories a turn, and what changes is read again. A word stays when its memory leaves: what is
made of it is looked up in the index before anybody is told. Nothing of this is written down. One
object belongs to one reading connection and is used on its thread only.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from actors.policy.text.concrete import parts
from actors.policy.text.spelling import KNOWN, SHORTEST, WIDEST, Known, closest, known
from actors.policy.text.words import EVERYDAY, STOP_WORDS
from daemon.storage.database.sql import Sql

PAGE: Final = 128  # memories read in one turn: 5 ms
READ: Final = 4_000  # characters of a memory
FRESH: Final = 2_000  # new words that have a small table of their own, until all is made anew
ASKED: Final = 4  # words of a query whose spelling is questioned, and
COMPARED: Final = 200_000  # known words that all of them are compared with: half a millisecond

_WORD: Final = re.compile(rf"[^\W\d_]{{{SHORTEST - 1},{WIDEST}}}")
_TEXTS: Final = "SELECT id, title, text FROM memory WHERE ended IS NULL"


class SpellingIndex:
    """The words of the store's memories, the most frequent first."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}  # memories of each word: 110 bytes a word
        self._new: list[str] = []  # words that came after the table was made
        self._read = 0
        self._complete = False
        self._seen = 0  # the last change read
        self._all: Known = known(())
        self._fresh: Known = known(())

    def __len__(self) -> int:
        """How many different words are known."""
        return len(self._counts)

    def take_up(self, sql: Sql) -> bool:
        """Read some of what is to be read; whether there is more."""
        if self._complete:
            more = self._changes(sql)
            if len(self._new) > FRESH:
                self._made()  # here and never in a question: .3 s of 100,000 words
            return more
        if not self._read:
            self._seen = sql.number("SELECT max(seq) FROM word_change") or 0
        rows = sql.rows(f"{_TEXTS} AND id > ? ORDER BY id LIMIT ?", (self._read, PAGE))
        self._take(f"{title}\n{text[:READ]}" for _, title, text in rows)
        self._read = rows[-1][0] if rows else self._read
        self._complete = len(rows) < PAGE
        if self._complete:
            self._made()
        return not self._complete

    def respelled(self, sql: Sql, terms: Sequence[str]) -> dict[str, str]:
        """Meanings of these words, which stand in no memory; nothing until all was read."""
        if not self._complete:
            return {}
        self._changes(sql)
        found: dict[str, str] = {}
        left = max(1, min(ASKED, COMPARED // max(1, len(self._all))))
        for term in terms:
            if term in EVERYDAY or term in STOP_WORDS or term in self._counts:
                continue
            if not left:
                break
            left -= 1
            meant = self._meant(term)
            if meant is not None:
                found[term] = meant
        return found

    def _meant(self, term: str) -> str | None:
        meant = closest(term, self._all)
        return closest(term, self._fresh) if meant is None else meant

    def _changes(self, sql: Sql) -> bool:
        rows = sql.rows(
            "SELECT seq, memory_id FROM word_change WHERE seq > ? ORDER BY seq LIMIT ?",
            (self._seen, PAGE),
        )
        if not rows:
            return False
        ids = sorted({memory_id for _, memory_id in rows})
        texts = sql.rows(f"{_TEXTS} AND id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))
        self._seen = rows[-1][0]  # from here on nothing can be interrupted
        before = len(self._new)
        self._take(f"{title}\n{text[:READ]}" for _, title, text in texts)
        if len(self._new) > before:
            self._fresh = known(self._new)
        return len(rows) == PAGE

    def _take(self, texts: Iterable[str]) -> None:
        """Count the words of each text once; a symbol by its parts as well."""
        found = Counter[str]()
        for text in texts:
            words: set[str] = set()
            for word in set(_WORD.findall(text)):
                words.add(word.lower())
                if not word.islower():
                    words.update(part for part in parts(word) if len(part) >= SHORTEST - 1)
            found.update(words)
        for word, times in found.items():
            if word in self._counts:
                self._counts[word] += times
            elif len(self._counts) < KNOWN:
                self._counts[word] = times
                self._new.append(word)

    def _made(self) -> None:
        """The table of all words, the most frequent first, equal ones by the alphabet."""
        counts = self._counts
        self._all = known(sorted(counts, key=lambda word: (-counts[word], word)))
        self._new, self._fresh = [], known(())
