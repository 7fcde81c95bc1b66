"""The gate's decisions, its material for comparing a text, and its measures of a model."""

from collections.abc import Sequence

from actors.gate.messages import Audited, Judged, Rekeyed
from actors.memory.rows import Keyed, Memory, Scope
from actors.memory.writes import Origin
from daemon.storage.database.sql import Sql, columns, writes
from daemon.storage.memories import MEMORY


def same_content(sql: Sql, content_hash: bytes, scope: Scope) -> list[int]:
    """Living memories with this content hash, oldest first."""
    return sql.column(
        "SELECT id FROM memory WHERE content_hash = ?1 AND ended IS NULL"
        " AND (?2 OR project IS NULL OR project = ?3) ORDER BY id",
        (content_hash, int(scope.everywhere), scope.project),
    )


def keyed(sql: Sql, keys: Sequence[str]) -> list[Keyed]:
    """The living memories under one of these keys."""
    return sql.records(
        Keyed,
        "SELECT id, key, project, content_hash FROM memory WHERE ended IS NULL AND key IS NOT NULL"
        " AND key IN (SELECT value FROM json_each(?)) ORDER BY id DESC",  # the oldest counts
        (keys,),
    )


def under_key(sql: Sql, project: str | None, beginning: str, limit: int) -> list[Memory]:
    """The memories, ended or not, under keys with this beginning; the newest ones."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.key >= ?1 AND m.key < ?1 || char(1114111) AND m.project IS ?2"
        " ORDER BY m.id DESC LIMIT ?3",
        (beginning, project, limit),
    )


@writes
def rekey(sql: Sql, new: Rekeyed) -> int:
    """A memory's source lies elsewhere now."""
    return sql.change("UPDATE memory SET key = ? WHERE id = ?", (new.key, new.memory_id))


def unjudged(sql: Sql, limit: int) -> list[Memory]:
    """Living memories with vectors and not yet judged by the gate, oldest first."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.unjudged = 1 AND m.ended IS NULL"
        " AND EXISTS (SELECT 1 FROM chunk c WHERE c.memory_id = m.id) ORDER BY m.id LIMIT ?",
        (limit,),
    )


def decided(sql: Sql, seq: int) -> frozenset[tuple[str, int]]:
    """The rule and ordinal of each proposal of this event already decided."""
    return frozenset(sql.rows("SELECT rule, ordinal FROM decision WHERE seq = ?", (seq,)))


def decisions(sql: Sql, memory_id: int) -> list[dict[str, object]]:
    """Decisions of the gate about a memory, oldest first."""
    return sql.named(
        "SELECT action, memory_id AS memory, existing_id AS existing, similarity, reason,"
        " contradiction, at FROM decision WHERE memory_id = ?1 OR existing_id = ?1 ORDER BY id",
        (memory_id,),
    )


@writes
def judged(sql: Sql, memory: Judged) -> int:
    """Note the gate's look at a memory kept without it."""
    return sql.change("UPDATE memory SET unjudged = 0 WHERE id = ?", (memory.memory_id,))


@writes
def audit(sql: Sql, decision: Audited) -> int:
    origin = decision.origin or Origin("")
    made = columns(decision) | {"seq": origin.seq, "rule": origin.rule, "ordinal": origin.ordinal}
    del made["origin"]
    sql.put("decision", "ON CONFLICT DO NOTHING", **made)
    return decision.memory_id


def model_in_use(sql: Sql) -> str:
    """The model of the vectors; empty when there are none."""
    return str(sql.value("SELECT value FROM store WHERE name = 'model'") or "")


def sampled_vectors(sql: Sql, limit: int) -> list[bytes]:
    """The first vectors of at most ``limit`` memories, spread evenly over the store."""
    found = sql.column("SELECT content_hash FROM chunk WHERE ordinal = 0 ORDER BY memory_id")
    step = max(1.0, len(found) / limit)
    picked = [found[int(place * step)] for place in range(min(limit, len(found)))]
    return sql.column(
        # The cache has each vector as a row; sqlite-vec takes four times as long to find one.
        "SELECT e.vector FROM json_each(?) picked JOIN embedding_cache e"
        " ON e.content_hash = unhex(picked.value)"
        " AND e.model = (SELECT value FROM store WHERE name = 'model') ORDER BY picked.key",
        (picked,),
    )
