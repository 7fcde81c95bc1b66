"""A request of a browser and its answer, who may come in, and the files of the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from typing import Any, Final
from urllib.parse import parse_qs

import msgspec
from msgspec import Struct, field

# ---- the exchange, between ASGI (the interface of Python's web servers) and the view

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

JSON: Final = "application/json"
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


class Request(Struct, frozen=True):
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


class Answer(Struct, frozen=True):
    """Answer to a browser."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    async def send(self, send: Send, *, with_body: bool = True) -> None:
        """Send it, with the headers for its safety."""
        length = {"content-length": str(len(self.body))}
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


# ---- the door: a token opens it once; the cookie it gives is asked for from then on
#
# Names of hosts and origins are looked at first, because a page of another site can make a browser ask us
# (DNS rebinding, forged forms); the cookie comes last. A cookie of 127.0.0.1 goes to every port there, so it is
# named by ours, and no proof by itself: another user's process does not come as far as this door (``serve``).

TOKEN_BYTES: Final = 32
OURSELVES: Final = ("same-origin", "none")  # of Sec-Fetch-Site: our page, or the person
AGAIN: Final = "'reverie view' gives a new address"


class Door(Struct):
    """The door of one process."""

    port: int
    token: str = field(default_factory=lambda: token_urlsafe(TOKEN_BYTES))  # empty: it was used
    _cookie: str = field(default_factory=lambda: token_urlsafe(TOKEN_BYTES))

    def address(self, page: str = "") -> str:
        """Address for opening the view once."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}{page and f'&page={page}'}"

    def answer(self, request: Request) -> Answer | None:
        """Answer for whom the door stays shut, or opens now; ``None`` for who is in."""
        if reason := self._against(request):
            return _refusal(request, reason)
        is_in = self._shows_cookie(request)
        if request.path == "/" and (given := request.query.get("token")):
            return self._opened(request, is_in=is_in or self._took(request, given))
        return None if is_in else _refusal(request, f"this browser was not let in: {AGAIN}")

    def _against(self, request: Request) -> str:
        """Why nobody comes in like this, whatever they hold; empty where nothing is wrong."""
        hosts = (f"127.0.0.1:{self.port}", f"localhost:{self.port}")
        if request.headers.get("host", "") not in hosts:
            return f"this is only {hosts[0]}, under no other name"
        origin = request.headers.get("origin")
        if origin is not None and origin not in tuple(f"http://{host}" for host in hosts):
            return "a page of another site asks"
        if request.headers.get("sec-fetch-site", "none") not in OURSELVES:
            return "another site leads here: type or paste the address yourself"
        return ""

    def _took(self, request: Request, given: str) -> bool:
        """Take the token, which is worth nothing after; who only looks whether a link leads anywhere takes none."""
        fits = bool(self.token) and compare_digest(given.encode(), self.token.encode())
        if fits and request.method == "GET":
            self.token = ""
            return True
        return False

    def _shows_cookie(self, request: Request) -> bool:
        wanted = f"reverie-{self.port}={self._cookie}".encode()
        cookies = request.headers.get("cookie", "").split(";")
        return any(compare_digest(one.strip().encode(), wanted) for one in cookies)

    def _opened(self, request: Request, *, is_in: bool) -> Answer:
        if not is_in:
            return _refusal(request, f"this address was used before, or never given: {AGAIN}")
        page = request.query.get("page", "")
        cookie = f"reverie-{self.port}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"
        where = f"/#{page}" if page.isascii() and page.isalpha() else "/"
        return Answer(303, headers={"location": where, "set-cookie": cookie})


def _refusal(request: Request, line: str) -> Answer:
    """An answer that keeps somebody out: a person reads it in the browser's window, a page as the API's JSON."""
    if request.path.startswith("/api/"):
        return problem(403, line)
    headers = {"content-type": "text/plain; charset=utf-8", "cache-control": "no-store"}
    return Answer(403, f"reverie: {line}\n".encode(), headers)


# ---- files of the pages: read once

FOLDER: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}


def pages(folder: Path = FOLDER) -> dict[str, Answer]:
    """Files below a folder by their paths as a browser asks for them; ``/`` is ``index.html``."""
    found: dict[str, Answer] = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.suffix in TYPES and path.is_file():
            headers = {"content-type": TYPES[path.suffix], "cache-control": "private, no-cache"}
            name = f"/{path.relative_to(folder).as_posix()}"
            found[name] = Answer(200, path.read_bytes(), headers)
    if "/index.html" in found:
        found["/"] = found["/index.html"]
    return found
