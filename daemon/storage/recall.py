"""Reading: one function a question, on a reading connection's thread."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from actors.embedding.rows import Waiting
from actors.gate.rows import Keyed
from actors.intake.rows import JournalRow
from actors.memory.rows import Counts, Memory, Scope
from actors.policy.text.words import TOKENIZER, match_expression
from actors.recall.rows import VectorHit, WordHit
from actors.session.rows import HeldRow, SessionRow
from daemon.storage.sql import Row, Sql

# Weights of title, triggers and body in bm25 (K03; measured in docs/adr/0006).
WORD_WEIGHTS = "2.0, 2.0, 1.0"
SIFTED = 4  # matches ranked, a match wanted, before projects are looked at
CHUNKS_A_MEMORY = 2  # nearest chunks asked for, a memory wanted: long ones bring several

MEMORY = (
    "SELECT m.id, m.key, m.text, m.title, m.kind, m.tier, m.memory_type, m.context_type,"
    " m.project, m.created_at, m.updated_at, m.content_hash, m.stability, m.difficulty,"
    " m.importance, m.confidence, m.last_review, m.reviews, m.lapses, m.last_implicit, m.last_use, m.uses, m.exposures,"
    " m.pinned, m.ended, m.superseded_by, m.versions, m.unjudged, m.source, m.session,"
    " (SELECT json_group_array(phrase) FROM trigger_phrase t WHERE t.memory_id = m.id AND given),"
    " (SELECT json_group_array(phrase) FROM trigger_phrase t"
    "  WHERE t.memory_id = m.id AND NOT given),"
    " m.status, m.valid_from, m.valid_until, m.subject"
    " FROM memory m"
)
_PINNED, _UNJUDGED, _GIVEN, _DERIVED = (
    23,
    27,
    30,
    31,
)  # columns of MEMORY that SQLite has no type for
JOURNAL = (
    "SELECT seq, event_id, agent, received_at, kind, session, project, body, done FROM journal"
)
_SESSION = (
    "SELECT session, agent, project, started_at, seen_at, status, task, summary, transcript,"
    " silent FROM session"
)


def memory_of(row: Row) -> Memory:
    """The memory of a row of ``MEMORY``."""
    values: list[Any] = list(row)
    for flag in (_PINNED, _UNJUDGED):
        values[flag] = bool(values[flag])
    for phrases in (_GIVEN, _DERIVED):
        values[phrases] = _listed(values[phrases])
    return Memory(*values)


def _listed(phrases: str) -> tuple[str, ...]:
    """The strings of an array as SQLite writes it; most need no parser, which takes four times as long.

    A quote inside of a string has a backslash before it, so without one ``","`` stands between two.
    """
    if phrases == "[]":
        return ()
    return tuple(json.loads(phrases) if "\\" in phrases else phrases[2:-2].split('","'))


def journal_row(row: Row) -> JournalRow:
    """The event of a row of ``JOURNAL``."""
    values: list[Any] = list(row)
    values[-1] = bool(values[-1])
    return JournalRow(*values)


def _session(row: Row) -> SessionRow:
    values: list[Any] = list(row)
    values[-1] = bool(values[-1])
    return SessionRow(*values)


def _ids(ids: Sequence[int]) -> str:
    return json.dumps(list(ids))


def memories(sql: Sql, ids: Sequence[int]) -> dict[int, Memory]:
    """These memories, ended or not."""
    rows = sql.rows(f"{MEMORY} WHERE m.id IN (SELECT value FROM json_each(?))", (_ids(ids),))
    return {memory.id: memory for memory in map(memory_of, rows)}


def living(sql: Sql, after: int, limit: int) -> list[Memory]:
    """Living memories with an id over ``after``, in the order of ids."""
    rows = sql.rows(
        f"{MEMORY} WHERE m.id > ? AND m.ended IS NULL ORDER BY m.id LIMIT ?", (after, limit)
    )
    return [memory_of(row) for row in rows]


def listed(
    sql: Sql, conditions: Sequence[tuple[str, object]], *, limit: int, offset: int
) -> tuple[int, list[Memory]]:
    """How many memories meet all conditions, and a page of them, newest first.

    A condition is SQL of this module's callers, never a client's, with one ``?``.
    """
    where = " AND ".join(condition for condition, _ in conditions) or "1"
    values = [value for condition, value in conditions if "?" in condition]
    total = sql.number(f"SELECT count(*) FROM memory m WHERE {where}", values)
    rows = sql.rows(
        f"{MEMORY} WHERE {where} ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?",
        [*values, limit, offset],
    )
    return total, [memory_of(row) for row in rows]


def words(sql: Sql, terms: Sequence[str], scope: Scope, limit: int) -> list[WordHit]:
    """The best full-text matches of any of these terms in scope by FTS5's bm25, best first.

    Looking up the project of every match doubles the cost of a common word, so the best
    of all projects are ranked first and then sifted; only when other projects crowd the
    list are all matches looked up.
    """
    expression = match_expression(terms)
    if not expression:
        return []
    ranked = sql.rows(
        f"SELECT rowid, bm25(memory_words, {WORD_WEIGHTS}) AS score FROM memory_words"
        " WHERE memory_words MATCH ? ORDER BY score LIMIT ?",
        (expression, limit * SIFTED),
    )
    kept = ranked if scope.everywhere else _in_scope(sql, ranked, scope)
    if len(kept) < limit and len(ranked) == limit * SIFTED:
        kept = sql.rows(
            f"SELECT w.rowid, bm25(memory_words, {WORD_WEIGHTS}) AS score"
            " FROM memory_words w JOIN memory m ON m.id = w.rowid"
            " WHERE memory_words MATCH ? AND (m.project IS NULL OR m.project = ?)"
            " ORDER BY score LIMIT ?",
            (expression, scope.project, limit),
        )
    return [WordHit(memory_id, -score) for memory_id, score in kept[:limit]]


def literally(sql: Sql, expression: str, scope: Scope, limit: int) -> list[int]:
    """Living memories in scope that an FTS5 expression finds, best first; none by an empty one."""
    if not expression:
        return []
    rows = sql.rows(
        "SELECT w.rowid FROM memory_words w JOIN memory m ON m.id = w.rowid"
        " WHERE memory_words MATCH ?1 AND (?2 OR m.project IS NULL OR m.project = ?3)"
        f" ORDER BY bm25(memory_words, {WORD_WEIGHTS}) LIMIT ?4",
        (expression, int(scope.everywhere), scope.project, limit),
    )
    return [memory_id for (memory_id,) in rows]


def _in_scope(sql: Sql, ranked: Sequence[Row], scope: Scope) -> list[Row]:
    inside = {
        memory_id
        for (memory_id,) in sql.rows(
            "SELECT id FROM memory WHERE id IN (SELECT value FROM json_each(?))"
            " AND (project IS NULL OR project = ?)",
            (_ids([memory_id for memory_id, _ in ranked]), scope.project),
        )
    }
    return [row for row in ranked if row[0] in inside]


def seen(sql: Sql, ids: Sequence[int], scope: Scope) -> frozenset[int]:
    """Those of these memories that live and may be seen from there."""
    rows = sql.rows(
        "SELECT id FROM memory WHERE id IN (SELECT value FROM json_each(?1))"
        " AND ended IS NULL AND (?2 OR project IS NULL OR project = ?3)",
        (_ids(ids), int(scope.everywhere), scope.project),
    )
    return frozenset(memory_id for (memory_id,) in rows)


def has_vectors(sql: Sql) -> bool:
    """Whether a model was ever chosen."""
    return bool(sql.rows("SELECT 1 FROM sqlite_schema WHERE name = 'memory_vector'"))


def nearest_by_sqlite_vec(sql: Sql, vector: bytes, scope: Scope, limit: int) -> list[VectorHit]:
    """The nearest memories by the best cosine of their chunks, best first."""
    if not has_vectors(sql):
        return []
    partitions = [""] if scope.project is None else ["", scope.project]
    wanted = min(limit * CHUNKS_A_MEMORY, 4096)
    statement = "SELECT memory_id, distance FROM memory_vector WHERE embedding MATCH ? AND k = ?"
    if scope.everywhere:
        rows = sql.rows(statement, (vector, wanted))
    else:
        rows = [
            row
            for partition in partitions
            for row in sql.rows(f"{statement} AND project = ?", (vector, wanted, partition))
        ]
    best: dict[int, float] = {}
    for memory_id, distance in rows:
        best[memory_id] = max(best.get(memory_id, -1.0), 1.0 - distance)
    ranked = sorted(best.items(), key=lambda item: (-item[1], item[0]))
    return [VectorHit(memory_id, cosine) for memory_id, cosine in ranked[:limit]]


def document_frequencies(sql: Sql, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    """How many living memories there are, and in how many each query term stands."""
    total = sql.number("SELECT count(*) FROM memory_words_docsize")
    tokens = {term: sql.tokens(TOKENIZER, term) for term in terms}
    wanted = sorted({token for found in tokens.values() for token in found})
    documents: dict[str, int] = dict.fromkeys(wanted, 0)
    for token, count in sql.rows(
        "SELECT term, doc FROM memory_terms WHERE term IN (SELECT value FROM json_each(?))",
        (json.dumps(wanted),),
    ):
        documents[token] = count
    # A term of several tokens is a phrase: it stands in at most as many as its rarest token.
    return total, {
        term: min((documents[token] for token in found), default=0)
        for term, found in tokens.items()
    }


def around(sql: Sql, ids: Sequence[int], reach: int) -> list[list[int]]:
    """Each of these with up to ``reach`` living memories before and after it in its project.

    In the order of time; two steps into an index each, however large the store. What a dream
    noticed was told by nobody at that time: it stands beside nothing.
    """
    runs: list[list[int]] = []
    for memory_id, project, at in sql.rows(
        "SELECT id, project, created_at FROM memory"
        " WHERE id IN (SELECT value FROM json_each(?)) AND source <> 'dream'",
        (_ids(ids),),
    ):
        before, after = (
            sql.rows(
                "SELECT id FROM memory WHERE ended IS NULL AND project IS ?1"
                f" AND source <> 'dream' AND (created_at, id) {side} (?2, ?3)"
                f" ORDER BY created_at {order}, id {order} LIMIT ?4",
                (project, at, memory_id, reach),
            )
            for side, order in (("<", "DESC"), (">", "ASC"))
        )
        runs.append([*(i for (i,) in reversed(before)), memory_id, *(i for (i,) in after)])
    return runs


def same_content(sql: Sql, content_hash: bytes, scope: Scope) -> list[int]:
    """Living memories with this content hash, oldest first."""
    rows = sql.rows(
        "SELECT id FROM memory WHERE content_hash = ?1 AND ended IS NULL"
        " AND (?2 OR project IS NULL OR project = ?3) ORDER BY id",
        (content_hash, int(scope.everywhere), scope.project),
    )
    return [memory_id for (memory_id,) in rows]


def keyed(sql: Sql, keys: Sequence[str]) -> list[Keyed]:
    """The living memories under one of these keys."""
    rows = sql.rows(
        "SELECT id, key, project, content_hash FROM memory WHERE ended IS NULL AND key IS NOT NULL"
        " AND key IN (SELECT value FROM json_each(?)) ORDER BY id DESC",  # the oldest counts
        (json.dumps(list(keys)),),
    )
    return [Keyed(*row) for row in rows]


def undone(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Journaled events whose derivation is not finished, oldest first."""
    rows = sql.rows(f"{JOURNAL} WHERE done = 0 AND seq > ? ORDER BY seq LIMIT ?", (after, limit))
    return [journal_row(row) for row in rows]


def journal(sql: Sql, after: int, limit: int) -> list[JournalRow]:
    """Every journaled event, oldest first."""
    rows = sql.rows(f"{JOURNAL} WHERE seq > ? ORDER BY seq LIMIT ?", (after, limit))
    return [journal_row(row) for row in rows]


def events_of(sql: Sql, session: str, since: float, limit: int) -> list[JournalRow]:
    """The last journaled events of a session since then, oldest first."""
    rows = sql.rows(
        f"{JOURNAL} WHERE session = ? AND received_at >= ? ORDER BY seq DESC LIMIT ?",
        (session, since, limit),
    )
    return [journal_row(row) for row in reversed(rows)]


def last_version(sql: Sql, memory_id: int) -> tuple[str, str] | None:
    """The text and title that a memory had before it was last rewritten."""
    rows = sql.rows(
        "SELECT text, title FROM memory_version WHERE memory_id = ? ORDER BY version DESC LIMIT 1",
        (memory_id,),
    )
    return (str(rows[0][0]), str(rows[0][1])) if rows else None


def unvectored(sql: Sql, model: str, limit: int) -> list[Waiting]:
    """Living memories without vectors of this model, newest first."""
    chosen = sql.rows("SELECT value FROM store WHERE name = 'model'")
    if chosen != [(model,)]:
        return []
    rows = sql.rows(
        "SELECT id, text, title, content_hash FROM memory WHERE ended IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM chunk WHERE memory_id = memory.id)"
        " ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return [Waiting(*row) for row in rows]


def unjudged(sql: Sql, limit: int) -> list[Memory]:
    """Living memories that have vectors and that the gate has yet to judge, oldest first."""
    rows = sql.rows(
        f"{MEMORY} WHERE m.unjudged = 1 AND m.ended IS NULL"
        " AND EXISTS (SELECT 1 FROM chunk c WHERE c.memory_id = m.id) ORDER BY m.id LIMIT ?",
        (limit,),
    )
    return [memory_of(row) for row in rows]


def decided(sql: Sql, seq: int) -> frozenset[tuple[str, int]]:
    """The rule and ordinal of each proposal of this event that was decided already."""
    rows = sql.rows("SELECT rule, ordinal FROM decision WHERE seq = ?", (seq,))
    return frozenset((rule, ordinal) for rule, ordinal in rows)


def cached_vectors(sql: Sql, model: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    """Vectors made before, by the hash of the chunk's text."""
    found: dict[bytes, bytes] = {}
    for content_hash in hashes:
        for (vector,) in sql.rows(
            "SELECT vector FROM embedding_cache WHERE content_hash = ? AND model = ?",
            (content_hash, model),
        ):
            found[content_hash] = vector
    return found


def delivered(sql: Sql, session: str, since: float) -> list[tuple[bytes, float]]:
    """The session's ledger since then: content hash and time."""
    rows = sql.rows(
        "SELECT content_hash, at FROM delivery WHERE session = ? AND at >= ? ORDER BY at",
        (session, since),
    )
    return [(content_hash, at) for content_hash, at in rows]


def session_row(sql: Sql, session: str) -> SessionRow | None:
    """What is known of the session."""
    rows = sql.rows(f"{_SESSION} WHERE session = ?", (session,))
    return _session(rows[0]) if rows else None


def held(sql: Sql, session: str) -> tuple[int, list[HeldRow]]:
    """The session's working memory: its event counter and its traces."""
    counter = sql.number("SELECT counter FROM session_event WHERE session = ?", (session,))
    rows = sql.rows(
        "SELECT memory_id, anchor, anchor_event, mentions, focus FROM working_memory"
        " WHERE session = ? ORDER BY memory_id",
        (session,),
    )
    return counter, [HeldRow(*row) for row in rows]


def constitutional(sql: Sql, scope: Scope, limit: int) -> list[Memory]:
    """Living constitutional memories, most important first."""
    rows = sql.rows(
        f"{MEMORY} WHERE m.tier = 'constitutional' AND m.ended IS NULL"
        " AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " ORDER BY m.importance DESC, m.id LIMIT ?3",
        (int(scope.everywhere), scope.project, limit),
    )
    return [memory_of(row) for row in rows]


def known_project(sql: Sql, folders: Sequence[str]) -> str | None:
    """The first of these folders that is a project with living memories."""
    for folder in folders:
        if sql.rows("SELECT 1 FROM memory WHERE project = ? AND ended IS NULL LIMIT 1", (folder,)):
            return folder
    return None


def counts(sql: Sql) -> Counts:
    """The size of the store."""
    living = sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")
    return Counts(
        memories=living,
        ended=sql.number("SELECT count(*) FROM memory WHERE ended IS NOT NULL"),
        undone=sql.number("SELECT count(*) FROM journal WHERE done = 0"),
        # Only living memories have chunks, and each that has any has a first one.
        unvectored=living - sql.number("SELECT count(*) FROM chunk WHERE ordinal = 0"),
        chunks=sql.number("SELECT count(*) FROM chunk"),
    )


def due(sql: Sql) -> dict[str, tuple[float, float | None]]:
    """When each background job is due and last ran."""
    rows = sql.rows("SELECT job, due_at, ran_at FROM schedule")
    return {job: (due_at, ran_at) for job, due_at, ran_at in rows}


def decisions(sql: Sql, memory_id: int) -> list[dict[str, object]]:
    """What the gate decided about a memory, oldest first."""
    names = ("action", "memory", "existing", "similarity", "reason", "contradiction", "at")
    rows = sql.rows(
        "SELECT action, memory_id, existing_id, similarity, reason, contradiction, at"
        " FROM decision WHERE memory_id = ?1 OR existing_id = ?1 ORDER BY id",
        (memory_id,),
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


def history(sql: Sql, memory_id: int) -> list[dict[str, object]]:
    """Versions, reviews, exposures and captures of a memory, oldest first."""
    rows = sql.rows(
        "SELECT replaced_at, 'rewritten', reason FROM memory_version WHERE memory_id = ?1"
        " UNION ALL SELECT at, 'reviewed', cause FROM review WHERE memory_id = ?1"
        " UNION ALL SELECT at, 'shown', place FROM exposure WHERE memory_id = ?1"
        " UNION ALL SELECT c.at, 'captured', replace(v.kind, '_', ' ') || ' ' || c.event_id"
        "  FROM capture c JOIN importance_event v ON v.id = c.event_id WHERE c.memory_id = ?1"
        " ORDER BY 1 LIMIT 500",
        (memory_id,),
    )
    return [{"at": at, "what": what, "detail": detail} for at, what, detail in rows]


def happenings(
    sql: Sql, since: float, session_name: str | None, limit: int
) -> list[dict[str, object]]:
    """What was learnt, changed and shown since then, oldest first."""
    rows = sql.rows(
        "SELECT * FROM ("
        " SELECT d.at AS at, lower(d.action) AS what, d.memory_id AS memory, m.title AS title,"
        "  d.reason AS detail, m.session AS session"
        "  FROM decision d LEFT JOIN memory m ON m.id = d.memory_id WHERE d.at >= ?1"
        " UNION ALL SELECT e.at, 'shown', e.memory_id, m.title, e.place, e.session"
        "  FROM exposure e JOIN memory m ON m.id = e.memory_id WHERE e.at >= ?1"
        " UNION ALL SELECT r.at, 'strengthened', r.memory_id, m.title, r.cause, m.session"
        "  FROM review r JOIN memory m ON m.id = r.memory_id WHERE r.at >= ?1"
        " UNION ALL SELECT c.at, 'captured', c.memory_id, m.title,"
        "  replace(v.kind, '_', ' ') || ' ' || c.event_id, m.session FROM capture c"
        "  JOIN memory m ON m.id = c.memory_id JOIN importance_event v ON v.id = c.event_id"
        "  WHERE c.at >= ?1"
        " UNION ALL SELECT n.at, n.what, NULL, i.text, 'i' || i.id, coalesce(n.session, i.session)"
        "  FROM intention_event n JOIN intention i ON i.id = n.intention_id WHERE n.at >= ?1"
        " UNION ALL SELECT m.ended_at, m.ended, m.id, m.title, '', m.session"
        "  FROM memory m WHERE m.ended_at >= ?1)"
        " WHERE ?2 IS NULL OR session = ?2 ORDER BY at DESC LIMIT ?3",
        (since, session_name, limit),
    )
    names = ("at", "what", "memory", "title", "detail", "session")
    return [dict(zip(names, row, strict=True)) for row in reversed(rows)]
