"""Questions of a command to the daemon, which is started if need be: one, or many on one connection."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from daemon.api.operation import Operation
from daemon.api.status import Greeting
from daemon.asking import LOOK, NotAsked, open_connection
from daemon.commands.terminal.output import error_line, progress_line
from daemon.home import Home, current_home
from daemon.launch import Hung, StartFailed, ensure_daemon, greeting

if TYPE_CHECKING:
    from daemon.client import Client

R = TypeVar("R")

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
LEAVING = 3  # daemons in a row that leave before they take what is asked
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


def asked(request: Operation[R], *, within: float | None = ANSWER_WITHIN) -> R:
    """The daemon's reply to one request. Raises ``StartFailed``, ``DaemonAway`` and ``Refused``."""
    return _reply(request, current_home(), within, None)


def watched(
    request: Operation[R], said: Callable[[dict[str, Any]], str], home: Home | None = None
) -> R:
    """The reply to a request without a deadline; ``said``: a progress frame in words."""
    with progress_line() as show:
        return _reply(request, home or current_home(), None, lambda frame: show(said(frame)))


def _reply(
    request: Operation[R],
    home: Home,
    within: float | None,
    progress: Callable[[dict[str, Any]], None] | None,
) -> R:
    tries = LEAVING
    while True:
        started(home, READY_WITHIN)
        try:
            with open_connection(home) as connection:
                return connection.ask(
                    request,
                    within=within,
                    progress=progress,
                    look=lambda: look_whether_it_hangs(home),
                )
        except NotAsked:
            if not tries:
                raise
            tries -= 1


def look_whether_it_hangs(home: Home) -> None:
    """Greet the daemon; raises ``Hung``."""
    try:
        greeting(home, within=ANSWER_WITHIN)
    except Hung:
        raise
    except StartFailed:
        pass  # whoever asks hears it as well


def started(home: Home, within: float) -> Greeting:
    """A ready daemon; a new home without a model is reported at once."""
    is_new = not (home.database.exists() or home.address.exists())
    met = ensure_daemon(home, within=within, say=error_line)
    if is_new and met.lacks_model:
        error_line(
            "this new home finds memories by words alone: 'reverie model setup' brings a model"
        )
    return met


# ---- many on one connection, some at once


T = TypeVar("T")


def conversation(talk: Callable[[Client], Awaitable[T]], home: Home | None = None) -> T:
    """Return the result of ``talk``, on a connection to a ready daemon of this home.

    Raises ``StartFailed``, ``DaemonAway`` and the errors of ``talk``.
    """
    home = home or current_home()
    for _ in range(LEAVING):
        try:
            return _talked(talk, home)
        except* NotAsked:
            pass
    return _talked(talk, home)


def _talked(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    import anyio

    started(home, READY_WITHIN)
    return anyio.run(partial(_on_a_connection, talk, home))


async def _on_a_connection(talk: Callable[[Client], Awaitable[T]], home: Home) -> T:
    from daemon.client import open_client

    async with open_client(home) as client:
        return await _while_it_lives(talk(client), home)


async def _while_it_lives(talk: Awaitable[T], home: Home) -> T:
    """Return the result of ``talk``; raises ``Hung`` as well, where the daemon hangs meanwhile."""
    import anyio

    problem: Exception | None = None

    async def look_on() -> None:
        nonlocal problem
        try:
            while True:
                await anyio.sleep(LOOK)
                await anyio.to_thread.run_sync(look_whether_it_hangs, home, abandon_on_cancel=True)
        except Hung as hung:
            problem = hung
            tasks.cancel_scope.cancel()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look_on)
        try:
            return await talk
        except Exception as error:
            problem = error
        finally:
            tasks.cancel_scope.cancel()
    assert problem is not None  # nothing else ends the talk
    raise problem
