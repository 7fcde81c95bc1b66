"""The door: who may come in. A token opens it once; the cookie it gives is asked for from then on.

Names of hosts and origins are looked at first, because a page of another site can make a browser ask us
(DNS rebinding, forged forms); the cookie comes last. A cookie of 127.0.0.1 goes to every port there, so it is
named by ours, and no proof by itself: another user's process does not come as far as this door (``serve``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from typing import Final

from viewer.exchange import Answer, Request, plain, problem

TOKEN_BYTES: Final = 32
OURSELVES: Final = ("same-origin", "none")  # of Sec-Fetch-Site: our page, or the person
AGAIN: Final = "'reverie view' gives a new address"


@dataclass(slots=True)
class Door:
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
    return plain(403, f"reverie: {line}")
