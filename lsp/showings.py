"""Showings: hints given to an editor, and the reactions, reported to the daemon.

Each memory counts once for a file and session. An unreported one is not reported later: a showing
more or less changes little.
"""

from collections.abc import Awaitable, Callable, Iterable

import anyio

from daemon.api.about import Hinted

TOLD_AFTER = 2.0  # seconds in which showings are gathered

Place = tuple[str, str]  # the path of a file, and a memory in it


class Showings:
    """Showings of one session."""

    def __init__(self, tell: Callable[[Hinted], Awaitable[object]]) -> None:
        self._tell = tell
        self._known: set[Place] = set()
        self._shown: set[Place] = set()
        self._heeded: set[Place] = set()
        self._due = anyio.Event()

    def show(self, path: str, memories: Iterable[str]) -> None:
        """Note hints of these memories in the editor's view of the file."""
        new = {(path, memory) for memory in memories} - self._known
        if new:
            self._known |= new
            self._shown |= new
            self._due.set()

    def heed(self, path: str, memory: str) -> None:
        """Somebody reacted to the memory in this file."""
        self._heeded.add((path, memory))
        self._due.set()

    async def run(self) -> None:
        """Report new showings, now and then, until cancelled."""
        while True:
            await self._due.wait()
            await anyio.sleep(TOLD_AFTER)
            self._due = anyio.Event()
            shown, self._shown = self._shown, set()
            heeded, self._heeded = self._heeded, set()
            for path in sorted({file for file, _ in shown | heeded}):
                here, those = (
                    [id_ for file, id_ in some if file == path] for some in (shown, heeded)
                )
                await self._tell(Hinted(path=path, shown=here, heeded=those))
