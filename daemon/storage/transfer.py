"""Memories as rows of an export, and texts nobody wants back."""

import json
from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from actors.gate.drafts import content_hash
from actors.memory.rows import Memory
from actors.policy.statements.sources import SHARED
from actors.policy.text.wording import short_id
from daemon.storage.database.sql import Sql
from daemon.storage.erasures import is_erased
from daemon.storage.graph import edges_from
from daemon.storage.memories import living
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
    return {
        "key": memory.key or short_id(memory.id),
        "text": memory.text,
        "title": memory.title,
        "project": memory.project,
        "created_at": memory.created_at,
        "type": memory.kind,
        "tier": memory.tier,
        "triggers": list(memory.triggers),
        **_claimed(memory),
    }


def _claimed(memory: Memory) -> dict[str, Any]:
    """Status and validity, where they are not the usual ones."""
    said = {
        "status": None if memory.status == "confirmed" else memory.status,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
    }
    said |= {name: one or None for name, one in asdict(memory.particulars).items()}
    return {name: value for name, value in said.items() if value is not None}


def _strong(memory: Memory) -> dict[str, Any]:
    """Pin, strength, and the time of its present text, where it differs from its making."""
    own: dict[str, Any] = {"pinned": True} if memory.pinned else {}
    if memory.updated_at != memory.created_at:
        own["since"] = memory.updated_at
    if memory.last_review is None:
        return own
    strength = {
        "stability": memory.stability,
        "difficulty": memory.difficulty,
        "at": memory.last_review,
    }
    return {**own, "strength": strength}


def unwanted(sql: Sql, project: str, texts: Sequence[str]) -> list[str]:
    """Select the ones of these texts forgotten, refuted or dropped by a person in a project, or erased anywhere."""
    hashes = {content_hash(text).hex(): text for text in texts}
    gone = sql.column(
        "SELECT lower(hex(content_hash)) FROM memory WHERE project = ?1"
        " AND ended IN ('forgotten', 'refuted')"
        " AND content_hash IN (SELECT unhex(value) FROM json_each(?2))",
        (project, json.dumps(list(hashes))),
    )
    left = {hashes[one] for one in gone}
    return [text for text in texts if text in left or is_erased(sql, text)]
