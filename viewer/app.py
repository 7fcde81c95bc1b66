"""The view as an ASGI application: the door, then the desk, the events or a file."""

from __future__ import annotations

import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

import anyio

from viewer import files
from viewer.desk import Desk
from viewer.door import Door
from viewer.events import Events
from viewer.exchange import SAFE, Receive, Request, Scope, Send, TooLong, begin, body_of, problem

API: Final = "/api/"
EVENTS: Final = "/api/events"
STREAM: Final = {
    **SAFE,
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
}


@dataclass(slots=True)
class App:
    """Everything served by one process of the view."""

    door: Door
    desk: Desk
    events: Events
    pages: dict[str, files.Page]
    asked_at: float = field(default_factory=time.monotonic)  # when somebody was here last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request.of(scope)
        refusal = self.door.answer(request)
        if refusal is not None:
            await refusal.send(send, with_body=request.method != "HEAD")
            return
        self.asked_at = time.monotonic()
        if request.path == EVENTS and request.method == "GET":
            await self._follow(request, receive, send)
        elif request.path.startswith(API) and request.method == "POST":
            await self._ask(request, receive, send)
        elif request.path.startswith(API) or request.method not in ("GET", "HEAD"):
            await problem(405, "POST to /api/NAME, GET everything else").send(send)
        else:
            found = files.file_answer(request, self.pages)
            await found.send(send, with_body=request.method != "HEAD")

    def idle(self) -> float:
        """Seconds since somebody was here; 0 while anybody looks."""
        return 0.0 if self.events.looking else time.monotonic() - self.asked_at

    async def _ask(self, request: Request, receive: Receive, send: Send) -> None:
        try:
            body = await body_of(receive)
        except TooLong:
            await problem(413, "that is too much to ask at once").send(send)
            return
        answer = await self.desk.answer(request, request.path.removeprefix(API), body)
        await answer.send(send)

    async def _follow(self, request: Request, receive: Receive, send: Send) -> None:
        """Send events until the browser goes, or the process ends."""
        await begin(send, 200, STREAM)
        async with anyio.create_task_group() as tasks:

            async def until_gone() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                tasks.cancel_scope.cancel()

            tasks.start_soon(until_gone)
            last_id = request.headers.get("last-event-id", "")
            async with aclosing(self.events.after(last_id)) as messages:
                async for message in messages:  # a slow browser holds up its own messages alone
                    await send({"type": "http.response.body", "body": message, "more_body": True})
            tasks.cancel_scope.cancel()
        self.asked_at = time.monotonic()
        with anyio.CancelScope(shield=True):
            await send({"type": "http.response.body", "body": b""})
