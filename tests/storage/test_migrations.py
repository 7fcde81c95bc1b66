"""Migrations: numbered, forward-only, each with a backup, each whole or not at all."""

from __future__ import annotations

import stat
from functools import cache
from pathlib import Path
from typing import Final

import apsw
import msgspec
import pytest

from actors.policy.decay.curve import (
    FSRS6_DECAY,
    HALF_LIVES,
    STABILITY_MAX,
    classification_factor,
    initial_stability,
)
from actors.policy.decay.states import IMPORTANCE
from daemon.storage import read_notes
from daemon.storage.database.schema import (
    MIGRATIONS,
    SCHEMA_VERSION,
    add_commits,
    add_times,
    emptied_at,
    migrate,
    revive_waiting,
    version_of,
)
from daemon.storage.database.sql import Sql
from daemon.storage.tables import statements
from tests.new_store import of_version

ABOUT = ("decision", "research", "discovery")  # context types


def shape(sql: Sql) -> list[tuple[str, str]]:
    return sorted(
        (str(name), str(text))
        for name, text in sql.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    )


@cache
def latest() -> list[tuple[str, str]]:
    return shape(of_version(Path(":memory:"), SCHEMA_VERSION))


@pytest.mark.parametrize("version", range(SCHEMA_VERSION + 1))
def test_every_version_comes_up_to_the_latest(tmp_path: Path, version: int) -> None:
    old = of_version(tmp_path / "old.db", version)
    migrate(old, backups=tmp_path)

    assert version_of(old) == SCHEMA_VERSION
    assert shape(old) == latest()


def test_each_migration_can_run_twice(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "twice.db", SCHEMA_VERSION)
    before = shape(sql)
    for migration in MIGRATIONS:
        migration(sql)

    assert shape(sql) == before


def test_what_had_left_a_context_before_is_not_in_it_after_the_migration(tmp_path: Path) -> None:
    version = MIGRATIONS.index(emptied_at)
    sql = of_version(tmp_path / "store.db", version)
    sql.rows("INSERT INTO delivery VALUES ('s1', x'aa', 0.0), ('s1', x'bb', 5.0)")
    migrate(sql, backups=tmp_path)

    assert sql.rows("SELECT content_hash FROM delivery") == [(b"\xbb",)]


def test_a_memory_of_a_commit_learns_which_from_the_journal(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "store.db", MIGRATIONS.index(add_commits))
    call = {"hook_event_name": "PostToolUse", "tool_name": "Bash"}
    said = {"tool_input": {"command": "git commit -m x"}, "tool_response": "[main 1a2b3c4] x"}
    bodies = (msgspec.msgpack.encode(call | said), b"", b"\x80")  # the second was erased
    for seq, body in enumerate(bodies, 1):
        sql.rows(
            "INSERT INTO journal (event_id, agent, received_at, kind, session, body)"
            " VALUES (?, 'claude', 1.0, 'tool', 's1', ?)",
            (bytes([seq]), body),
        )
    for seq, source in ((1, "commit"), (1, "fix"), (2, "commit"), (3, "commit"), (9, "commit")):
        sql.rows(
            "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, source, seq, rule,"
            " stability, created_at, updated_at, content_hash, difficulty, importance)"
            " VALUES ('t', 't', 'fact', '', '', 'normal', ?1, ?2, ?1, 7.0, 1.0, 1.0, x'00', 5.0, 0.5)",
            (source, seq),
        )
    migrate(sql, backups=tmp_path)

    found = sql.rows("SELECT source, commit_hash, author FROM memory ORDER BY id")
    assert found == [
        ("commit", "1a2b3c4", ""), ("fix", "", ""), *[("commit", "", "")] * 3,
    ]  # fmt: skip


def add_colour(sql: Sql) -> None:
    sql.rows("ALTER TABLE schedule ADD COLUMN colour TEXT")


def half_then_fail(sql: Sql) -> None:
    add_colour(sql)
    sql.rows("INSERT INTO no_such_table VALUES (1)")


def test_a_migration_of_what_exists_leaves_a_backup(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "store.db", 1)
    sql.rows("INSERT INTO schedule VALUES ('tidy', 1.0, NULL)")
    (backup,) = migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], add_colour))
    kept = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)

    assert sql.rows("SELECT job, colour FROM schedule") == [("tidy", None)]
    assert version_of(sql) == 2
    assert Sql(kept).rows("SELECT * FROM schedule") == [("tidy", 1.0, None)]
    assert version_of(Sql(kept)) == 1
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_a_migration_that_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "store.db", 1)
    before = shape(sql)
    with pytest.raises(apsw.SQLError):
        migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], half_then_fail))

    assert version_of(sql) == 1
    assert shape(sql) == before
    assert not sql.in_transaction()


def test_a_migration_that_failed_can_be_tried_again(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "store.db", 1)
    with pytest.raises(apsw.SQLError):
        migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], half_then_fail))
    migrate(sql, backups=tmp_path, migrations=(MIGRATIONS[0], add_colour))

    assert version_of(sql) == 2


def test_every_table_is_strict() -> None:
    tables = statements("beginning")

    assert tables.count(") STRICT") == tables.count("CREATE TABLE")


def test_several_migrations_of_one_start_leave_one_backup(tmp_path: Path) -> None:
    """Ten copies of a large store would fill a disk that one does not."""
    sql = Sql(apsw.Connection(str(tmp_path / "store.db")))
    migrate(sql, backups=tmp_path, migrations=MIGRATIONS[:2])

    made = migrate(sql, backups=tmp_path)

    assert [backup.name for backup in made] == ["before-schema-3.db"]


# Of version 15: text, memory type, context, tier, source, stability, last review.
KEPT: Final = (
    ("typed", "declarative", "discovery", "normal", "hand", 0.66405, None),
    ("dreamt", "semantic", "discovery", "normal", "dream", 7.0, None),
    ("tiered since", "declarative", "research", "important", "hand", 0.66405, None),
    ("decided", "procedural", "decision", "normal", "hand", 4.0, None),
    ("untyped", "", "general", "normal", "import", 4.0, None),
    ("reviewed", "declarative", "discovery", "normal", "hand", 32.0, 5.0),
    ("merged", "declarative", "discovery", "normal", "plan", 32.0, None),
    ("weakened", "declarative", "discovery", "normal", "hand", 0.5, None),
)


def kept_in_version_15(path: Path) -> Sql:
    sql = of_version(path, 15)
    for row in KEPT:
        sql.rows(
            "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, source,"
            " stability, last_review, created_at, updated_at, content_hash, difficulty, importance)"
            " VALUES (?1, ?1, 'fact', ?2, ?3, ?4, ?5, ?6, ?7, 1.0, 1.0, x'00', 5.0, 0.5)",
            row,
        )
    sql.rows("INSERT INTO weakening VALUES (1, 8, 3.0, 0.75, 0.8)")
    return sql


def stabilities(sql: Sql) -> dict[str, float]:
    return {str(text): float(s) for text, s in sql.rows("SELECT text, stability FROM memory")}


def test_what_was_never_reviewed_has_the_stability_of_its_type_on_the_one_curve(
    tmp_path: Path,
) -> None:
    """Not what was learnt, nor what a suppression took and will give back."""
    sql = kept_in_version_15(tmp_path / "store.db")
    migrate(sql, backups=tmp_path)

    assert stabilities(sql) == pytest.approx(
        {
            "typed": 0.664051, "dreamt": 1.992153, "tiered since": 3 * 0.664051,
            "decided": 36_500.0, "untyped": 1.0, "reviewed": 32.0, "merged": 32.0, "weakened": 0.5,
        }
    )  # fmt: skip


def test_the_written_out_stabilities_are_those_of_the_policy(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "store.db", 15)
    kinds = [(one, about, tier) for one in HALF_LIVES for about in ABOUT for tier in IMPORTANCE]
    for place, (memory_type, about, tier) in enumerate(kinds):
        sql.rows(
            "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, source,"
            " stability, created_at, updated_at, content_hash, difficulty, importance)"
            " VALUES (?, '', 'fact', ?, ?, ?, 'hand', 7.0, 1.0, 1.0, x'00', 5.0, 0.5)",
            (str(place), memory_type, about, tier),
        )
    migrate(sql, backups=tmp_path)

    expected = {
        str(place): min(
            STABILITY_MAX,
            initial_stability(
                one, FSRS6_DECAY, factor=classification_factor(about, tier, stated=True)
            ),
        )
        for place, (one, about, tier) in enumerate(kinds)
    }
    assert stabilities(sql) == pytest.approx(expected, rel=1e-4)


def test_the_stabilities_are_the_same_when_it_runs_again(tmp_path: Path) -> None:
    sql = kept_in_version_15(tmp_path / "store.db")
    migrate(sql, backups=tmp_path)
    once = stabilities(sql)
    MIGRATIONS[15](sql)

    assert stabilities(sql) == once


def test_a_promotion_that_an_earlier_version_proposed_waits_as_a_plan(tmp_path: Path) -> None:
    """Tell what was declined is not proposed again at once; what cannot be promoted is left out."""
    sql = of_version(tmp_path / "store.db", 28)
    for text, tier, pinned, ended in (
        ("waits", "normal", 0, None),
        ("declined", "normal", 0, None),
        ("accepted", "critical", 0, None),
        ("pinned", "normal", 1, None),
        ("forgotten", "normal", 0, "forgotten"),
    ):
        sql.rows(
            "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, pinned, ended,"
            " source, uses, stability, created_at, updated_at, content_hash, difficulty, importance)"
            " VALUES (?1, '', 'fact', 'declarative', 'general', ?2, ?3, ?4, 'hand', 3, 1.0, 1.0, 1.0,"
            " CAST(?1 AS BLOB), 5.0, 0.5)",
            (text, tier, pinned, ended),
        )
    reason = "confidence 0.95 after 5 verdicts"
    for memory_id, state in (
        (1, "open"),
        (2, "declined"),
        (3, "accepted"),
        (4, "open"),
        (5, "open"),
    ):
        sql.rows(
            "INSERT INTO proposal (kind, memory_id, reason, at, state, decided_at)"
            " VALUES ('promote', ?, ?, 10.0, ?, iif(?3 = 'open', NULL, 20.0))",
            (memory_id, reason, state),
        )

    migrate(sql, backups=tmp_path)

    assert sql.rows(
        "SELECT p.act, p.source, p.reason, p.state, p.proposed_at, p.decided_at, s.memory_id,"
        " s.argument, s.evidence, s.content_hash, s.uses FROM plan p"
        " JOIN plan_step s ON s.plan_id = p.id ORDER BY p.id"
    ) == [
        ("retier", "verdicts", reason, "open", 10.0, None, 1, "critical", reason, b"waits", 3),
        ("retier", "verdicts", reason, "dismissed", 10.0, 20.0, 2, "critical", reason, b"declined", 3),
    ]  # fmt: skip
    assert not sql.rows("SELECT 1 FROM proposal")


def test_notes_that_waited_for_a_person_live_unseen_and_dropped_ones_stay_so(
    tmp_path: Path,
) -> None:
    sql = of_version(tmp_path / "store.db", MIGRATIONS.index(revive_waiting))
    for number, (ended, waits, seen_at, verdict) in enumerate(
        (
            ("expired", 1, 3.0, ""),
            ("forgotten", 1, 3.0, "dropped"),
            ("expired", 0, None, ""),  # it lived, and its time was over
            (None, 1, 3.0, "kept"),
        ),
        start=1,
    ):
        sql.rows(
            "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, ended, ended_at,"
            " source, stability, created_at, updated_at, content_hash, difficulty, importance)"
            " VALUES ('The shelf is locked.', '', 'fact', 'semantic', 'general', 'normal', ?1,"
            " iif(?1 IS NULL, NULL, 2.0), 'reader', 7.0, 1.0, 1.0, x'00', 5.0, 0.5)",
            (ended,),
        )
        sql.rows(
            "INSERT INTO read_note (memory_id, reading, session, seq, kind, said_by, scope, quotation,"
            " waits, seen_at, verdict) VALUES (?, 1, 's', 1, 'wish', 'user', 'always', '', ?, ?, ?)",
            (number, waits, seen_at, verdict),
        )
    migrate(sql, backups=tmp_path)

    assert [row.memory_id for row in read_notes.inbox(sql, 10)] == [1]
    assert sql.rows("SELECT id, ended, updated_at FROM memory") == [
        (1, None, 1.0), (2, "forgotten", 1.0), (3, "expired", 1.0), (4, None, 1.0),
    ]  # fmt: skip
    words = "SELECT rowid FROM memory_words WHERE memory_words MATCH 'shelf'"
    assert sql.column(words) == [1]

    sql.rows("UPDATE memory SET ended = 'expired', ended_at = 9.0 WHERE id = 1")
    revive_waiting(sql)

    assert read_notes.inbox(sql, 10) == []


def test_a_text_that_was_erased_before_its_time_was_kept_was_so_by_the_last_write(
    tmp_path: Path,
) -> None:
    sql = of_version(tmp_path / "store.db", MIGRATIONS.index(add_times))
    sql.rows("INSERT INTO store VALUES ('id', 'this store')")
    sql.rows(
        "INSERT INTO memory (text, title, kind, memory_type, context_type, tier, source,"
        " stability, created_at, updated_at, content_hash, difficulty, importance)"
        " VALUES ('lives', '', 'fact', 'semantic', 'general', 'normal', 'hand', 7.0, 1.0, 9.0, x'00', 5.0, 0.5)"
    )
    sql.rows("INSERT INTO erased_text VALUES (x'01')")
    migrate(sql, backups=tmp_path)

    assert sql.rows("SELECT digest, salt, at FROM erased_text") == [(b"\x01", "this store", 9.0)]


def test_links_from_before_are_certain_and_say_nothing_of_why(tmp_path: Path) -> None:
    sql = of_version(tmp_path / "old.db", 3)
    sql.rows("INSERT INTO memory_link VALUES (2, 1, 'supersedes', 0.9, 7.0)")

    migrate(sql, backups=tmp_path)

    assert sql.rows("SELECT similarity, at, strength, evidence FROM memory_link") == [
        (0.9, 7.0, 1.0, "")
    ]
