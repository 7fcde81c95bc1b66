"""Commands: what a person asks for by name, from a code action, a key or a palette.

Each asks the daemon one thing, says what came of it in one line, and returns a plain
value for a program. A memory is named by its id, or by a line of an open file that
mentions it.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from lsprotocol.types import Position

from daemon.client import DaemonAway, Refused
from daemon.requests.forget import Forget, Unforget
from daemon.requests.memories import Show, Shown
from daemon.requests.remember import Remember
from daemon.requests.shapes import Request
from daemon.requests.strength import Feedback
from lsp.actions import CHOICES, FORGET, NOT_USEFUL, TITLE, USEFUL, WHY, Named
from lsp.editor import Link
from lsp.hovers import name
from lsp.pages import address, summary
from lsp.session import Session

R = TypeVar("R")

WITHIN = 5.0  # seconds a command waits for the daemon
AWAY = "The daemon is away: start it with `reverie up`."

_REMEMBERED = {
    "CREATE": "Remembered.",
    "CREATE_LINKED": "Remembered, and linked to what it resembles.",
    "REINFORCE": "Known already: it is stronger now.",
    "UPDATE": "Known already: its text was brought up to date.",
    "SUPERSEDE": "Remembered: it replaces an older memory.",
}


class WrongArgument(Exception):
    """The argument of a command has not the shape it must have: the client's fault."""


class About(msgspec.Struct, frozen=True):
    """Memory that is meant: its id, or a line (from 0) of an open file that mentions it."""

    id: str | None = None
    uri: str | None = None
    line: int | None = None


class Selection(msgspec.Struct, frozen=True):
    """Text to be remembered, or a stretch of an open file at a version of it."""

    uri: str | None = None
    text: str | None = None
    version: int | None = None
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Commands:
    """The commands of one session."""

    def __init__(self, session: Session, editor: Link, now: Callable[[], float]) -> None:
        """``now`` is the time in seconds since the epoch."""
        self._session = session
        self._editor = editor
        self._now = now

    async def remember(self, argument: object) -> dict[str, Any] | None:
        """Keep a selection, as a memory of the file's project."""
        selection = parsed(argument, Selection)
        text = self._selected(selection)
        if text is None or not text.strip():
            self._editor.say("Nothing is selected, or the text has changed: select it again.")
            return None
        project = self._session.folder(selection.uri) if selection.uri is not None else None
        decided = await self.ask(Remember(source="editor", text=text.strip(), project=project))
        if decided is None:
            return None
        self._editor.say(_REMEMBERED.get(decided.action, "Remembered."))
        return {"id": decided.id, "action": decided.action, "reason": decided.reason}

    async def memory(self, argument: object) -> bool:
        """Let the user choose what to do about a memory; whether there is one."""
        id_ = self._meant(argument)
        if id_ is None:
            return False
        known = self._session.memory(id_)
        self._session.start(self._offer, Named(id_, name(known, TITLE) if known else id_))
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

    async def forget(self, argument: object) -> bool:
        """Take it out of recall; it can be brought back."""
        id_ = self._meant(argument)
        if id_ is None:
            return False
        known = self._session.memory(id_)
        if await self.ask(Forget(ids=[id_])) is None:
            return False
        forgotten = Named(id_, name(known, TITLE) if known else id_)
        self._session.forgotten = forgotten
        self._session.mute(id_)
        if self._session.settings.undo_prompt:
            self._session.start(self._offer_undo, forgotten)
        else:
            self._editor.say("Forgotten. The code action “Undo forget” brings it back.")
        return True

    async def unforget(self, argument: object) -> bool:
        """Bring it back; without an argument, what was forgotten last."""
        last = self._session.forgotten
        id_ = parsed(argument, About).id or (last.id if last else None)
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
        shown: Shown | None = None
        if id_ is not None:
            shown = await self.ask(Show(id=id_))
        if shown is None:
            return None
        text = summary(shown.memory, self._now())
        await self.show(address(shown.memory.id), text)
        return text

    async def toggle_hints(self, _argument: object = None) -> bool:
        """Hints off, or on again."""
        on = self._session.toggle_hints()
        self._editor.say("Hints are on." if on else "Hints are off.")
        return on

    async def _offer(self, memory: Named) -> None:
        chosen = await self._editor.choice(f"Memory: “{memory.name}”", CHOICES)
        run = {
            USEFUL: self.useful,
            NOT_USEFUL: self.not_useful,
            FORGET: self.forget,
            WHY: self.why,
        }
        if chosen in CHOICES:
            await run[CHOICES[chosen]]({"id": memory.id})

    async def _offer_undo(self, forgotten: Named) -> None:
        if await self._editor.choice(f"Forgotten: “{forgotten.name}”", ("Undo",)):
            await self.unforget({"id": forgotten.id})

    async def ask(self, request: Request[R], refused: Mapping[str, str] | None = None) -> R | None:
        """The answer; when there is none the reason is said and it is ``None``.

        ``refused``: other words for a refusal, by its code.
        """
        try:
            return await self._session.connection.ask(request, within=WITHIN)
        except DaemonAway:
            self._editor.say(AWAY)
        except Refused as error:
            self._editor.say((refused or {}).get(error.code, str(error)))
        except TimeoutError:
            self._editor.say(f"The daemon did not answer within {WITHIN:g} s.")
        return None

    async def show(self, page: str, text: str, *, changed: bool = False) -> None:
        """Open the page of ours at this address; an editor that opens none is told the text.

        ``changed``: it may be open since its text was another one.
        """
        opens = self._session.settings.documents
        if opens and changed:
            self._editor.refresh_page(page)
        if not (opens and await self._editor.shows(page)):
            self._editor.say(text)

    def _meant(self, argument: object) -> str | None:
        about = parsed(argument, About)
        if about.id is not None:
            return about.id
        if about.uri is not None and about.line is not None:
            for place in self._session.best_places(about.uri, about.line, about.line):
                return place.memory.id
        self._editor.say("No memory is mentioned here.")
        return None

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


S = TypeVar("S")


def parsed(argument: object, shape: type[S]) -> S:
    """A client's argument as this shape, checked strictly.

    Raises ``WrongArgument``.
    """
    try:
        return msgspec.convert(argument if argument is not None else {}, shape, strict=True)
    except msgspec.ValidationError as error:
        raise WrongArgument(str(error)) from None
