"""Dispatch of frames to whoever answers them: every frame gets exactly one answer."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, partial
from typing import Any, cast

import msgspec
import trio

from actors.core.equipment import Receipt
from actors.core.failures import Conflicting, Unreadable, Unwritable
from actors.core.mailbox import Crashed, MailboxClosed, SwitchedOff
from actors.gate.messages import NoSuchMemory
from actors.policy.events.fence import neutralised
from actors.policy.graph.link_graph import InvalidLink
from daemon.answers import hooks
from daemon.api.operation import Operation, operations, subjects
from daemon.api.status import Greet
from daemon.context import Parts
from daemon.durability.backups import BackupFailed
from daemon.shapes.replies import Asker, BadRequest, NotThere
from daemon.wire import ERROR, PROGRESS, REPLY, Frame, TooLarge

logger = logging.getLogger(__name__)

Send = Callable[[Frame], Awaitable[None]]


HOOKS = {"hook": hooks.hook, "oversize": hooks.oversize}

# What an answer may raise, the word for programs, and the line for people where the
# error itself has none.
_PROBLEMS: tuple[tuple[type[Exception], str, str], ...] = (
    (BadRequest, "bad_request", ""),
    (NotThere, "", ""),  # it names its own
    (NoSuchMemory, "no_such_memory", "there is no memory with this id: reverie list shows them"),
    (InvalidLink, "invalid_link", ""),
    (BackupFailed, "backup_failed", ""),
    (Unwritable, "unwritable", ""),
    (Unreadable, "unreadable", ""),
    (Conflicting, "conflict", ""),
    (trio.TooSlowError, "too_slow", "the daemon was too busy to answer: try again"),
    (SwitchedOff, "switched_off", ""),
    (
        Crashed,
        "crashed",
        "this request made a part of the daemon fail: reverie log --daemon says where",
    ),
    (MailboxClosed, "stopping", "the daemon is stopping: try again in a moment"),
)
_OUTCOMES: tuple[type[Exception], ...] = tuple(problem for problem, _, _ in _PROBLEMS)
# A connection that broke is the gateway's affair.
_EXPECTED = (*_OUTCOMES, trio.BrokenResourceError, trio.ClosedResourceError)


@cache
def requests() -> dict[str, type[Operation[Any]]]:
    """Every operation by its name, imported at the first question: a daemon is ready without them."""
    return {one.NAME: one for subject in subjects() for one in operations(subject)}


def _request(kind: str) -> type[Operation[Any]] | None:
    # Whoever starts a daemon greets it, again and again until it is ready.
    return Greet if kind == Greet.NAME else requests().get(kind)


def is_slow(kind: str) -> bool:
    """Return whether this kind has no deadline: an asker who leaves ends it."""
    request = None if kind in HOOKS else _request(kind)
    return request is not None and request.SLOW


def asked_by(kind: str) -> Asker:
    """Whom a frame shows to be there."""
    if kind in HOOKS:
        return "program"
    request = _request(kind)
    return "person" if request is None else request.ASKED_BY


def parsed(kind: str, body: object) -> Operation[Any]:
    """The request of this kind, checked strictly.

    Raises ``BadRequest`` for an unknown kind and for any field missing, unknown or of another type.
    """
    request = _request(kind)
    if request is None:
        raise BadRequest(f"there is no request called {kind[:40]!r}")
    try:
        checked: Operation[Any] = msgspec.convert(body, request, strict=True)
    except msgspec.ValidationError as error:
        raise BadRequest(f"{kind}: {error}") from None
    return checked


async def answer(parts: Parts, frame: Frame, send: Send, receipt: Receipt | None = None) -> None:
    """Answer one frame; without a ``receipt`` the answer counts as taken."""
    if frame.kind != Greet.NAME:  # who waits for an answer greets, again and again
        parts.last_event = trio.current_time()
    parts.activity.heard(asked_by(frame.kind), frame.body)
    work = partial(_reply, parts, frame, send, receipt or Receipt(taken=True))
    try:
        reply = await parts.supervisor.guard(frame.kind[:40], work, _EXPECTED)
    except _OUTCOMES as error:  # Crashed is one of them
        reply = _refusal(frame, error)
    try:
        await send(reply)
    except TooLarge as error:
        await send(_problem(frame.id, "too_large", f"the answer is too large: {error}"))


async def _reply(parts: Parts, frame: Frame, send: Send, receipt: Receipt) -> Frame:
    if frame.kind in HOOKS:
        return Frame(frame.id, REPLY, await HOOKS[frame.kind](parts, frame.body, receipt))
    request = parsed(frame.kind, frame.body)

    async def progress(body: dict[str, Any]) -> None:
        await send(Frame(frame.id, PROGRESS, body))

    await _check_named(parts, request)
    body = msgspec.to_builtins(await request.answer(parts, progress))
    if request.agent_in is not None:
        body = await trio.to_thread.run_sync(_quoted, body)
    return Frame(frame.id, REPLY, body)


def _quoted(body: Any) -> Any:
    """A reply as it is quoted to an agent: no text in it is a tag or another speaker."""
    if isinstance(body, str):
        return neutralised(body)
    if isinstance(body, dict):
        return {name: _quoted(value) for name, value in cast("dict[str, Any]", body).items()}
    if isinstance(body, list):
        return [_quoted(value) for value in cast("Sequence[Any]", body)]
    return body


async def _check_named(parts: Parts, request: Operation[Any]) -> None:
    """Raise ``BadRequest`` where an agent names a memory closed to it, or asks what only a person may."""
    if request.agent_in is None:
        return
    if not request.FOR_AGENTS:
        raise BadRequest(f"a person does that, not an agent: {request.NAME}")
    named: list[str] = []
    for name in request.MEMORIES:
        given: str | list[str] | None = getattr(request, name)
        named += [given] if isinstance(given, str) else given or []
    parts.check_seen(request.agent_in, await parts.known_memories(named))


def _refusal(frame: Frame, error: Exception) -> Frame:
    for problem, usual, line in _PROBLEMS:
        if isinstance(error, problem):
            code = error.code if isinstance(error, NotThere) else usual
            logger.info("refused kind=%s code=%s", frame.kind[:40], code)
            return _problem(frame.id, code, line or str(error))
    raise error


def _problem(id_: int, code: str, message: str) -> Frame:
    return Frame(id_, ERROR, {"code": code, "message": message})
