"""Words, quickly: postings in memory in front of the full-text index on disk (K03, K04).

FTS5 needs 6 ms for a natural prompt at 10,000 memories and about 100 ms at 100,000, which
is more than a prompt may wait for everything. Here ``actors.policy.postings`` answers with
the same scores. It is built from the texts after a start, a few memories a turn, and
follows ``word_change``, where every write of words leaves the id of its memory. FTS5 stays
the truth, and the answer while this is behind, for a lone CJK character (a prefix), and
always with ``storage.words = "fts5"``.

Nothing of this is written down: the words of an erased memory would be in it. One object
belongs to one reading connection and is used on its thread only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from actors.policy.postings import Document, PostingsIndex
from actors.policy.words import TOKENIZER, index_text, is_prefix
from actors.ports import Scope, WordHit
from daemon.storage import queries
from daemon.storage.sql import Row, Sql

PAGE: Final = 64  # memories taken up in one turn: 6 ms, between which others read
FEW: Final = 64  # changed memories that a search takes up itself; with more, FTS5 answers
KEPT: Final = 20_000  # changes that are kept for whoever is behind
KNOWN: Final = 4_096  # terms whose tokens are remembered

_TEXTS: Final = (
    "SELECT id, project, title, text, (SELECT group_concat(phrase, char(10))"
    " FROM trigger_phrase t WHERE t.memory_id = memory.id) FROM memory WHERE ended IS NULL"
)


def words_changed(sql: Sql, memory_id: int) -> None:
    """Leave word that the words of this memory came, changed or went."""
    sql.rows("INSERT INTO word_change (memory_id) VALUES (?)", (memory_id,))
    sql.rows("DELETE FROM word_change WHERE seq <= ?", (sql.last_id() - KEPT,))


class Worded:
    """The words of the store's living memories."""

    def __init__(self, *, enabled: bool = True) -> None:
        self._enabled = enabled
        self._index = PostingsIndex()
        self._scopes: dict[str, int] = {}
        self._seen: int | None = None  # the last change taken up; None: not begun
        self._read = 0  # the highest memory taken up while everything is read
        self._complete = False
        self._tokens: dict[str, list[str]] = {}

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._index.nbytes

    def __len__(self) -> int:
        """How many memories are held."""
        return len(self._index)

    def take_up(self, sql: Sql) -> bool:
        """Do some of what is to be done; whether there is more."""
        if not self._enabled:
            return False
        more = self._changes_taken_up(sql) if self._begun(sql) else self._page_taken_up(sql)
        return self._index.tidied() or more

    def words(self, sql: Sql, terms: Sequence[str], scope: Scope, limit: int) -> list[WordHit]:
        """The best memories in scope by bm25, best first."""
        if any(map(is_prefix, terms)) or not self._is_fresh(sql):
            return queries.words(sql, terms, scope, limit)
        phrases = [self._tokens_of(sql, term) for term in terms]
        scopes = None if scope.everywhere else self._of(scope)
        found = self._index.search(phrases, scopes, limit)
        return [WordHit(memory_id, score) for memory_id, score in found]

    def document_frequencies(self, sql: Sql, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
        """How many living memories there are, and in how many each query term stands."""
        if not self._is_fresh(sql):
            return queries.document_frequencies(sql, terms)
        tokens = {term: self._tokens_of(sql, term) for term in terms}
        found = self._index.frequencies({token for some in tokens.values() for token in some})
        return len(self._index), {
            term: min((found[token] for token in some), default=0) for term, some in tokens.items()
        }

    def _is_fresh(self, sql: Sql) -> bool:
        """Whether every memory is held as it is now; a few changes are taken up for that."""
        if not self._complete:
            return False
        behind = sql.number("SELECT max(seq) FROM word_change") - (self._seen or 0)
        return behind <= 0 or (behind <= FEW and not self._changes_taken_up(sql))

    def _begun(self, sql: Sql) -> bool:
        """Whether all was read; begins anew when changes were dropped unseen."""
        (oldest, newest), *_ = sql.rows(
            "SELECT (SELECT min(seq) FROM word_change), (SELECT max(seq) FROM word_change)"
        )
        if self._seen is None or (oldest is not None and oldest > self._seen + 1):
            self._index, self._read, self._complete = PostingsIndex(), 0, False
            self._seen = newest or 0
        return self._complete

    def _page_taken_up(self, sql: Sql) -> bool:
        rows = sql.rows(f"{_TEXTS} AND id > ? ORDER BY id LIMIT ?", (self._read, PAGE))
        for document in [self._document(sql, row) for row in rows]:
            self._index.add(document)
        if rows:
            self._read = rows[-1][0]
        self._complete = len(rows) < PAGE
        return True  # what changed meanwhile comes next

    def _changes_taken_up(self, sql: Sql) -> bool:
        """Read what changed again; whether there is more."""
        changes = sql.rows(
            "SELECT seq, memory_id FROM word_change WHERE seq > ? ORDER BY seq LIMIT ?",
            (self._seen, PAGE),
        )
        if not changes:
            return False
        ids = sorted({memory_id for _, memory_id in changes})
        rows = sql.rows(f"{_TEXTS} AND id IN (SELECT value FROM json_each(?))", (json.dumps(ids),))
        documents = [self._document(sql, row) for row in rows]
        # From here on nothing can be interrupted: all of it or nothing.
        self._index.remove(ids)
        for document in documents:
            self._index.add(document)
        self._seen = changes[-1][0]
        return len(changes) == PAGE

    def _document(self, sql: Sql, row: Row) -> Document:
        memory_id, project, *texts = row
        title, body, triggers = (
            sql.tokens(TOKENIZER, index_text(text)) if text else [] for text in texts
        )
        scope = self._scopes.setdefault(project or "", len(self._scopes))
        return Document(memory_id, scope, (title, triggers, body))

    def _tokens_of(self, sql: Sql, term: str) -> list[str]:
        found = self._tokens.get(term)
        if found is None:
            if len(self._tokens) >= KNOWN:
                self._tokens.clear()
            found = self._tokens[term] = sql.tokens(TOKENIZER, term)
        return found

    def _of(self, scope: Scope) -> list[int]:
        names = ("",) if scope.project is None else ("", scope.project)
        return [self._scopes[name] for name in names if name in self._scopes]
