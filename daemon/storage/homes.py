"""Rows for another home: an export's memories, its gaps by digests, and the digests of erased texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, NamedTuple

from msgspec.structs import asdict

from actors.memory.rows import Memory
from actors.memory.writes import ErasedElsewhere
from actors.policy.gate.gate_features import content_hash
from actors.policy.statements.sources import SHARED, Life, latest
from actors.policy.text.short_ids import short_id
from daemon.storage.database.sql import Sql, writes
from daemon.storage.graph import edges_from
from daemon.storage.memories import STATUS, living
from daemon.storage.read_notes import carried


def living_page(
    sql: Sql, after: int, limit: int, project: str | None, *, whole: bool
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of living memories, of one project or of all, as rows for ``import``.

    Others' shared notes come with their repository, to whoever trusts it. A ``whole`` row has its id,
    strength, pin, links and a reader's quotations too, which only a merge takes. The number is where the
    next page begins; ``None``: this was the last.
    """
    memories = living(sql, after, limit)
    meant = [one for one in memories if one.source != SHARED and project in (None, one.project)]
    rows = _whole(sql, meant) if whole else [_row(one) for one in meant]
    return rows, memories[-1].id if len(memories) == limit else None


def _whole(sql: Sql, meant: Sequence[Memory]) -> list[dict[str, Any]]:
    links: dict[int, list[dict[str, Any]]] = {}
    for edge in edges_from(sql, [one.id for one in meant]):
        links.setdefault(edge.source_id, []).append(
            {
                "relation": edge.relation,
                "to": short_id(edge.target_id),
                "strength": edge.strength,
                "evidence": edge.evidence,
            }
        )
    notes = carried(sql, [one.id for one in meant])
    return [
        {"id": short_id(one.id), **_row(one), **_strong(one)}
        | ({"links": links[one.id]} if one.id in links else {})
        | ({"read": notes[one.id]} if one.id in notes else {})
        for one in meant
    ]


def _row(memory: Memory) -> dict[str, Any]:
    unusual = {
        "status": None if memory.status == "confirmed" else memory.status,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        **{name: one or None for name, one in asdict(memory.particulars).items()},
    }
    return {
        "key": memory.key or short_id(memory.id),
        "text": memory.text,
        "title": memory.title,
        "project": memory.project,
        "created_at": memory.created_at,
        "type": memory.kind,
        "tier": memory.tier,
        "triggers": list(memory.triggers),
        **{name: value for name, value in unusual.items() if value is not None},
    }


def _strong(memory: Memory) -> dict[str, Any]:
    own: dict[str, Any] = {"pinned": True} if memory.pinned else {}
    if memory.updated_at != memory.created_at:
        own["since"] = memory.updated_at
    if memory.last_review is not None:
        own["strength"] = {
            "stability": memory.stability,
            "difficulty": memory.difficulty,
            "at": memory.last_review,
        }
    return own


def unwanted(sql: Sql, project: str, texts: Sequence[str]) -> list[str]:
    """Select the ones of these texts forgotten, refuted or dropped by a person in a project, or erased anywhere."""
    hashes = {content_hash(text).hex(): text for text in texts}
    gone = sql.column(
        "SELECT lower(hex(content_hash)) FROM memory WHERE project = ?1"
        " AND ended IN ('forgotten', 'refuted')"
        " AND content_hash IN (SELECT unhex(value) FROM json_each(?2))",
        (project, hashes),
    )
    left = {hashes[one] for one in gone}
    return [text for text in texts if text in left or is_erased(sql, text)]


# ---- gaps: texts ended or erased, by digests, and their state here


ERASED: Final = "erased"
REWRITTEN: Final = "deprecated"  # of what a memory said before it was rewritten
Said = tuple[str | None, bytes]  # a project, and the content hash of a text of it

_ENDED = (
    "SELECT m.project, m.content_hash, m.ended, m.ended_at, NULL FROM memory m"
    f" WHERE m.ended IS NOT NULL AND m.ended_at IS NOT NULL AND m.source <> '{SHARED}'"
    " UNION ALL SELECT m.project, NULL, '" + REWRITTEN + "', v.replaced_at, v.text"
    f" FROM memory_version v JOIN memory m ON m.id = v.memory_id WHERE m.source <> '{SHARED}'"
)
# What was erased is so in every project: it goes with a whole home alone.
_PAGE = (
    "SELECT * FROM (SELECT NULL AS project, digest, 'erased', at, NULL, salt FROM erased_text"
    f" WHERE ?1 IS NULL UNION ALL SELECT *, '' FROM ({_ENDED}) WHERE ?1 IS NULL OR project = ?1)"
    " ORDER BY 4, 2 LIMIT ?2 OFFSET ?3"
)


class Trace(NamedTuple):
    """State of a text in a memory here that has it, or once had it."""

    content: bytes  # the hash of the text
    memory_id: int
    project: str | None
    is_text: bool  # what it says now, living or ended; else what it said before
    life: Life
    said: float | None  # when a person last said this memory
    is_own: bool = True  # else others share it: no home of one's own ends it


class Here(NamedTuple):
    """State of a text here."""

    traces: tuple[Trace, ...]
    erased_at: float | None

    @property
    def now(self) -> Trace | None:
        """Trace of a memory with the text: of living ones the one said last."""
        texts = [one for one in self.traces if one.is_text]
        return max(
            texts, key=lambda one: (one.life.lives, one.life.stated, one.life.since), default=None
        )

    @property
    def former(self) -> Life | None:
        """The last end of a wording; ``None`` when no memory ever said it and says something else now."""
        return latest(one.life for one in self.traces if not one.is_text)


def gaps_page(
    sql: Sql, after: int, limit: int, project: str | None
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of ended and erased texts, or of ended ones in a project; no row has a text.

    The number is where the next page begins; ``None``: this was the last.
    """
    rows = sql.rows(_PAGE, (project, limit, after))
    return list(_gone(sql, rows)), after + limit if len(rows) == limit else None


def _gone(sql: Sql, rows: Sequence[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    own = store_id(sql)
    living = {
        (project, bytes(content))
        for project, content in sql.rows(
            "SELECT project, content_hash FROM memory WHERE ended IS NULL AND source <> ?",
            (SHARED,),
        )
    }
    for project, kept, how, at, text, salt in rows:
        if how == ERASED:
            yield {"gone": bytes(kept).hex(), "salt": salt, "how": how, "at": at}
            continue
        content = bytes(kept) if text is None else content_hash(text)
        if (project, content) not in living:
            row = {"gone": digest(own, content).hex(), "salt": own, "how": how, "at": at}
            yield row if project is None else {**row, "project": project}


Match = tuple[int, Trace]  # the place of another home's row, and a trace of its text here


def matches(sql: Sql, rows: Sequence[tuple[str, bytes]]) -> list[Match]:
    """Traces here of each digest under its salt, in whichever project."""
    places: dict[tuple[str, bytes], list[int]] = {}
    for place, one in enumerate(rows):
        places.setdefault(one, []).append(place)
    salts = {salt for salt, _ in rows}
    return [
        (place, trace)
        for trace in _traces(sql)
        for salt in salts
        for place in places.get((salt, digest(salt, trace.content)), ())
    ]


def here(sql: Sql, texts: Sequence[Said]) -> list[Here]:
    """For each text its traces in memories of its project, and the time of its erasure."""
    traces: dict[Said, list[Trace]] = {}
    for trace in _traces(sql, [content for _, content in texts]):
        if trace.is_own:
            traces.setdefault((trace.project, trace.content), []).append(trace)
    erased = erased_at(sql, [content for _, content in texts])
    return [Here(tuple(traces.get(one, ())), erased.get(one[1])) for one in texts]


def _traces(sql: Sql, wanted: Sequence[bytes] | None = None) -> Iterator[Trace]:
    """Traces of all memories' present and former texts, or of these texts alone."""
    among = " WHERE m.content_hash IN (SELECT unhex(value) FROM json_each(?))"
    only = None if wanted is None else set(wanted)
    for number, project, content, text, at, since, status, source in sql.each(
        f"SELECT m.id, m.project, m.content_hash, NULL, m.ended_at, m.updated_at, {STATUS}, m.source"
        f" FROM memory m{'' if wanted is None else among}"
        f" UNION ALL SELECT m.id, m.project, NULL, v.text, v.replaced_at, m.updated_at, {STATUS}, ''"
        " FROM memory_version v JOIN memory m ON m.id = v.memory_id",
        () if wanted is None else (wanted,),
    ):
        hashed = bytes(content) if text is None else content_hash(text)
        if only is None or hashed in only:
            stated = status == "confirmed"
            life = Life(True, since, stated) if at is None else Life(False, at)
            said = since if stated else None
            yield Trace(hashed, number, project, text is None, life, said, source != SHARED)


# ---- erased texts, by digests under the id of the erasing store
#
# A digest tells a text again to whoever has it. It tells nobody else the words, but whoever has the
# digest and the id may try guesses: a short text, such as a number of four digits, is found in this
# way.


# One step an id, whatever the number of digests: every text that is learnt is asked about.
SALTS = (
    "WITH RECURSIVE one (salt) AS (SELECT min(salt) FROM erased_text UNION ALL"
    " SELECT (SELECT min(salt) FROM erased_text WHERE salt > one.salt) FROM one"
    " WHERE one.salt IS NOT NULL) SELECT salt FROM one WHERE salt IS NOT NULL"
)


def store_id(sql: Sql) -> str:
    """The id of this store, under which it makes digests."""
    return str(sql.value("SELECT value FROM store WHERE name = 'id'") or "")


def digest(salt: str, content: bytes) -> bytes:
    """Digest of a text's content hash under the id of a store."""
    return blake2b(content, key=salt.encode(), digest_size=16).digest()


def note(sql: Sql, texts: Iterable[str], at: float | None) -> None:
    """Keep a digest of each, erased at this time; ``None``: now."""
    salt = store_id(sql)
    _keep(sql, [(digest(salt, content_hash(text)), salt, at) for text in texts])


@writes
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
        (under,),
    )
    times: dict[bytes, float] = {}
    for name, at in rows:
        content = under[str(name)]
        times[content] = max(float(at), times.get(content, 0.0))
    return times


def is_erased(sql: Sql, text: str) -> bool:
    """Tell whether a text was erased here or in another home of this person."""
    return bool(erased_at(sql, [content_hash(text)]))
