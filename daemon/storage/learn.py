"""Runs of learning in bulk: their results, and taking them back.

A run is the session of its journaled events, its memories and its passages; a session of an agent learnt
by it is ``RUN.SESSION``. All its writes about documents have one time, by which the memories it ended and
revived are known. The journal keeps it for 30 days.
"""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from actors.intake.messages import RunTakenBack
from actors.memory.writes import Ended, Revived, ValiditySet
from actors.policy.gate.gate_features import content_hash
from daemon.storage import edit, homes, lifecycle, passages
from daemon.storage.database.sql import Row, Sql, writes
from daemon.storage.lifecycle import HELD_ON_TO

PREFIX: Final = "learn-"
OF: Final = "."  # between a run and the session of an agent that it learnt of
_IS_RUN: Final = f"session >= '{PREFIX}' AND session < 'learn.'"  # the point comes after the dash
_NAME: Final = f"substr(session, 1, instr(session || '{OF}', '{OF}') - 1)"
# Of the run, or of a session of it; the slash comes after the point.
_OF_RUN: Final = "(session = :name OR session > :name || '.' AND session < :name || '/')"
_SEQS: Final = f"SELECT seq FROM journal WHERE {_OF_RUN}"
_UPDATED: Final = f"SELECT memory_id FROM decision WHERE seq IN ({_SEQS}) AND action = 'UPDATE'"
# Made by the run, at the time of what it read; or of a document before and revived by it.
_BROUGHT: Final = (
    f"m.ended IS NULL AND ({_OF_RUN}"
    " OR m.project IS :project AND m.key >= 'document:' AND m.key < 'document;'"
    f" AND m.updated_at = :began AND m.created_at < :began AND m.id NOT IN ({_UPDATED}))"
)
# What another source said or a person judged of it since then: it is not of runs alone.
_SAID_ELSEWHERE: Final = (
    "EXISTS (SELECT 1 FROM decision d WHERE d.memory_id = m.id AND d.at >= :began"
    " AND d.action IN ('REINFORCE', 'UPDATE', 'CONFIRM')"
    " AND ifnull(d.existing_id, d.memory_id) = d.memory_id"  # else it was judged late, by itself
    f" AND (d.seq IS NULL OR d.seq NOT IN (SELECT seq FROM journal WHERE {_IS_RUN})))"
    " OR EXISTS (SELECT 1 FROM opinion o WHERE o.memory_id = m.id AND o.validations > 0)"
)


class Run(NamedTuple):
    """A run by its name, its project, and when it began."""

    name: str
    project: str
    began: float


# ---- on a reading connection


def run_of(sql: Sql, project: str, name: str) -> Run | None:
    """Return the run of this name; with "" the project's last one with something to take back."""
    rows = sql.rows(
        f"SELECT {_NAME}, project, received_at FROM journal WHERE {_IS_RUN}"
        f" AND iif(?2 = '', project = ?1, {_NAME} = ?2) GROUP BY {_NAME} ORDER BY max(seq) DESC",
        (project, name),
    )
    for run in (Run(*row) for row in rows):
        if (
            name
            or brought(sql, run)
            or _ended(sql, run, [])
            or rewritten(sql, run.name)
            or passages_of(sql, run.name)
        ):
            return run
    return None


def rewritten(sql: Sql, name: str) -> list[int]:
    """Return living memories of others rewritten by a run and unchanged since."""
    return sql.column(
        "SELECT m.id FROM memory m JOIN decision d ON d.memory_id = m.id"
        f" WHERE d.seq IN ({_SEQS}) AND d.action = 'UPDATE' AND m.content_hash = d.content_hash"
        f" AND m.ended IS NULL AND ifnull(NOT {_OF_RUN}, 1)",
        {"name": name},
    )


def brought(sql: Sql, run: Run) -> list[int]:
    """Return living memories made or revived by a run, and not said or held on to by anybody else."""
    return sql.column(
        f"SELECT m.id FROM memory m WHERE {_BROUGHT} AND NOT {HELD_ON_TO}"
        f" AND NOT ({_SAID_ELSEWHERE})",
        run._asdict(),
    )


def passages_of(sql: Sql, name: str) -> int:
    """Count the passages of a run."""
    return sql.number(f"SELECT count(*) FROM passage WHERE {_OF_RUN}", {"name": name})


def _ended(sql: Sql, run: Run, gone: list[int]) -> list[Row]:
    """Return memories ended by a run, except ones with a successor not among the gone.

    With each when it was true, and the time of its end.
    """
    rows = sql.rows(
        "SELECT id, valid_from, valid_until, ended_at, superseded_by FROM memory"
        f" WHERE ended = 'deprecated' AND ifnull(NOT {_OF_RUN}, 1)"
        " AND (project IS :project AND ended_at = :began AND created_at < :began"
        f"  OR superseded_by IN (SELECT id FROM memory WHERE {_OF_RUN}))",
        run._asdict(),
    )
    return [row[:4] for row in rows if row[4] is None or row[4] in gone]


def heard(sql: Sql, sessions: Collection[str]) -> set[str]:
    """Return the ones of these agents' sessions reported by hooks."""
    found = sql.column(
        "SELECT value FROM json_each(?) WHERE value IN (SELECT session FROM journal)"
        " OR value IN (SELECT session FROM memory) OR value IN (SELECT session FROM session)",
        (sessions,),
    )
    return set(found)


def learnt(sql: Sql, event_ids: Sequence[bytes]) -> set[bytes]:
    """Return the journaled ones of these events: each is learnt of once."""
    found = sql.column(
        "SELECT event_id FROM journal WHERE event_id IN (SELECT unhex(value) FROM json_each(?))",
        (event_ids,),
    )
    return set(found)


class JournaledAs(NamedTuple):
    """Session of a run under which events are journaled, and the last unread one of them."""

    session: str
    events: int  # of those that were asked for
    unread: int  # 0: all of them are read


def journaled_as(sql: Sql, event_ids: Sequence[bytes]) -> JournaledAs | None:
    """Return under which session of a run most of these events are journaled; None for no one."""
    rows = sql.rows(
        "SELECT j.session, count(*), max(iif(j.seq > coalesce(r.upto, 0), j.seq, 0))"
        " FROM journal j LEFT JOIN read_session r ON r.session = j.session"
        " WHERE j.event_id IN (SELECT unhex(value) FROM json_each(?))"
        " GROUP BY j.session ORDER BY count(*) DESC LIMIT 1",
        (event_ids,),
    )
    return JournaledAs(*rows[0]) if rows else None


def unknown(sql: Sql, texts: Sequence[str], project: str) -> list[bool]:
    """Tell of each text whether it is new.

    A remembered text is not new, unless it was taken back with its run; nor is an erased one.
    """
    remembered = (
        "SELECT 1 FROM memory WHERE content_hash = ? AND (+project IS NULL OR +project = ?)"
        " AND (ended IS NOT 'deprecated' OR superseded_by IS NOT NULL) LIMIT 1"
    )
    return [
        not (sql.rows(remembered, (content_hash(one), project)) or homes.is_erased(sql, one))
        for one in texts
    ]


# ---- on the writing connection


@writes
def take_back(sql: Sql, order: RunTakenBack) -> int:
    """End a run's memories and bring back the ones it ended; its passages leave."""
    run = Run(order.run, order.project, order.began)
    ids = brought(sql, run)
    for memory_id in ids:
        lifecycle.end(sql, Ended(memory_id, "deprecated", order.at))
    for memory_id, valid_from, valid_until, ended_at in _ended(sql, run, ids):
        lifecycle.revive(sql, Revived(memory_id, order.at))
        if valid_until == ended_at:
            edit.set_validity(sql, ValiditySet(memory_id, valid_from, None))
    passages.drop_where(sql, _OF_RUN, {"name": run.name})
    # What was learnt once may be learnt again.
    sql.rows(f"UPDATE journal SET event_id = randomblob(16) WHERE {_OF_RUN}", {"name": run.name})
    return len(ids)
