"""Intentions in the store: written, read and erased."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from actors.policy.night.intentions import MOST, RETENTION, Intention, Trigger
from actors.session.shapes import NO_ROOM, IntentionChanged, IntentionMade, IntentionsLeft
from daemon.storage import traces
from daemon.storage.database.sql import Row, Sql, Value, columns, writes

_INTENTIONS = (
    "SELECT id, text, trigger_form, made_at, status, reminders, reminded_at, snoozed_until, ended_at,"
    " project, session FROM intention"
)
_OPEN = "status IN ('active', 'triggered', 'snoozed')"
SHORT = 8  # characters; what is shorter stands in other texts by chance

# ---- on the writing connection


@writes
def make(sql: Sql, made: IntentionMade) -> int:
    """A new intention, or its like: its number.

    0 when the same prompt has made it already, or was erased meanwhile; ``NO_ROOM`` at a hundred.
    """
    one = made.intention
    values = {**columns(one), "form": json.dumps(one.trigger, ensure_ascii=False), "seq": made.seq}
    if sql.rows("SELECT 1 FROM journal WHERE seq = ? AND body = x''", (made.seq,)):
        return 0
    alike = sql.number(
        f"SELECT id FROM intention WHERE {_OPEN} AND text = :text AND trigger_form = :form"
        " AND project IS :project",
        values,
    )
    if alike:
        return alike
    if sql.number(f"SELECT count(*) FROM intention WHERE {_OPEN}") >= MOST:
        return NO_ROOM
    number = sql.number(
        "INSERT INTO intention (text, trigger_form, priority, made_at, status, reminders, project,"
        " session, seq) VALUES (:text, :form, 1, :made_at, :status, 0, :project, :session, :seq)"
        " ON CONFLICT (seq) DO NOTHING RETURNING id",
        values,
    )
    if number:
        _note(sql, number, one.made_at, "intended", one.session)
    return number


@writes
def change(sql: Sql, changed: IntentionChanged) -> int:
    """Change one still there and open; an erased one does not come back."""
    one = changed.intention
    number = int(one.intention_id)
    there = sql.change(
        "UPDATE intention SET status = :status, reminders = :reminders,"
        " reminded_at = :reminded_at, snoozed_until = :snoozed_until, ended_at = :ended_at"
        f" WHERE id = :number AND {_OPEN}",
        {**columns(one), "number": number},
    )
    if there:
        _note(sql, number, changed.at, changed.what, changed.session)
    return there


def _note(sql: Sql, number: int, at: float, what: str, session: str | None) -> None:
    sql.rows("INSERT INTO intention_event VALUES (?, ?, ?, ?)", (number, at, what, session))


@writes
def leave(sql: Sql, order: IntentionsLeft) -> int:
    """Let go of ones ended 30 days before."""
    return sql.change("DELETE FROM intention WHERE ended_at < ?", (order.at - RETENTION,))


def drop(sql: Sql, numbers: Sequence[int]) -> int:
    """Let go of these; their past goes with them."""
    return sql.change(
        "DELETE FROM intention WHERE id IN (SELECT value FROM json_each(?))", (numbers,)
    )


def drop_quoting(sql: Sql, text: str, seq: int | None) -> None:
    """Let go of intentions with the erased text, whole or in part, or of its event."""
    holding = sql.rows(
        "SELECT id, text, trigger_form FROM intention"
        " WHERE instr(text, ?1) OR instr(trigger_form, ?1)",
        (text,),
    )
    if len(text) < SHORT:  # it may be part of a word by chance
        holding = [row for row in holding if any(traces.stands_in(text, one) for one in row[1:])]
    drop(sql, [row[0] for row in holding])
    sql.rows(
        "DELETE FROM intention"
        " WHERE (length(text) >= 8 AND instr(?1, text)) OR (seq IS NOT NULL AND seq = ?2)"
        " OR seq IN (SELECT seq FROM journal WHERE body = x'')",
        (text, seq),
    )


# ---- on a reading connection


def intentions(sql: Sql) -> list[Intention]:
    """All there are, ended ones included, oldest first."""
    return list(map(_intention, sql.rows(f"{_INTENTIONS} ORDER BY id")))


def intention(sql: Sql, number: int) -> Intention | None:
    """One of them."""
    rows = sql.rows(f"{_INTENTIONS} WHERE id = ?", (number,))
    return next(map(_intention, rows), None)


def totals(sql: Sql) -> dict[str, Value]:
    """Tell how many are open, and were told of and not done."""
    (found,) = sql.named(
        f"SELECT coalesce(sum({_OPEN}), 0) AS open, coalesce(sum(status = 'triggered'), 0) AS due"
        " FROM intention"
    )
    return found


def _intention(row: Row) -> Intention:
    number, text, trigger, *others = row
    return Intention(str(number), text, _trigger(trigger), *others)


@lru_cache(maxsize=200)  # each prompt asks for all of them
def _trigger(form: str) -> Trigger:
    return cast("Trigger", json.loads(form))
