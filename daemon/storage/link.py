"""Links between memories: causal edges, and links declared in texts."""

from collections.abc import Sequence
from typing import Final

from actors.memory.edges import Connected, Declared, DeclaredLink, Disconnected, NamedRow
from actors.memory.writes import Linked
from daemon.storage.database.sql import Effect, Sql, columns, writes

DECLARED: Final = "declared in its text"


# ---- on the writing connection
@writes(Effect.INDEXES)
def connect(sql: Sql, edge: Connected) -> int:
    """Keep an edge, or the new strength and evidence of an existing one."""
    there = sql.change(
        "UPDATE memory_link SET strength = ?, evidence = ?, at = ?"
        " WHERE source_id = ? AND target_id = ? AND relation = ?",
        (edge.strength, edge.evidence, edge.at, edge.source_id, edge.target_id, edge.relation),
    )
    if not there:
        sql.put("memory_link", **columns(edge))
    return int(not there)


def drawn(sql: Sql, source: int, relation: str, target: int) -> Connected | None:
    """The edge between two memories, by a reading connection."""
    return sql.record(
        Connected,
        "SELECT source_id, target_id, relation, strength, evidence, at FROM memory_link"
        " WHERE source_id = ? AND target_id = ? AND relation = ?",
        (source, target, relation),
    )


@writes(Effect.INDEXES)
def disconnect(sql: Sql, edge: Disconnected) -> int:
    """Take an edge out."""
    return sql.change(
        "DELETE FROM memory_link WHERE source_id = ? AND target_id = ? AND relation = ?",
        (edge.source_id, edge.target_id, edge.relation),
    )


@writes(Effect.INDEXES)
def declare(sql: Sql, read: Declared) -> int:
    """Draw a text's declared links, new ones once; the ones no longer declared leave.

    A link answered before is left as it is now: a person may have taken it out.
    """
    if not sql.rows(
        "SELECT 1 FROM memory WHERE id = ? AND content_hash = ?",
        (read.memory_id, read.content_hash),
    ):
        return 0  # rewritten or erased meanwhile
    known = {
        (relation, bool(incoming), str(reference)): other
        for relation, incoming, reference, other in sql.rows(
            "SELECT relation, incoming, reference, other_id FROM declared_link WHERE memory_id = ?",
            (read.memory_id,),
        )
    }
    declared = {(link.relation, link.incoming, link.reference): link for link in read.links}
    changed = 0
    for gone in known.keys() - declared.keys():
        changed += _withdraw(sql, read.memory_id, DeclaredLink(*gone, known[gone]))
    for key, link in declared.items():
        answered = known.get(key)
        if answered is None and link.other_id is not None:
            changed += _draw(sql, read, link)
        sql.rows(
            "INSERT INTO declared_link VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET content_hash = excluded.content_hash, other_id = excluded.other_id",
            (
                read.memory_id, link.relation, int(link.incoming), link.reference,
                read.content_hash, answered or link.other_id,
            ),
        )  # fmt: skip
    return changed


def _ends(memory_id: int, link: DeclaredLink) -> tuple[int | None, int | None]:
    return (link.other_id, memory_id) if link.incoming else (memory_id, link.other_id)


def _draw(sql: Sql, read: Declared, link: DeclaredLink) -> int:
    return sql.change(
        "INSERT INTO memory_link (source_id, target_id, relation, at, evidence)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*_ends(read.memory_id, link), link.relation, read.at, DECLARED),
    )


def _withdraw(sql: Sql, memory_id: int, link: DeclaredLink) -> int:
    sql.rows(
        "DELETE FROM declared_link WHERE memory_id = ? AND relation = ? AND incoming = ?"
        " AND reference = ?",
        (memory_id, link.relation, int(link.incoming), link.reference),
    )
    return sql.change(
        "DELETE FROM memory_link WHERE source_id = ? AND target_id = ? AND relation = ?"
        " AND evidence = ?",
        (*_ends(memory_id, link), link.relation, DECLARED),
    )


def drop_references(sql: Sql, memory_id: int) -> None:
    """Forget the names in other texts for a memory about to be erased."""
    sql.rows("DELETE FROM declared_link WHERE other_id = ?", (memory_id,))


def declaring(sql: Sql, after: int, limit: int) -> list[int]:
    """Living memories over this id that may declare links not read yet."""
    return sql.column(
        "SELECT id FROM memory m WHERE id > ? AND ended IS NULL AND instr(text, 'causalLinks:')"
        " AND NOT EXISTS (SELECT 1 FROM declared_link d"
        " WHERE d.memory_id = m.id AND d.content_hash = m.content_hash) ORDER BY id LIMIT ?",
        (after, limit),
    )


def named(sql: Sql, names: Sequence[str]) -> list[NamedRow]:
    """The memories with one of these keys or titles."""
    keys = sql.records(
        NamedRow,
        "SELECT id, key, 1, project FROM memory WHERE key IN (SELECT value FROM json_each(?))",
        (names,),
    )
    # Titles have no index: one look through them for all the names there are.
    titles = sql.records(
        NamedRow,
        "SELECT id, title, 0, project FROM memory WHERE title IN (SELECT value FROM json_each(?))",
        (names,),
    )
    return [*keys, *titles]


def linking(sql: Sql, ids: Sequence[int]) -> list[int]:
    """Memories among these that may declare links, or did, and memories waiting for one of these.

    No text is read out: of an import nearly none declares anything.
    """
    return sql.column(
        "WITH changed AS MATERIALIZED (SELECT id, key, title, ended, versions > 1"
        "  OR instr(text, 'causalLinks:') AS declares FROM memory"
        "  WHERE id IN (SELECT value FROM json_each(?)))"
        " SELECT id FROM changed WHERE declares AND ended IS NULL"
        " UNION SELECT d.memory_id FROM changed c JOIN declared_link d"
        "  ON d.other_id IS NULL AND d.reference IN (c.key, c.title)",
        (ids,),
    )


@writes(Effect.INDEXES)
def link(sql: Sql, made: Linked) -> int:
    sql.put("memory_link", "ON CONFLICT DO NOTHING", **columns(made))
    return 1
