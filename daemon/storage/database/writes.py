"""Carrying out writes, on the writing connection's thread.

``carry_out`` is one transaction over many units: the group commit. A unit breaking a constraint is
rolled back alone; the others stand.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from actors.gate.messages import Audited
from actors.memory.commit import Unit
from actors.memory.writes import Created
from actors.reader.messages import NoteRead

# pyright: reportUnusedImport=false
from daemon.storage import (  # noqa: F401 - their functions carry writes out
    corpora,
    dreams,
    edit,
    episodes,
    erasing,
    files,
    gate,
    graph,
    homes,
    intentions,
    journal,
    learn,
    lifecycle,
    passages,
    plans,
    read_notes,
    readings,
    secrets,
    sessions,
    shared_notes,
    stats,
    strength,
    why,
)
from daemon.storage.database.sql import WRITES, ConstraintError, Sql


def carry_out(sql: Sql, units: Sequence[Unit]) -> list[list[int] | Exception]:
    """All units in one transaction; one outcome each.

    Raises apsw's error when the transaction as a whole cannot be made durable.
    """
    sql.rows("BEGIN IMMEDIATE")
    try:
        outcomes = [_carried_out(sql, unit) for unit in units]
        sql.rows("COMMIT")
    except BaseException:
        if sql.in_transaction():
            sql.rows("ROLLBACK")
        raise
    return outcomes


def _carried_out(sql: Sql, unit: Unit) -> list[int] | Exception:
    sql.rows("SAVEPOINT unit")
    try:
        if lifecycle.at_once(unit):
            numbers = lifecycle.create_all(sql, unit)
        else:
            numbers = _one_by_one(sql, unit)
    except ConstraintError as error:
        sql.rows("ROLLBACK TO unit")
        sql.rows("RELEASE unit")
        return error
    sql.rows("RELEASE unit")
    return numbers


def _one_by_one(sql: Sql, unit: Unit) -> list[int]:
    numbers: list[int] = []
    made = 0
    for write in unit:
        if isinstance(write, Audited | NoteRead) and not write.memory_id:
            write = replace(write, memory_id=made)
        number = WRITES[type(write)](sql, write)
        made = number if isinstance(write, Created) else made
        numbers.append(number)
    return numbers
