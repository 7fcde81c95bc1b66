"""Recording: paused and begun again from an editor, in the project of the file looked at.

As by ``reverie pause --project`` and ``reverie resume``: one small file of the home, which hooks and
the daemon read.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec

from daemon import recording
from daemon.home import Home
from daemon.projects import checkout_of, project_root
from lsp.commands import parsed
from lsp.editor import Link
from lsp.session import Session


class PauseLength(msgspec.Struct, frozen=True):
    """How long; without it until somebody resumes."""

    seconds: Annotated[float, msgspec.Meta(gt=0)] | None = None


class Switch:
    """Tell whether anything is recorded."""

    def __init__(
        self, home: Home, session: Session, editor: Link, now: Callable[[], float]
    ) -> None:
        """``now`` is the time in seconds since the epoch."""
        self._home = home
        self._session = session
        self._editor = editor
        self._now = now

    async def pause(self, argument: object) -> list[str]:
        """Record nothing in the project of the file looked at; without a file nothing anywhere."""
        begin, span = self._now(), parsed(argument, PauseLength)
        recording.pause_folders(self._home, begin, span.seconds, self._folders())
        return self._tell(begin)

    async def resume(self, _argument: object = None) -> list[str]:
        """Record again: every pause ends."""
        moment = self._now()
        recording.resume(self._home, moment)
        return self._tell(moment)

    def _folders(self) -> list[str]:
        folder = self._session.folder()
        if folder is None:
            return []
        root = str(project_root(Path(folder)))
        return sorted({root, checkout_of(root, folder)})  # a worktree lies elsewhere

    def _tell(self, at: float) -> list[str]:
        lines = recording.Recording(self._home).lines(at)
        for line in lines or ["on"]:
            self._editor.say(f"Recording is {line}.")
        return lines
