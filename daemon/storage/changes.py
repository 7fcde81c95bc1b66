"""Files changed together, and failures with their fixes."""

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from actors.intake.messages import EndedFailure, FailureEnded, FilesChanged
from actors.policy.events.commands import without_varying
from daemon.storage import traces
from daemon.storage.database.sql import Effect, Sql, writes

CHANGES: Final = 50  # of one file, the newest
FAILURES: Final = 2_000  # of one project, the newest


class Companion(NamedTuple):
    """A file changed together with another one."""

    path: str
    times: int
    of: int  # times that the other one was changed
    at: float  # the last time
    commit: str  # of the last time that has one; empty for none
    session: str


@writes(Effect.NOTHING)
def change_files(sql: Sql, new: FilesChanged) -> int:
    """Keep which files belong together; a commit takes the place of the turns behind it."""
    paths = _listed(new.paths)
    if new.committed:
        sql.rows(
            "DELETE FROM changed_file WHERE session = ? AND NOT committed"
            " AND path IN (SELECT value FROM json_each(?))",
            (new.session, paths),
        )
    sql.many(
        "INSERT INTO changed_file VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
            (new.session, new.seq, new.project, new.at, int(new.committed), new.commit, path)
            for path in new.paths
        ],
    )
    for path in new.paths:
        _keep_newest(sql, "changed_file", "path = ?2", CHANGES, (new.project, path))
    return len(new.paths)


@writes(Effect.NOTHING)
def end_failure(sql: Sql, new: FailureEnded) -> int:
    """Keep the fix of a failure; the newest counts."""
    changed = sql.change(
        "INSERT INTO ended_failure (project, family, paths, repairs, session, seq, at,"
        " signature) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " family = excluded.family, paths = excluded.paths,"
        " repairs = excluded.repairs, session = excluded.session, seq = excluded.seq,"
        " at = excluded.at WHERE excluded.seq > ended_failure.seq",
        (
            new.project, new.family, _listed(new.paths), _listed(new.repairs),
            new.session, new.seq, new.at, new.signature,
        ),
    )  # fmt: skip
    _keep_newest(sql, "ended_failure", "1", FAILURES, (new.project,))
    return changed


def _keep_newest(sql: Sql, table: str, condition: str, count: int, values: tuple[str, ...]) -> None:
    """Let go of a project's rows but for the newest; ``values`` begin with the project."""
    rows = f"FROM {table} WHERE project = ?1 AND {condition}"
    oldest = f"SELECT at {rows} ORDER BY at DESC LIMIT 1 OFFSET {count - 1}"
    sql.rows(f"DELETE {rows} AND at < ({oldest})", values)


def _listed(texts: Sequence[str]) -> str:
    """These texts as JSON in which each stands as it is, so an erased one is found."""
    return json.dumps(texts, ensure_ascii=False)


# The first commit after it by the same session that took one of its files in.
_ENDED: Final = (
    "SELECT project, signature, family, paths, repairs, session, seq, at, coalesce((SELECT"
    " c.commit_hash FROM changed_file c WHERE c.session = e.session AND c.seq >= e.seq"
    " AND c.commit_hash <> '' AND c.path IN (SELECT value FROM json_each(e.paths))"
    " ORDER BY c.seq LIMIT 1), '') FROM ended_failure e"
)


def ended_failure(sql: Sql, project: str, signature: str) -> EndedFailure | None:
    """Look up the last fix of a failure of this signature."""
    return sql.record(
        EndedFailure, f"{_ENDED} WHERE project = ? AND signature = ?", (project, signature)
    )


def ended_by(sql: Sql, project: str, path: str, limit: int) -> list[EndedFailure]:
    """List the failures ended by an edit of this file, the newest first."""
    return sql.records(
        EndedFailure,
        f"{_ENDED} WHERE project = ? AND ? IN (SELECT value FROM json_each(e.paths))"
        " ORDER BY at DESC LIMIT ?",
        (project, path, limit),
    )


def companions(sql: Sql, project: str, path: str, limit: int) -> list[Companion]:
    """List the files changed together with this one, most often first.

    The ones at most half as frequent as the first are left out: a large change takes in unrelated
    files.
    """
    found = sql.records(
        Companion,
        "SELECT o.path, count(*), (SELECT count(*) FROM changed_file WHERE project = ?1 AND path = ?2),"
        " max(o.at), coalesce((SELECT n.commit_hash FROM changed_file n"
        "  JOIN changed_file m ON m.session = n.session AND m.seq = n.seq AND m.path = ?2"
        "  WHERE n.project = ?1 AND n.path = o.path AND n.commit_hash <> ''"
        "  ORDER BY n.at DESC LIMIT 1), ''), o.session"
        " FROM changed_file f JOIN changed_file o ON o.session = f.session AND o.seq = f.seq"
        " WHERE f.project = ?1 AND f.path = ?2 AND o.path <> ?2"
        " GROUP BY o.path ORDER BY count(*) DESC, max(o.at) DESC, o.path LIMIT ?3",
        (project, path, limit),
    )
    return [one for one in found if 2 * one.times > found[0].times]


def drop_quoting(sql: Sql, text: str) -> None:
    """Let go of rows with an erased text, and of failures with a message quoted in it."""
    masked = without_varying(text)
    sql.rows(
        "DELETE FROM ended_failure WHERE instr(?1, substr(signature, instr(signature, ': ') + 1))"
        " AND length(signature) - instr(signature, ': ') > ?2",
        (masked, traces.SHORT),
    )
    for said in dict.fromkeys((text, masked)):
        for table, names in (
            ("changed_file", ("path",)),
            ("ended_failure", ("signature", "family", "paths", "repairs")),
        ):
            condition, value = traces.holding_condition(sql, table, said, *names)
            sql.rows(f"DELETE FROM {table} WHERE {condition}", (value,))
