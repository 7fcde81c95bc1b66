"""The desk: a page's question as an operation of the daemon, and its reply as JSON."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import msgspec

from daemon.api.operation import YES, Operation
from daemon.asking.connection import DaemonAway, Refused, StrangerServes
from daemon.home import Home
from daemon.launch import StartFailed
from daemon.wire import TooLarge
from viewer.connection import Connection
from viewer.exchange import JSON, Answer, Request, document, problem
from viewer.offered import AGREED_TO, OFFERED, offered
from viewer.own import OWN

S = TypeVar("S", bound=msgspec.Struct)

CONFIRM: Final = "confirm"
COSTLY: Final = ("stats", "shortfalls")  # each page of each tab may ask them at once
# What is the page's fault, by the daemon's word for it; everything else is not.
STATUS: Final = {
    "bad_request": 400,
    "no_such_memory": 404,
    "no_such_plan": 404,
    "no_such_session": 404,
    "no_such_intention": 404,
    "conflict": 409,
    "too_late": 409,
    "stopping": 503,
}


class Unasked(Exception):
    """A question nobody can answer; it holds the reply."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


@dataclass(slots=True)
class Look:
    """A look costing seconds: everybody asking while it is under way shares the next one."""

    _one_at_a_time: anyio.Lock = field(default_factory=anyio.Lock)
    _begun: float = -math.inf
    _seen: object = None

    async def shared(self, look: Callable[[], Awaitable[object]]) -> object:
        """Result of a look begun after this question came."""
        asked = anyio.current_time()
        async with self._one_at_a_time:
            if self._begun <= asked:
                begun = anyio.current_time()
                self._seen = await look()
                self._begun = begun
            return self._seen


@dataclass(frozen=True, slots=True)
class Desk:
    """Asks the daemon of a home for the pages."""

    home: Home
    connection: Connection
    looks: dict[str, Look] = field(default_factory=lambda: {name: Look() for name in COSTLY})

    async def answer(self, request: Request, name: str, body: bytes) -> Answer:
        """The reply to a question, or one line."""
        try:
            return document(await self._replied(request, name, body))
        except Unasked as unasked:
            return unasked.answer
        except Refused as refused:
            return problem(STATUS.get(refused.code, 500), str(refused), code=refused.code)
        except StartFailed as error:
            return problem(503, str(error))
        except StrangerServes as error:
            return problem(503, error.line)
        except DaemonAway as error:
            return problem(503, str(error))
        except TooLarge as error:
            return problem(413, error.line)
        except TimeoutError:
            return problem(504, "the daemon was too busy to answer: try again")

    async def _replied(self, request: Request, name: str, body: bytes) -> object:
        if name not in OFFERED and name not in OWN:
            raise Unasked(problem(404, "there is no such question"))
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:  # a form of another page cannot send it
            raise Unasked(problem(415, f"the content type has to be {JSON}"))
        fields = _fields(body)
        if name in COSTLY and not fields:
            return await self.looks[name].shared(partial(self._done, name, fields))
        return await self._done(name, fields)

    async def _done(self, name: str, fields: dict[str, Any]) -> object:
        if name in OWN:
            shape, answered = OWN[name]
            return await answered(self.home, _converted(fields, shape))
        asked = _asked(name, fields)
        return asked.document(await self.connection.ask(asked))


def _fields(body: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(body or b"{}", type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unasked(problem(400, "the body has to be a JSON object")) from None


def _asked(name: str, fields: dict[str, Any]) -> Operation[Any]:
    """The operation; raises ``Unasked`` where a person has to agree first."""
    confirmed = fields.pop(CONFIRM, False) is True
    if name in AGREED_TO and not fields.get("dry_run"):
        if not confirmed:
            raise Unasked(problem(409, "this cannot be taken back: agree first", confirm=True))
        fields[YES] = True
    return _converted(fields, offered(name))


def _converted(fields: dict[str, Any], shape: type[S]) -> S:
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError as error:
        raise Unasked(problem(400, str(error))) from None
