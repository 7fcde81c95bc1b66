"""A very small editor: opens one file and asks the real language server for its hints there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient

WITHIN = 20.0  # seconds until hints are there: the server's imports, and its quiet time


async def seen(
    command: Sequence[str], root: Path, uri: str, text: str
) -> tuple[types.InlayHint, types.Hover | None]:
    """The first hint in a file with this text, and the hover on its line.

    Runs on asyncio. Raises ``TimeoutError`` when there is none in time; the server ends then too.
    """
    from lsprotocol import types
    from pygls.lsp.client import LanguageClient  # 0.8 s, and not at all for --help

    document = types.TextDocumentIdentifier(uri)
    client = LanguageClient("reverie demo", "1")
    client.feature("reverie/status")(_not_shown)
    await client.start_io(*command, "lsp")  # pyright: ignore[reportUnknownMemberType]
    try:
        with anyio.fail_after(WITHIN):
            await client.initialize_async(
                types.InitializeParams(
                    types.ClientCapabilities(), process_id=os.getpid(), root_uri=root.as_uri()
                )
            )
            client.initialized(types.InitializedParams())
            opened = types.TextDocumentItem(uri, "python", 1, text)
            client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
            hint = await _first_hint(client, document, len(text.splitlines()))
            pointer = types.Position(hint.position.line, 2)
            hover = await client.text_document_hover_async(types.HoverParams(document, pointer))
            await client.shutdown_async(None)
    finally:
        client.exit(None)  # without it the client would wait for the server's end for ever
        await client.stop()  # type: ignore[no-untyped-call]
    return hint, hover


def _not_shown(_: object) -> None:
    """The state of the daemon, which an editor may show."""


async def _first_hint(
    client: LanguageClient, document: types.TextDocumentIdentifier, lines: int
) -> types.InlayHint:
    from lsprotocol import types

    whole = types.Range(types.Position(0, 0), types.Position(lines, 0))
    while True:
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        if hints:
            return hints[0]
        await anyio.sleep(0.1)
