"""How important a memory is and why: in figures, and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from actors.memory.rows import Memory
from actors.policy.capture.importance import is_promotable, priority
from actors.policy.recall.notes import age
from actors.policy.text.wording import listed
from daemon.context import Parts
from daemon.states import short_id
from daemon.storage import importance

_SIGNALS = {
    "correction": "for a correction in a prompt",
    "preference": "for a preference in a prompt",
    "reinforcement": "for praise in a prompt",
}
CHANGES = 6  # that are told, the newest


async def importance_of(parts: Parts, memory: Memory) -> dict[str, Any]:
    """An importance with its channels, what changed it, and for what it was strengthened."""
    read, number = parts.reader.read, memory.id
    channels = await read(lambda sql: importance.channels_of(sql, number))
    changes = await read(lambda sql: importance.changes_of(sql, number))
    backfills = await read(lambda sql: importance.backfills_of(sql, number))
    names = ("novelty", "arousal", "reward", "attention")
    return {
        "value": memory.importance,
        "priority": priority(memory.importance).value,
        "promotable": is_promotable(memory.importance) and memory.tier == "normal",
        "channels": dict(zip(names, channels, strict=True)) if channels else None,
        "changes": [asdict(change) for change in changes],
        "backfills": [
            {
                "failure": short_id(int(failure)) if failure.isdecimal() else None,
                "before": before,
                "after": after,
                "at": at,
            }
            for failure, before, after, at in backfills
        ],
    }


def importance_sentences(found: Mapping[str, Any], now: float) -> Iterator[str]:
    """Why a memory is as important as it is (Q01, Q09, M04, H17)."""
    if not found:
        return
    changes = found["changes"]
    said = f"Its importance is {found['value']:.2f} ({found['priority']})"
    if changes:
        told = [_change(change, found["channels"]) for change in changes[-CHANGES:]]
        said += f": it began with {changes[0]['before']:.2f}, {listed(told)}"
        if found["value"] < changes[-1]["after"] - 1e-9:
            said += f"; since then it has faded from {changes[-1]['after']:.2f}"
    yield said + "."
    if found["promotable"]:
        yield "It may deserve a higher tier: its importance is over 0.85. Nothing promotes it alone."
    for filled in found["backfills"]:
        failure = f" told in {filled['failure']}" if filled["failure"] else ""
        yield (
            f"It was strengthened as it may explain a failure{failure}, {age(now - filled['at'])}:"
            f" a stability of {filled['before']:.1f} → {filled['after']:.1f} days."
        )


def _change(change: Mapping[str, Any], channels: Mapping[str, float] | None) -> str:
    cause, amount = str(change["cause"]), float(change["amount"])
    if cause == "channels":
        parts = ", ".join(f"{name} {value:.2f}" for name, value in (channels or {}).items())
        return f"was rated {amount:.2f} ({parts})"
    if cause == "capture":
        return f"rose to at least {amount:.2f} when it was captured"
    if change["how"] == "plus":
        return f"got +{amount:.2f} {_SIGNALS.get(cause, cause)}"
    return f"× {amount:g} as it was {cause.replace('_', ' ')}"
