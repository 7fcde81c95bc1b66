"""Commands: a person's requests by name, from a code action, a key or a palette.

Each asks the daemon one thing, reports the result in one line, and returns a plain value for a
program. A memory is named by its id, or by a line of an open file mentioning it.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from lsprotocol.types import Position

from daemon.api.about import About, MuteHint
from daemon.api.forget import Forget, Unforget
from daemon.api.operation import Operation
from daemon.api.opinions import Feedback, Pin
from daemon.api.remember import DECIDED, Remember
from daemon.asking import DaemonAway, Refused
from daemon.shapes.rows import FileLine
from lsp.connection import Away
from lsp.documents import content
from lsp.editor import Link
from lsp.hints import ABOUT, MEMORY, REMEMBER, Named, unescaped
from lsp.pages import Terminal, address, command_at, file_address, file_page
from lsp.session import TIED, Session

QUESTION = "What about it? Leave it empty to remember the selection itself."
R = TypeVar("R")

WITHIN = 5.0  # seconds a command waits for the daemon
AWAY = "The daemon is away: start it with `reverie up`."


def now() -> float:
    """Seconds since the epoch."""
    return datetime.now(UTC).timestamp()


class WrongArgument(Exception):
    """The argument of a command has not the shape it must have: the client's fault."""


class MemoryPlace(msgspec.Struct, frozen=True):
    """Memory in question: its id, or a line (from 0) of an open file mentioning it."""

    id: str | None = None
    uri: str | None = None
    line: int | None = None
    pinned: bool | None = None  # as it is to be; by default the other way


class Words(msgspec.Struct, frozen=True):
    """Words for a search."""

    query: str


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


class Commands:
    """The commands of one session."""

    def __init__(self, session: Session, editor: Link, terminal: Terminal) -> None:
        self._session = session
        self._editor = editor
        self._terminal = terminal

    async def memory(self, argument: object) -> bool:
        """Let the user choose an action on a memory; returns whether there is one."""
        id_ = self._meant(argument)
        if id_ is None:
            return False
        uri = parsed(argument, MemoryPlace).uri
        self._session.start(self._offer, Named(id_, self._session.called(id_), uri))
        return True

    async def useful(self, argument: object) -> bool:
        """This memory helped."""
        id_ = self._meant(argument)
        if id_ is None or await self.ask(Feedback(id=id_, useful=True)) is None:
            return False
        self._session.unmute(id_)
        self._editor.say("Noted: useful.")
        return True

    async def not_useful(self, argument: object) -> bool:
        """This memory did not help: it is shown no more in this session, and counts less."""
        id_ = self._meant(argument)
        if id_ is None:
            return False
        self._session.mute(id_)
        if await self.ask(Feedback(id=id_, useful=False)) is None:
            return False
        self._editor.say("Noted: no hint of it here any more.")
        return True

    async def mute(self, argument: object) -> bool:
        """Show no hint of this memory in this file any more, in later sessions too."""
        id_, uri = self._meant(argument), parsed(argument, MemoryPlace).uri
        path = self._session.file(uri)
        if id_ is None or path is None:
            return False
        if await self.ask(MuteHint(id=id_, path=path)) is None:
            return False
        self._session.mute(id_, uri or self._session.uri())
        self._editor.say("Noted: no hint of it in this file any more. A hover still tells it.")
        return True

    async def pin(self, argument: object) -> bool:
        """Keep it from fading, or let it fade again."""
        id_, pinned = self._meant(argument), parsed(argument, MemoryPlace).pinned
        if id_ is None:
            return False
        if pinned is None:
            known = self._session.memory(id_)
            pinned = not (known is not None and known.pinned)
        if await self.ask(Pin(ids=[id_], pinned=pinned)) is None:
            return False
        self._session.learn(id_, pinned=pinned)
        self._editor.say("Pinned: it does not fade." if pinned else "Unpinned: it may fade again.")
        return True

    async def forget(self, argument: object) -> bool:
        """Take it out of recall; it can be brought back."""
        id_ = self._meant(argument)
        if id_ is None:
            return False
        forgotten = Named(id_, self._session.called(id_))
        if await self.ask(Forget(ids=[id_])) is None:
            return False
        self._session.forgotten = forgotten
        self._session.mute(id_)
        if self._session.settings.undo_prompt:
            self._session.start(self._offer_undo, forgotten)
        else:
            self._editor.say(
                f"Forgotten. The command reverie.unforget, or `reverie unforget {id_}`, brings it back."
            )
        return True

    async def unforget(self, argument: object) -> bool:
        """Bring it back; without an argument, the last one forgotten."""
        last = self._session.forgotten
        id_ = parsed(argument, MemoryPlace).id or (last.id if last else None)
        if id_ is None:
            self._editor.say("Nothing was forgotten here.")
            return False
        if await self.ask(Unforget(ids=[id_])) is None:
            return False
        if last is not None and last.id == id_:
            self._session.forgotten = None
        self._session.unmute(id_)
        self._editor.say("It is remembered again.")
        return True

    async def why(self, argument: object) -> str | None:
        """Show the memory whole, with the reasons for it."""
        id_ = self._meant(argument)
        return await self._open(address("memory", id_)) if id_ is not None else None

    async def find(self, argument: object) -> str | None:
        """Show memories about words."""
        query = parsed(argument, Words).query.strip()
        return await self._open(address("recall", query)) if query else None

    async def toggle_hints(self, _argument: object) -> bool:
        """Hints off, or on again."""
        on = self._session.toggle_hints()
        self._editor.say("Hints are on." if on else "Hints are off.")
        return on

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
        decided = await self.ask(Remember(source="editor", text=said, project=project, line=line))
        if decided is None:
            return None
        self._editor.say(f"{DECIDED.get(decided.action, 'remembered').capitalize()}.")
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

    async def about(self, argument: object) -> str | None:
        """Show memories about a file: the named one, else the one looked at last."""
        path = self._session.file(parsed(argument, MemoryPlace).uri)
        if path is None:
            return None
        text = await self.file_page(path)
        if not await self._opens(file_address(path)):
            self._editor.say(unescaped(text))
        return text

    async def file_page(self, path: str) -> str:
        """The page about a file; empty where the daemon does not answer."""
        bearing = await self.ask(About(path=path, k=TIED, sure=True))
        if bearing is None:
            return ""
        uri, tied = self._session.tied(path, bearing.found.results)
        links = self._session.settings.links
        return file_page(path, uri, tied, bearing, now(), links=links)

    # ---- what commands have in common

    async def _offer(self, memory: Named) -> None:
        known = self._session.memory(memory.id)
        choices: dict[str, Callable[[object], Awaitable[object]]] = {
            "Useful": self.useful,
            "Not useful here": self.not_useful,
            "Mute here": self.mute,
            "Unpin" if known is not None and known.pinned else "Pin": self.pin,
            "Forget": self.forget,
            "Why?": self.why,
        }
        chosen = await self._editor.choice(f"Memory: “{memory.name}”", choices)
        if chosen in choices:
            await choices[chosen]({"id": memory.id, "uri": memory.uri})

    async def _offer_undo(self, forgotten: Named) -> None:
        if await self._editor.choice(f"Forgotten: “{forgotten.name}”", ("Undo",)):
            await self.unforget({"id": forgotten.id})

    async def ask(self, request: Operation[R]) -> R | None:
        """The answer; when there is none the reason is said and it is ``None``."""
        try:
            return await self._session.connection.ask(request, within=WITHIN)
        except DaemonAway:
            self._editor.say(AWAY)
        except Refused as error:
            self._editor.say(str(error))
        except TimeoutError:
            self._editor.say(f"The daemon did not answer within {WITHIN:g} s.")
        return None

    async def _opens(self, page: str) -> bool:
        """Have the editor open this page; ``False`` for an editor without pages, which gets the text."""
        if not self._session.settings.documents:
            return False
        self._editor.refresh_page(page)  # it may be open since its text was another one
        return await self._editor.shows(page)

    async def _open(self, page: str) -> str | None:
        """Open the page of a command; returns its address, or its text where no page can be opened."""
        if isinstance(self._session.connection.presence, Away):
            self._editor.say(AWAY)
            return None
        if await self._opens(page):
            return page
        text = await self._terminal.text(command_at(page) or [])
        self._editor.say(text.rstrip())
        return text

    def _meant(self, argument: object) -> str | None:
        about = parsed(argument, MemoryPlace)
        id_ = about.id
        if id_ is None and about.uri is not None and about.line is not None:
            places = self._session.best_places(about.uri, about.line, about.line)
            id_ = places[0].memory.id if places else None
        if id_ is None:
            self._editor.say("No memory is mentioned here.")
        return id_


COMMANDS: Mapping[str, Callable[[Commands, object], Awaitable[object]]] = {
    MEMORY: Commands.memory,
    "reverie.useful": Commands.useful,
    "reverie.notUseful": Commands.not_useful,
    "reverie.mute": Commands.mute,
    "reverie.pin": Commands.pin,
    "reverie.forget": Commands.forget,
    "reverie.unforget": Commands.unforget,
    "reverie.why": Commands.why,
    "reverie.find": Commands.find,
    "reverie.toggleHints": Commands.toggle_hints,
    REMEMBER: Commands.remember,
    ABOUT: Commands.about,
}
"""Every command, by the name by which editors ask for it."""

S = TypeVar("S")


def parsed(argument: object, shape: type[S]) -> S:
    """A client's argument as this shape, checked strictly.

    Raises ``WrongArgument``.
    """
    try:
        return msgspec.convert(argument if argument is not None else {}, shape, strict=True)
    except msgspec.ValidationError as error:
        raise WrongArgument(str(error)) from None
