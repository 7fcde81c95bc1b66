"""The engine ``http``: a model server that speaks chat completions, or Ollama's chat.

llama-server, vLLM and LM Studio take ``response_format`` with a JSON schema at
``/v1/chat/completions``; Ollama takes the schema as ``format`` at ``/api/chat``, and must be told how
much context it needs, or it cuts what it was sent and says nothing.
"""

import http.client
import ipaddress
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final, cast
from urllib.parse import urlsplit

import trio

from actors.policy.reader.exchange import Answer, Engine, Failed, Reason, Request
from daemon.engines.complaints import failed
from daemon.engines.documents import answered, bounded, estimated, fenced, loaded, prompt
from daemon.engines.process import Bounds

OLLAMA_PORT: Final = 11434
CHAT: Final = "/v1/chat/completions"
MODELS: Final = "/v1/models"
OLLAMA_CHAT: Final = "/api/chat"
OLLAMA_MODELS: Final = "/api/tags"
ANSWER: Final = 4_000  # tokens; notes of one chunk of 6,000 with all their cues have 2,500
_STEP: Final = 4_096  # tokens by which Ollama's context grows, so that a model is loaded less often
_READS: Final = 65_536  # bytes at once
_CONNECTS_WITHIN: Final = 10.0  # seconds
PATIENCE: Final = Bounds(seconds=1_200.0)  # a model on a processor alone takes minutes


class BadAddress(ValueError):
    """The address is none that a server has; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Server:
    """Address at which a model server listens, and what it speaks."""

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

    def beside(self, path: str) -> "Server":
        """The same server at another path."""
        return Server(self.host, self.port, self.is_encrypted, path)


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


def http_engine(url: str, *, model: str = "", bounds: Bounds = PATIENCE) -> Engine:
    """The engine that asks the server at this address for this model, else for its first.

    Raises ``BadAddress``.
    """
    there = server(url)

    async def answer(request: Request) -> Answer | Failed:
        with trio.move_on_after(bounds.seconds):
            name = model or await first_model(there)
            if isinstance(name, Failed):
                return name
            reply = await _exchanged(there, asked(there, name, request), bounds.output)
            return reply if isinstance(reply, Failed) else read(there, reply, request)
        return Failed(Reason.LATE, f"{bounds.seconds:,.0f} s", estimated(request))

    return answer


async def first_model(there: Server) -> str | Failed:
    """The first model that the server says it has."""
    root = there.path.removesuffix(OLLAMA_CHAT if there.speaks_ollama else CHAT)
    path = root + (OLLAMA_MODELS if there.speaks_ollama else MODELS)
    reply = await _exchanged(there.beside(path), None, Bounds().output)
    if isinstance(reply, Failed):
        return reply
    key, name = ("models", "name") if there.speaks_ollama else ("data", "id")
    entries = _at(loaded(reply.body), key)
    first = _at(entries[0], name) if isinstance(entries, list) and entries else None  # pyright: ignore[reportUnknownArgumentType]
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
        context = estimated(request) * 3 // 2 + ANSWER
        options = {"temperature": 0, "num_predict": ANSWER, "num_ctx": -(-context // _STEP) * _STEP}
        return {**body, "format": bounded(request.schema), "options": options}
    schema = {"name": "notes", "strict": True, "schema": bounded(request.schema)}
    response = {"type": "json_schema", "json_schema": schema}
    return {**body, "temperature": 0, "max_tokens": ANSWER, "response_format": response}


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply of a server."""

    status: int
    body: bytes


def read(there: Server, reply: Reply, request: Request) -> Answer | Failed:
    """The answer in what the server sent back."""
    document = loaded(reply.body)
    if reply.status != 200:
        return _refusal(reply.status, document, request)
    choice = document if there.speaks_ollama else _first(_at(document, "choices"))
    content = _at(_at(choice, "message"), "content")
    tokens = _tokens(document, request, content)
    if _at(choice, "done_reason") == "length" or _at(choice, "finish_reason") == "length":
        return Failed(Reason.TOO_LONG, f"more than {ANSWER:,} tokens", tokens)
    if choice is None or not isinstance(content, str | None):
        return Failed(Reason.FOREIGN, "no chat completion", tokens)
    if not content or content.strip() == "null":
        return Failed(Reason.EMPTY, "", tokens)
    value = loaded(fenced(content))
    if value is None:
        return Failed(Reason.FOREIGN, "no JSON", tokens)
    return answered(value, request, tokens)


def _refusal(status: int, document: object, request: Request) -> Failed:
    error = _at(document, "error")
    message = error if isinstance(error, str) else _at(error, "message")
    said = f"{status} {message if isinstance(message, str) else ''}"
    if status == 404 and "model" in said:
        return failed(Reason.NO_MODEL, said, request)
    return failed(Reason.DIED, said, request)


def _tokens(document: object, request: Request, content: object) -> int:
    """Tokens as the server counted them, else as they are estimated."""
    usage = _at(document, "usage")
    counts = [
        _at(usage, "prompt_tokens"),
        _at(usage, "completion_tokens"),
        _at(document, "prompt_eval_count"),
        _at(document, "eval_count"),
    ]
    counted = sum(count for count in counts if isinstance(count, int))
    return counted or estimated(request, content if isinstance(content, str) else "")


def _at(value: object, name: str) -> object:
    return cast("Mapping[str, object]", value).get(name) if isinstance(value, dict) else None


def _first(value: object) -> object:
    return cast("list[object]", value)[0] if isinstance(value, list) and value else None


async def _exchanged(there: Server, body: Mapping[str, Any] | None, bound: int) -> Reply | Failed:
    """Send one request on a connection of its own and hear the whole answer.

    No redirection is followed: another host would be given the session. Closing the connection,
    as a cancellation does, ends what a server computes for it.
    """
    text = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{'GET' if body is None else 'POST'} {there.path} HTTP/1.1\r\n"
        f"Host: {there.host}:{there.port}\r\nConnection: close\r\nAccept: application/json\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    )
    try:
        async with await _connected(there) as stream:
            await stream.send_all(head.encode() + text)
            received = await _heard(stream, bound)
    except (OSError, trio.BrokenResourceError, trio.TooSlowError) as error:
        cause = error.__cause__ if isinstance(error, trio.BrokenResourceError) else error
        return Failed(Reason.OFFLINE, getattr(cause, "strerror", None) or there.address)
    if len(received) > bound:
        return Failed(Reason.TOO_LONG, f"more than {bound:,} bytes")
    try:
        return _parsed(received)
    except (http.client.HTTPException, ValueError):
        return Failed(Reason.FOREIGN, "no answer of a web server")


async def _connected(there: Server) -> trio.abc.Stream:
    with trio.fail_after(_CONNECTS_WITHIN):
        stream = await trio.open_tcp_stream(there.host, there.port)
        if not there.is_encrypted:
            return stream
        secure = trio.SSLStream(
            stream, ssl.create_default_context(), server_hostname=there.host, https_compatible=True
        )
        await secure.do_handshake()
        return secure


async def _heard(stream: trio.abc.Stream, bound: int) -> bytes:
    """The answer, to its end or to just over the bound."""
    received = b""
    while len(received) <= bound:
        piece = await stream.receive_some(_READS)
        received += piece
        if not piece or _is_whole(received):
            break
    return received


def _is_whole(received: bytes) -> bool:
    """Tell whether the answer is there: some servers leave the connection open."""
    head, blank, body = received.partition(b"\r\n\r\n")
    if not blank:
        return False
    fields = dict(_field(line) for line in head.split(b"\r\n")[1:])
    if b"chunked" in fields.get(b"transfer-encoding", b""):
        return body.endswith(b"0\r\n\r\n")
    length = fields.get(b"content-length", b"")
    return length.isdigit() and len(body) >= int(length)


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip().lower(), value.strip().lower()


def _parsed(received: bytes) -> Reply:
    """The answer's status and body, as the standard library reads them."""

    class Heard:
        def makefile(self, _mode: str) -> BytesIO:
            return BytesIO(received)

    response = http.client.HTTPResponse(cast("Any", Heard()))
    response.begin()
    return Reply(response.status, response.read())
