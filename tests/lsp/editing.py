"""An editor for tests: JSON-RPC over two pipes, with a thread that reads.

It answers what a server asks (settings, refreshes, registrations) and keeps everything
it was told, so that a test can wait for it. It is no mock of the server: the server
that it talks to is the real one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from tests.patience import PATIENCE

REFRESH = "workspace/inlayHint/refresh"

CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "configuration": True,
        "inlayHint": {"refreshSupport": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "textDocumentContent": {"dynamicRegistration": True},
    },
    "window": {"showDocument": {"support": True}},
}


class EditorClient:
    """One editor with one server; ``settings`` is what the server is told when it asks."""

    def __init__(self, writer: IO[bytes], reader: IO[bytes], settings: Any = None) -> None:
        self.settings = settings
        self.presses: str | None = None  # the button of every message with buttons
        self.writes: str | None = None  # the answer to every question
        self.told: list[dict[str, Any]] = []  # notifications and requests of the server
        self._writer = writer
        self._reader = reader
        self._replies: dict[int, dict[str, Any]] = {}
        self._changed = threading.Condition()
        self._last_id = 0
        self._writing = threading.Lock()
        self._thread = threading.Thread(target=self._read, name="editor", daemon=True)
        self._thread.start()

    # ---- The protocol --------------------------------------------------------------

    def notify(self, method: str, params: Any) -> None:
        """Tell the server."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> int:
        """Ask the server and do not wait: the request's id."""
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        return self._last_id

    def answer(self, id_: int) -> dict[str, Any]:
        """The whole reply to a request."""
        with self._changed:
            assert self._changed.wait_for(lambda: id_ in self._replies, PATIENCE), "no reply"
            return self._replies.pop(id_)

    def request(self, method: str, params: Any) -> Any:
        """Ask the server, and return the result."""
        reply = self.answer(self.ask(method, params))
        assert "error" not in reply, reply["error"]
        return reply.get("result")

    def wait(self, method: str, when: Callable[[Any], bool] = lambda _: True, nth: int = 1) -> Any:
        """The parameters of the ``nth`` message of this method that is as wanted."""

        def found() -> list[Any]:
            messages = [message for message in self.told if message["method"] == method]
            return [m.get("params") for m in messages if when(m.get("params"))]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= nth, PATIENCE), self.told
            return found()[nth - 1]

    def listen(self, method: str, nth: int) -> bool:
        """Whether the ``nth`` message of this method comes."""
        with self._changed:
            return self._changed.wait_for(lambda: self._heard(method) >= nth, PATIENCE)

    def heard(self, method: str) -> int:
        """How many messages of this method have come."""
        with self._changed:
            return self._heard(method)

    def _heard(self, method: str) -> int:
        return sum(message["method"] == method for message in self.told)

    # ---- What an editor does -------------------------------------------------------

    def initialize(
        self, options: Any = None, capabilities: dict[str, Any] = CAPABILITIES
    ) -> dict[str, Any]:
        """The first two messages."""
        params = {
            "processId": None,
            "rootUri": None,
            "capabilities": capabilities,
            "initializationOptions": options,
        }
        result: dict[str, Any] = self.request("initialize", params)
        self.notify("initialized", {})
        return result

    def ready(self) -> None:
        """Wait until the server has found its daemon."""
        self.wait("reverie/status", lambda status: status["state"] == "ready")

    def open(self, uri: str, text: str) -> None:
        """Show a file; its version is 1."""
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, uri: str, version: int, line: int, start: int, end: int, text: str) -> None:
        """Replace a stretch of one line."""
        change = {"range": span(line, start, line, end), "text": text}
        document = {"uri": uri, "version": version}
        params = {"textDocument": document, "contentChanges": [change]}
        self.notify("textDocument/didChange", params)

    def hints(self, uri: str, last: int = 1000) -> list[tuple[int, str]]:
        """Line and label of every hint."""
        params = {"textDocument": {"uri": uri}, "range": span(0, 0, last, 0)}
        found = self.request("textDocument/inlayHint", params)
        return [(hint["position"]["line"], hint["label"]) for hint in found]

    def see(self, uri: str, expected: list[tuple[int, str]]) -> None:
        """Ask for the hints, and again when the server wishes it, until they are these."""
        while True:
            heard = self.heard(REFRESH)
            found = self.hints(uri)
            if found == expected:
                return
            assert self.listen(REFRESH, heard + 1), f"{found} instead of {expected}"

    def hover(self, uri: str, line: int, character: int) -> str | None:
        """The text of the hover there."""
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": uri}, "position": position}
        found = self.request("textDocument/hover", params)
        return None if found is None else found["contents"]["value"]

    def actions(self, uri: str, line: int, start: int = 0, end: int = 0) -> list[dict[str, Any]]:
        """The code actions of a stretch of one line."""
        params: dict[str, Any] = {
            "textDocument": {"uri": uri},
            "range": span(line, start, line, end),
            "context": {"diagnostics": []},
        }
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return found

    def act(self, action: dict[str, Any]) -> Any:
        """Carry out a code action."""
        command = action["command"]
        return self.command(command["command"], *command.get("arguments", []))

    def command(self, name: str, *arguments: Any) -> Any:
        """Carry out a command."""
        params = {"command": name, "arguments": list(arguments)}
        return self.request("workspace/executeCommand", params)

    def leave(self) -> None:
        """The last two messages."""
        self.request("shutdown", None)
        self.notify("exit", None)

    def hang_up(self) -> None:
        """Close the pipe to the server, which then leaves."""
        with self._writing:
            self._writer.close()

    def join(self) -> None:
        """Wait for the reading thread, after the server has gone."""
        self._thread.join(PATIENCE)

    # ---- The two pipes -------------------------------------------------------------

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._writing:
            if not self._writer.closed:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self._writer.flush()

    def _answered(self, answer: dict[str, Any]) -> None:
        try:
            self._send(answer)
        except BrokenPipeError:  # the server has left meanwhile, and waits for no answer
            with suppress(BrokenPipeError):
                self._writer.close()

    def _read(self) -> None:
        while True:
            length = 0
            while (line := self._reader.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not length:
                return
            self._take(json.loads(self._reader.read(length)))

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            # Who reads must not wait for room to write: the server may wait to be read.
            answer = {"id": message["id"], "result": self._result(message)}
            threading.Thread(target=self._answered, args=(answer,), daemon=True).start()
        with self._changed:
            if "method" in message:
                self.told.append(message)
            else:
                self._replies[message["id"]] = message
            self._changed.notify_all()

    def _result(self, message: dict[str, Any]) -> Any:
        match message["method"]:
            case "workspace/configuration":
                return [self.settings]
            case "window/showMessageRequest":
                return {"title": self.presses} if self.presses else None
            case "reverie/ask":
                return self.writes
            case "window/showDocument":
                return {"success": True}
            case _:
                return None


def span(first: int, start: int, last: int, end: int) -> dict[str, Any]:
    """A range of a document."""
    return {"start": {"line": first, "character": start}, "end": {"line": last, "character": end}}
