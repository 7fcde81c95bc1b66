"""Shared notes in the store: which file stands for which memory, and which remotes are trusted."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from actors.memory.rows import Memory
from actors.memory.writes import NoteHeld, RemoteTrusted, TrustEnded
from actors.policy.statements.sources import SHARED
from actors.policy.statements.trust import STATED, UNJUDGED
from daemon.storage.database.sql import Sql, columns, writes
from daemon.storage.homes import is_erased
from daemon.storage.memories import MEMORY

_STATED: Final = sorted(STATED)


class HeldNote(NamedTuple):
    """A note of a repository with its memory here."""

    note: str
    own: bool
    memory_id: int
    file: str
    digest: bytes
    is_gone: bool
    is_reworded: bool  # a person here gave it another text, which is theirs
    ended: str | None  # how the memory ended, if it did; "replaced": by another one


# ---- on the writing connection


@writes
def hold(sql: Sql, one: NoteHeld) -> int:
    """Keep the memory of a note, in place of its earlier row."""
    made = columns(one)
    return sql.put(
        "shared_note",
        "ON CONFLICT (project, note, own) DO UPDATE SET memory_id = excluded.memory_id,"
        " file = excluded.file, digest = excluded.digest, gone = excluded.gone",
        gone=made.pop("is_gone"),
        **made,
    )


@writes
def trusted(sql: Sql, one: RemoteTrusted) -> int:
    """Keep a person's trust in a repository's notes."""
    again = "ON CONFLICT (project) DO UPDATE SET remote = excluded.remote, at = excluded.at"
    return sql.put("shared_remote", again, **columns(one))


@writes
def no_longer_trusted(sql: Sql, one: TrustEnded) -> int:
    """Forget a person's trust in a repository's notes."""
    return sql.change("DELETE FROM shared_remote WHERE project = ?", (one.project,))


# ---- by a reading connection


def remote(sql: Sql, project: str) -> str | None:
    """The remote from which a person trusts the notes of a repository; ``None`` for none."""
    found: str | None = sql.value("SELECT remote FROM shared_remote WHERE project = ?", (project,))
    return found


def held_notes(sql: Sql, project: str) -> list[HeldNote]:
    """Every note of a repository held here, the home's own and others', by their ids."""
    return sql.records(
        HeldNote,
        "SELECT n.note, n.own, n.memory_id, n.file, n.digest, n.gone, m.versions > 1,"
        " CASE WHEN m.ended IS NOT NULL AND m.superseded_by IS NOT NULL THEN 'replaced' ELSE m.ended END"
        " FROM shared_note n JOIN memory m ON m.id = n.memory_id WHERE n.project = ?"
        " ORDER BY n.note, n.own",
        (project,),
    )


def shared_by(sql: Sql, ids: Sequence[int]) -> list[tuple[str, str, int, str]]:
    """Projects, ids, memories and files of this home's shared notes of these memories."""
    return sql.rows(
        "SELECT project, note, memory_id, file FROM shared_note WHERE own"
        " AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY project, file",
        (ids,),
    )


def shared_from(sql: Sql, project: str | None) -> list[int]:
    """Memories shared by this home in a project, or in all of them."""
    return sql.column(
        "SELECT memory_id FROM shared_note WHERE own AND project = coalesce(?, project)", (project,)
    )


def said_here(sql: Sql, project: str, content_hash: bytes) -> int | None:
    """The living memory of a project by which a person here says the same; ``None`` for none."""
    found: int | None = sql.value(
        "SELECT id FROM memory WHERE project = ? AND content_hash = ? AND ended IS NULL"
        " AND source IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 1",
        (project, content_hash, _STATED),
    )
    return found


def erased(sql: Sql, texts: Sequence[str]) -> list[bool]:
    """Tell of each text whether it was erased here."""
    return [is_erased(sql, text) for text in texts]


def shareable(sql: Sql, project: str, kinds: Sequence[str], limit: int) -> list[Memory]:
    """Living memories of a project of these kinds, stated or possibly confirmed by a person, the newest first."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE m.project = ?1 AND m.ended IS NULL"
        " AND m.kind IN (SELECT value FROM json_each(?2)) AND m.source <> ?3"
        " AND (m.source IN (SELECT value FROM json_each(?4)) OR m.pinned OR m.confidence > ?6"
        "  OR m.id IN (SELECT memory_id FROM read_note WHERE verdict IN ('kept', 'edited')))"
        " ORDER BY m.created_at DESC, m.id DESC LIMIT ?5",
        (project, kinds, SHARED, _STATED, limit, UNJUDGED),
    )


def paths_of(sql: Sql, memory_id: int) -> list[str]:
    """Existing files of a memory, in order."""
    return sql.column(
        "SELECT DISTINCT path FROM reference WHERE memory_id = ? AND path <> '' AND state = 'held'"
        " ORDER BY path",
        (memory_id,),
    )
