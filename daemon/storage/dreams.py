"""Dreams in the store: how far they came, and their insights."""

import json
from collections.abc import Sequence
from typing import Final

from actors.gate.drafts import title_of
from actors.intake.messages import JournalRow, event_of
from actors.memory.rows import Memory
from actors.memory.writes import Connected, Created, Draft, Ended, Origin
from actors.night.shapes import SOURCE as FINDER
from actors.night.shapes import DreamBegun, DreamEnded, DreamRow, InsightFound, InsightRow
from actors.policy.decay.curve import FSRS6_DECAY, initial_stability
from actors.policy.gate.gate_features import content_hash
from actors.policy.night import insights as noticed
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import Insight
from daemon.storage import graph, lifecycle, traces
from daemon.storage.corpora import has_vectors
from daemon.storage.database.sql import Sql, Value, writes
from daemon.storage.journal import JOURNAL
from daemon.storage.memories import MEMORY

SOURCE: Final = "dream"  # where an insight comes from
LINK: Final = "derived_from"
TYPE: Final = "semantic"  # of an insight
# Days: as anything of this type that was never reviewed.
STABILITY: Final = initial_stability(TYPE, FSRS6_DECAY)
# `members` is how many memories it began over; earlier versions kept their ids there.
_DREAM: Final = (
    "SELECT id, why, began_at, ended_at, outcome, stage,"
    " CASE json_type(members) WHEN 'array' THEN json_array_length(members)"
    " ELSE members ->> '$' END, figures FROM dream"
)
_DREAMT: Final = "ended IS NULL AND source <> 'dream'"  # an insight is no experience


# ---- on the writing connection


@writes
def begin(sql: Sql, begun: DreamBegun) -> int:
    """A new dream; its number."""
    sql.put("dream", why=begun.why, began_at=begun.at, members=str(begun.memories))
    return sql.last_id()


@writes
def end(sql: Sql, ended: DreamEnded) -> int:
    """End a dream. Old ones go, except with insights left; old insights end."""
    figures = {name: dict(done) for name, done in ended.figures.items()}
    stage = next(reversed(figures), "")
    if stage:
        # Rows that are left in the store: a person finds as many as the report counts.
        figures[stage]["insights"] = sql.number(
            "SELECT count(*) FROM insight WHERE dream_id = ?", (ended.dream_id,)
        )
        figures[stage]["proposed"] = sql.number(
            "SELECT count(*) FROM plan WHERE source = ? AND proposed_at = ?",
            (FINDER, ended.planned_at),
        )
    changed = sql.change(
        "UPDATE dream SET ended_at = ?, outcome = ?, stage = ?, figures = ?"
        " WHERE id = ? AND ended_at IS NULL",
        (ended.at, ended.outcome, stage, json.dumps(figures), ended.dream_id),
    )
    sql.rows(
        "DELETE FROM dream WHERE id NOT IN (SELECT id FROM dream ORDER BY id DESC LIMIT ?)"
        " AND id NOT IN (SELECT dream_id FROM insight)",
        (ended.kept,),
    )
    old = sql.rows(
        "SELECT m.id FROM memory m WHERE m.source = ? AND m.ended IS NULL"
        f" AND NOT {lifecycle.HELD_ON_TO} ORDER BY m.id DESC LIMIT -1 OFFSET ?",
        (SOURCE, ended.insights),
    )
    for (memory_id,) in old:
        lifecycle.end(sql, Ended(int(memory_id), "expired", ended.at))
    return changed


@writes
def find_insight(sql: Sql, found: InsightFound) -> int:
    """Keep an insight as a memory with its sources, once."""
    told = found.insight
    living = sql.number(
        "SELECT count(*) FROM memory WHERE ended IS NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        (told.memory_ids,),
    )
    if living < len(told.memory_ids):
        return 0
    near = [
        one
        for one in _insights(
            sql,
            "i.kind = ?2 AND i.memory_id IN (SELECT insight_id FROM insight_source"
            " WHERE source_id IN (SELECT value FROM json_each(?1)))",
            (told.memory_ids, told.kind.value),
        )
        if noticed.is_same(one.sources, told.memory_ids)
    ]
    alike = [one for one in near if one.ended is None]
    # What a person found useless, or forgot, does not come back.
    if any(one.ended in ("forgotten", "refuted") or one.feedback.is_rejection for one in near):
        return 0
    if any(_stays(sql, one, told) for one in alike):
        return 0
    memory_id = lifecycle.create(
        sql,
        Created(
            Draft(
                told.text, title_of(told.text), "insight", "normal", told.project, (),
                Origin(SOURCE, told.session, rule=told.kind.value), found.at,
                memory_type=TYPE, context_type="discovery",
            ),
            content_hash(told.text),
            STABILITY,
        ),
    )  # fmt: skip
    sql.rows(
        "INSERT INTO insight VALUES (?, ?, ?, ?, ?, ?)",
        (
            memory_id, found.dream_id, told.kind.value, 0.0, told.confidence,
            json.dumps(told.evidence),
        ),
    )  # fmt: skip
    for source in sorted(told.memory_ids):
        sql.rows("INSERT INTO insight_source VALUES (?, ?)", (memory_id, source))
        graph.connect(sql, Connected(memory_id, source, LINK, told.confidence, "a dream", found.at))
    for one in alike:
        lifecycle.end(sql, Ended(one.memory_id, "deprecated", found.at, memory_id))
    return memory_id


def _stays(sql: Sql, one: InsightRow, told: Insight) -> bool:
    """Return whether an existing insight says as much: it is the same, or held on to."""
    if one.text == told.text or set(one.sources) >= set(told.memory_ids):
        return True
    held = f"SELECT {lifecycle.HELD_ON_TO} FROM memory m WHERE m.id = ?"
    return bool(sql.number(held, (one.memory_id,)))


# ---- on either connection


def made_of(sql: Sql, memory_ids: Sequence[int]) -> list[int]:
    """Insights resting on these memories or quoting a prompt with the same words.

    They are erased with them.
    """
    told = sql.column(
        "SELECT text FROM memory WHERE source <> 'dream'"
        " AND id IN (SELECT value FROM json_each(?))",
        (memory_ids,),
    )
    return sql.column(
        "SELECT insight_id FROM insight_source WHERE source_id IN (SELECT value FROM json_each(?1))"
        " UNION SELECT i.memory_id FROM insight i JOIN memory m ON m.id = i.memory_id"
        " WHERE EXISTS (SELECT 1 FROM json_each(?2) WHERE instr(m.text, value)) ORDER BY 1",
        (memory_ids, [traces.core(text) for text in told if not traces.is_short(text)]),
    )


# ---- on a reading connection


def dreamable(sql: Sql, limit: int) -> list[int]:
    """The newest living memories except insights, in the order of ids."""
    return sql.column(f"SELECT id FROM memory WHERE {_DREAMT} ORDER BY id DESC LIMIT ?", (limit,))[
        ::-1
    ]


def dreamt_memories(sql: Sql, ids: Sequence[int]) -> list[Memory]:
    """The living ones of these."""
    return sql.records(
        Memory,
        f"{MEMORY} WHERE {_DREAMT} AND id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (ids,),
    )


def first_vectors(sql: Sql, ids: Sequence[int]) -> list[tuple[int, bytes]]:
    """The first vector of each of these, where it has one."""
    if not has_vectors(sql):
        return []
    return sql.rows(
        "SELECT c.memory_id, v.embedding FROM chunk c"
        " JOIN memory_vector v ON v.chunk_id = c.id WHERE c.ordinal = 0"
        " AND c.memory_id IN (SELECT value FROM json_each(?))",
        (ids,),
    )


def archived_prompts(sql: Sql, limit: int) -> list[ArchivedPrompt]:
    """The newest prompts of the archive, in the order of ids, by their first words, which title turns."""
    newest = sql.records(
        ArchivedPrompt,
        "SELECT id, session, project, at, title, first_seq FROM passage WHERE kind = 'turn' AND ordinal = 0"
        " AND title <> '' AND session IS NOT NULL ORDER BY id DESC LIMIT ?",
        (limit,),
    )
    return newest[::-1]


def prompts(sql: Sql, seqs: Sequence[int]) -> list[tuple[int, str]]:
    """Prompts among these events still in the journal, as they were typed."""
    rows = sql.records(
        JournalRow,
        f"{JOURNAL} WHERE kind = 'prompt' AND seq IN (SELECT value FROM json_each(?))",
        (seqs,),
    )
    return [(row.seq, event.prompt) for row in rows if (event := event_of(row)) is not None]


def unfinished(sql: Sql) -> DreamRow | None:
    """The interrupted dream."""
    return sql.record(DreamRow, f"{_DREAM} WHERE ended_at IS NULL ORDER BY id DESC LIMIT 1")


def dreams(sql: Sql, limit: int) -> list[DreamRow]:
    """The last dreams, the newest first."""
    return sql.records(DreamRow, f"{_DREAM} ORDER BY id DESC LIMIT ?", (limit,))


def insights(sql: Sql, limit: int) -> list[InsightRow]:
    """The last insights, the newest first."""
    return _insights(sql, "1", (), limit)


def standing_insights(sql: Sql, limit: int) -> list[InsightRow]:
    """The last living insights, the newest first."""
    return _insights(sql, "m.ended IS NULL", (), limit)


def _insights(sql: Sql, which: str, values: tuple[Value, ...], limit: int = -1) -> list[InsightRow]:
    return sql.records(
        InsightRow,
        "SELECT i.memory_id, i.dream_id, i.kind, m.text,"
        " (SELECT json_group_array(source_id ORDER BY source_id) FROM insight_source s"
        "  WHERE s.insight_id = i.memory_id),"
        " i.confidence, i.evidence, m.ended,"
        " (SELECT count(*) FROM review r WHERE r.memory_id = m.id AND cause = 'useful'),"
        " (SELECT count(*) FROM review r WHERE r.memory_id = m.id AND cause = 'useless'),"
        " (SELECT count(*) FROM credit c WHERE c.memory_id = m.id) FROM insight i"
        f" JOIN memory m ON m.id = i.memory_id WHERE {which}"
        f" ORDER BY i.memory_id DESC LIMIT {limit}",
        values,
    )


def saved_since(sql: Sql, at: float) -> int:
    """Count the memories made since then, insights left out."""
    return sql.number(
        "SELECT count(*) FROM memory WHERE created_at > ? AND source <> 'dream'", (at,)
    )
