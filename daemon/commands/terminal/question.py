"""A question of a command to the daemon, which is started if need be."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

from daemon.api.operation import Operation
from daemon.api.status import Greeting
from daemon.asking.connection import open_connection
from daemon.asking.failures import NotAsked
from daemon.commands.terminal.output import error_line
from daemon.commands.terminal.progress import progress_line
from daemon.home import Home, current_home
from daemon.launch import Hung, StartFailed, ensure_daemon, greeting

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
    for _ in range(LEAVING):
        try:
            return _once(request, home, within, progress)
        except NotAsked:
            pass
    return _once(request, home, within, progress)


def _once(
    request: Operation[R],
    home: Home,
    within: float | None,
    progress: Callable[[dict[str, Any]], None] | None,
) -> R:
    started(home, READY_WITHIN)
    with open_connection(home) as connection:
        return connection.ask(
            request, within=within, progress=progress, look=lambda: look_whether_it_hangs(home)
        )


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
    if is_new and _lacks_model(home):
        error_line(
            "this new home finds memories by words alone: 'reverie model setup' brings a model"
        )
    return met


def _lacks_model(home: Home) -> bool:
    # Not before: most commands need neither.
    from daemon.embedding.provision import model_file
    from daemon.settings import load

    settings = load(home, os.environ).settings.embedding
    return settings.enabled and model_file(home, settings.model) is None
