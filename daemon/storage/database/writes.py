"""Carrying out writes, on the writing connection's thread.

``carry_out`` is one transaction over many units: the group commit. A unit that breaks
a constraint is rolled back alone; the others stand. What leaves the indexes when a
memory ends comes back when it is revived.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from actors.embedding.writes import ModelChosen
from actors.gate.writes import Audited
from actors.memory.unit import Unit, Write
from actors.memory.writes import Created, Erased, ErasedEverything
from actors.reader.writes import NoteRead
from actors.recall.rows import Revision
from daemon.kinds import by_kind
from daemon.storage import (
    archive,
    associations,
    changes,
    claims,
    dreams,
    edit,
    episodes,
    forget,
    gate,
    graph,
    intentions,
    journal,
    learn,
    link,
    passages,
    plans,
    purge,
    read_notes,
    readings,
    references,
    remember,
    secrets,
    sessions,
    status,
    strength,
    suppress,
    vectors,
    why,
)
from daemon.storage.database.sql import ConstraintError, Sql
from daemon.storage.index import tokens

# Each takes one kind of write, and gives a number of its own.
Table = Mapping[type[Write], Callable[[Sql, Any], int]]

# They write no text, vector, phrase or scope of a memory. The rows that some of them change
# (strength, importance, confidence, opinions) are read when a question comes.
INDEX_KEEPING: Final[Table] = by_kind(
    changes.change,
    changes.end,
    edit.resettle,
    episodes.capture_turn,
    episodes.fade,
    episodes.raise_event,
    episodes.tag_turn,
    gate.rekey,
    intentions.age,
    intentions.change,
    intentions.make,
    journal.derived,
    journal.journal,
    passages.use,
    purge.intention_erased,
    read_notes.judge_note,
    read_notes.see_notes,
    read_notes.set_cue_vector,
    read_notes.stop,
    readings.begin,
    readings.consent,
    readings.end,
    readings.end_consent,
    readings.fail,
    readings.look,
    readings.read_to,
    references.set_references,
    sessions.deliver,
    sessions.see_session,
    sessions.undeliver,
    status.set_due,
    strength.credit,
    strength.expose,
    strength.find_useful,
    strength.mute_hint,
    strength.rate,
    strength.review,
    strength.show_hints,
    strength.validate,
    suppress.suppress,
    why.inject,
)
# Nor do these: what they write stands in the archive's indexes.
ARCHIVE_CHANGING: Final[Table] = by_kind(passages.keep, passages.prune, passages.store_vectors)
# All others: recall may find something else after them.
INDEX_CHANGING: Final[Table] = by_kind(
    archive.scanned,
    claims.set_status,
    claims.set_validity,
    associations.associate,
    dreams.advance,
    dreams.begin,
    dreams.draw_episodes,
    dreams.end,
    dreams.find_insight,
    edit.rewrite,
    forget.end,
    forget.revive,
    gate.audit,
    gate.judged,
    graph.draw,
    graph.fade,
    graph.strengthen,
    journal.prune,
    learn.take_back,
    link.connect,
    link.declare,
    link.disconnect,
    link.link,
    plans.apply,
    plans.dismiss,
    plans.propose,
    plans.told,
    plans.undo,
    purge.erased,
    purge.everything_erased,
    read_notes.note_read,
    remember.create,
    secrets.redact_cells,
    secrets.redact_memory,
    strength.pin,
    strength.retier,
    tokens.keep,
    vectors.choose_model,
    vectors.store_vectors,
)
WRITES: Final = {**INDEX_KEEPING, **ARCHIVE_CHANGING, **INDEX_CHANGING}


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
        if remember.at_once(unit):
            numbers = remember.create_all(sql, unit)
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


def reach_indexes(units: Sequence[Unit]) -> bool:
    """Tell whether an index has to take up something of these units: most of a prompt's do not."""
    return any(type(write) not in INDEX_KEEPING for unit in units for write in unit)


def revised(before: Revision, units: Sequence[Unit]) -> Revision:
    """The revision after these units, carried out or not."""
    writes = [write for unit in units for write in unit]
    return replace(
        before,
        indexes=before.indexes + any(type(write) in INDEX_CHANGING for write in writes),
        models=before.models + any(isinstance(write, ModelChosen) for write in writes),
        erasures=before.erasures
        + any(isinstance(write, Erased | ErasedEverything) for write in writes),
    )
