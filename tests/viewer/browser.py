"""The view as a process, and a browser without pages: raw HTTP, with the headers that a test gives."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from tests.daemon.process import PROGRAM, Daemon, ended
from tests.patience import PATIENCE, ROOT

JSON = {"content-type": "application/json"}


class View:
    """A process of ``reverie view`` for the home of a daemon."""

    process: subprocess.Popen[str]

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.address = ""  # as it is printed

    def start(self, *words: str) -> View:
        """Start it, and read the address that it prints."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "view", "--no-open", *words], cwd=ROOT, text=True,
            env=self.daemon.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        assert self.address.startswith("http://127.0.0.1:"), self.process.communicate()[1]
        return self

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.address.split(":")[2].partition("/")[0])

    @property
    def path(self) -> str:
        """The address without its host: it works once."""
        return self.address.partition(str(self.port))[2]

    def browser(self) -> Browser:
        """A browser that came in by the address."""
        one = Browser(self.port)
        assert one.get(self.path).status == 303
        return one

    def end(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """End it by a signal: its exit code and its last words."""
        self.process.send_signal(number)
        return ended(self.process)


class Got(Struct):
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Browser(Struct):
    """Something that asks a port of this machine."""

    port: int
    cookie: str = ""

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> Got:
        """The answer to a request without a body; a cookie that it sets is kept."""
        return self._asked(method, path, None, headers or {})

    def post(self, name: str, **fields: object) -> Got:
        """The answer to a question of the API."""
        return self.send(name, json.dumps(fields).encode(), JSON)

    def send(self, name: str, body: bytes, headers: dict[str, str]) -> Got:
        """The answer to a question whose body is as it is given."""
        return self._asked("POST", f"/api/{name}", body, headers)

    def ask(self, name: str, **fields: Any) -> Any:
        """What a question is answered with, when all is well."""
        got = self.post(name, **fields)
        assert got.status == 200, got.body
        return got.said

    def _asked(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Got:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, self._headers(headers))
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            if "set-cookie" in named:
                self.cookie = named["set-cookie"].partition(";")[0]
            return Got(answer.status, named, answer.read())
        finally:
            connection.close()

    def _headers(self, given: dict[str, str]) -> dict[str, str]:
        return {**({"cookie": self.cookie} if self.cookie else {}), **given}

    def follow(self, last_id: str = "") -> Events:
        """What happens from now on, or after an event."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"last-event-id": last_id} if last_id else {}
        connection.request("GET", "/api/events", headers=self._headers(headers))
        return Events(connection, connection.getresponse())


class Events(Struct):
    """A stream of events."""

    connection: http.client.HTTPConnection
    answer: http.client.HTTPResponse

    def __enter__(self) -> Events:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self.connection.close()

    def __iter__(self) -> Iterator[tuple[str, str, Any]]:
        """Each event: its id, its name and its data."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                yield fields.get("id", ""), fields.get("event", ""), json.loads(fields["data"])
                fields = {}
