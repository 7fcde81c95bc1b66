"""Gaps of a home, as rows of its export: texts ended or erased, by digests; and their state here."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from actors.gate.drafts import content_hash
from actors.policy.statements.sources import SHARED, Life, latest
from daemon.storage.database.sql import Sql
from daemon.storage.erasures import digest, erased_at, store_id
from daemon.storage.memories import STATUS

ERASED: Final = "erased"
REWRITTEN: Final = "deprecated"  # of what a memory said before it was rewritten
Said = tuple[str | None, bytes]  # a project, and the content hash of a text of it

# A note that waits for a person has not ended: nobody decided about it yet.
_ENDED = (
    "SELECT m.project, m.content_hash, m.ended, m.ended_at, NULL FROM memory m"
    f" WHERE m.ended IS NOT NULL AND m.ended_at IS NOT NULL AND m.source <> '{SHARED}' AND NOT EXISTS"
    "  (SELECT 1 FROM read_note n WHERE n.memory_id = m.id AND n.waits AND n.verdict = '')"
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
            texts,
            key=lambda one: (one.life.lives, one.life.stated, one.life.since),
            default=None,
        )

    @property
    def former(self) -> Life | None:
        """The last end of a wording; ``None`` when no memory ever said it and says something else now."""
        return latest(one.life for one in self.traces if not one.is_text)


class Match(NamedTuple):
    """A trace of the text of another home's row, by the row's place."""

    place: int
    trace: Trace


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
    living = _living(sql)
    for project, kept, how, at, text, salt in rows:
        if how == ERASED:
            yield {"gone": bytes(kept).hex(), "salt": salt, "how": how, "at": at}
            continue
        content = bytes(kept) if text is None else content_hash(text)
        if (project, content) not in living:
            row = {"gone": digest(own, content).hex(), "salt": own, "how": how, "at": at}
            yield row if project is None else {**row, "project": project}


def _living(sql: Sql) -> set[Said]:
    rows = sql.rows(
        "SELECT project, content_hash FROM memory WHERE ended IS NULL AND source <> ?", (SHARED,)
    )
    return {(project, bytes(content)) for project, content in rows}


def matches(sql: Sql, rows: Sequence[tuple[str, bytes]]) -> list[Match]:
    """Traces here of each digest under its salt, in whichever project."""
    places: dict[tuple[str, bytes], list[int]] = {}
    for place, one in enumerate(rows):
        places.setdefault(one, []).append(place)
    salts = {salt for salt, _ in rows}
    return [
        Match(place, trace)
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
    names = (json.dumps([one.hex() for one in wanted]),) if wanted is not None else ()
    for number, project, content, ended_at, since, status, source in sql.rows(
        f"SELECT m.id, m.project, m.content_hash, m.ended_at, m.updated_at, {STATUS}, m.source"
        " FROM memory m" + (among if names else ""),
        names,
    ):
        stated = status == "confirmed"
        life = Life(True, since, stated) if ended_at is None else Life(False, ended_at)
        yield Trace(
            bytes(content), number, project, True, life, since if stated else None, source != SHARED
        )
    only = None if wanted is None else set(wanted)
    for number, project, text, at, since, status in sql.rows(
        f"SELECT m.id, m.project, v.text, v.replaced_at, m.updated_at, {STATUS}"
        " FROM memory_version v JOIN memory m ON m.id = v.memory_id"
    ):
        content = content_hash(text)
        if only is None or content in only:
            said = since if status == "confirmed" else None
            yield Trace(content, number, project, False, Life(False, at), said)
