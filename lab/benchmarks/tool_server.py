"""Cost of the tool server beside the language server, before a running daemon without a model.

    python -m lab.benchmarks.tool_server

CPU until the first answer and memory then, of three processes each; CPU of a call in the tool
server, mean of 200. Linux only.
"""

import json
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lab.benchmarks.processes import Process, daemon, started_with

ROUNDS = 3
CALLS = 200
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}
OPENED: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}


class Server:
    """A server's process that is asked by its streams."""

    def __init__(self, running: subprocess.Popen[bytes], home: Path) -> None:
        self.running = running
        self.process = Process(running.pid, home)
        self._last = 0

    def _message(self, method: str, params: dict[str, Any]) -> bytes:
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        return json.dumps(message).encode()

    def line(self, method: str, params: dict[str, Any]) -> bytes:
        """Ask a tool server, whose messages are lines; its answer, empty when it has left."""
        stdin, stdout = self.running.stdin, self.running.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(self._message(method, params) + b"\n")
        stdin.flush()
        return stdout.readline()

    def framed(self, method: str, params: dict[str, Any]) -> None:
        """Ask a language server, whose messages have a header, and wait for its answer."""
        stdin, stdout = self.running.stdin, self.running.stdout
        assert stdin is not None
        assert stdout is not None
        message = self._message(method, params)
        stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
        stdin.flush()
        length = 0
        while (header := stdout.readline()) != b"\r\n":
            if header.startswith(b"Content-Length:"):
                length = int(header.partition(b":")[2])
        stdout.read(length)

    def cost(self) -> str:
        """CPU and memory until now, for a person."""
        memory = self.process.memory()
        return f"{self.process.cpu():.2f} s of CPU, {sum(memory.values()):.0f} MB"


@contextmanager
def server(home: Path, command: str) -> Generator[Server]:
    """``reverie COMMAND`` on this home, which ends with the block."""
    with subprocess.Popen(
        started_with(command), env={"REVERIE_HOME": str(home), "PATH": "/usr/bin:/bin"}, cwd=home,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        try:
            yield Server(running, home)
        finally:
            running.kill()


def a_call(tools: Server, tool: str, arguments: list[dict[str, Any]]) -> str:
    """Mean CPU of these calls in the server's process."""
    before = tools.process.cpu()
    for one in arguments:
        tools.line("tools/call", {"name": tool, "arguments": one})
    return f"{1e3 * (tools.process.cpu() - before) / len(arguments):.1f} ms of CPU a {tool}"


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(prefix="rv-") as folder:
        home = Path(folder)
        home.chmod(0o700)
        with daemon(home):
            for turn in range(ROUNDS):
                with server(home, "lsp") as editor:
                    editor.framed("initialize", OPENED)
                    print(f"language server: {editor.cost()}")
                with server(home, "mcp") as tools:
                    tools.line("initialize", HELLO)
                    print(f"tool server: {tools.cost()}")
                    searches = [{"query": f"what of worker {n}"} for n in range(CALLS)]
                    notes = [
                        {"kind": "fact", "text": f"Worker {turn}-{n} starts last, by its cache."}
                        for n in range(CALLS)
                    ]
                    print(
                        f"  {a_call(tools, 'search', searches)}, {a_call(tools, 'remember', notes)}"
                    )


if __name__ == "__main__":
    main()
