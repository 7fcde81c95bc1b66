"""Erased texts, by digests under the id of the erasing store.

A digest tells a text again to whoever has it. It tells nobody else the words, but whoever has the
digest and the id may try guesses: a short text, such as a number of four digits, is found in this
way.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

from actors.gate.drafts import content_hash
from actors.memory.writes import ErasedElsewhere
from daemon.storage.database.sql import Effect, Sql, writes

# One step an id, whatever the number of digests: every text that is learnt is asked about.
SALTS = (
    "WITH RECURSIVE one (salt) AS (SELECT min(salt) FROM erased_text UNION ALL"
    " SELECT (SELECT min(salt) FROM erased_text WHERE salt > one.salt) FROM one"
    " WHERE one.salt IS NOT NULL) SELECT salt FROM one WHERE salt IS NOT NULL"
)
# What was erased before its time was kept was erased before the store was last written to.
_LAST_WRITTEN = (
    "SELECT max(coalesce((SELECT max(received_at) FROM journal), 0),"
    " coalesce((SELECT max(max(updated_at, coalesce(ended_at, 0))) FROM memory), 0))"
)


def add_times(sql: Sql) -> None:
    """Bring the store up to digests with their time and the id of their store."""
    sql.add_columns("erased_text", salt="TEXT NOT NULL DEFAULT ''", at="REAL NOT NULL DEFAULT 0")
    sql.rows(
        f"UPDATE erased_text SET salt = ?, at = ({_LAST_WRITTEN}) WHERE salt = ''", (store_id(sql),)
    )
    sql.rows("CREATE INDEX IF NOT EXISTS erased_text_salt ON erased_text (salt)")


def store_id(sql: Sql) -> str:
    """The id of this store, under which it makes digests."""
    (found,) = sql.column("SELECT value FROM store WHERE name = 'id'") or [""]
    return str(found)


def digest(salt: str, content: bytes) -> bytes:
    """Digest of a text's content hash under the id of a store."""
    return blake2b(content, key=salt.encode(), digest_size=16).digest()


def note(sql: Sql, texts: Iterable[str], at: float | None) -> None:
    """Keep a digest of each, erased at this time; ``None``: now."""
    salt = store_id(sql)
    _keep(sql, [(digest(salt, content_hash(text)), salt, at) for text in texts])


@writes(Effect.NOTHING)
def erased_elsewhere(sql: Sql, heard: ErasedElsewhere) -> int:
    """Keep digests of texts erased by another home; returns how many are new."""
    before = _told(sql)
    _keep(sql, [(one, heard.salt, at) for one, at in heard.digests])
    return len(_told(sql).items() - before.items())


def _keep(sql: Sql, rows: Sequence[tuple[bytes, str, float | None]]) -> None:
    sql.many(
        "INSERT INTO erased_text (digest, salt, at) VALUES (?, ?, coalesce(?, unixepoch('subsec')))"
        " ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
        rows,
    )


def _told(sql: Sql) -> dict[bytes, float]:
    return {bytes(one): float(at) for one, at in sql.rows("SELECT digest, at FROM erased_text")}


def erased_at(sql: Sql, contents: Sequence[bytes]) -> Mapping[bytes, float]:
    """The ones of these content hashes erased here or in another home, and when."""
    salts = sql.column(SALTS)
    under = {digest(salt, one).hex(): one for salt in salts for one in contents}
    rows = sql.rows(
        "SELECT lower(hex(digest)), at FROM erased_text"
        " WHERE digest IN (SELECT unhex(value) FROM json_each(?))",
        (json.dumps(list(under)),),
    )
    times: dict[bytes, float] = {}
    for name, at in rows:
        content = under[str(name)]
        times[content] = max(float(at), times.get(content, 0.0))
    return times


def is_erased(sql: Sql, text: str) -> bool:
    """Tell whether a text was erased here or in another home of this person."""
    return bool(erased_at(sql, [content_hash(text)]))
