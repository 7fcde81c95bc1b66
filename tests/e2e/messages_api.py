"""A scripted stand-in for the Messages API, on loopback: an agent's client asks, turns answer.

It speaks as much of the API as the client needs: one message, whole or as server-sent
events. Every request is kept, so that a test sees what the model would have seen.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec import Struct, field


class Turn(Struct, frozen=True):
    """What the model says to one request of the conversation: a text, or the use of a tool."""

    text: str = ""
    tool: str = ""
    input: dict[str, Any] = field(default_factory=dict[str, Any])
    refusal: int = 0  # status of an error in place of an answer

    def block(self, number: int) -> dict[str, Any]:
        """The content of the message."""
        if not self.tool:
            return {"type": "text", "text": self.text}
        return {"type": "tool_use", "id": f"toolu_{number:024d}", "name": self.tool,
                "input": self.input}  # fmt: skip


def said(text: str) -> Turn:
    """The model ends its turn with these words."""
    return Turn(text=text)


def used(tool: str, **arguments: Any) -> Turn:
    """The model uses a tool."""
    return Turn(tool=tool, input=arguments)


def refused(status: int, kind: str, text: str) -> Turn:
    """The API refuses the request with an error of this kind."""
    return Turn(text, kind, refusal=status)


class MessagesApi(Struct):
    """What is to be said, and what was asked."""

    url: str = ""
    turns: list[Turn] = field(default_factory=list[Turn])
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: dict[str, Any]) -> tuple[Turn, int]:
        """The next turn for a request of the conversation, and which one it is."""
        with self._lock:
            self.asked.append(request)
            # The client also asks on the side, for a title of the session and the like.
            of_the_conversation = bool(request.get("tools")) and bool(request.get("stream"))
            turn = self.turns.pop(0) if of_the_conversation and self.turns else said("Done.")
            return turn, len(self.asked)


@contextmanager
def messages_api() -> Generator[MessagesApi]:
    """Serve on a free port of loopback until the block ends."""
    api = MessagesApi()

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._send(b"", "text/plain")

        def do_GET(self) -> None:
            self._send(b'{"data": [], "has_more": false}', "application/json")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if "count_tokens" in self.path:
                self._send(b'{"input_tokens": 100}', "application/json")
                return
            turn, number = api.answer(request)
            if turn.refusal:
                error = {"type": "error", "error": {"type": turn.tool, "message": turn.text}}
                self._send(json.dumps(error).encode(), "application/json", turn.refusal)
                return
            message = _message(turn, number, str(request.get("model")))
            if request.get("stream"):
                self._send(b"".join(_events(message)), "text/event-stream")
            else:
                self._send(json.dumps(message).encode(), "application/json")

        def _send(self, body: bytes, kind: str, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
            """Nothing: a test says enough."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, name="messages-api")
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _message(turn: Turn, number: int, model: str) -> dict[str, Any]:
    return {
        "id": f"msg_{number:024d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [turn.block(number)],
        "stop_reason": "tool_use" if turn.tool else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def _events(message: dict[str, Any]) -> Iterator[bytes]:
    """The message as the API streams it."""
    (block,) = message["content"]
    empty: dict[str, Any] = {"text": ""}
    delta = {"type": "text_delta", "text": block.get("text")}
    if block["type"] == "tool_use":
        empty = {"input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {**block, **empty}},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": message["usage"]},
        {"type": "message_stop"},
    ]
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
