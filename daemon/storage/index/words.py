"""Words, quickly: postings in memory in front of the full-text index on disk.

FTS5 needs 6 ms for a natural prompt at 10,000 memories and about 100 ms at 100,000, which is more than a prompt may
wait for everything. Here ``actors.policy.index.postings`` answers with the same scores. It is built from the texts
after a start, a few memories a turn, and follows ``word_change``, where every write of words leaves the id of its
memory. FTS5 stays the truth, and the answer while this is behind, and for a lone CJK character (a prefix).

The file kept between two starts (``WordIndex.snapshot``) is mapped, so it costs a start nothing and
no memory of the process's own. It has words of memories: once anything was erased it is thrown
away, and everything is read anew. One object belongs to one reading connection and is used on its
thread only.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from actors.memory.rows import Scope
from actors.policy.index.postings import FIXED, Document, Part, PostingsIndex
from actors.policy.text.words import TOKENIZER, index_text, is_prefix
from actors.recall.shapes import Counted
from daemon.storage import recall
from daemon.storage.corpora import MEMORIES, PASSAGES, Corpus
from daemon.storage.database.sql import Row, Sql
from daemon.storage.index.snapshots import IndexVersion, Snapshot, index_version, mapped, numbers_of

PAGE: Final = 64  # memories taken up in one turn: 6 ms, between which others read
FEW: Final = 64  # changed memories that a search takes up itself; with more, FTS5 answers
KEPT: Final = 95_000  # changes that are kept for whoever is behind
KNOWN: Final = 4_096  # terms whose tokens are remembered
FILE: Final = "words.postings"
LAYOUT: Final = 5  # of its arrays; one written by another version is made anew


def note_change(sql: Sql, *ids: int, corpus: Corpus = MEMORIES) -> None:
    """Leave word of these texts, which are new, changed or gone, or stand otherwise than before."""
    start = f"INSERT INTO {corpus.changes} ({corpus.owner}) VALUES"
    sql.insert(start, [(one,) for one in ids], 512)


def changed_since(sql: Sql, change: int | None) -> list[int]:
    """Memories changed after this change."""
    return sql.column(
        f"SELECT DISTINCT {MEMORIES.owner} FROM {MEMORIES.changes} WHERE seq > ? ORDER BY 1",
        (change or 0,),
    )


def prune_changes(sql: Sql) -> None:
    """Let go of changes that nobody is as far behind as to miss."""
    for corpus in (MEMORIES, PASSAGES):
        newest = f"SELECT max(seq) FROM {corpus.changes}"
        sql.rows(f"DELETE FROM {corpus.changes} WHERE seq <= ({newest}) - ?", (KEPT,))


class WordIndex:
    """The words of the store's living memories, or of the texts of another corpus."""

    def __init__(self, folder: Path, *, corpus: Corpus = MEMORIES) -> None:
        self._corpus = corpus
        self._texts = (
            f"SELECT id, project, title, text, {corpus.phrases} FROM {corpus.texts}"
            f" WHERE {corpus.living}"
        )
        self._file = folder / f"{corpus.files}{FILE}"
        self._of: dict[str, Any] = {}  # layout, store and erasures
        self._written: int | None = None  # the last change that the snapshot has
        self._index = PostingsIndex()
        self._scopes: dict[str, int] = {}
        self._seen: int | None = None  # the last change taken up; None: not begun
        self._read = 0  # the highest memory taken up while everything is read
        self._complete = False
        self._tokens: dict[str, list[str]] = {}

    @property
    def nbytes(self) -> int:
        """Memory held, in bytes."""
        return self._index.nbytes()

    @property
    def mapped(self) -> int:
        """Bytes among them in a file."""
        return self._index.nbytes(mapped=True)

    def __len__(self) -> int:
        """How many memories are held."""
        return len(self._index)

    @property
    def unwritten(self) -> int:
        """Changes since the snapshot, or memories without one; 0 while there is none to be had."""
        if not self._complete:
            return 0
        return len(self._index) if self._written is None else (self._seen or 0) - self._written

    def snapshot(self) -> Snapshot | None:
        """Snapshot by which the next start need not read all texts; None: not now."""
        if not self._complete:
            return None
        about = self._of | {"seen": self._seen, "scopes": list(self._scopes)}
        return Snapshot(self._file, about, self._index.whole().arrays())

    def was_written(self, sql: Sql, snapshot: Snapshot) -> None:
        """The snapshot is on the disk now; it goes when something was erased meanwhile."""
        if _of(index_version(sql, self._corpus)).items() <= snapshot.about.items():
            self._written = snapshot.about["seen"] or 0
        else:
            snapshot.path.unlink(missing_ok=True)

    def take_up(self, sql: Sql) -> bool:
        """Do some of the pending work; returns whether there is more."""
        more = self._changes_taken_up(sql) if self._begun(sql) else self._page_taken_up(sql)
        return self._index.tidied() or more

    def words(self, sql: Sql, terms: Sequence[str], scope: Scope, limit: int) -> dict[int, float]:
        """The best memories in scope by bm25, best first."""
        return self._words(sql, terms, scope, limit, fresh=self._is_fresh(sql))

    def counted(
        self, sql: Sql, telling: Sequence[str], terms: Sequence[str], scope: Scope, limit: int
    ) -> Counted:
        """Frequencies of these, and the results of the terms; one look at the store's version."""
        fresh = self._is_fresh(sql)
        memories, frequencies = self._frequencies(sql, telling, fresh=fresh)
        return Counted(memories, frequencies, self._words(sql, terms, scope, limit, fresh=fresh))

    def _words(
        self, sql: Sql, terms: Sequence[str], scope: Scope, limit: int, *, fresh: bool
    ) -> dict[int, float]:
        if any(map(is_prefix, terms)) or not fresh:
            return recall.words(sql, terms, scope, limit, self._corpus)
        phrases = [self._tokens_of(sql, term) for term in terms]
        scopes = numbers_of(scope, self._scopes)
        return dict(self._index.search(phrases, scopes, limit))

    def _frequencies(
        self, sql: Sql, terms: Sequence[str], *, fresh: bool
    ) -> tuple[int, dict[str, int]]:
        if not fresh:
            return recall.document_frequencies(sql, terms, self._corpus)
        tokens = {term: self._tokens_of(sql, term) for term in terms}
        found = self._index.frequencies({token for some in tokens.values() for token in some})
        return len(self._index), {
            term: min((found[token] for token in some), default=0) for term, some in tokens.items()
        }

    def _is_fresh(self, sql: Sql) -> bool:
        """Return whether every memory is held as it is now; a few changes are taken up for it."""
        now = index_version(sql, self._corpus)
        if not self._complete or _of(now) != self._of:
            return False
        behind = now.newest_change - (self._seen or 0)
        return behind <= 0 or (behind <= FEW and not self._changes_taken_up(sql))

    def _begun(self, sql: Sql) -> bool:
        """Return whether all was read; begins anew when changes were dropped unseen."""
        now = index_version(sql, self._corpus)
        oldest = sql.number(f"SELECT min(seq) FROM {self._corpus.changes}")
        if self._seen is None and self._go_on(now, oldest):
            return True
        if self._seen is None or oldest > self._seen + 1 or _of(now) != self._of:
            self._index = PostingsIndex()
            self._read, self._complete = 0, False
            self._seen, self._written, self._of = now.newest_change, None, _of(now)
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
        return self._complete

    def _go_on(self, now: IndexVersion, oldest: int) -> bool:
        """Take the snapshot up, if it is of this store, as it was not too long ago."""
        kept = mapped(self._file, _of(now))
        if kept is None or not oldest - 1 <= kept.about["seen"] <= now.newest_change:
            return False
        part = Part(**{name: kept.arrays[name] for name in FIXED})
        self._index = PostingsIndex(part)
        self._scopes = {name: number for number, name in enumerate(kept.about["scopes"])}
        self._seen = self._written = kept.about["seen"]
        self._of, self._complete = _of(now), True
        return True

    def _page_taken_up(self, sql: Sql) -> bool:
        rows = sql.rows(f"{self._texts} AND id > ? ORDER BY id LIMIT ?", (self._read, PAGE))
        if rows:
            self._index.add([self._document(sql, row) for row in rows])
            self._read = rows[-1][0]
        self._complete = len(rows) < PAGE
        return True  # what changed meanwhile comes next

    def _changes_taken_up(self, sql: Sql) -> bool:
        """Read changed memories again; returns whether there are more."""
        changes = sql.rows(
            f"SELECT seq, {self._corpus.owner} FROM {self._corpus.changes}"
            " WHERE seq > ? ORDER BY seq LIMIT ?",
            (self._seen, PAGE),
        )
        if not changes:
            return False
        ids = sorted({identity for _, identity in changes})
        rows = sql.rows(f"{self._texts} AND id IN (SELECT value FROM json_each(?))", (ids,))
        documents = [self._document(sql, row) for row in rows]
        # From here on nothing can be interrupted: all of it or nothing.
        self._index.remove(ids)
        if documents:
            self._index.add(documents)
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


def _of(now: IndexVersion) -> dict[str, Any]:
    return {"layout": LAYOUT, "store": now.store, "erasures": now.erasures}
