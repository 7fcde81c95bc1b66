"""Tasks written down by an agent for itself and not finished, from its own calls.

Claude Code has two forms: ``TodoWrite`` gives the whole list anew; ``TaskCreate`` adds one and
``TaskUpdate`` changes it. Other agents' tools are brought into these names.
"""

from collections.abc import Iterable
from typing import Final

from actors.policy.events.events import Tool, listing, mapping
from actors.policy.text.wording import one_line

TOOLS: Final = ("TodoWrite", "TaskCreate", "TaskUpdate")
NAMED: Final = 3  # of them, the others are counted
TITLE: Final = 80  # characters of one
_OVER: Final = frozenset({"completed", "cancelled", "deleted"})


def unfinished(calls: Iterable[Tool]) -> tuple[str, ...]:
    """Titles of the tasks left open after these calls, oldest first."""
    titles: dict[str, str] = {}
    states: dict[str, str] = {}
    for call in calls:
        if call.name == "TodoWrite" and "todos" in call.input:  # one without it only looks
            todos = [mapping(one) for one in listing(call.input.get("todos"))]
            titles = {str(place): _title(one.get("content")) for place, one in enumerate(todos)}
            states = {str(place): str(one.get("status")) for place, one in enumerate(todos)}
        elif call.name == "TaskCreate":
            made = mapping(mapping(call.response).get("task"))
            titles[str(made.get("id"))] = _title(call.input.get("subject"))
        elif call.name == "TaskUpdate":
            task = str(call.input.get("taskId"))
            titles[task] = _title(call.input.get("subject")) or titles.get(task, "")
            states[task] = str(call.input.get("status") or states.get(task))
    return tuple(title for task, title in titles.items() if title and states.get(task) not in _OVER)


def named(titles: tuple[str, ...]) -> str:
    """Say in one sentence which tasks stand open; "" for none."""
    if not titles:
        return ""
    first = ", ".join(f"“{one}”" for one in titles[:NAMED])
    more = len(titles) - NAMED
    return f"Open in its task list: {first}" + (f" and {more} more." if more > 0 else ".")


def _title(given: object) -> str:
    return one_line(given, TITLE) if isinstance(given, str) else ""
