"""Tasks of a session about to be given to subagents: the task of a starting subagent.

An agent's client reports the call with the task's text, and a moment later the start of a subagent
by its type alone. Of several tasks for one type the first given is the first started: so it was in
each of four runs of Claude Code 2.1.330 with three subagents started at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

USUAL: Final = frozenset({"", "general-purpose", "default"})  # types of one for which none is named
WAITS: Final = 60.0  # seconds from the call to the start; a call that was refused starts none
MOST: Final = 16  # tasks that wait in one session


@dataclass(frozen=True, slots=True)
class Task:
    """A subagent's task, its type, and the time of its call (seconds)."""

    text: str
    agent_type: str
    at: float


def given(waiting: Sequence[Task], task: Task) -> tuple[Task, ...]:
    """Return the waiting tasks once this one is given: the latest ``MOST``."""
    return (*waiting, task)[-MOST:]


def started(
    waiting: Sequence[Task], agent_type: str, now: float
) -> tuple[Task | None, tuple[Task, ...]]:
    """Return the task of a starting subagent, if it is known, and the tasks still waiting."""
    current = [task for task in waiting if now - task.at <= WAITS]
    first = next((task for task in current if _is_same(task.agent_type, agent_type)), None)
    return first, tuple(task for task in current if task is not first)


def _is_same(one: str, other: str) -> bool:
    """Return whether two names are of one type; a call without a name starts the usual one."""
    return one == other or (one in USUAL and other in USUAL)
