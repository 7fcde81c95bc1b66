"""Tags of turns, important moments and their captures; memories that may explain a failure: in the store."""

from collections.abc import Sequence

from actors.memory.rows import Scope
from actors.night.shapes import Faded
from actors.policy.decay.capture import DAY, Capture, Earlier, Raised, TurnTagged
from daemon.storage.database.sql import Sql, Value, columns, writes

_MOMENT = (
    "SELECT id, kind, strength, at, session, project, reason, seq, touched FROM importance_event"
)
_TAG = "SELECT t.first_seq, t.seq, t.session, t.project, t.at, t.touched FROM turn_tag t"
_TURN_OF = "t.session = m.session AND m.seq BETWEEN t.first_seq AND t.seq"
_CAPTURED = "EXISTS (SELECT 1 FROM turn_capture WHERE first_seq = t.first_seq)"
# The last question of a turn, while the archive has it.
_SAID = (
    "coalesce((SELECT title FROM passage WHERE place = t.session || '/' || t.first_seq"
    " AND kind = 'turn' ORDER BY ordinal LIMIT 1), '')"
)
# Of a failure's names, those looked for; and of the memories that have one, those read.
_NAMES = 64
_EARLIER = 2_000
_AHEAD = 200  # captured turns, the newest, whose passages are embedded before others


# ---- on the writing connection


@writes
def raise_event(sql: Sql, event: Raised) -> int:
    """Note an important moment once; not one with its event erased meanwhile."""
    if sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (event.seq,)):
        return 0
    touched = "ON CONFLICT (id) DO UPDATE SET touched = excluded.touched WHERE touched = x''"
    return sql.put("importance_event", touched, **columns(event))


@writes
def tag_turn(sql: Sql, made: TurnTagged) -> int:
    """Note a turn's traces, once."""
    return sql.put("turn_tag", "ON CONFLICT DO NOTHING", **columns(made))


@writes
def capture_turn(sql: Sql, taken: Capture) -> int:
    """Capture a turn; by the first moment its passages stay as if they were found then."""
    is_first = not sql.rows(
        "SELECT 1 FROM turn_capture WHERE first_seq = ? LIMIT 1", (taken.first_seq,)
    )
    changed = sql.change(
        "INSERT INTO turn_capture (first_seq, event_id, score, hours)"
        " SELECT t.first_seq, e.id, :score, :hours FROM turn_tag t, importance_event e"
        " WHERE t.first_seq = :first_seq AND e.id = :event_id ON CONFLICT DO NOTHING",
        columns(taken),
    )
    if changed and is_first:
        sql.rows(
            "UPDATE passage SET used_at = max(used_at, (SELECT at FROM importance_event WHERE id = ?))"
            " WHERE kind = 'turn' AND place ="
            " (SELECT session || '/' || first_seq FROM turn_tag WHERE first_seq = ?)",
            (taken.event_id, taken.first_seq),
        )
    return changed


@writes
def fade(sql: Sql, faded: Faded) -> int:
    """Let go of expired tags, and of old moments without captures."""
    gone = sql.change(
        f"DELETE FROM turn_tag AS t WHERE at < ? AND NOT {_CAPTURED}", (faded.before,)
    ) + sql.change(
        f"DELETE FROM turn_tag WHERE first_seq IN (SELECT t.first_seq FROM turn_tag t WHERE {_CAPTURED}"
        " ORDER BY t.first_seq DESC LIMIT -1 OFFSET ?)",
        (faded.kept,),
    )
    sql.rows(
        "DELETE FROM importance_event WHERE at < ?"
        " AND NOT EXISTS (SELECT 1 FROM capture WHERE event_id = importance_event.id)"
        " AND NOT EXISTS (SELECT 1 FROM turn_capture WHERE event_id = importance_event.id)",
        (faded.before,),
    )
    return gone


def drop_traces(sql: Sql, memory_id: int) -> None:
    """Empty the reasons of moments around the making of an erased memory."""
    sql.rows(
        "UPDATE importance_event SET reason = '' WHERE id IN (SELECT c.event_id FROM memory m"
        f" JOIN turn_tag t ON {_TURN_OF} JOIN turn_capture c USING (first_seq) WHERE m.id = ?1"
        " UNION SELECT event_id FROM capture WHERE memory_id = ?1)",
        (memory_id,),
    )


# ---- on a reading connection


def turn_tags(
    sql: Sql, project: str | None, session: str | None, since: float, limit: int
) -> list[TurnTagged]:
    """The tags of a project's turns since then, the newest first; without one, of the session."""
    return sql.records(
        TurnTagged,
        f"{_TAG} WHERE at >= ?3 AND project IS ?1"
        " AND (?1 IS NOT NULL OR session IS ?2) ORDER BY at DESC LIMIT ?4",
        (project, session, since, limit),
    )


def moments(
    sql: Sql, project: str | None, session: str, begin: float, end: float, limit: int
) -> list[Raised]:
    """The moments of a project between two times, the newest first; without one, of the session."""
    return sql.records(
        Raised,
        f"{_MOMENT} WHERE at BETWEEN ?3 AND ?4 AND project IS ?1"
        " AND (?1 IS NOT NULL OR session IS ?2) ORDER BY at DESC LIMIT ?5",
        (project, session, begin, end, limit),
    )


def captured_without_vectors(sql: Sql, without: Sequence[int], limit: int) -> list[int]:
    """Passages of captured turns without vectors, the newest, except these."""
    return sql.column(
        "SELECT p.id FROM (SELECT session || '/' || first_seq AS place FROM turn_tag t"
        f"  WHERE {_CAPTURED} ORDER BY first_seq DESC LIMIT {_AHEAD}) t"
        " JOIN passage p ON p.place = t.place AND p.kind = 'turn'"
        " WHERE NOT EXISTS (SELECT 1 FROM passage_chunk WHERE passage_id = p.id)"
        " AND p.id NOT IN (SELECT value FROM json_each(?)) ORDER BY p.id LIMIT ?",
        (without, limit),
    )


def captures_of(sql: Sql, memory_id: int) -> list[dict[str, Value]]:
    """Captures of the turn of a memory's making, with the moment of each, oldest moment first."""
    return sql.named(
        "SELECT e.id AS episode, e.kind, e.reason, c.score, c.hours, e.at FROM memory m"
        f" JOIN turn_tag t ON {_TURN_OF} JOIN turn_capture c USING (first_seq)"
        " JOIN importance_event e ON e.id = c.event_id WHERE m.id = ? ORDER BY e.at, e.id",
        (memory_id,),
    )


def episodes(
    sql: Sql, project: str | None, limit: int
) -> tuple[int, list[tuple[Raised, list[dict[str, Value]]]]]:
    """Number of episodes, and the newest: a moment, and its captured turns, the highest score first.

    ``None``: of every project. A turn has its prompt, while the archive has it, and ids as a list of JSON.
    """
    where = (
        "(?1 IS NULL OR project IS ?1)"
        " AND EXISTS (SELECT 1 FROM turn_capture WHERE event_id = importance_event.id)"
    )
    total = sql.number(f"SELECT count(*) FROM importance_event WHERE {where}", (project,))
    moments = sql.records(
        Raised, f"{_MOMENT} WHERE {where} ORDER BY at DESC, id LIMIT ?2", (project, limit)
    )
    members = sql.named(
        f"SELECT c.event_id, {_SAID} AS said, t.session, t.at, c.score, c.hours,"
        " (SELECT json_group_array(id ORDER BY id) FROM memory m"
        f"  WHERE {_TURN_OF} AND m.ended IS NULL) AS memories"
        " FROM turn_capture c JOIN turn_tag t USING (first_seq)"
        " WHERE c.event_id IN (SELECT value FROM json_each(?))"
        " ORDER BY c.score DESC, c.first_seq DESC",
        ([one.id for one in moments],),
    )
    captured: dict[Value, list[dict[str, Value]]] = {}
    for one in members:
        captured.setdefault(one.pop("event_id"), []).append(one)
    return total, [(one, captured[one.id]) for one in moments if one.id in captured]


def earlier(
    sql: Sql, names: Sequence[str], scope: Scope, before: float, days: float
) -> list[Earlier]:
    """Living memories of the days before with one of these names, newest first."""
    return sql.records(
        Earlier,
        "SELECT id, text, created_at FROM memory m WHERE ended IS NULL"
        " AND (?1 OR project IS NULL OR project = ?2) AND created_at BETWEEN ?3 AND ?4"
        " AND EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(m.text, value))"
        " ORDER BY created_at DESC, id LIMIT ?6",
        (
            scope.everywhere, scope.project, before - days * DAY, before,
            list(names)[:_NAMES], _EARLIER,
        ),
    )  # fmt: skip
