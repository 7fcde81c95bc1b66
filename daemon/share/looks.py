"""Looks at the notes of repositories: due ones, asked for with a call returning at once."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

import trio

from actors.core.latest import Latest

EVERY: Final = 2.0  # seconds between two looks at a repository, but at a session's start
PROJECTS: Final = 64  # whose folder is remembered


@dataclass(slots=True)
class Looks:
    """Repositories to be looked at, in the order in which they were heard of."""

    stamps: Latest[str, bytes] = field(default_factory=lambda: Latest(PROJECTS))
    one_at_a_time: trio.Lock = field(default_factory=trio.Lock)
    is_followed: bool = False  # somebody takes them up
    _waiting: OrderedDict[str, trio.Event] = field(default_factory=OrderedDict[str, trio.Event])
    _looked: Latest[str, float] = field(default_factory=lambda: Latest(PROJECTS))
    _came: trio.Event = field(default_factory=trio.Event)

    def heard(self, project: str, *, now: bool = False) -> trio.Event | None:
        """Note that somebody works in a project; returns the event set once it was looked at, unless no
        look is due.

        With ``now`` it is due however short ago the last look was.
        """
        if not self.is_followed:
            return None
        late = trio.current_time() - self._looked.get(project, -EVERY) >= EVERY
        if not (now or late or project in self._waiting):
            return None
        if project not in self._waiting and len(self._waiting) < PROJECTS:
            self._waiting[project] = trio.Event()
            self._came.set()
        return self._waiting.get(project)

    async def look(self, project: str, within: float) -> None:
        """Have a project looked at now, and wait for it so many seconds at most."""
        if (done := self.heard(project, now=True)) is not None:
            with trio.move_on_after(max(0.0, within)):
                await done.wait()

    async def next(self) -> tuple[str, trio.Event]:
        """Wait for the next due one."""
        while not self._waiting:
            self._came = trio.Event()
            await self._came.wait()
        project, done = self._waiting.popitem(last=False)
        self._looked[project] = trio.current_time()
        return project, done
