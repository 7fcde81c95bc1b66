"""A request of a browser and its answer, between ASGI (the interface of Python's web servers) and the view."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON: Final = "application/json"
UNCHANGED: Final = 304  # its length would be that of what the browser has
MOST: Final = 1_000_000  # bytes of a request's body: a text has far fewer
# With every answer: nothing is loaded but our own files, no other site frames, opens or reads us,
# and none learns where the person was.
SAFE: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class TooLong(Exception):
    """The body of a request has more than ``MOST`` bytes."""


@dataclass(frozen=True, slots=True)
class Request:
    """A browser's request, without its body. Several headers of a name are joined, as HTTP has it."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]  # by lower-case names

    @classmethod
    def of(cls, scope: Scope) -> Request:
        """Read it from the scope of ASGI."""
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key, text = name.decode("latin-1"), value.decode("latin-1")
            joint = "; " if key == "cookie" else ", "
            headers[key] = f"{headers[key]}{joint}{text}" if key in headers else text
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        query = {name: values[0] for name, values in asked.items()}
        return cls(scope["method"], scope["path"], query, headers)


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to a browser."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def send(self, send: Send, *, with_body: bool = True) -> None:
        """Send it, with the headers for its safety."""
        length = {} if self.status == UNCHANGED else {"content-length": str(len(self.body))}
        await begin(send, self.status, {**SAFE, **length, **self.headers})
        await send({"type": "http.response.body", "body": self.body if with_body else b""})


async def begin(send: Send, status: int, headers: Mapping[str, str]) -> None:
    """Send the head of an answer."""
    pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})


def document(found: object, status: int = 200) -> Answer:
    """A JSON document as answer, which nobody keeps."""
    headers = {"content-type": JSON, "cache-control": "no-store"}
    return Answer(status, msgspec.json.encode(found), headers)


def problem(status: int, line: str, **more: object) -> Answer:
    """An answer with the error in one line."""
    return document({"error": " ".join(line.split()), **more}, status)


def plain(status: int, line: str) -> Answer:
    """An answer that is one line for a person."""
    headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    return Answer(status, f"{line}\n".encode(), headers)


async def body_of(receive: Receive) -> bytes:
    """The whole body of a request. Raises ``TooLong``."""
    parts: list[bytes] = []
    length = 0
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        length += len(parts[-1])
        if length > MOST:
            raise TooLong
        if not message.get("more_body", False):
            return b"".join(parts)
