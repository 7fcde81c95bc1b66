"""The connection graph in the store (rows I04 to I06, I08, J04)."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

from actors.dreams.writes import (
    ConnectionsDrawn,
    ConnectionsFaded,
    ConnectionsStrengthened,
    Finder,
)
from actors.policy.dreams.connection_graph import Connection, ConnectionKind
from daemon.storage.sql import Sql

# ---- on the writing connection


def draw(sql: Sql, drawn: ConnectionsDrawn) -> int:
    """Store connections; returns how many were not known."""
    before = sql.number("SELECT count(*) FROM connection")
    # One statement, which does not hold Python's lock: 4,000 rows would keep everybody waiting.
    sql.rows(
        "INSERT INTO connection"
        " (one_id, other_id, kind, found_by, strength, evidence, made_at, touched_at)"
        " SELECT value ->> 0, value ->> 1, value ->> 2, ?2, value ->> 3, value ->> 4, ?3, ?3"
        " FROM json_each(?1) WHERE"  # one of them may be erased by now
        " EXISTS (SELECT 1 FROM memory WHERE id = value ->> 0)"
        " AND EXISTS (SELECT 1 FROM memory WHERE id = value ->> 1)"
        " ON CONFLICT DO UPDATE SET strength = max(strength, excluded.strength),"
        " evidence = excluded.evidence, touched_at = excluded.touched_at",
        (
            dumps([(one.one, one.other, one.kind.value, one.strength, one.evidence)
                   for one in drawn.connections]),
            drawn.found_by,
            drawn.at,
        ),
    )  # fmt: skip
    return sql.number("SELECT count(*) FROM connection") - before


def strengthen(sql: Sql, order: ConnectionsStrengthened) -> int:
    """Raise the strength of every connection between these pairs (I05)."""
    return sum(
        sql.change(
            "UPDATE connection SET strength = min(?, strength + ?), touched_at = ?"
            " WHERE (one_id = ? AND other_id = ?) OR (one_id = ? AND other_id = ?)",
            (order.cap, gain, order.at, one, other, other, one),
        )
        for one, other, gain in order.gains
    )


def fade(sql: Sql, order: ConnectionsFaded) -> int:
    """Weaken every connection of a finder and drop the weakest (I06)."""
    sql.rows(
        "UPDATE connection SET strength = strength * ? WHERE found_by = ?",
        (order.factor, order.found_by),
    )
    gone = sql.change(
        "DELETE FROM connection WHERE found_by = ? AND strength < ?",
        (order.found_by, order.floor),
    )
    return gone + _cut(sql, order.found_by, order.kept)


def _cut(sql: Sql, found_by: Finder, kept: int) -> int:
    """Drop what a finder made beyond so many, the weakest; how many went (I13)."""
    return sql.change(
        "DELETE FROM connection WHERE (one_id, other_id, kind) IN (SELECT one_id, other_id, kind"
        " FROM connection WHERE found_by = ? ORDER BY strength DESC, touched_at DESC"
        " LIMIT -1 OFFSET ?)",
        (found_by, kept),
    )


# ---- on a reading connection


def connections_of(sql: Sql, ids: Sequence[int], limit: int) -> list[Connection]:
    """The connections of these memories, the strongest first."""
    rows = sql.rows(
        "SELECT one_id, other_id, kind, strength, evidence FROM connection WHERE"
        " one_id IN (SELECT value FROM json_each(?1)) OR other_id IN"
        " (SELECT value FROM json_each(?1)) ORDER BY strength DESC, one_id, other_id, kind LIMIT ?2",
        (dumps(list(ids)), limit),
    )
    return [
        Connection(one, other, ConnectionKind(kind), strength, evidence)
        for one, other, kind, strength, evidence in rows
    ]


def touched_between(sql: Sql, begin: float, end: float, limit: int) -> list[Connection]:
    """What dreaming drew or strengthened then, between living memories, the strongest first."""
    rows = sql.rows(
        "SELECT c.one_id, c.other_id, c.kind, c.strength, c.evidence FROM connection c"
        " JOIN memory a ON a.id = c.one_id JOIN memory b ON b.id = c.other_id"
        " WHERE c.found_by = 'dreaming' AND c.touched_at BETWEEN ? AND ?"
        " AND a.ended IS NULL AND b.ended IS NULL"
        " ORDER BY c.strength DESC, c.one_id, c.other_id, c.kind LIMIT ?",
        (begin, end, limit),
    )
    return [
        Connection(one, other, ConnectionKind(kind), strength, evidence)
        for one, other, kind, strength, evidence in rows
    ]
