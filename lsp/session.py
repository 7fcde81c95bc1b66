"""The session: one editor's open documents, and the memories about them.

It owns the documents, the settings, the memories muted or forgotten here, and one task a document
for keeping its matches fresh. It holds no truth: the memories are the daemon's. Requests are
answered from the present matches; only the first look at a document waits a moment for them.

Between two awaits everything here is consistent; all of it runs on one event loop.
"""

import logging
import math
from collections.abc import Callable, Coroutine, Sequence
from pathlib import PurePath
from typing import Any, TypeVar

import anyio
import anyio.abc
from lsprotocol.types import TextDocumentContentChangeEvent

from daemon.api.about import About, Anchors, Match, Open
from daemon.api.operation import Operation
from daemon.asking import DaemonAway, Refused
from daemon.shapes.memory import MatchView
from daemon.shapes.results import Scored
from lsp.connection import Away, Connection, Presence, Present
from lsp.documents import NEVER_READ, Document, Encoding, Place, Span, Unread, lines_of, placed
from lsp.editor import Link, Settings
from lsp.hints import TITLE, Named, chosen, distinct, name
from lsp.pages import Quiet, Tied, quiet_line, tied

R = TypeVar("R")
S = TypeVar("S")

FIRST_LOOK = 0.25  # seconds a first request waits for the first matches
MATCH_WITHIN = 5.0  # seconds a match may take
RETRY = 15.0  # seconds after a failed match
MATCHES = 1000  # asked for in one match
TIED = 200  # memories about one file that are counted
REMATCH = 2.0  # seconds: no text is matched more often because the memories change
RECENT = 4  # documents matched again, unasked, when the memories change
GATHER = 0.03  # seconds in which several reasons for a refresh become one

logger = logging.getLogger(__name__)


class View:
    """A document, and its state in the session."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.matched = anyio.Event()  # at least once, or it cannot be now
        self.woken = anyio.Event()
        self.hushed: set[str] = set()  # memories that get no hint in it
        self.known: list[Scored] = []  # memories that are surely about it
        self.tied = False  # they were asked for since memories changed
        # the last answer, until it is out of date
        self.served: tuple[list[Place], Quiet | None] | None = None
        self.told = False  # the daemon knows that it is open
        self.anchorless = False  # no memory was about a symbol of it, when they last changed
        self.matched_at = -math.inf
        self.retry_at = -math.inf
        self.scope = anyio.CancelScope()

    def wake(self) -> None:
        """Wake up: there may be something to match."""
        self.woken.set()


class Session:
    """One editor's session. Build it, then ``run`` it for as long as the editor lives."""

    def __init__(
        self,
        editor: Link,
        connect: Callable[[Callable[[Presence], None]], Connection],
        monotonic: Callable[[], float],
    ) -> None:
        self._editor = editor
        self._now = monotonic
        self._views: dict[str, View] = {}  # the one looked at last is last
        self._muted: set[str] = set()
        self._tasks: anyio.abc.TaskGroup | None = None
        self._refresh = anyio.Event()
        self.initialized = anyio.Event()
        self.connection = connect(self._daemon_changed)
        self.encoding: Encoding = "utf-16"
        self.settings = Settings()
        self.hints_on = True
        self._revision: int | None = None  # of the memories that the matches are of
        self.forgotten: Named | None = None

    async def run(self) -> None:
        """Match, refresh and stay connected, once the editor is ready and until cancelled."""
        await self.initialized.wait()
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            for view in self._views.values():
                tasks.start_soon(self._attend, view)
            tasks.start_soon(self._refresh_hints)
            tasks.start_soon(self.connection.run)

    # ---- What the editor says ------------------------------------------------------

    def open(self, uri: str, path: str | None, version: int, text: str) -> None:
        """The editor shows a file."""
        self.close(uri)
        lines = lines_of(text)
        view = View(Document(uri, path, version, lines, Unread(len(lines))))
        self._views[uri] = view
        if self._tasks is not None:
            self._tasks.start_soon(self._attend, view)

    def close(self, uri: str) -> None:
        """The editor no longer shows it."""
        view = self._views.pop(uri, None)
        if view is not None:
            view.scope.cancel()

    def view(self, uri: str) -> View | None:
        """The view of an open file."""
        return self._views.get(uri)

    def edit(self, uri: str, version: int, edits: Sequence[TextDocumentContentChangeEvent]) -> None:
        """The document changed; its changed lines are matched when they are quiet."""
        view = self._looked_at(uri)
        if view is None:
            return
        for edit in edits:
            view.document.apply(edit, self.encoding, self._now())
        view.document.version = version
        view.wake()

    def configure(self, settings: Settings) -> None:
        """Other settings hold from now on."""
        self.settings = settings
        for view in self._views.values():
            view.wake()
        self._review()

    def mute(self, id_: str, uri: str | None = None) -> None:
        """Show this memory no more in this session, or only its hint in this file."""
        if uri is None:
            self._muted.add(id_)
        elif uri in self._views:
            self._views[uri].hushed.add(id_)
        self._review()

    def learn(self, id_: str, **facts: object) -> None:
        """Note new facts of a shown memory."""
        for view in self._views.values():
            view.document.learn(id_, facts)

    def unmute(self, id_: str) -> None:
        """Show it again."""
        self._muted.discard(id_)
        self._review()

    def toggle_hints(self) -> bool:
        """Hints off, or on again; the answer says which."""
        self.hints_on = not self.hints_on
        self._review()
        return self.hints_on

    def start(self, job: Callable[[S], Coroutine[Any, Any, None]], about: S) -> None:
        """Do this while the editor goes on."""
        if self._tasks is not None:
            self._tasks.start_soon(job, about)

    # ---- What the editor asks ------------------------------------------------------

    async def hints(
        self, uri: str, span: Span
    ) -> tuple[Document, list[Place], Quiet | None] | None:
        """The places for a hint in ``span``, and the quiet line where it is there."""
        view = self._looked_at(uri)
        if view is None:
            return None
        if self._due(view) is not None:
            with anyio.move_on_after(FIRST_LOOK):
                await view.matched.wait()
        view.served = self._served(view)
        return view.document, *_within(span, *view.served)

    def places(self, uri: str) -> list[Place]:
        """Every known place, except muted ones."""
        view = self._looked_at(uri)
        if view is None or not self.settings.covers(view.document.path):
            return []
        return [place for place in view.document.places if place.memory.id not in self._muted]

    def best_places(self, uri: str, first: int, last: int) -> list[Place]:
        """The places on the lines ``first`` to ``last``, each memory once, best first."""
        here = (p for p in self.places(uri) if p.line <= last and p.last_line >= first)
        return distinct(here)

    def hinted(self, uri: str, span: Span) -> tuple[list[Place], Quiet | None]:
        """The places with a hint in ``span``, and the quiet line where it is there."""
        view = self._looked_at(uri)
        return _within(span, *self._served(view)) if view is not None else ([], None)

    def tied(self, path: str, known: Sequence[Scored]) -> tuple[str, list[Tied]]:
        """The memories about a file, of which these are known, and its address if it is open."""
        view = next((v for v in self._views.values() if v.document.path == path), None)
        document = view.document if view is not None else None
        return document.uri if document is not None else "", tied(document, known, self._muted)

    def memory(self, id_: str) -> MatchView | None:
        """Facts of a memory mentioned in some open file."""
        places = (place for view in self._views.values() for place in view.document.places)
        return next((place.memory for place in places if place.memory.id == id_), None)

    def called(self, id_: str) -> str:
        """The short name of a memory mentioned in an open file, or about it; else its id."""
        about = (one for view in self._views.values() for one in view.known if one.id == id_)
        known = self.memory(id_) or next(about, None)
        return name(known, TITLE) if known is not None else id_

    def uri(self) -> str:
        """The address of the file looked at last; empty when none is open."""
        return next(reversed(self._views), "")

    def file(self, uri: str | None = None) -> str | None:
        """The path of an open file; without ``uri``, of the one looked at last."""
        view = self._views.get(uri or self.uri())
        if view is None or not self.settings.covers(view.document.path):
            return None
        return view.document.path

    def folder(self, uri: str | None = None) -> str | None:
        """The folder of an open file (the daemon knows its project).

        Without ``uri``, of the file looked at last.
        """
        view = self._views.get(uri or self.uri())
        if view is None or view.document.path is None:
            return None
        return str(PurePath(view.document.path).parent)

    async def ask(self, request: Operation[R], *, within: float) -> R | None:
        """The daemon's answer, or ``None`` when there is none in time."""
        try:
            return await self.connection.ask(request, within=within)
        except (DaemonAway, Refused, TimeoutError) as error:
            logger.info("event=no_answer request=%s reason=%s", request.NAME, type(error).__name__)
            return None

    # ---- Matching ------------------------------------------------------------------

    async def _attend(self, view: View) -> None:
        with view.scope:
            while True:
                view.woken = anyio.Event()
                due = self._due(view)
                if due is None:
                    await view.woken.wait()
                elif due > self._now():
                    with anyio.move_on_after(due - self._now()):
                        await view.woken.wait()
                else:
                    await self._match(view)

    def _due(self, view: View) -> float | None:
        if isinstance(self.connection.presence, Away):
            return None
        if not self.settings.covers(view.document.path) or view.document.large:
            return None
        due = view.document.unread.due(self.settings.typing_quiet)
        return None if due is None else max(due, view.retry_at)

    async def _match(self, view: View) -> None:
        document, now, revision = view.document, self._now(), self._revision
        await self._anchor(view)
        for span in document.unread.settled(now, self.settings.typing_quiet):
            if not await self._match_span(view, span):
                break
        view.matched.set()
        self._review()
        await self._tell(view)
        await self._tie(view)
        if self._revision != revision:  # an answer may be of before the change
            self._match_later(view)

    async def _tell(self, view: View) -> None:
        """Report the file to the daemon as open: memories about it are looked at again."""
        if not view.told and view.document.path is not None:
            view.told = True
            await self.ask(Open(path=view.document.path), within=MATCH_WITHIN)

    async def _tie(self, view: View) -> None:
        """Find the memories surely about it, once until memories change."""
        if view.tied or view.document.path is None:
            return
        view.tied = True
        request = About(path=view.document.path, k=TIED, sure=True)
        found = await self.ask(request, within=MATCH_WITHIN)
        view.known = found.found.results if found is not None else []
        self._review()

    async def _match_span(self, view: View, span: Span) -> bool:
        """Match these lines; ``False`` when the rest must wait."""
        document, version = view.document, view.document.version
        first, end = max(0, span.first - 1), min(len(document.lines), span.end + 1)
        text = document.text(first, end)
        request = Match(text=text, path=document.path, limit=MATCHES)
        found = await self.ask(request, within=MATCH_WITHIN)
        if found is None:
            view.retry_at = self._now() + RETRY
            return False
        view.matched_at = self._now()
        if document.version != version:
            return False  # these lines may be others by now: they are asked again
        document.keep_found(span, placed(found.matches, first, document.lines[first:end]))
        return True

    async def _anchor(self, view: View) -> None:
        """Find the definitions with memories about them, unless there are known to be none."""
        document, version = view.document, view.document.version
        if document.path is None or view.anchorless:
            return
        text = document.text(0, len(document.lines))
        found = await self.ask(Anchors(path=document.path, text=text), within=MATCH_WITHIN)
        if found is not None and document.version == version:
            view.anchorless = not found.known
            document.anchored(placed(found.matches, 0, document.lines))

    def _served(self, view: View) -> tuple[list[Place], Quiet | None]:
        """The hints of a document and its quiet line, unless its line is being typed on."""
        document, settings = view.document, self.settings
        if not (self.hints_on and settings.hints and settings.covers(document.path)):
            return [], None
        most, muted = settings.max_hints, self._muted | view.hushed
        shown = chosen(document.places, min_score=settings.min_score, most=most, muted=muted)
        those, hinted = tied(document, view.known, self._muted), [place.line for place in shown]
        line = quiet_line(those, hinted, len(document.lines), most)
        left_alone = self._now() - settings.typing_quiet
        if line is not None and document.is_typed(line.line, left_alone):
            line = None
        return shown, line

    def _looked_at(self, uri: str) -> View | None:
        view = self._views.pop(uri, None)
        if view is not None:
            self._views[uri] = view
        return view

    # ---- The daemon ----------------------------------------------------------------

    def _daemon_changed(self, presence: Presence) -> None:
        match presence:
            case Present(memories=memories, vectors=vectors):
                state = "ready" if vectors == "ready" else "degraded"
                self._editor.tell_status(state, memories, vectors, "")
                if presence.revision != self._revision:
                    self._revision = presence.revision
                    self._match_again()
            case Away(why=why):
                self._editor.tell_status("away", 0, "off", why)
                self._clear()

    def _clear(self) -> None:
        """Forget everything known: shown memories may be out of date by now."""
        self._revision = None
        for view in self._views.values():
            view.document.unread.forget(NEVER_READ)
            view.document.places, view.known = [], []
            view.told = view.tied = view.anchorless = False
            view.retry_at = view.matched_at = -math.inf
        self._review()

    def _match_again(self) -> None:
        for view in self._views.values():
            self._match_later(view)
        for view in [*self._views.values()][-RECENT:]:
            view.wake()

    def _match_later(self, view: View) -> None:
        """Its matches are out of date: it is due at once, unless it was matched a moment ago."""
        view.anchorless = view.tied = False
        view.document.unread.forget(view.matched_at + REMATCH - self.settings.typing_quiet)

    # ---- Refreshing ----------------------------------------------------------------

    def _review(self) -> None:
        """Have the editor ask again, soon, if it shows other hints than it should."""
        for view in self._views.values():
            if view.served is not None and view.served != self._served(view):
                view.served = None
                self._refresh.set()

    async def _refresh_hints(self) -> None:
        while True:
            await self._refresh.wait()
            await anyio.sleep(GATHER)
            self._refresh = anyio.Event()
            self._editor.refresh_hints()


def _within(span: Span, shown: list[Place], line: Quiet | None) -> tuple[list[Place], Quiet | None]:
    here = [place for place in shown if span.first <= place.line < span.end]
    return here, line if line and span.first <= line.line < span.end else None
