"""A server on loopback that answers every request as it is told and keeps what it was asked."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct, field


class Scripted(Struct):
    """Script of answers, and a record of what was asked."""

    url: str = ""
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    models: bytes = b"{}"  # what a GET is answered
    asked: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    hangs: bool = False
    gone: threading.Event = field(default_factory=threading.Event)  # who asked has hung up
    arrived: threading.Event = field(default_factory=threading.Event)

    def say(self, document: Any, status: int = 200) -> None:
        """Answer this JSON value from now on."""
        self.body, self.status = json.dumps(document).encode(), status


@contextmanager
def scripted_server() -> Generator[Scripted]:
    """Serve on a free port of loopback until the block ends."""
    script = Scripted()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script.asked.append((self.path, None))
            self._send(script.models, 200)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            script.asked.append((self.path, json.loads(body)))
            script.arrived.set()
            if script.hangs:
                self.connection.recv(1)  # returns when the other side closes
                script.gone.set()
                return
            self._send(script.body, script.status)

        def _send(self, body: bytes, status: int) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            for name, value in script.headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                script.gone.set()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
            """Nothing: a test says enough."""

    service = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.daemon_threads = True
    script.url = f"http://127.0.0.1:{service.server_port}"
    thread = threading.Thread(target=service.serve_forever, name="scripted-server")
    thread.start()
    try:
        yield script
    finally:
        service.shutdown()
        service.server_close()
        thread.join()
