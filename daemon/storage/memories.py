"""Memories as rows: read, moved to another project, and in the word index."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from actors.memory.particulars import NAMES
from actors.memory.rows import Memory, Scope
from actors.policy.night.demands import DEMAND
from actors.policy.statements.sources import AGENT, DEMANDED, IMPORTS, NOTICED
from actors.policy.statements.summaries import QUOTATION, SUMMARY
from actors.policy.statements.trust import STATED, UNJUDGED
from actors.policy.text.words import index_text
from daemon.storage.corpora import MEMORIES, Corpus, drop_vectors
from daemon.storage.database.sql import Sql, Value
from daemon.storage.index.words import note_change


def set_triggers(sql: Sql, memory_id: int, given: Sequence[str], derived: Sequence[str]) -> None:
    sql.rows("DELETE FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
    add_triggers(sql, memory_id, given, derived)


def add_triggers(sql: Sql, memory_id: int, given: Sequence[str], derived: Sequence[str]) -> None:
    sql.many(
        "INSERT INTO trigger_phrase VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        trigger_rows(memory_id, given, derived),
    )


def trigger_rows(
    memory_id: int, given: Sequence[str], derived: Sequence[str]
) -> list[tuple[Value, ...]]:
    """The rows of its phrases: one set by a person comes before the same one derived."""
    return [
        *((memory_id, phrase, 1) for phrase in given),
        *((memory_id, phrase, 0) for phrase in derived),
    ]


def index_words(
    sql: Sql,
    identity: int,
    title: str,
    triggers: Sequence[str],
    text: str,
    corpus: Corpus = MEMORIES,
) -> None:
    """Index the words of a text."""
    sql.rows(
        f"INSERT INTO {corpus.words} (rowid, title, triggers, body) VALUES (?, ?, ?, ?)",
        word_row(identity, title, triggers, text),
    )
    note_change(sql, identity, corpus=corpus)


def index_anew(sql: Sql, memory_id: int) -> None:
    """Index the words of a living memory, as its row has them."""
    rows = sql.rows("SELECT title, text FROM memory WHERE id = ? AND ended IS NULL", (memory_id,))
    for title, text in rows:
        phrases = sql.column("SELECT phrase FROM trigger_phrase WHERE memory_id = ?", (memory_id,))
        index_words(sql, memory_id, title, phrases, text)


def word_row(memory_id: int, title: str, triggers: Sequence[str], text: str) -> tuple[Value, ...]:
    """Row of a memory for full-text search."""
    return (memory_id, index_text(title), index_text("\n".join(triggers)), index_text(text))


def leave_indexes(sql: Sql, identity: int, corpus: Corpus = MEMORIES) -> None:
    """Take a text out of every index."""
    sql.rows(f"DELETE FROM {corpus.words} WHERE rowid = ?", (identity,))
    note_change(sql, identity, corpus=corpus)
    drop_vectors(sql, identity, corpus)


Conditions = Sequence[tuple[str, object]]


def _named(words: Collection[str]) -> str:
    return ", ".join(f"'{word}'" for word in sorted(words))


# What nobody stated or confirmed is noticed, whatever its text claims.
STATUS = (
    f"(CASE WHEN m.status = 'confirmed' AND m.confidence <= {UNJUDGED} AND m.source NOT IN ({_named(STATED)})"
    " THEN 'noticed' ELSE m.status END)"
)
MEMORY = (
    "SELECT m.id, m.key, m.text, m.title, m.kind, m.tier, m.memory_type, m.context_type,"
    " m.project, m.created_at, m.updated_at, m.content_hash, m.stability, m.difficulty,"
    " m.importance, m.confidence, m.last_review, m.reviews, m.lapses, m.last_implicit, m.last_use, m.uses, m.exposures,"
    " m.pinned, m.ended, m.superseded_by, m.versions, m.unjudged, m.source, m.session,"
    " (SELECT json_group_array(phrase) FROM trigger_phrase t WHERE t.memory_id = m.id AND given),"
    " (SELECT json_group_array(phrase) FROM trigger_phrase t"
    "  WHERE t.memory_id = m.id AND NOT given),"
    f" {STATUS}, m.valid_from, m.valid_until, m.subject, m.stale, m.freshness,"
    f" m.commit_hash, m.author, {', '.join(f'm.{name}' for name in NAMES)}"
    " FROM memory m"
)


def memories(sql: Sql, ids: Sequence[int]) -> dict[int, Memory]:
    """These memories, ended or not."""
    found = sql.records(Memory, f"{MEMORY} WHERE m.id IN (SELECT value FROM json_each(?))", (ids,))
    return {memory.id: memory for memory in found}


def living(sql: Sql, after: int, limit: int) -> list[Memory]:
    """Living memories with an id over ``after``, in the order of ids."""
    return sql.records(
        Memory, f"{MEMORY} WHERE m.id > ? AND m.ended IS NULL ORDER BY m.id LIMIT ?", (after, limit)
    )


def listed(sql: Sql, conditions: Conditions, limit: int, offset: int) -> list[Memory]:
    """A page of the memories under all conditions, newest first.

    A condition is SQL of this module's callers, never a client's, with one ``?``.
    """
    where, values = _met(conditions)
    return sql.records(
        Memory,
        f"{MEMORY} WHERE {where} ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?",
        [*values, limit, offset],
    )


# ---- a list that goes on where it stopped

# Whose word a memory of a source is; of any other an agent's. The reader's notes say it themselves.
SPEAKERS: Final[dict[str, Collection[str]]] = {
    "import": IMPORTS,
    "user": STATED | {DEMANDED, QUOTATION},
    "document": ("commit", "document"),
    "dream": (NOTICED,),
}
_BY_SOURCE: Final = (
    f"CASE {' '.join(f'WHEN m.source IN ({_named(sources)}) THEN {who!r}' for who, sources in SPEAKERS.items())}"
    " ELSE 'agent' END"
)
SAID_BY: Final = (
    f"coalesce((SELECT n.said_by FROM read_note n WHERE n.memory_id = m.id), {_BY_SOURCE})"
)
HOLDS: Final = "instr(lower(m.title || ' ' || m.text), ?)"  # condition: its text has this
FACETS: Final = 200  # values of one
_PLACE: Final = "(SELECT created_at, id FROM memory WHERE id = ?)"


def made_before(
    sql: Sql,
    scope: Conditions,
    conditions: Conditions,
    before: int | None,
    limit: int,
    looked_at: int,
) -> tuple[list[Memory], int | None]:
    """Memories made before another one, the newest first, of the next ``looked_at`` of a scope; and the one to go on behind.

    However many there are and whatever is asked for, a page costs the same. Both kinds of conditions are
    as in ``listed``; a scope is known to an index. Behind one that was erased meanwhile the ids decide:
    they rise with time, but for imports.
    """
    behind: Conditions = []
    if before is not None:
        is_there = sql.rows("SELECT 1 FROM memory WHERE id = ?", (before,))
        place = f"(m.created_at, m.id) < {_PLACE}" if is_there else "m.id < ?"
        behind = [(place, before)]
    inside, values = _met([*scope, *behind])
    order = "ORDER BY m.created_at DESC, m.id DESC LIMIT"
    ends: list[int] = sql.column(
        f"SELECT m.id FROM memory m WHERE {inside} {order} 1 OFFSET ?", [*values, looked_at - 1]
    )
    wanted, more = _met(
        [*((f"(m.created_at, m.id) >= {_PLACE}", end) for end in ends), *conditions]
    )
    page = sql.records(
        Memory, f"{MEMORY} WHERE {inside} AND {wanted} {order} ?", [*values, *more, limit]
    )
    if len(page) == limit:
        return page, page[-1].id
    return page, ends[0] if ends else None


def worded_before(
    sql: Sql,
    expression: str,
    conditions: Conditions,
    before: int | None,
    limit: int,
    looked_at: int,
) -> tuple[list[Memory], int | None]:
    """The same of living memories with these words, by their numbers; ``expression`` is of FTS5."""
    ids: list[int] = sql.column(
        "SELECT rowid FROM memory_words WHERE memory_words MATCH ? AND rowid < ?"
        " ORDER BY rowid DESC LIMIT ?",
        (expression, 2**63 - 1 if before is None else before, looked_at),
    )
    wanted, values = _met([("m.id IN (SELECT value FROM json_each(?))", ids), *conditions])
    page = sql.records(
        Memory, f"{MEMORY} WHERE {wanted} ORDER BY m.id DESC LIMIT ?", [*values, limit]
    )
    if len(page) == limit:
        return page, page[-1].id
    return page, ids[-1] if len(ids) == looked_at else None


def _met(conditions: Conditions) -> tuple[str, list[object]]:
    values: list[object] = []
    for condition, value in conditions:
        if "?" in condition:
            values += value if isinstance(value, tuple) else (value,)
    return " AND ".join(condition for condition, _ in conditions) or "1", values


def said_by(sql: Sql, ids: Sequence[int]) -> dict[int, str]:
    """Speaker of each of these memories: user, agent, tool, document, import, dream."""
    rows = sql.rows(
        f"SELECT m.id, {SAID_BY} FROM memory m WHERE m.id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    return {int(number): str(by) for number, by in rows}


def count(sql: Sql, conditions: Conditions) -> int:
    """Count the memories under all conditions."""
    wanted, values = _met(conditions)
    return sql.number(f"SELECT count(*) FROM memory m WHERE {wanted}", values)


def facets(sql: Sql) -> dict[str, list[tuple[str, int]]]:
    """Count the living memories of each project ("": none), kind and speaker, most first."""
    every = sql.rows(
        f"SELECT m.kind, coalesce(n.said_by, {_BY_SOURCE}), count(*) FROM memory m"
        " LEFT JOIN read_note n ON n.memory_id = m.id WHERE m.ended IS NULL GROUP BY 1, 2"
    )
    projects = sql.rows("SELECT project, count(*) FROM memory WHERE ended IS NULL GROUP BY 1")
    found = {name: Counter[str]() for name in ("projects", "kinds", "said_by")}
    for kind, who, many in every:
        found["kinds"][str(kind)] += int(many)
        found["said_by"][str(who)] += int(many)
    for project, many in projects:
        found["projects"][str(project or "")] += int(many)
    return {
        name: sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:FACETS]
        for name, counts in found.items()
    }


def constitutional(sql: Sql, scope: Scope, limit: int) -> list[Memory]:
    """Living constitutional memories, most important first."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.tier = 'constitutional' AND m.ended IS NULL"
        " AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " ORDER BY m.importance DESC, m.id LIMIT ?3",
        (int(scope.everywhere), scope.project, limit),
    )


def standing_orders(sql: Sql, scope: Scope, limit: int) -> list[Memory]:
    """Living wishes and conventions of a person, the newest of the most important first.

    The ones from a compaction's summary are among them.
    """
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.ended IS NULL AND m.tier <> 'constitutional'"
        " AND (m.kind IN ('preference', 'convention') OR m.source = 'wish')"
        " AND m.source IN (SELECT value FROM json_each(?4))"
        " AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " ORDER BY m.importance DESC, m.created_at DESC, m.id LIMIT ?3",
        (int(scope.everywhere), scope.project, limit, sorted(STATED | {SUMMARY})),
    )


def of_sources(sql: Sql, scope: Scope, sources: Collection[str], limit: int) -> list[Memory]:
    """Living memories of these sources except constitutional ones: lasting ones first, then the newest.

    A lasting one is pinned, a wish, a rule or a decision: however many notes are newer, it is among
    them.
    """
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.ended IS NULL AND m.tier <> 'constitutional'"
        " AND m.source IN (SELECT value FROM json_each(?4))"
        " AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " ORDER BY m.pinned OR m.kind IN ('preference', 'convention', 'decision') DESC,"
        " m.created_at DESC, m.id DESC LIMIT ?3",
        (int(scope.everywhere), scope.project, limit, sorted(sources)),
    )


def ended_since(sql: Sql, session: str, scope: Scope, since: float, limit: int) -> list[Memory]:
    """Memories from before then, replaced, refuted or over since, the last ones first.

    The ones of a page, and the ones told to the session; none forgotten by a person.
    """
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.ended IN ('deprecated', 'refuted', 'expired') AND m.ended_at > ?5"
        " AND m.created_at <= ?5 AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " AND (m.tier = 'constitutional' OR m.id IN (SELECT memory_id FROM read_note)"
        "  OR m.content_hash IN (SELECT content_hash FROM delivery WHERE session = ?3))"
        " ORDER BY m.ended_at DESC, m.id DESC LIMIT ?4",
        (int(scope.everywhere), scope.project, session, limit, since),
    )


def stated_in(sql: Sql, session: str, project: str | None, limit: int) -> list[Memory]:
    """Living memories stated or noted in a session, the newest of the most important first."""
    return sql.records(
        Memory,
        # By the project's memories since the session began: they have no index by session.
        f"{MEMORY} WHERE m.project IS ?2 AND m.ended IS NULL AND m.session = ?1"
        " AND m.created_at >= (SELECT started_at FROM session WHERE session = ?1)"
        " AND m.source IN (SELECT value FROM json_each(?4))"
        " ORDER BY m.importance DESC, m.created_at DESC, m.id LIMIT ?3",
        (session, project, limit, sorted(STATED | {AGENT})),
    )


def demands(sql: Sql, scope: Scope, limit: int) -> list[Memory]:
    """Living insights about a person's demands in several sessions, the surest first; none called useless last."""
    return sql.records(
        Memory,
        f"{MEMORY} JOIN insight i ON i.memory_id = m.id"
        " WHERE m.ended IS NULL AND substr(m.text, 1, length(?4)) = ?4"
        " AND (SELECT r.cause FROM review r WHERE r.memory_id = m.id"
        "  AND r.cause IN ('useful', 'useless') ORDER BY r.id DESC LIMIT 1) IS NOT 'useless'"
        " AND (?1 OR m.project IS NULL OR m.project = ?2)"
        " ORDER BY i.confidence DESC, m.id DESC LIMIT ?3",
        (int(scope.everywhere), scope.project, limit, DEMAND),
    )


def about_files(sql: Sql, project: str, paths: Sequence[str], limit: int) -> list[Memory]:
    """Living confirmed memories about these files of a project, still holding, the newest first."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.id IN (SELECT r.memory_id FROM reference r WHERE r.state = 'held'"
        "  AND r.path IN (SELECT value FROM json_each(?1)))"
        " AND m.project = ?2 AND m.ended IS NULL AND m.status = 'confirmed'"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT ?3",
        (paths, project, limit),
    )


def known_project(sql: Sql, folders: Sequence[str]) -> str | None:
    """The first of these folders known as a project with living memories."""
    for folder in folders:
        if sql.rows("SELECT 1 FROM memory WHERE project = ? AND ended IS NULL LIMIT 1", (folder,)):
            return folder
    return None
