"""Plans in the store: proposed, carried out as one, taken back exactly.

Each function here is called within one transaction. What a step changes is noted beside it before
it is changed, and only then changed; so whoever is killed in the midst finds nothing begun. The
rules are in ``actors.policy.dreams.plans``.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from actors.gate.drafts import UNREVIEWED_DIFFICULTY
from actors.links.writes import Connected, Disconnected
from actors.memory.writes import Created, Ended, Ending, Origin, Revived
from actors.plans.rows import PlanRow, StepRow
from actors.plans.writes import (
    PlanApplied,
    PlanDismissed,
    PlanProposed,
    PlanState,
    PlansTold,
    PlanUndone,
    Summary,
)
from actors.policy.dreams import plans
from actors.policy.dreams.plans import Act, Proposed, Subject
from actors.strength.writes import Retiered
from daemon.storage import forget, link, memories, remember, strength, traces
from daemon.storage.database.sql import Row, Sql

SOURCE: Final = "plan"  # where a summary comes from
LINK: Final = "derived_from"
_SUMMARY: Final = 9  # column of _PLAN
LINE: Final = 300  # characters of a reason
_PLAN: Final = (
    "SELECT id, act, source, reason, state, proposed_at, decided_at, undone_at, note, summary,"
    " made_id FROM plan"
)


# ---- on the writing connection


def propose(sql: Sql, proposal: PlanProposed) -> int:
    """Store a plan of what may still be proposed; its number, or 0 when that is nothing."""
    asked = {
        step.memory_id: Proposed(step.memory_id, Act(step.act), step.content_hash, step.argument)
        for step in proposal.steps
    }
    _retire(sql, list(asked), proposal.at)
    there = {subject.memory_id: subject for subject in subjects(sql, list(asked))}
    kept = [step for step in asked.values() if _is_new(sql, step, there, proposal)]
    if proposal.summary is not None:
        kept = kept if _may_merge(sql, kept, asked, proposal) else []
    kept = _within_cap(sql, kept, proposal)
    if not kept:
        return 0
    sql.rows(
        "INSERT INTO plan (act, source, reason, state, identity, proposed_at, summary)"
        " VALUES (?, ?, ?, 'open', ?, ?, ?)",
        (
            proposal.act, proposal.source, proposal.reason[:LINE], plans.identity(kept),
            proposal.at, _packed(proposal.summary),
        ),
    )  # fmt: skip
    number = sql.last_id()
    evidence = {step.memory_id: step.evidence[:LINE] for step in proposal.steps}
    sql.many(
        "INSERT INTO plan_step (plan_id, memory_id, ordinal, act, argument, evidence,"
        " content_hash, uses) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (number, step.memory_id, place, step.act.value, step.argument,
             evidence[step.memory_id], step.content_hash, there[step.memory_id].uses)
            for place, step in enumerate(kept)
        ],
    )  # fmt: skip
    return number


def _retire(sql: Sql, ids: Sequence[int], at: float) -> None:
    """Plans that wait and are about an older text of these memories are out of date."""
    sql.rows(
        "UPDATE plan SET state = 'stale', decided_at = ?, note = ? WHERE state = 'open' AND id IN"
        " (SELECT s.plan_id FROM plan_step s JOIN memory m ON m.id = s.memory_id"
        "  WHERE s.memory_id IN (SELECT value FROM json_each(?))"
        "  AND s.content_hash <> m.content_hash)",
        (at, "a memory says something else than when this was proposed", json.dumps(ids)),
    )


def _is_new(sql: Sql, step: Proposed, there: dict[int, Subject], proposal: PlanProposed) -> bool:
    """Return whether this may be done to the memory, and was not proposed or left before."""
    subject = there.get(step.memory_id)
    if subject is None or subject.content_hash != step.content_hash:
        return False
    seen = replace(step, uses=subject.uses)
    if plans.fault(step.act, step.argument) or plans.objection(seen, subject):
        return False
    merging = int(step.act is Act.SUMMARISE)  # left once, originals may be proposed with others
    return not sql.rows(
        "SELECT 1 FROM plan_step s JOIN plan p ON p.id = s.plan_id WHERE s.memory_id = ?1"
        " AND s.act = ?2 AND s.argument = ?3 AND (p.state = 'open' OR (NOT ?5"
        " AND p.state IN ('dismissed', 'undone') AND coalesce(p.undone_at, p.decided_at) > ?4))"
        " LIMIT 1",
        (step.memory_id, step.act.value, step.argument, proposal.at - plans.QUIET, merging),
    )


def _may_merge(
    sql: Sql, kept: Sequence[Proposed], asked: dict[int, Proposed], proposal: PlanProposed
) -> bool:
    """A summary is of all its originals, two at least, and not one that a person left."""
    if len(kept) < len(asked) or len(kept) < 2:
        return False
    return not sql.rows(
        "SELECT 1 FROM plan WHERE identity = ? AND state IN ('dismissed', 'undone')"
        " AND coalesce(undone_at, decided_at) > ?",
        (plans.identity(kept), proposal.at - plans.QUIET),
    )


def _within_cap(sql: Sql, kept: Sequence[Proposed], proposal: PlanProposed) -> list[Proposed]:
    """As much of it as the run may take of the store; a summary whole or not at all."""
    living = sql.number("SELECT count(*) FROM memory WHERE ended IS NULL")
    room = plans.most(living) - _taken(sql, proposal.source, proposal.at)
    if proposal.summary is not None:
        return list(kept) if plans.taken([step.act for step in kept]) <= room else []
    within: list[Proposed] = []
    for step in kept:
        takes = step.act in plans.TAKING_AWAY
        if takes and room <= 0:
            continue
        room -= takes
        within.append(step)
    return within


def _taken(sql: Sql, source: str, at: float) -> int:
    """How many memories the other plans of this run would take away."""
    acts: dict[int, list[Act]] = {}
    for number, act in sql.rows(
        "SELECT p.id, s.act FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        " WHERE p.source = ? AND p.proposed_at = ?",
        (source, at),
    ):
        acts.setdefault(number, []).append(Act(act))
    return sum(plans.taken(found) for found in acts.values())


def apply(sql: Sql, order: PlanApplied) -> int:
    """Carry a plan out; how many of its steps. What it says when it is 0 is in its row."""
    found = plan(sql, order.plan_id)
    if found is None or found.state == "applied":
        return 0
    if order.by == "archivist" and found.state != "open":
        return 0  # a person has decided while the archivist looked
    steps = _proposed(sql, found.id)
    decision = plans.decided(steps, subjects(sql, [step.memory_id for step in steps]))
    summary, stale = found.summary, decision.stale
    if not stale and found.act == "summarise" and summary is None:
        stale = "the text that it proposed was erased"
    for memory_id, why in decision.left:
        _note(sql, found.id, memory_id, why, done=False)
    if stale:
        sql.rows(
            "UPDATE plan SET state = 'stale', decided_at = ?, note = ? WHERE id = ?",
            (order.at, stale, found.id),
        )
        return 0
    made = found.made_id
    if summary is not None:
        made = _made(sql, found, summary, decision.doing, order.at)
    for step in decision.doing:
        _carry_out(sql, found.id, step, made, order.at)
    left = len(decision.left)
    note = f"{left} of its memories stayed as they were" if left else ""
    sql.rows(
        "UPDATE plan SET state = 'applied', decided_at = ?, applied_by = ?, undone_at = NULL,"
        " made_id = ?, note = ? WHERE id = ?",
        (order.at, order.by, made, note, found.id),
    )
    return len(decision.doing)


def _carry_out(sql: Sql, plan_id: int, step: Proposed, made: int | None, at: float) -> None:
    """Note what the memory is, then change it."""
    before = _standing(sql, step.memory_id)
    match step.act:
        case Act.ARCHIVE | Act.FORGET | Act.SUMMARISE:
            how: Ending = "forgotten" if step.act is Act.FORGET else "archived"
            heir = made if step.act is Act.SUMMARISE else None
            forget.end(sql, Ended(step.memory_id, how, at, heir))
            if heir is not None:
                why = f"summarised by plan {plan_id}"
                link.connect(sql, Connected(heir, step.memory_id, LINK, 1.0, why, at))
        case Act.RETIER:
            strength.retier(sql, Retiered(step.memory_id, step.argument, at))
        case Act.RETYPE:
            sql.rows(
                "UPDATE memory SET memory_type = ?, updated_at = ? WHERE id = ?",
                (step.argument, at, step.memory_id),
            )
        case Act.RESCOPE:
            memories.rescope(sql, step.memory_id, None, at)
    after = _standing(sql, step.memory_id)
    sql.rows(
        "UPDATE plan_step SET before = ?, outcome = 'done', done = 1"
        " WHERE plan_id = ? AND memory_id = ?",
        (json.dumps({"before": before, "after": after}), plan_id, step.memory_id),
    )


def _standing(sql: Sql, memory_id: int) -> dict[str, Any]:
    """What a step may change of a memory, and the mark of its encoding, which fades with it."""
    (found,) = sql.named(
        "SELECT tier, memory_type, valid_until, updated_at, ended, ended_at, project FROM memory"
        " WHERE id = ?",
        (memory_id,),
    )
    tags = sql.rows(
        "SELECT at, strength, captured_at, captured_by FROM synaptic_tag WHERE memory_id = ?",
        (memory_id,),
    )
    return {**found, "tag": list(tags[0]) if tags else None}


def _made(sql: Sql, found: PlanRow, summary: Summary, steps: Sequence[Proposed], at: float) -> int:
    """The memory that takes the place of the originals; the one from before, if it is there."""
    there = sql.rows(
        "SELECT id FROM memory WHERE id = ? AND content_hash = ?",
        (found.made_id, summary.content_hash),
    )
    if there:
        forget.revive(sql, Revived(int(there[0][0]), at))
        return int(there[0][0])
    ids = json.dumps([step.memory_id for step in steps])
    ((stability, importance),) = sql.rows(
        "SELECT max(stability), max(importance) FROM memory"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (ids,),
    )
    phrases = sql.rows(
        "SELECT DISTINCT phrase FROM trigger_phrase WHERE given"
        " AND memory_id IN (SELECT value FROM json_each(?)) ORDER BY phrase",
        (ids,),
    )
    made = remember.create(
        sql,
        Created(
            text=summary.text, title=summary.title, kind=summary.kind, tier="normal",
            memory_type=summary.memory_type, context_type=summary.context_type,
            project=summary.project, at=at, content_hash=summary.content_hash,
            stability=float(stability), difficulty=UNREVIEWED_DIFFICULTY,
            importance=float(importance), origin=Origin(SOURCE),
            triggers=tuple(str(phrase) for (phrase,) in phrases), derived=summary.derived,
        ),
    )  # fmt: skip
    sql.rows("DELETE FROM synaptic_tag WHERE memory_id = ?", (made,))  # no experience of a day
    return made


def undo(sql: Sql, order: PlanUndone) -> int:
    """Take back what a plan did, as far as nobody changed it since; how many steps."""
    found = plan(sql, order.plan_id)
    if found is None or found.state != "applied":
        return 0
    done = [step for step in found.steps if step.done]
    why = {step.memory_id: _restored(sql, found, step, order.at) for step in done}
    kept = _taken_away(sql, found, order.at) if found.made_id is not None else ""
    restored = sum(not reason for reason in why.values())
    taken = found.made_id is not None and not kept
    if not restored and not taken:
        reasons = [reason for reason in (*why.values(), kept) if reason]
        note = "it cannot be taken back any more" + (f": {reasons[0]}" if reasons else "")
        sql.rows("UPDATE plan SET note = ? WHERE id = ?", (note, found.id))
        return 0
    for memory_id, reason in why.items():
        _note(sql, found.id, memory_id, reason or "restored", done=False)
    changed = len(why) - restored
    notes = [f"{changed} of its memories changed since" if changed else "", kept]
    sql.rows(
        "UPDATE plan SET state = 'undone', undone_at = ?, note = ? WHERE id = ?",
        (order.at, "; ".join(note for note in notes if note), found.id),
    )
    return restored or 1


def _restored(sql: Sql, found: PlanRow, step: StepRow, at: float) -> str:
    """Bring one memory back to what it was; else why that cannot be, in words."""
    ((noted,),) = sql.rows(
        "SELECT before FROM plan_step WHERE plan_id = ? AND memory_id = ?",
        (found.id, step.memory_id),
    )
    kept: dict[str, dict[str, Any]] = json.loads(str(noted))
    before, after, now = kept["before"], kept["after"], _standing(sql, step.memory_id)
    act = Act(step.act)
    if act in plans.TAKING_AWAY:
        return _brought_back(sql, step, before, after, now, at)
    # What somebody changed since stays; what the plan changed is what it was.
    back = {
        column: before[column] if now[column] == after[column] else now[column] for column in before
    }
    if act is Act.RESCOPE:
        if now["project"] != after["project"]:
            return "it was moved since"
        memories.rescope(sql, step.memory_id, back["project"], back["updated_at"])
        return ""
    name = "tier" if act is Act.RETIER else "memory_type"
    if now[name] != after[name]:
        return f"it is {now[name]} now: it was changed since"
    sql.rows(
        f"UPDATE memory SET {name} = ?, valid_until = ?, updated_at = ? WHERE id = ?",
        (back[name], back["valid_until"], back["updated_at"], step.memory_id),
    )
    return ""


def _brought_back(
    sql: Sql,
    step: StepRow,
    before: dict[str, Any],
    after: dict[str, Any],
    now: dict[str, Any],
    at: float,
) -> str:
    if now["ended"] is None:
        return "it was brought back already"
    if (now["ended"], now["ended_at"]) != (after["ended"], after["ended_at"]):
        return f"it was {now['ended']} since"
    forget.revive(sql, Revived(step.memory_id, at))
    if now["updated_at"] == after["updated_at"]:
        sql.rows(
            "UPDATE memory SET updated_at = ? WHERE id = ?", (before["updated_at"], step.memory_id)
        )
    if before["tag"] is not None:
        sql.rows(
            "INSERT INTO synaptic_tag (memory_id, at, strength, captured_at, captured_by)"
            " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (step.memory_id, *before["tag"]),
        )
    return ""


def _taken_away(sql: Sql, found: PlanRow, at: float) -> str:
    """End the summary that a plan made; else why it stays, in words."""
    summary = found.summary
    rows = sql.rows("SELECT content_hash, pinned, ended FROM memory WHERE id = ?", (found.made_id,))
    if not rows or rows[0][2] is not None:
        return "the summary was gone already"
    content_hash, pinned, _ = rows[0]
    if summary is None or content_hash != summary.content_hash:
        return "the summary was edited since and stays"
    if pinned:
        return "the summary was pinned since and stays"
    forget.end(sql, Ended(int(found.made_id or 0), "forgotten", at))
    for step in found.steps:
        link.disconnect(sql, Disconnected(int(found.made_id or 0), step.memory_id, LINK))
    return ""


def dismiss(sql: Sql, order: PlanDismissed) -> int:
    """Leave a plan that waits, or that waited for too long."""
    return sql.change(
        # The ninety days count from now, also for what was taken back before.
        "UPDATE plan SET state = 'dismissed', decided_at = ?, undone_at = NULL WHERE id = ?"
        " AND state IN ('open', 'stale')",
        (order.at, order.plan_id),
    )


def told(sql: Sql, heard: PlansTold) -> int:
    """A session heard that these wait."""
    return sql.change(
        "UPDATE plan SET told_at = ? WHERE told_at IS NULL"
        " AND id IN (SELECT value FROM json_each(?))",
        (heard.at, json.dumps(heard.plan_ids)),
    )


def _note(sql: Sql, plan_id: int, memory_id: int, outcome: str, *, done: bool) -> None:
    sql.rows(
        "UPDATE plan_step SET outcome = ?, done = ? WHERE plan_id = ? AND memory_id = ?",
        (outcome, int(done), plan_id, memory_id),
    )


def empty_reasons(sql: Sql, text: str) -> None:
    """Empty what quotes this text; nobody should, but it is to be erased."""
    for table, column in (("plan", "reason"), ("plan_step", "evidence")):
        condition, value = traces.held(sql, table, text, column)
        sql.rows(f"UPDATE {table} SET {column} = 'erased' WHERE {condition}", (value,))


def drop_traces(sql: Sql, memory_id: int) -> list[int]:
    """Take out what plans keep of a memory that is about to be erased.

    A summary that was made of it says what it said: its other originals come back, and it is
    erased as well; returns these summaries.
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


def _packed(summary: Summary | None) -> str:
    if summary is None:
        return ""
    return json.dumps({**asdict(summary), "content_hash": summary.content_hash.hex()})


def _unpacked(text: str) -> Summary | None:
    if not text:
        return None
    found: dict[str, Any] = json.loads(text)
    found["content_hash"] = bytes.fromhex(found["content_hash"])
    found["derived"] = tuple(found["derived"])
    return Summary(**found)


# ---- on either connection


def subjects(sql: Sql, ids: Iterable[int]) -> list[Subject]:
    """These memories as the rules see them."""
    return sql.records(
        Subject,
        "SELECT m.id, m.content_hash, m.tier, m.memory_type, m.ended, m.pinned, m.uses,"
        " m.confidence, coalesce(o.validations, 0), m.project, m.subject IS NOT NULL FROM memory m"
        " LEFT JOIN opinion o ON o.memory_id = m.id"
        " WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id",
        (json.dumps(list(ids)),),
    )


def _proposed(sql: Sql, plan_id: int) -> list[Proposed]:
    return sql.records(
        Proposed,
        "SELECT memory_id, act, content_hash, argument, uses FROM plan_step WHERE plan_id = ?"
        " ORDER BY ordinal",
        (plan_id,),
    )


def plan(sql: Sql, plan_id: int) -> PlanRow | None:
    """One plan with its steps."""
    rows = sql.rows(f"{_PLAN} WHERE id = ?", (plan_id,))
    return _plan(sql, rows[0]) if rows else None


def _plan(sql: Sql, row: Row) -> PlanRow:
    steps = sql.records(
        StepRow,
        "SELECT memory_id, act, content_hash, argument, evidence, outcome, done FROM plan_step"
        " WHERE plan_id = ? ORDER BY ordinal",
        (row[0],),
    )
    return replace(PlanRow(*row), summary=_unpacked(str(row[_SUMMARY])), steps=tuple(steps))


# ---- on a reading connection


def listed(sql: Sql, state: PlanState | None, limit: int) -> list[PlanRow]:
    """Plans of one state or of all, newest first."""
    rows = sql.rows(
        f"{_PLAN} WHERE ?1 IS NULL OR state = ?1 ORDER BY id DESC LIMIT ?2", (state, limit)
    )
    return [_plan(sql, row) for row in rows]


def waiting(sql: Sql) -> int:
    """Count the plans that wait for a person."""
    return sql.number("SELECT count(*) FROM plan WHERE state = 'open'")


def members(sql: Sql, plan_ids: Sequence[int]) -> list[int]:
    """The memories that these plans are about, and those that they made."""
    return sql.column(
        "SELECT memory_id FROM plan_step WHERE plan_id IN (SELECT value FROM json_each(?1))"
        " UNION SELECT made_id FROM plan WHERE made_id IS NOT NULL"
        " AND id IN (SELECT value FROM json_each(?1))",
        (json.dumps(list(plan_ids)),),
    )


def bound_with(sql: Sql, ids: Sequence[int]) -> list[int]:
    """The summaries that were made of these, and their other originals: they change with them."""
    rows = sql.rows(
        "SELECT DISTINCT p.id FROM plan p JOIN plan_step s ON s.plan_id = p.id"
        " WHERE p.act = 'summarise' AND p.made_id IS NOT NULL"
        " AND s.memory_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return members(sql, [int(plan_id) for (plan_id,) in rows])


def untold(sql: Sql) -> list[int]:
    """Plans that wait and that no session was told of."""
    return sql.column("SELECT id FROM plan WHERE state = 'open' AND told_at IS NULL ORDER BY id")
