"""Witness: the store before and after, compared.

Nobody tells the witness anything. It reads what is durable, so that what it says is what
a person would find in the store.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from actors.memory.rows import Memory
from actors.policy.decay import forecast
from daemon.answers.memories import view_of
from daemon.settings import Settings
from daemon.states import fading_of, state_of
from daemon.storage.database.sql import Sql
from daemon.views import short_id
from lab.simulation.world import World

Happening = dict[str, Any]

# What is said of a memory when it changes, beside its states. Strength has its reviews.
WATCHED = ("importance", "confidence", "pinned", "tier", "kind", "title", "text", "status")
LATEST = {
    "decision": "SELECT max(id) FROM decision",
    "review": "SELECT max(id) FROM review",
    "exposure": "SELECT max(id) FROM exposure",
    "dream": "SELECT max(id) FROM dream WHERE ended_at IS NOT NULL",
    "plan": "SELECT max(id) FROM plan",
}
# What came to a table since the last look.
NEWS = {
    "decision": "SELECT action, memory_id, existing_id, similarity, reason FROM decision"
    " WHERE id > ? ORDER BY id",
    "review": "SELECT memory_id, cause, stability FROM review WHERE id > ? ORDER BY id",
    "exposure": "SELECT memory_id, place, session FROM exposure WHERE id > ? ORDER BY id",
    "dream": "SELECT id, why, outcome, began_at, json_array_length(members), figures FROM dream"
    " WHERE ended_at IS NOT NULL AND id > ? ORDER BY id",
    "plan": "SELECT id, act, source, reason, (SELECT count(*) FROM plan_step"
    " WHERE plan_id = plan.id) FROM plan WHERE id > ? ORDER BY id",
}
# What there is of what was found out while nobody was looking, as `expect` compares it.
COUNTS = {
    "dreams": "SELECT count(*) FROM dream WHERE outcome = 'finished'",
    "insights": "SELECT count(*) FROM insight JOIN memory ON id = memory_id WHERE ended IS NULL",
    "connections": "SELECT count(*) FROM connection",
    "plans": "SELECT count(*) FROM plan WHERE state = 'open'",
}
# Tables whose rows have no number that grows: what they are known by, and what is said of them.
KEYED = {
    "importance_event": ("id", "kind, strength, reason, at"),
    "capture": ("memory_id, event_id", "score, hours, importance, before, at"),
    "importance_change": ("memory_id, cause, occasion", "before, after, at"),
    "intention_event": ("intention_id, what, at", "session"),
}
# What is said of the rows of each kind, column by column; nothing of a column without a name.
SAID = {
    "decided": ("action", "memory", "existing", "similarity", "reason"),
    "moment": ("id", "kind", "strength", "reason"),
    "captured": ("memory", "by", "score", "hours", "importance", "before"),
    "weighed": ("memory", "cause", "", "before", "after"),
    "shown": ("memory", "place", "session"),
    "proposed": ("plan", "act", "source", "reason", "memories"),
}


@dataclass(frozen=True, slots=True)
class Seen:
    """The store as it was found."""

    memories: Mapping[int, Memory] = field(default_factory=dict[int, Memory])
    states: Mapping[int, str] = field(default_factory=dict[int, str])
    latest: Mapping[str, int] = field(default_factory=dict[str, int])
    sizes: Mapping[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    keys: Mapping[str, frozenset[tuple[Any, ...]]] = field(
        default_factory=dict[str, frozenset[tuple[Any, ...]]]
    )
    ran: Mapping[str, float | None] = field(default_factory=dict[str, "float | None"])
    crashes: Mapping[str, int] = field(default_factory=dict[str, int])
    at: float = 0.0


@dataclass(slots=True)
class Witness:
    """Compares the store with what it was at the last look."""

    settings: Settings  # of this life: its states have the borders that are set
    seen: Seen = field(default_factory=Seen)
    jobs: dict[str, int] = field(default_factory=dict[str, int])  # runs since they were told

    async def look(self, world: World) -> list[Happening]:
        """Happenings since the last look, in the order of a cause and its effects."""
        now, before = world.clock.now(), self.seen
        ids = [int(n) for (n,) in await world.store.reading.read(_ids)]
        memories = await world.store.reading.memories(ids)
        found = await world.store.reading.read(_news, before)
        ran = {job: at for job, (_due, at) in (await world.store.reading.due()).items()}
        crashes = {
            name: child.crashes for name, child in world.running.parts.supervisor.children.items()
        }
        fading = self.settings.fading
        standing = {n: state_of(memory, now, fading) for n, memory in memories.items()}
        self.seen = Seen(
            memories, standing, found["latest"], found["sizes"], found["keys"], ran, crashes, now
        )
        for job, at in ran.items():
            if at is not None and at != before.ran.get(job):
                self.jobs[job] = self.jobs.get(job, 0) + 1
        happenings = [
            *_said("decided", found["decision"], memories),
            *_said("moment", found["importance_event"], memories),
            *_said("captured", found["capture"], memories),
            *_said("weighed", found["importance_change"], memories),
            *_intended(found["intention_event"]),
            *_strengthened(found["review"], before, memories),
            *_said("shown", found["exposure"], memories),
            *_dreamt(found["dream"]),
            *_said("proposed", found["plan"], memories),
            *_changed(before, memories, found["capture"] + found["importance_change"]),
            *_moved(before, self.seen, fading),
            *_gone(before, memories),
            *_crashed(before, crashes),
        ]
        return [{"at": now, **happening} for happening in happenings]

    async def counts(self, world: World) -> dict[str, int]:
        """Counts of dreams, insights, connections and open plans."""
        return await world.store.reading.read(
            lambda sql: {name: sql.number(query) for name, query in COUNTS.items()}
        )

    def worked(self) -> dict[str, int]:
        """Number of runs of each job since this was asked last."""
        ran, self.jobs = dict(sorted(self.jobs.items())), {}
        return ran

    def forget_crashes(self) -> None:
        """A new start counts crashes anew."""
        self.seen = replace(self.seen, crashes={})

    def table(self, now: float) -> list[dict[str, Any]]:
        """Every memory there is, ended or not, in the order of ids."""
        known = sorted(self.seen.memories.items())
        return [described(memory, now, self.settings) for _, memory in known]


def described(memory: Memory, now: float, settings: Settings) -> dict[str, Any]:
    """A memory as the table shows it, and as ``expect`` compares it."""
    view = view_of(memory, now, settings.fading)
    return {
        **{name: getattr(view, name) for name in view.__struct_fields__},
        "importance": round(memory.importance, 6),
        "confidence": round(memory.confidence, 6),
        "difficulty": round(memory.difficulty, 6),
        "reviews": memory.reviews,
        "lapses": memory.lapses,
        "memory_type": memory.memory_type,
    }


def _ids(sql: Sql) -> list[tuple[Any, ...]]:
    return sql.rows("SELECT id FROM memory ORDER BY id")


def _news(sql: Sql, before: Seen) -> dict[str, Any]:
    sizes: dict[str, tuple[Any, ...]] = {}
    keys: dict[str, frozenset[tuple[Any, ...]]] = {}
    fresh: dict[str, list[tuple[Any, ...]]] = {}
    for table, (known_by, said) in KEYED.items():
        sizes[table] = sql.rows(f"SELECT count(*), max(at) FROM {table}")[0]
        known, fresh[table] = before.keys.get(table, frozenset()), []
        if sizes[table] != before.sizes.get(table):
            width = known_by.count(",") + 1
            rows = sql.rows(f"SELECT {known_by}, {said} FROM {table} ORDER BY at, {known_by}")
            fresh[table] = [row for row in rows if row[:width] not in known]
            known = frozenset(row[:width] for row in rows)
        keys[table] = known
    return {
        **fresh,
        "sizes": sizes,
        "keys": keys,
        "latest": {name: sql.number(query) for name, query in LATEST.items()},
        **{name: sql.rows(query, (before.latest.get(name, 0),)) for name, query in NEWS.items()},
    }


def _about(number: int | None, memories: Mapping[int, Memory]) -> dict[str, Any]:
    if number is None:
        return {"memory": None, "title": ""}
    memory = memories.get(number)
    return {"memory": short_id(number), "title": memory.title if memory is not None else ""}


def _said(what: str, rows: list[Any], memories: Mapping[int, Memory]) -> Iterator[Happening]:
    """Rows of this kind in words of ``SAID``; a memory has its title as well."""
    for row in rows:
        happening: Happening = {"what": what}
        for name, value in zip(SAID[what], row, strict=False):
            if name == "memory":
                happening |= _about(value, memories)
            elif name:
                happening[name] = _plain(value)
        if happening.get("existing") is not None:
            happening["existing"] = short_id(happening["existing"])
        yield happening


def _intended(rows: list[Any]) -> Iterator[Happening]:
    for intention, what, at, session in rows:
        yield {"what": "intention", "id": f"i{intention}", "is": what, "session": session, "at": at}


def _strengthened(
    rows: list[Any], before: Seen, memories: Mapping[int, Memory]
) -> Iterator[Happening]:
    last: dict[int, float] = {n: memory.stability for n, memory in before.memories.items()}
    for memory_id, cause, stability in rows:
        yield {
            "what": "reviewed",
            **_about(memory_id, memories),
            "cause": cause,
            "before": round(last.get(int(memory_id), float(stability)), 6),
            "stability": round(stability, 6),
        }
        last[memory_id] = stability


def _dreamt(rows: list[Any]) -> Iterator[Happening]:
    for number, why, outcome, began, members, figures in rows:
        done: dict[str, dict[str, Any]] = json.loads(figures)
        drawn, last = done.get("cross_reference", {}), done.get("transfer", {})
        yield {
            "what": "dreamt",
            "dream": number,
            "why": why,
            "outcome": outcome,
            "began": began,
            "memories": members,
            "connections": drawn.get("connections", 0),
            "insights": last.get("insights", 0),
            "proposed": last.get("proposed", 0),
        }


def _changed(
    before: Seen, memories: Mapping[int, Memory], explained: list[Any]
) -> Iterator[Happening]:
    captured = {row[0] for row in explained}
    for number, memory in sorted(memories.items()):
        was = before.memories.get(number)
        if was is None:
            continue
        for name in WATCHED:
            if name == "importance" and number in captured:
                continue  # said already, with the reason
            old, new = getattr(was, name, None), getattr(memory, name, None)
            if old != new:
                yield {
                    "what": "changed",
                    **_about(number, memories),
                    "field": name,
                    "before": _plain(old),
                    "after": _plain(new),
                }


def _plain(value: object) -> object:
    return round(value, 6) if isinstance(value, float) else value


def _moved(before: Seen, after: Seen, rules: forecast.Rules) -> Iterator[Happening]:
    """Memories in another state than before: when they fell, to the second, if it was by time."""
    moved: list[tuple[float, int, str, str]] = []
    for number, state in after.states.items():
        was = before.states.get(number)
        if was is None or was == state:
            continue
        old = before.memories[number]
        at = after.at
        if old == after.memories[number] and old.ended is None:
            fell = forecast.falls_at(fading_of(old, rules.decay), before.at, rules)
            at = fell if before.at <= fell <= after.at else after.at
        moved.append((at, number, was, state))
    for at, number, was, state in sorted(moved):
        yield {
            "what": "state",
            **_about(number, after.memories),
            "before": was,
            "after": state,
            "at": at,
        }


def _gone(before: Seen, memories: Mapping[int, Memory]) -> Iterator[Happening]:
    for number in sorted(before.memories.keys() - memories.keys()):
        yield {"what": "erased", "memory": short_id(number), "title": ""}


def _crashed(before: Seen, crashes: Mapping[str, int]) -> Iterator[Happening]:
    for name, count in crashes.items():
        if count > before.crashes.get(name, 0):
            yield {"what": "crashed", "actor": name}
