"""Plans in the store: proposed, carried out as one, taken back exactly.

A step is a row: a memory, its columns before, and its columns after. Each function here is called
within one transaction, so whoever is killed in the midst finds nothing begun. The rules are in
``actors.policy.decay.archival``. Acts of earlier versions (other tiers, summaries, moves to all
projects) are shown and taken back, and not carried out any more.
"""

import json
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any, Final

from msgspec.structs import replace

from actors.memory.writes import Ended, Revived
from actors.night.shapes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlanRow,
    PlanState,
    PlansTold,
    PlanUndone,
)
from actors.policy.decay import archival
from actors.policy.decay.archival import Step, Subject
from daemon.storage import lifecycle, memories
from daemon.storage.database.sql import Sql, Value, writes

ARCHIVE: Final = "archive"
LINE: Final = 300  # characters of a reason
CHANGED: Final = "it was changed since"
OTHERS: Final = frozenset({"tier", "memory_type", "valid_until", "project"})  # columns
OVER: Final = "an earlier version proposed it, and it is not done any more"
_PLAN: Final = (
    "SELECT id, act, source, reason, state, proposed_at, decided_at, undone_at, note FROM plan"
)


# ---- on the writing connection


@writes
def propose(sql: Sql, proposal: PlanProposed) -> int:
    """Store a plan of the steps still open to proposal; returns its number, or 0 without any."""
    asked = {step.memory_id: step for step in proposal.steps}
    sql.rows(  # what waits about an older text of these is out of date
        "UPDATE plan SET state = 'stale', decided_at = ?, note = ? WHERE state = 'open' AND id IN"
        " (SELECT s.plan_id FROM plan_step s JOIN memory m ON m.id = s.memory_id"
        "  WHERE s.memory_id IN (SELECT value FROM json_each(?))"
        "  AND s.content_hash <> m.content_hash)",
        (proposal.at, archival.CHANGED, [*asked]),
    )
    there = subjects(sql, [*asked])
    steps = (replace(asked[number], uses=subject.uses) for number, subject in there.items())
    possible = (
        step
        for step in steps
        if not archival.objection(step, there[step.memory_id]) and _is_new(sql, step, proposal.at)
    )
    kept = list(islice(possible, max(0, _room(sql, proposal))))
    if not kept:
        return 0
    sql.put(
        "plan", act=ARCHIVE, source=proposal.source, reason=proposal.reason[:LINE],
        state="open", proposed_at=proposal.at,
        identity=b"",  # an earlier version told plans apart by it
    )  # fmt: skip
    number = sql.last_id()
    for place, step in enumerate(kept):
        sql.put(
            "plan_step", plan_id=number, memory_id=step.memory_id, ordinal=place, act=ARCHIVE,
            argument="", evidence=step.evidence[:LINE], content_hash=step.content_hash,
            uses=step.uses,
        )  # fmt: skip
    return number


def _room(sql: Sql, proposal: PlanProposed) -> int:
    """Number of memories the run may still take away, beside its other plans'."""
    living = sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")
    return archival.most(living) - sql.number(
        "SELECT count(*) FROM plan p JOIN plan_step s ON s.plan_id = p.id WHERE p.source = ?"
        " AND p.proposed_at = ?",
        (proposal.source, proposal.at),
    )


def _is_new(sql: Sql, step: Step, at: float) -> bool:
    """Return whether this neither waits in another plan nor was left by a person lately."""
    return not sql.rows(
        "SELECT 1 FROM plan_step s JOIN plan p ON p.id = s.plan_id WHERE s.memory_id = ?1"
        " AND s.act = ?2 AND (p.state = 'open' OR (p.state IN ('dismissed', 'undone')"
        " AND coalesce(p.undone_at, p.decided_at) > ?3)) LIMIT 1",
        (step.memory_id, ARCHIVE, at - archival.QUIET),
    )


@writes
def apply(sql: Sql, order: PlanApplied) -> int:
    """Carry a plan out; returns the number of its steps done. The reason of 0 is in its row."""
    found = plan(sql, order.plan_id)
    if found is None or found.state == "applied":
        return 0
    if order.by == "archivist" and found.state != "open":
        return 0  # a person has decided while the archivist looked
    if found.act != ARCHIVE:
        return _close(sql, found.id, OVER, order.at)
    there = subjects(sql, [step.memory_id for step in found.steps])
    objections = [archival.objection(step, there.get(step.memory_id)) for step in found.steps]
    if stale := archival.staleness(objections):
        return _close(sql, found.id, stale, order.at)
    for step, why in zip(found.steps, objections, strict=True):
        if why:
            _note(sql, found.id, step.memory_id, why)
        else:
            _carry_out(sql, found.id, step, order.at)
    left = sum(map(bool, objections))
    sql.rows(
        "UPDATE plan SET state = 'applied', decided_at = ?, applied_by = ?, undone_at = NULL,"
        " note = ? WHERE id = ?",
        (
            order.at, order.by, f"{left} of its memories stayed as they were" if left else "",
            found.id,
        ),
    )  # fmt: skip
    return len(objections) - left


def _close(sql: Sql, plan_id: int, why: str, at: float) -> int:
    """The plan is out of date; nothing of it was done."""
    sql.rows(
        "UPDATE plan SET state = 'stale', decided_at = ?, note = ? WHERE id = ?", (at, why, plan_id)
    )
    return 0


def _carry_out(sql: Sql, plan_id: int, step: Step, at: float) -> None:
    before = _standing(sql, step.memory_id)
    lifecycle.end(sql, Ended(step.memory_id, "archived", at))
    noted = {"before": before, "after": _standing(sql, step.memory_id)}
    sql.rows(
        "UPDATE plan_step SET before = ?, outcome = 'done', done = 1"
        " WHERE plan_id = ? AND memory_id = ?",
        (json.dumps(noted), plan_id, step.memory_id),
    )


def _standing(sql: Sql, memory_id: int) -> dict[str, Any]:
    (found,) = sql.named(
        "SELECT updated_at, ended, ended_at, tier, memory_type, valid_until, project FROM memory"
        " WHERE id = ?",
        (memory_id,),
    )
    return found


@writes
def undo(sql: Sql, order: PlanUndone) -> int:
    """Take back a plan's changes, as far as nobody changed them since; returns the number of steps."""
    found = plan(sql, order.plan_id)
    if found is None or found.state != "applied":
        return 0
    why = {
        step.memory_id: _restored(sql, found.id, step.memory_id, order.at)
        for step in found.steps
        if step.done
    }
    restored = sum(not reason for reason in why.values())
    if not restored:
        note = f"it cannot be taken back any more: {CHANGED}"
        sql.rows("UPDATE plan SET note = ? WHERE id = ?", (note, found.id))
        return 0
    for memory_id, reason in why.items():
        _note(sql, found.id, memory_id, reason or "restored")
    note = f"{len(why) - restored} of its memories changed since" if restored < len(why) else ""
    sql.rows(
        "UPDATE plan SET state = 'undone', undone_at = ?, note = ? WHERE id = ?",
        (order.at, note, found.id),
    )
    return restored


def _restored(sql: Sql, plan_id: int, memory_id: int, at: float) -> str:
    """Bring one memory back to its former state; else the reason against it, in words."""
    ((noted,),) = sql.rows(
        "SELECT before FROM plan_step WHERE plan_id = ? AND memory_id = ?", (plan_id, memory_id)
    )
    kept: dict[str, dict[str, Any]] = json.loads(str(noted))
    before, after, now = kept["before"], kept["after"], _standing(sql, memory_id)
    columns = now.keys() & before.keys() - {"updated_at"}
    changed = {name for name in columns if before[name] != after[name]}
    if any(now[name] != after[name] for name in changed):
        return CHANGED
    if "ended" in changed:
        lifecycle.revive(sql, Revived(memory_id, at))
    for name in changed & OTHERS:
        sql.rows(f"UPDATE memory SET {name} = ? WHERE id = ?", (before[name], memory_id))
    if "project" in changed:
        memories.leave_indexes(sql, memory_id)
        memories.index_anew(sql, memory_id)  # the daemon makes its vectors
    since = before["updated_at"] if now["updated_at"] == after["updated_at"] else now["updated_at"]
    sql.rows("UPDATE memory SET updated_at = ? WHERE id = ?", (since, memory_id))
    return ""


@writes
def dismiss(sql: Sql, order: PlanDismissed) -> int:
    """Dismiss a waiting plan, or one waiting for too long."""
    return sql.change(
        # The ninety days count from now, also for what was taken back before.
        "UPDATE plan SET state = 'dismissed', decided_at = ?, undone_at = NULL WHERE id = ?"
        " AND state IN ('open', 'stale')",
        (order.at, order.plan_id),
    )


@writes
def mark_told(sql: Sql, heard: PlansTold) -> int:
    """Note that a session was told of these waiting plans."""
    return sql.change(
        "UPDATE plan SET told_at = ? WHERE told_at IS NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        (heard.at, heard.plan_ids),
    )


def _note(sql: Sql, plan_id: int, memory_id: int, outcome: str) -> None:
    sql.rows(
        "UPDATE plan_step SET outcome = ?, done = 0 WHERE plan_id = ? AND memory_id = ?",
        (outcome, plan_id, memory_id),
    )


def drop_traces(sql: Sql, memory_id: int) -> list[int]:
    """Take a memory about to be erased out of plans.

    A summary of it by an earlier version has its words: its other originals come back, and it is to
    be erased as well; returns these summaries.
    """
    rows = sql.rows(
        "SELECT p.id, p.made_id, p.state, p.decided_at FROM plan p"
        " JOIN plan_step s ON s.plan_id = p.id WHERE s.memory_id = ? AND p.act = 'summarise'",
        (memory_id,),
    )
    for plan_id, _, state, decided_at in rows:
        if state == "applied":
            undo(sql, PlanUndone(int(plan_id), float(decided_at)))
        sql.rows("DELETE FROM plan WHERE id = ?", (plan_id,))
    sql.rows("UPDATE plan SET summary = '' WHERE made_id = ?", (memory_id,))
    sql.rows(
        "DELETE FROM plan WHERE id IN (SELECT plan_id FROM plan_step WHERE memory_id = ?1)"
        " AND NOT EXISTS (SELECT 1 FROM plan_step o"
        " WHERE o.plan_id = plan.id AND o.memory_id <> ?1)",
        (memory_id,),
    )
    return [int(made) for _, made, _, _ in rows if made is not None]


# ---- on either connection


def subjects(sql: Sql, ids: Collection[int]) -> dict[int, Subject]:
    """Select the existing ones of these memories, in the form of the rules, in the same order."""
    found = sql.records(
        Subject,
        "SELECT m.id, m.content_hash, m.tier, m.ended, m.pinned, m.uses, m.confidence,"
        " coalesce(o.validations, 0)"
        " FROM json_each(?) e JOIN memory m ON m.id = e.value"
        " LEFT JOIN opinion o ON o.memory_id = m.id ORDER BY e.key",
        (ids,),
    )
    return {one.memory_id: one for one in found}


def plan(sql: Sql, plan_id: int) -> PlanRow | None:
    """One plan with its steps."""
    return next(iter(_plans(sql, "id = ?", (plan_id,))), None)


def _plans(sql: Sql, rest: str, values: Sequence[Value]) -> list[PlanRow]:
    steps = "SELECT memory_id, content_hash, evidence, uses, outcome, done FROM plan_step WHERE plan_id = ? ORDER BY ordinal"
    return [
        replace(PlanRow(*row), steps=tuple(sql.records(Step, steps, row[:1])))
        for row in sql.rows(f"{_PLAN} WHERE {rest}", values)
    ]


# ---- on a reading connection


def listed(sql: Sql, state: PlanState | None, limit: int) -> list[PlanRow]:
    """Plans of one state or of all, newest first."""
    return _plans(sql, "?1 IS NULL OR state = ?1 ORDER BY id DESC LIMIT ?2", (state, limit))


def waiting(sql: Sql) -> int:
    """Count the plans waiting for a person."""
    return sql.number("SELECT count(*) FROM plan WHERE state = 'open'")


def untold(sql: Sql) -> list[int]:
    """Waiting plans no session was told of."""
    return sql.column("SELECT id FROM plan WHERE state = 'open' AND told_at IS NULL ORDER BY id")
