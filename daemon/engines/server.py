"""The engine ``http``: a model server with chat completions, or Ollama's chat.

llama-server, vLLM and LM Studio take ``response_format`` with a JSON schema at
``/v1/chat/completions``; Ollama takes the schema as ``format`` at ``/api/chat``, and must be told how
much context it needs, or it cuts its input and says nothing.
"""

import ipaddress
import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import trio
from msgspec import Struct

from actors.policy.events.events import listing, mapping
from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.documents import answer_in, bounded, failed, loaded, prompt
from daemon.engines.process import OUTPUT

if TYPE_CHECKING:
    from http.client import HTTPConnection

OLLAMA_PORT: Final = 11434
CHAT: Final = "/v1/chat/completions"
MODELS: Final = "/v1/models"
OLLAMA_CHAT: Final = "/api/chat"
OLLAMA_MODELS: Final = "/api/tags"
ANSWER: Final = 4_000  # tokens; notes of one chunk of 6,000 with all their cues have 2,500
_STEP: Final = 4_096  # tokens by which Ollama's context grows, so that a model is loaded less often
_CONNECTS_WITHIN: Final = 10.0  # seconds
PATIENCE: Final = 1_200.0  # seconds: a model on a processor alone takes minutes


class BadAddress(ValueError):
    """The address is impossible for a server; the text names the mistake."""


class Server(Struct, frozen=True):
    """Address of a model server, and its protocol."""

    host: str
    port: int
    is_encrypted: bool
    path: str  # of the chat

    @property
    def speaks_ollama(self) -> bool:
        """Tell whether it is asked as Ollama is."""
        return self.path.endswith(OLLAMA_CHAT)

    @property
    def is_loopback(self) -> bool:
        """Tell whether it is on this machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def address(self) -> str:
        """The address of the chat, as a person writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.is_encrypted else ''}://{host}:{self.port}{self.path}"


def server(url: str) -> Server:
    """The server at this address; raises ``BadAddress``."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    try:
        port = parts.port
    except ValueError:
        raise BadAddress("its port is none") from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise BadAddress("write it as http://127.0.0.1:8080")
    if parts.username or parts.password or parts.query:
        raise BadAddress("it holds a credential, which would be kept and shown")
    is_encrypted = parts.scheme == "https"
    port = port or (443 if is_encrypted else 80)
    path = parts.path.rstrip("/")
    if not path:
        path = OLLAMA_CHAT if port == OLLAMA_PORT else CHAT
    elif path.endswith("/v1"):
        path += CHAT.removeprefix("/v1")
    return Server(parts.hostname, port, is_encrypted, path)


def http_engine(there: Server, *, model: str = "", seconds: float = PATIENCE) -> Engine:
    """The engine for asking this server for this model, else for its first."""

    async def answer(request: Request) -> Answer | Failed:
        with trio.move_on_after(seconds):
            name = model or await first_model(there)
            if isinstance(name, Failed):
                return name
            reply = await _exchanged(there, there.path, asked(there, name, request))
            return reply if isinstance(reply, Failed) else read(there, *reply, request)
        return Failed(Reason.LATE, f"{seconds:,.0f} s", request.tokens_with())

    return answer


async def first_model(there: Server) -> str | Failed:
    """The first model on the server's list."""
    root = there.path.removesuffix(OLLAMA_CHAT if there.speaks_ollama else CHAT)
    path = root + (OLLAMA_MODELS if there.speaks_ollama else MODELS)
    reply = await _exchanged(there, path, None)
    if isinstance(reply, Failed):
        return reply
    key, name = ("models", "name") if there.speaks_ollama else ("data", "id")
    first = _first(mapping(loaded(reply[1])).get(key)).get(name)
    return first if isinstance(first, str) and first else Failed(Reason.NO_MODEL, "it has none")


def asked(there: Server, model: str, request: Request) -> dict[str, Any]:
    """The body of the request."""
    messages = [
        {"role": "system", "content": request.system},
        {"role": "user", "content": prompt(request)},
    ]
    body: dict[str, Any] = {"model": model, "messages": messages, "stream": False}
    if there.speaks_ollama:
        # Half as much again: code has more tokens than a quarter of its characters.
        context = request.tokens_with() * 3 // 2 + ANSWER
        options = {"temperature": 0, "num_predict": ANSWER, "num_ctx": -(-context // _STEP) * _STEP}
        return {**body, "format": bounded(request.schema), "options": options}
    schema = {"name": "notes", "strict": True, "schema": bounded(request.schema)}
    response = {"type": "json_schema", "json_schema": schema}
    return {**body, "temperature": 0, "max_tokens": ANSWER, "response_format": response}


def read(there: Server, status: int, body: bytes, request: Request) -> Answer | Failed:
    """The answer in the server's reply."""
    document = mapping(loaded(body))
    if status != 200:
        error = document.get("error")
        message = error if isinstance(error, str) else mapping(error).get("message")
        said = f"{status} {message if isinstance(message, str) else ''}"
        reason = Reason.NO_MODEL if status == 404 and "model" in said else Reason.DIED
        return failed(reason, said, request)
    choice = document if there.speaks_ollama else _first(document.get("choices"))
    content = mapping(choice.get("message")).get("content")
    usage = {**document, **mapping(document.get("usage"))}
    names = ("prompt_tokens", "completion_tokens", "prompt_eval_count", "eval_count")
    tokens = sum(count for name in names if isinstance(count := usage.get(name), int))
    if "length" in (choice.get("done_reason"), choice.get("finish_reason")):
        return Failed(Reason.TOO_LONG, f"more than {ANSWER:,} tokens", tokens)
    if not choice or not isinstance(content, str | None):
        return Failed(Reason.FOREIGN, "no chat completion", tokens)
    return answer_in(content or "", request, tokens)


def _first(value: object) -> Mapping[str, object]:
    nothing: Mapping[str, object] = {}
    return next(map(mapping, listing(value)), nothing)


async def _exchanged(
    there: Server, path: str, body: Mapping[str, Any] | None
) -> tuple[int, bytes] | Failed:
    """Send one request on a connection of its own and hear status and body, on a thread.

    No redirection is followed: another host would get the session. Hanging up, as a cancellation
    does, ends the server's work for it.
    """
    import http.client  # only who has chosen a server needs it

    kind = http.client.HTTPSConnection if there.is_encrypted else http.client.HTTPConnection
    line, left = kind(there.host, there.port, timeout=_CONNECTS_WITHIN), Event()
    try:
        status, received = await trio.to_thread.run_sync(
            partial(_said, line, left, path, body), abandon_on_cancel=True
        )
    except OSError as error:
        return Failed(Reason.OFFLINE, error.strerror or there.address)
    except (http.client.HTTPException, ValueError):
        return Failed(Reason.FOREIGN, "no answer of a web server")
    finally:
        left.set()
        _hang_up(line)
    if len(received) > OUTPUT:
        return Failed(Reason.TOO_LONG, f"more than {OUTPUT:,} bytes")
    return status, received


def _said(
    line: "HTTPConnection", left: Event, path: str, body: Mapping[str, Any] | None
) -> tuple[int, bytes]:
    """Status and body of the reply to a request, which is not made once ``left`` is set.

    Raises ``OSError`` and ``http.client``'s errors.
    """
    line.connect()
    line.auto_open = 0  # who hung up meanwhile wants no other line
    if left.is_set():
        _hang_up(line)
        raise OSError("nobody waits for the answer")
    line.sock.settimeout(None)
    headers = {"Connection": "close", "Accept": "application/json"}
    if body is None:
        line.request("GET", path, headers=headers)
    else:
        headers["Content-Type"] = "application/json"
        line.request("POST", path, json.dumps(body).encode(), headers)
    response = line.getresponse()
    return response.status, response.read(OUTPUT + 1)


def _hang_up(line: "HTTPConnection") -> None:
    """Close a connection, also under a thread waiting for its answer."""
    with suppress(OSError, AttributeError):  # it has no socket yet, or any more
        line.sock.shutdown(socket.SHUT_RDWR)
    line.close()
