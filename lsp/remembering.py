"""Remembering: a selection of an open file, a person's words about it, and its place."""

from typing import Any

import msgspec
from lsprotocol.types import Position

from daemon.api.remember import DECIDED, FileLine, Remember
from lsp.commands import Commands, parsed
from lsp.editor import Link
from lsp.positions import content
from lsp.session import Session

QUESTION = "What about it? Leave it empty to remember the selection itself."


class Selection(msgspec.Struct, frozen=True):
    """Text to be remembered, or a stretch of an open file at a version of it.

    ``note``: the words about it; ``None``: still to be asked.
    """

    uri: str | None = None
    text: str | None = None
    version: int | None = None
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None
    note: str | None = None


class Remembering:
    """The command for remembering."""

    def __init__(self, session: Session, editor: Link, commands: Commands) -> None:
        self._session = session
        self._editor = editor
        self._commands = commands

    async def remember(self, argument: object) -> dict[str, Any] | None:
        """Keep a selection, or the words about it, as a memory of the file's project."""
        selection = parsed(argument, Selection)
        text = self._selected(selection)
        if text is None or not text.strip():
            self._editor.say("Nothing is selected, or the text has changed: select it again.")
            return None
        line, note = self._line(selection, text), selection.note
        if note is None and selection.text is None and self._session.settings.asks:
            note = await self._editor.asks(QUESTION)
            if note is None:  # they would rather not
                return None
        project = self._session.folder(selection.uri) if selection.uri is not None else None
        said = (note or "").strip() or text.strip()
        request = Remember(source="editor", text=said, project=project, line=line)
        decided = await self._commands.ask(request)
        if decided is None:
            return None
        done = DECIDED.get(decided.action, "remembered")
        self._editor.say(f"{done.capitalize()}.")
        return {"id": decided.id, "action": decided.action, "reason": decided.reason}

    def _selected(self, selection: Selection) -> str | None:
        if selection.text is not None:
            return selection.text
        if selection.uri is None or selection.start is None or selection.end is None:
            return None
        view = self._session.view(selection.uri)
        if view is None or selection.version not in (None, view.document.version):
            return None
        start, end = Position(*selection.start), Position(*selection.end)
        return view.document.between(start, end, self._session.encoding)

    def _line(self, selection: Selection, text: str) -> FileLine | None:
        """The first line of a selection with words."""
        view = self._session.view(selection.uri) if selection.uri is not None else None
        if view is None or view.document.path is None or selection.start is None:
            return None
        blank = text[: len(text) - len(text.lstrip())]
        at = selection.start[0] + blank.count("\n")
        own = content(view.document.lines[at])
        return FileLine(path=view.document.path, number=at + 1, text=own)
