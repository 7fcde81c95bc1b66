"""Questions of a command to the daemon, which is started if need be: one, or several on one connection."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from daemon.api.operation import Operation
from daemon.api.status import Greeting
from daemon.asking import NotAsked, open_connection
from daemon.commands.terminal.output import error_line, progress_line
from daemon.home import Home, current_home
from daemon.launch import Hung, StartFailed, ensure_daemon, greeting

if TYPE_CHECKING:
    from daemon.asking import Connection

R = TypeVar("R")

READY_WITHIN = 30.0  # seconds for a daemon to come up: a large database may be migrated
LEAVING = 3  # daemons in a row that leave before they take what is asked
ANSWER_WITHIN = 70.0  # seconds; the daemon gives up before and then says why


def asked(
    request: Operation[R],
    *,
    within: float | None = ANSWER_WITHIN,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> R:
    """The daemon's reply to one request. Raises ``StartFailed``, ``DaemonAway`` and ``Refused``."""
    with conversation() as talk:
        return talk.ask(request, within=within, progress=progress)


def watched(request: Operation[R], said: Callable[[dict[str, Any]], str]) -> R:
    """The reply to a request without a deadline; ``said``: a progress frame in words."""
    with progress_line() as show:
        return asked(request, within=None, progress=lambda frame: show(said(frame)))


class Conversation:
    """Questions to a ready daemon, one after the other. Make it with ``conversation``."""

    def __init__(self, home: Home, opened: ExitStack) -> None:
        self._home, self._opened = home, opened
        self._connection: Connection | None = None

    def ask(
        self,
        request: Operation[R],
        *,
        within: float | None = ANSWER_WITHIN,
        progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> R:
        """The reply; a daemon that leaves before it takes the first request is followed by another.

        Raises ``StartFailed`` (``Hung`` where the daemon hangs meanwhile), ``DaemonAway``, ``Refused``
        and ``TimeoutError``.
        """

        def reply(connection: Connection) -> R:
            return connection.ask(request, within=within, progress=progress, look=self._look)

        for _ in range(LEAVING):
            try:
                return reply(self._connected())
            except NotAsked:
                self._connection = None
                self._opened.close()
        return reply(self._connected())

    def _connected(self) -> Connection:
        if self._connection is None:
            started(self._home, READY_WITHIN)
            self._connection = self._opened.enter_context(open_connection(self._home))
        return self._connection

    def _look(self) -> None:
        """Greet the daemon; raises ``Hung``."""
        try:
            greeting(self._home, within=ANSWER_WITHIN)
        except Hung:
            raise
        except StartFailed:
            pass  # whoever asks hears it as well


@contextmanager
def conversation(home: Home | None = None) -> Generator[Conversation]:
    """A conversation with the daemon of this home, which is looked for at the first question."""
    with ExitStack() as opened:
        yield Conversation(home or current_home(), opened)


def started(home: Home, within: float) -> Greeting:
    """A ready daemon; a new home without a model is reported at once."""
    is_new = not (home.database.exists() or home.address.exists())
    met = ensure_daemon(home, within=within, say=error_line)
    if is_new and met.lacks_model:
        error_line(
            "this new home finds memories by words alone: 'reverie model setup' brings a model"
        )
    return met
