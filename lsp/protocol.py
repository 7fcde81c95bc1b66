"""The protocol: pygls' own, but documents are kept by the session and ``exit`` returns.

``lsp.documents`` says why pygls' documents are not used. Edits are applied at once and in order,
before anything else is read from the editor. pygls ends the process with ``sys.exit`` inside its
event loop; here the reading loop ends, and ``lsp.server`` leaves its tasks and then the process.

pygls' own versions are generators, for handing over to a handler of ours; these have none and are
plain functions, which pygls runs as well.

A message of a wrong shape is refused at its first mistake. pygls keeps them all and writes each
into a log: a string of 70 KB in the place of a list cost 16 s, a mistake for each character.
"""

import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.io_ import StdinAsyncReader
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method
from pygls.uris import to_fs_path

from lsp.session import Session


def converter() -> Any:
    """Make pygls' converter, which stops at the first mistake of a message."""
    made: Any = default_converter()  # type: ignore[no-untyped-call]  # pygls gives it no types
    made.detailed_validation = False
    return made


class Protocol(LanguageServerProtocol):
    """One editor's conversation; ``session`` is set before the first message."""

    session: Session

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.ended = threading.Event()  # pygls' loop looks at it after every message
        self.exit_code = 0

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, params: types.DidOpenTextDocumentParams
    ) -> None:
        """Keep the text."""
        document = params.text_document
        path = to_fs_path(document.uri)
        self.session.open(document.uri, path, document.version, document.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, params: types.DidChangeTextDocumentParams
    ) -> None:
        """Apply the changes, in order."""
        document = params.text_document
        self.session.edit(document.uri, document.version, params.content_changes)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, params: types.DidCloseTextDocumentParams
    ) -> None:
        """Forget the text."""
        self.session.close(params.text_document.uri)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Carry out a command of ours; who cancels the request cancels the work.

        pygls' own version answers a cancelled request and lets its command go on.
        """
        commands = cast("dict[str, Callable[..., Awaitable[Any]]]", self.fm.commands)
        command = commands.get(params.command)
        if command is None:
            name = params.command[:40]
            why = f"there is no command {name!r}: update the editor's extension, or reverie"
            raise JsonRpcInvalidParams.of(ValueError(why))
        return await command(*(params.arguments or ()))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        """Leave; without a ``shutdown`` before it the exit code says so."""
        self.exit_code = 0 if self._shutdown else 1
        self.ended.set()


# ---- reading from the editor: headers are checked before pygls acts on them
#
# pygls passes over an unknown length and then waits for ever, and asks for as many bytes as a length
# says. Who sends such a length is no editor, or its stream is broken: nothing after it can be read,
# so the server leaves.

LENGTH = b"content-length"
LARGEST = 64 * 1024 * 1024  # bytes of one message; an editor sends no document of that size
LONGEST_HEADER = 8 * 1024  # bytes


class ImpossibleHeader(Exception):
    """The editor sent something other than a message's header; the text says why, in one line."""


class CheckedReader(StdinAsyncReader):
    """Standard input, by checked lines and whole messages."""

    async def readline(self) -> bytes:
        """The next line of headers, empty at the end. Raises ``ImpossibleHeader``."""
        work = partial(self.stdin.readline, LONGEST_HEADER)
        return checked(await self.loop.run_in_executor(self.executor, work))

    async def readexactly(self, n: int) -> bytes:
        """So many bytes; nothing where the editor left before it had sent them all."""
        found = await super().readexactly(n)
        return found if len(found) == n else b""


def checked(line: bytes) -> bytes:
    """The header as pygls understands it. Raises ``ImpossibleHeader``."""
    if len(line) >= LONGEST_HEADER and not line.endswith(b"\n"):
        raise ImpossibleHeader(f"the editor sent a header of more than {LONGEST_HEADER:,} bytes")
    name, colon, value = line.partition(b":")
    if not colon or name.strip().lower() != LENGTH:
        return line
    number = value.strip()
    if not number.isdigit() or len(number) > 12 or int(number) > LARGEST:
        shown = number[:40].decode("ascii", "replace")
        raise ImpossibleHeader(
            f"the editor sent an impossible Content-Length ({shown!r}): a message has at most"
            f" {LARGEST:,} bytes"
        )
    return b"Content-Length: %d\r\n" % int(number)
