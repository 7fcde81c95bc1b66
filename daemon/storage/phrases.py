"""Phrases by which memories are called: read without their texts, except for memories kept on purpose by a person."""

import json
from collections.abc import Sequence

from actors.policy.references.mentions import READ, names_of
from actors.policy.statements.trust import ON_PURPOSE
from actors.recall.rows import PhraseRow
from daemon.storage.database.sql import Row, Sql

_SOURCES = ", ".join(f"'{source}'" for source in sorted(ON_PURPOSE))
# The text of what a person kept on purpose, of everything else none.
_KEPT = f"CASE WHEN pinned OR source IN ({_SOURCES}) THEN substr(title || char(10) || text, 1, {READ}) ELSE '' END"


def phrases_after(sql: Sql, after: int, limit: int) -> list[PhraseRow]:
    """The phrases of living memories with an id over ``after``, in the order of ids."""
    owners = sql.rows(
        f"SELECT id, project, {_KEPT} FROM memory WHERE id > ? AND ended IS NULL ORDER BY id LIMIT ?",
        (after, limit),
    )
    if not owners:
        return []
    said = sql.rows(
        "SELECT memory_id, phrase, given FROM trigger_phrase WHERE memory_id BETWEEN ? AND ?",
        (owners[0][0], owners[-1][0]),
    )
    return _joined(owners, said)


def phrases_of(sql: Sql, ids: Sequence[int]) -> list[PhraseRow]:
    """The phrases of the living ones of these."""
    wanted = (json.dumps(list(ids)),)
    owners = sql.rows(
        f"SELECT id, project, {_KEPT} FROM memory WHERE ended IS NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        wanted,
    )
    said = sql.rows(
        "SELECT memory_id, phrase, given FROM trigger_phrase"
        " WHERE memory_id IN (SELECT value FROM json_each(?))",
        wanted,
    )
    return _joined(owners, said)


def _joined(owners: Sequence[Row], said: Sequence[Row]) -> list[PhraseRow]:
    by_owner: dict[int, tuple[list[str], list[str]]] = {i: ([], []) for i, *_ in owners}
    for memory_id, phrase, given in said:
        if memory_id in by_owner:
            by_owner[memory_id][0 if given else 1].append(phrase)
    return [
        PhraseRow(memory_id, project, tuple(given), tuple(derived), names_of(kept, project))
        for memory_id, project, kept in owners
        for given, derived in [by_owner[memory_id]]
    ]
