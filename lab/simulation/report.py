"""A life as people read it: one line a happening, and a table of what is left."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from daemon.commands.terminal.output import counted, duration, one_line, shortened, table
from daemon.spans import FOR_EVER
from lab.simulation.player import Life, clock_face
from lab.simulation.witness import Happening

WIDTH: Final = 10  # columns of what happened
QUIET: Final = frozenset({"expect", "repeat"})  # said when it fails, or by its steps
TITLE: Final = 30  # columns of a memory's title in a line
MOMENT: Final = len("2026-01-05 09:00:00")


def document(life: Life) -> dict[str, Any]:
    """The whole life as one JSON document."""
    return {
        "begins": life.begins,
        "ends": life.ends,
        "vectors": life.vectors,
        "timeline": [{**one, "time": clock_face(one["at"])} for one in life.timeline],
        "memories": life.memories,
        "failed": life.failed,
    }


def lines(life: Life, width: int) -> Iterator[str]:
    """The timeline and the table, in the order of virtual time."""
    yield f"begins {clock_face(life.begins)} UTC, vectors: {life.vectors}"
    moment = ""
    for happening in life.timeline:
        if happening["what"] in QUIET:
            continue
        now = clock_face(happening["at"])
        yield from _told(happening, now if now != moment else " " * MOMENT, width)
        moment = now
    days = (life.ends - life.begins) / 86_400.0
    yield f"ends   {clock_face(life.ends)} UTC, after {days:.1f} days"
    yield ""
    yield from _table(life.memories, width)


def _told(happening: Happening, moment: str, width: int) -> Iterator[str]:
    what = str(happening["what"])
    say = SENTENCES.get(what)
    text = say(happening) if say is not None else _asked(happening)
    if what == "say":
        yield ""
        yield shortened(f"{moment}  — {text} —", width)
        return
    first, *rest = text.splitlines() or [""]
    yield shortened(f"{moment}  {what:{WIDTH}}{one_line(first)}".rstrip(), width)
    for line in rest:
        if line.strip():
            yield shortened(f"{'':{MOMENT}}  {'':{WIDTH}}  {one_line(line)}", width)


def _memory(one: Mapping[str, Any]) -> str:
    title = one_line(str(one.get("title") or ""))
    return f'{one["memory"]} "{shortened(title, TITLE)}"' if title else str(one["memory"])


def _session(one: Mapping[str, Any]) -> str:
    return f"[{one['session']}] {one_line(str(one['value']))}"


def _tool(one: Mapping[str, Any]) -> str:
    given = one.get("input") or one.get("command") or ""
    told = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    outcome = "failed" if one.get("failed") is True else "done"
    return f"[{one['session']}] {one['value']} {one_line(told)}: {outcome}"


def _decided(one: Mapping[str, Any]) -> str:
    near = f", near {one['existing']}" if one["existing"] else ""
    cosine = f" ({one['similarity']:.2f})" if one["similarity"] is not None else ""
    reason = f": {one['reason']}" if one["reason"] else ""
    return f"{one['action']} {_memory(one)}{near}{cosine}{reason}"


def _moment(one: Mapping[str, Any]) -> str:
    reason = f": {one['reason']}" if one["reason"] else ""
    return f"{str(one['kind']).replace('_', ' ')}, strength {one['strength']:.2f}{reason}"


def _captured(one: Mapping[str, Any]) -> str:
    side = "before" if one["hours"] >= 0 else "after"
    return (
        f"{_memory(one)} by {one['by']}, {abs(one['hours']):.2f} h {side} it, score"
        f" {one['score']:.2f}, importance {one['before']:.2f} → {one['importance']:.2f}"
    )


def _weighed(one: Mapping[str, Any]) -> str:
    cause = str(one["cause"]).replace("_", " ")
    return f"{_memory(one)} {cause}, importance {one['before']:.2f} → {one['after']:.2f}"


def _reviewed(one: Mapping[str, Any]) -> str:
    return (
        f"{_memory(one)} {one['cause']}, stability {one['before']:.2f} → {one['stability']:.2f} d"
    )


def _shown(one: Mapping[str, Any]) -> str:
    return f"{_memory(one)} in {one['place']}"


def _changed(one: Mapping[str, Any]) -> str:
    before, after = (_value(one[side]) for side in ("before", "after"))
    return f"{_memory(one)} {one['field']} {before} → {after}"


def _value(value: object) -> str:
    return f"{value:.3f}" if isinstance(value, float) else shortened(one_line(str(value)), 40)


def _jobs(one: Mapping[str, Any]) -> str:
    return ", ".join(f"{job} ×{count}" for job, count in one["ran"].items())


def _dreamt(one: Mapping[str, Any]) -> str:
    what = (
        f"{one['connections']} connected, {one['insights']} noticed, {one['proposed']} proposed"
        if one["outcome"] == "finished"
        else str(one["outcome"])
    )
    return f"of {counted(one['memories'], 'memory', 'memories')}, for {one['why']}: {what}"


def _proposed(one: Mapping[str, Any]) -> str:
    of = counted(one["memories"], "memory", "memories")
    return f"plan {one['plan']} of {one['source']}, {one['act']} {of}: {one['reason']}"


def _answered(one: Mapping[str, Any]) -> str:
    reply: Mapping[str, Any] = one["reply"]
    match one["request"]:
        case "remember":
            return f"{reply['id']} {reply['action']}"
        case "recall":
            found = [
                f"{note['id']} {note['score']:.2f} {note['text']}" for note in reply["results"]
            ]
            return "\n".join([counted(len(found), "memory", "memories"), *found])
        case "show":
            memory: Mapping[str, Any] = reply["memory"]
            return f"{memory['id']} {memory['state']}: {memory['text']}"
        case _:
            return json.dumps(reply, ensure_ascii=False)


def _event(one: Mapping[str, Any]) -> str:
    return f"[{one['session']}] {one['value'].get('hook_event_name', 'without a name')}"


def _asked(one: Mapping[str, Any]) -> str:
    value = one.get("value")
    return "" if value is None or value is True else str(value)


SENTENCES: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "prompt": _session,
    "answer": _session,
    "edit": _session,
    "compact": _session,
    "start": lambda one: f"[{one['session']}] in {one['project']}",
    "end": lambda one: f"[{one['session']}]",
    "event": _event,
    "tool": _tool,
    "use": lambda one: f"{one['value']} {one.get('by', 'cited')}",
    "sleep": lambda one: duration(one["value"]),
    "away": lambda one: f"{duration(one['value'])}, the machine sleeps",
    "until": lambda _: "",
    "injected": lambda one: str(one["text"]),
    "decided": _decided,
    "moment": _moment,
    "captured": _captured,
    "weighed": _weighed,
    "intention": lambda one: f"{one['id']} {one['is']}",
    "reviewed": _reviewed,
    "shown": _shown,
    "changed": _changed,
    "dimmed": lambda one: _changed({**one, "field": "importance"}),
    "state": lambda one: f"{_memory(one)} {one['before']} → {one['after']}",
    "erased": lambda one: str(one["memory"]),
    "crashed": lambda one: str(one["actor"]),
    "jobs": _jobs,
    "dreamt": _dreamt,
    "proposed": _proposed,
    "answered": _answered,
    "refused": lambda one: str(one["reason"]),
    "failed": lambda one: f"line {one['line']}: {one['reason']}",
    "unmoved": lambda one: f"{one['memory']}: {one['by']} does not count again so soon",
    "restart": lambda _: "the daemon drained, ended and starts again",
    "kill": lambda _: "the daemon died and starts again",
}


def _has(memories: list[dict[str, Any]], axis: str) -> bool:
    return any(memory.get(axis) is not None for memory in memories)


def _days(stability: float) -> str:
    return "for ever" if stability > FOR_EVER else f"{stability:.2f} d"


def _table(memories: list[dict[str, Any]], width: int) -> Iterator[str]:
    if not memories:
        yield "no memories"
        return
    axes = [axis for axis in ("state", "accessibility") if _has(memories, axis)]
    heads = ["id", *axes, "stability", "R", "importance", "uses", "shown", "title"]
    rows = [
        [
            str(memory["id"]),
            *(str(memory[axis]) for axis in axes),
            _days(memory["stability"]),
            f"{memory['retrievability']:.3f}",
            f"{memory['importance']:.3f}",
            str(memory["uses"]),
            str(memory["exposures"]),
            str(memory["title"]),
        ]
        for memory in memories
    ]
    yield from table([heads, *rows], width)
