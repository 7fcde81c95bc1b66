"""The desk: a page's question as an operation of the daemon or as the view's own work, and its reply as JSON."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, partial
from typing import Any, Final, TypeVar

import anyio
import msgspec

from daemon.api.operation import YES, Operation, operations, subjects
from daemon.asking import DaemonAway, Refused, StrangerServes
from daemon.home import Home
from daemon.launch import StartFailed, ensure_daemon, own_command
from daemon.recording import Recording, pause_folders, resume
from daemon.wire import TooLarge
from viewer.connection import ask
from viewer.exchange import JSON, Answer, Request, document, problem

# ---- operations open to the pages
#
# Not here: erasing, changes of settings, ending the daemon, and questions of programs alone.
# ``tests/viewer/test_offered.py`` has the reason of each.

OFFERED: Final = frozenset(
    """
    about archive backup-now confirm course day decide-plan dream
    dreams edit episodes explore facets feedback forget health inbox inbox-edit
    inbox-judge injections insights link list list-intentions list-sessions log passage passages pin
    plan plans reader reader-now reader-show recall refute reinstate remember
    show show-session start-page stats status suppress timeline unforget
    unlink why
    """.split()
)
# What cannot be taken back is done once a person agreed to it.
AGREED_TO: Final = frozenset({"reader-now"})


@cache
def offered() -> Mapping[str, type[Operation[Any]]]:
    """The offered operations by name; all are imported at the first question, 45 ms of CPU."""
    every = (one for subject in subjects() for one in operations(subject))
    return {one.NAME: one for one in every if one.NAME in OFFERED}


# ---- the view's own work: switches of recording, the daemon's start, and shortfalls

READY_WITHIN: Final = 30.0  # seconds for a daemon to come up
LOOKED_WITHIN: Final = 60.0  # seconds for 'reverie doctor'
# Remedies that are an operation, by what a person would type.
DONE_BY: Final[dict[str, str]] = {"reverie up": "up", "reverie backup now": "backup-now"}


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request without fields."""


class PauseAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pause of recording from now on."""

    seconds: float | None = None  # None: until it is ended
    folder: str = ""  # empty: everywhere


class Shortfall(msgspec.Struct, frozen=True):
    """A shortfall, and its remedy."""

    subject: str
    state: str  # warn, fail
    line: str
    command: str  # what a person types; empty: nothing
    name: str | None  # of the operation that does the same
    body: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])


async def _recording(home: Home, _: Nothing) -> object:
    at = _now()
    return {"at": at, "lines": Recording(home).lines(at)}


async def _pause(home: Home, asked: PauseAsked) -> object:
    pause_folders(home, _now(), asked.seconds, [asked.folder] if asked.folder else [])
    return await _recording(home, Nothing())


async def _resume(home: Home, _: Nothing) -> object:
    resume(home, _now())
    return await _recording(home, Nothing())


async def _up(home: Home, _: Nothing) -> object:
    found = await anyio.to_thread.run_sync(partial(ensure_daemon, home, within=READY_WITHIN))
    return {"ready": found.ready, "pid": found.pid, "version": found.version}


async def _shortfalls(home: Home, _: Nothing) -> object:
    """Findings of 'reverie doctor'; a process of its own, since it looks into every file."""
    environ = {**os.environ, "REVERIE_HOME": str(home.root)}
    command = [*own_command(), "doctor", "--json"]
    with anyio.fail_after(LOOKED_WITHIN):
        done = await anyio.run_process(command, check=False, env=environ, stderr=subprocess.DEVNULL)
    return [
        Shortfall(
            one["name"], one["state"], one["detail"], one["remedy"], DONE_BY.get(one["remedy"])
        )
        for one in msgspec.json.decode(done.stdout)["checks"]
        if one["state"] != "ok"
    ]


def _now() -> float:
    return time.time_ns() / 1e9


Own = tuple[type[msgspec.Struct], Callable[[Home, Any], Awaitable[object]]]
OWN: Final[dict[str, Own]] = {
    "recording": (Nothing, _recording),
    "pause": (PauseAsked, _pause),
    "resume": (Nothing, _resume),
    "up": (Nothing, _up),
    "shortfalls": (Nothing, _shortfalls),
}


# ---- the desk: a page's question as an operation of the daemon, and its reply as JSON

S = TypeVar("S", bound=msgspec.Struct)

CONFIRM: Final = "confirm"
# What is the page's fault, by the daemon's word for it; everything else is not.
STATUS: Final = {
    "bad_request": 400,
    "no_such_memory": 404,
    "no_such_plan": 404,
    "no_such_session": 404,
    "no_such_intention": 404,
    "conflict": 409,
    "stopping": 503,
}


class Unasked(Exception):
    """A question nobody can answer; it holds the reply."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self.answer = answer


async def answer(home: Home, request: Request, name: str, body: bytes) -> Answer:
    """The reply of the daemon of this home to a question, or one line."""
    try:
        return document(await _replied(home, request, name, body))
    except Unasked as unasked:
        return unasked.answer
    except Refused as refused:
        return problem(STATUS.get(refused.code, 500), str(refused), code=refused.code)
    except StrangerServes as error:
        return problem(503, error.line)
    except (StartFailed, DaemonAway) as error:
        return problem(503, str(error))
    except TooLarge as error:
        return problem(413, error.line)
    except TimeoutError:
        return problem(504, "the daemon was too busy to answer: try again")


async def _replied(home: Home, request: Request, name: str, body: bytes) -> object:
    if name not in OFFERED and name not in OWN:
        raise Unasked(problem(404, "there is no such question"))
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:  # a form of another page cannot send it
        raise Unasked(problem(415, f"the content type has to be {JSON}"))
    try:
        fields = msgspec.json.decode(body or b"{}", type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Unasked(problem(400, "the body has to be a JSON object")) from None
    if name in OWN:
        shape, answered = OWN[name]
        return await answered(home, _converted(fields, shape))
    asked = _asked(name, fields)
    return asked.document(await ask(home, asked))


def _asked(name: str, fields: dict[str, Any]) -> Operation[Any]:
    """The operation; raises ``Unasked`` where a person has to agree first."""
    confirmed = fields.pop(CONFIRM, False) is True
    if name in AGREED_TO:
        if not confirmed:
            raise Unasked(problem(409, "this cannot be taken back: agree first", confirm=True))
        fields[YES] = True
    return _converted(fields, offered()[name])


def _converted(fields: dict[str, Any], shape: type[S]) -> S:
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError as error:
        raise Unasked(problem(400, str(error))) from None
