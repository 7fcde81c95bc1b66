"""Everything that lives, as rows that ``import`` takes."""

from typing import Any

from actors.memory.rows import Memory
from daemon.context import PAGE_LIMIT, Parts, Progress, project_meant, table
from daemon.ids import short_id
from daemon.requests.exports import Export, Exported


async def export(parts: Parts, request: Export, _: Progress) -> Exported:
    """A page of everything that lives, as rows that ``import`` takes."""
    limit = max(1, min(request.limit, PAGE_LIMIT))
    memories = await parts.reader.living(request.after, limit)
    project = project_meant(parts, request.project)
    rows = [_row(memory) for memory in memories if project is None or memory.project == project]
    return Exported(rows=rows, after=memories[-1].id if len(memories) == limit else None)


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
        **_claim(memory),
    }


def _claim(memory: Memory) -> dict[str, Any]:
    """How sure and when, where that is not the usual."""
    claim = {
        "status": None if memory.status == "confirmed" else memory.status,
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
    }
    return {name: value for name, value in claim.items() if value is not None}


ANSWERS = table(export)
