"""A very small editor: asks the real language server for the hints of one file."""

import json
import os
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

WITHIN = 20.0  # seconds until hints are there: the server's imports, and its quiet time


@dataclass(slots=True)
class Editor:
    """One conversation in JSON-RPC over the server's pipes."""

    to_server: BinaryIO
    from_server: BinaryIO
    last_id: int = 0

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """A request and its result; the server's own requests are answered with nothing."""
        self.last_id += 1
        self._send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self.last_id and "method" not in message:
                return message.get("result")
            if "id" in message and "method" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        self.to_server.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.to_server.flush()

    def _receive(self) -> dict[str, Any]:
        length = 0
        while (line := self.from_server.readline().strip()) or not length:
            if not line:
                raise EOFError("the language server ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self.from_server.read(length))
        return message


@contextmanager
def open_editor(command: Sequence[str], root: Path) -> Generator[Editor]:
    """The language server in a process of its own, initialised."""
    process = subprocess.Popen(
        [*command, "lsp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        editor = Editor(process.stdin, process.stdout)  # type: ignore[arg-type]  # binary pipes
        editor.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "capabilities": {"textDocument": {"inlayHint": {}, "hover": {}}},
            },
        )
        editor.tell("initialized", {})
        yield editor
        editor.ask("shutdown", {})
        editor.tell("exit", {})
        process.wait(10)
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
