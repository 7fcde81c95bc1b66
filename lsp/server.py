"""The server: every answered method of the protocol, and the place of its answer.

Thin: a handler translates and calls; the called function is in the module of its name. All handlers
are ``async`` and short, none runs in a thread (pygls' threads share their pool with the reader of
standard input: six busy ones and nothing is read). Standard output carries the protocol and nothing
else.
"""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, cast

import anyio
from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer

from daemon import own_version
from daemon.home import Home, current_home
from lsp import hints, pages
from lsp.commands import COMMANDS, Commands, WrongArgument, now
from lsp.connection import Connection, Start
from lsp.documents import Encoding, Place, Span, column
from lsp.editor import Link, Settings, parsed
from lsp.protocol import CheckedReader, Protocol, converter
from lsp.session import Session

SETTINGS_WITHIN = 1.0  # seconds an editor has to tell its settings before we begin

logger = logging.getLogger(__name__)


class Server(LanguageServer):
    """pygls' server, with one session."""

    def __init__(self, home: Home, start: Start | None) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # its *args have no types
            "reverie", own_version(), protocol_cls=Protocol, converter_factory=converter
        )
        self.editor = Link(self)
        self.session = Session(
            self.editor,
            lambda changed: Connection(home, start=start, changed=changed),
            time.monotonic,
        )
        self.initial = Settings()  # those the editor gave at the start: what it never names
        self.conversation = cast("Protocol", self.protocol)
        self.conversation.session = self.session
        for method, (handler, options) in _FEATURES.items():
            self.feature(method, options)(handler)
        self.terminal = pages.Terminal(
            home, lambda: self.session.folder() or self.workspace.root_path
        )
        self.commands = Commands(self.session, self.editor, self.terminal)
        for name, command in COMMANDS.items():
            self.command(name)(_command(partial(command, self.commands)))

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002
        """A line in the log: pygls would show it to the user, with the user's own text."""
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "-"
        logger.error("event=handler_failed error=%s at=%s", type(error).__name__, place)


# ---- Life --------------------------------------------------------------------------


async def _initialize(ls: Server, params: types.InitializeParams) -> None:
    ls.session.encoding = cast("Encoding", ls.workspace.position_encoding)
    ls.editor.know(params.capabilities)
    ls.initial = _configured(ls, params.initialization_options, Settings())


async def _initialized(ls: Server, _: types.InitializedParams) -> None:
    with anyio.move_on_after(SETTINGS_WITHIN):  # else those of ``initialize`` hold until it says
        _configured(ls, await ls.editor.settings(), ls.initial)
    ls.session.initialized.set()
    await ls.editor.register(pages.SCHEME)


async def _changed_settings(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    pulled = await ls.editor.settings()
    _configured(ls, params.settings if pulled is None else pulled, ls.initial)


def _configured(ls: Server, raw: object, fallback: Settings) -> Settings:
    settings, problems = parsed(raw, fallback)
    ls.session.configure(settings)
    if problems:
        ls.editor.log("reverie: " + "; ".join(problems))
    return settings


# ---- What is shown -----------------------------------------------------------------


async def _hints(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    span = Span(params.range.start.line, params.range.end.line + 1)
    found = await ls.session.hints(params.text_document.uri, span)
    if found is None:
        return []
    document, places, quiet = found
    encoding, links = ls.session.encoding, ls.session.settings.links
    shown: list[types.InlayHint] = []
    if quiet is not None:
        line = document.lines[quiet.line]
        shown.append(pages.quiet_hint(quiet, line, encoding, links=links))
    for place in places:
        # A tooltip that is a string is no Markdown.
        tooltip = hints.hover_text([place.memory], now(), links=links, plain=not links)
        shown.append(hints.hint(place, document.lines[place.line], encoding, tooltip))
    return shown


async def _hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
    view = ls.session.view(params.text_document.uri)
    places = _at(ls, params.text_document.uri, params.position)
    if view is None or not places:
        return None
    settings, lines = ls.session.settings, view.document.lines
    return hints.hover(places, lines, ls.session.encoding, now(), links=settings.links)


def _at(ls: Server, uri: str, position: types.Position) -> list[Place]:
    """The places a position asks about."""
    view = ls.session.view(uri)
    places = ls.session.places(uri)
    if view is None or not places or position.line >= len(view.document.lines):
        return []
    line = view.document.lines[position.line]
    at = column(line, position.character, ls.session.encoding)
    settings = ls.session.settings
    return hints.asked(places, position.line, at, settings.hover, settings.min_score)


async def _actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    uri, chosen = params.text_document.uri, params.range
    view = ls.session.view(uri)
    if view is None:
        return []
    places, quiet = ls.session.hinted(uri, Span(chosen.start.line, chosen.end.line + 1))
    offered = hints.offered(
        [place.memory for place in places],
        selection=chosen if chosen.start != chosen.end else None,
        document=types.VersionedTextDocumentIdentifier(view.document.version, uri),
        only=params.context.only,
    )
    if quiet is not None:
        offered += hints.about_file(uri, pages.summary(quiet.tied), params.context.only)
    return offered


# ---- Pages -------------------------------------------------------------------------


async def _content(
    ls: Server, params: types.TextDocumentContentParams
) -> types.TextDocumentContentResult:
    renders = ls.session.settings.links  # VS Code has a preview, which loads pictures
    if (path := pages.file_at(params.uri)) is not None:
        text = await ls.commands.file_page(path)
        text = text if renders else hints.unescaped(text)
    elif (command := pages.command_at(params.uri)) is not None:
        text = await ls.terminal.text(command)
        text = pages.rendered(text) if renders else text
    else:
        text = ""
    return types.TextDocumentContentResult(text or "This cannot be shown now.\n")


# ---- Tables ------------------------------------------------------------------------

_FEATURES: dict[str, tuple[Callable[..., Awaitable[object]], Any]] = {
    types.INITIALIZE: (_initialize, None),
    types.INITIALIZED: (_initialized, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (_changed_settings, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (_hints, None),
    types.TEXT_DOCUMENT_HOVER: (_hover, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        _actions,
        types.CodeActionOptions(
            code_action_kinds=[types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]
        ),
    ),
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: (_content, None),
}


def _command(run: Callable[[object], Awaitable[object]]) -> Callable[..., Awaitable[object]]:
    """The command as pygls calls it: with the client's arguments, or with none."""

    async def command(*arguments: Any) -> object:  # Any: the client's JSON
        try:
            return await run(arguments[0] if arguments else None)
        except WrongArgument as error:
            raise JsonRpcInvalidParams.of(error) from error

    return command


# ---- The process -------------------------------------------------------------------


class Writer(StdoutWriter):
    """Standard output; an editor not reading any more has ended the conversation."""

    def __init__(self, stdout: BinaryIO, ended: threading.Event) -> None:
        super().__init__(stdout)
        self._ended = ended

    def write(self, data: bytes) -> None:
        """Write a whole message, unless nobody reads it."""
        try:
            super().write(data)
        except BrokenPipeError:
            self._ended.set()


async def serve(server: Server, reader: BinaryIO, writer: BinaryIO) -> int:
    """Converse until the editor leaves; the exit code. Raises ``ImpossibleHeader`` in a group."""
    conversation = server.conversation
    conversation.set_writer(Writer(writer, conversation.ended))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.session.run)
        await run_async(
            stop_event=conversation.ended,
            reader=CheckedReader(reader, server.thread_pool),
            protocol=conversation,
            error_handler=server.report_server_error,
        )
        tasks.cancel_scope.cancel()
    server.shutdown()  # type: ignore[no-untyped-call]
    return conversation.exit_code


def run(home: Home | None = None, start: Start | None = None) -> int:
    """``reverie lsp``: serve one editor on standard input and output; the exit code.

    ``start`` makes sure of a running daemon. Without it the server waits for one. The process ends
    by ``os._exit``: the thread of standard input may wait there for ever.
    """
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints by mistake does not break the protocol
    logging.basicConfig(stream=sys.stderr, format="%(levelname)s %(name)s %(message)s")
    logging.getLogger("pygls").addHandler(logging.NullHandler())
    logging.getLogger("pygls").propagate = False  # it logs whole messages: texts of the user
    return anyio.run(serve, Server(home or current_home(), start), reader, writer)
