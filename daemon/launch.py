"""Starting the daemon, and making sure of the right one's answer. All of it waits: an event loop calls it in a thread.

Many may try at once: the ``starting`` file, made with O_EXCL, lets one of them start it and the rest wait. Hooks have a
start of their own (``hooks/start.py``) with the same file and the command recorded here.
"""

import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep

from daemon import own_version, release
from daemon.api.status import Greet, Greeting, Stop
from daemon.asking import DaemonAway, Refused, StrangerServes, open_connection
from daemon.home import FILE_MODE, Home, distrust, whole_file
from daemon.lock import (
    alive,
    excuse,
    forget_killed,
    holder,
    processor_time,
    stands_still,
    was_killed,
)
from hooks.ownership import Distrusted

STALE_START = 10.0  # seconds after which a ``starting`` file was left by a dead starter
POLL = 0.05  # seconds between two looks while a daemon comes up or leaves
GREETING_WITHIN = 5.0  # seconds for a daemon that listens to say who it is, while it computes
HUNG_AFTER = 1.5  # seconds for one that stands still, or of which a person asks how it is
ENDED_WITHIN = 3.0  # seconds for a hung daemon to leave by itself once it is told by a signal
LEAVING_WITHIN = 20.0  # seconds for a daemon to drain and leave
LAST_WORDS = 4096  # bytes at the end of the log in which its last line is looked for
LOG_ROOM = 64 * 1024  # bytes free without which a log, and a start, cannot be written

# What a daemon needs of its starter's environment; hooks/start.py has the same, and a
# test holds the two together. The suffixes are those of settings with names of their own.
INHERITED = frozenset(
    ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR")
)
INHERITED_PREFIXES = ("LC_", "XDG_", "REVERIE_")

# The shell starts the daemon as a grandchild, so that nobody has to wait for its end,
# and prints the process id. $1 is the file that takes errors before the log is open.
_DETACH = 'log=$1; shift; cd /; "$@" </dev/null >/dev/null 2>>"$log" & echo $!'


class StartFailed(Exception):
    """The daemon did not come up, or would not leave; the text says why, in one line."""


class Hung(StartFailed):
    """The daemon listens and does not answer; ``process`` may be ended for it, where one is sure."""

    def __init__(self, process: int | None, home: Home, within: float) -> None:
        who = f"the daemon (process {process})" if process else "the daemon"
        ends = ": 'reverie down --force' ends it" if process else f"; see {home.log}"
        super().__init__(f"{who} listens but did not answer within {within:g} s{ends}")
        self.process = process


class _TooLate(Exception):
    """The time within which the daemon was to be ready is over."""


def own_command() -> list[str]:
    """The command of this installation's ``reverie``, for any folder."""
    script = Path(sys.executable).parent / "reverie"
    if os.access(script, os.X_OK):
        return [str(script)]
    root = Path(__file__).resolve().parent.parent
    program = f"import sys; sys.path.insert(0, {str(root)!r}); from daemon.cli import main; main()"
    return [sys.executable, "-I", "-c", program]


def record_command(home: Home, command: Sequence[str]) -> None:
    """Write down the command of ``reverie`` here: one argument a line, replaced as a whole.

    Hooks run it with ``daemon`` behind it.
    """
    text = "".join(f"{argument}\n" for argument in command)
    trusted = home.command.is_file() and not distrust(home.command)
    if trusted and home.command.read_text(encoding="utf-8") == text:
        return
    with whole_file(home.command) as file:
        file.write(text.encode())


def start_detached(home: Home, command: Sequence[str]) -> int:
    """Start ``command daemon`` in a session of its own and return its process id.

    It sees this home as ``REVERIE_HOME``, has ``/`` as its directory and no terminal; its output
    before its log is open goes to the log. The command is recorded in the home, where hooks find
    it.
    """
    home.prepare()
    record_command(home, command)
    home.log.touch(mode=FILE_MODE)
    started = subprocess.run(
        ["/bin/sh", "-c", _DETACH, "reverie", str(home.log), *command, "daemon"],
        env=daemon_environment(home, os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=True,
    )
    return int(started.stdout)


def daemon_environment(home: Home, environ: Mapping[str, str]) -> dict[str, str]:
    """Environment of the daemon: an agent's holds tokens not to be inherited."""
    inherited = {
        name: value
        for name, value in environ.items()
        if name in INHERITED or name.startswith(INHERITED_PREFIXES)
    }
    return {**inherited, "REVERIE_HOME": str(home.root)}


def _silent(_text: str) -> None:
    """Ignore the text: nobody listens."""


def greeting(
    home: Home, say: Callable[[str], None] = _silent, *, within: float = GREETING_WITHIN
) -> Greeting | None:
    """Greeting of whoever answers at the address of this home; ``None`` when nobody of ours does.

    ``say`` is told when somebody else could be the one who answers. Raises ``Hung`` when somebody
    listens there and does not answer, sooner where its process stands still, ``StartFailed`` when
    they refuse.
    """
    process = holder(home)
    before = processor_time(process)
    try:
        return _greeting(home, say, min(within, HUNG_AFTER))
    except Hung:
        if within <= HUNG_AFTER or stands_still(process, before):
            raise
    return _greeting(home, say, within - HUNG_AFTER)


def _greeting(home: Home, say: Callable[[str], None], within: float) -> Greeting | None:
    until = monotonic() + within
    try:
        with open_connection(home, within) as connection:
            return connection.ask(Greet(version=own_version()), within=until - monotonic())
    except StrangerServes as stranger:
        say(str(stranger))
        return None
    except DaemonAway:
        return None
    except Refused as error:
        problem = f"the daemon listens but does not understand this version: {error}"
        raise StartFailed(problem) from error
    except TimeoutError as error:
        raise Hung(holder(home), home, within) from error


def ensure_daemon(
    home: Home,
    *,
    within: float,
    command: Sequence[str] | None = None,
    say: Callable[[str], None] = _silent,
    if_killed: bool = False,
) -> Greeting:
    """A ready daemon of this home, not older than we are.

    ``within`` bounds the wait for one to be ready, in seconds; ``command`` is the ``reverie`` to
    start it with (this installation's, unless given); ``say`` gets the events, a line at a time.
    With ``if_killed`` none is started after one left in order. Raises ``StartFailed``.
    """
    ours = own_version()
    try:
        home.check()
    except Distrusted as why:
        raise StartFailed(str(why)) from None
    found = greeting(home, say)
    if found is not None and release(found.version) < release(ours):
        say(f"replacing the daemon of version {found.version} by version {ours}")
        stop_daemon(home)
        found = None
    if found is not None and release(found.version) > release(ours):
        say(f"the daemon is of version {found.version}, this is {ours}: update this one")
    if found is not None and found.ready:
        return found
    home.prepare()
    try:
        return _started(home, command or own_command(), say, if_killed, monotonic() + within)
    except _TooLate:
        problem = f"the daemon was not ready within {within:g} s: {last_words(home)}"
        raise StartFailed(problem) from None


def stop_daemon(home: Home) -> Greeting | None:
    """Ask the daemon to drain and leave, and wait until it has left.

    One coming up just now is waited for. A killed one is not missed any more. Returns who left,
    ``None`` when nobody was there. Raises ``Hung`` when it does not answer, ``StartFailed`` when it
    stays.
    """
    while True:
        found = greeting(home, within=HUNG_AFTER)
        if found is None and _being_started(home):
            found = _started_elsewhere(home)
        if found is not None:
            break
        forget_killed(home)
        # Who began a start before that may not have looked yet; who begins one now finds none missed.
        if not _being_started(home):
            return None
    _ask_to_stop(home)
    if _left(found.pid, LEAVING_WITHIN):
        return found
    raise StartFailed(
        f"the daemon (process {found.pid}) did not leave within {LEAVING_WITHIN:g} s; "
        f"see {home.log}"
    )


def end_hung(home: Home, process: int) -> None:
    """End the hanging daemon: first by a signal it can answer, then by one it cannot.

    Events it had acknowledged are kept, as after any kill. Raises ``StartFailed`` when the process
    does not hold the lock any more, or stays.
    """
    # It may be stopped: a signal waits then until it goes on.
    for number in (signal.SIGTERM, signal.SIGCONT, signal.SIGKILL):
        if number is signal.SIGKILL and _left(process, ENDED_WITHIN):
            return
        if holder(home) != process:
            if not alive(process):
                return
            raise StartFailed(f"process {process} does not hold {home.lock} any more")
        if number is signal.SIGKILL:
            excuse(home)
        os.kill(process, number)
    if not _left(process, LEAVING_WITHIN):
        raise StartFailed(f"process {process} cannot be ended; see {home.log}")


def _left(process: int, within: float) -> bool:
    """Wait until the process has ended, so many seconds at most; say whether it has."""
    until = monotonic() + within
    while alive(process):
        if monotonic() >= until:
            return False
        sleep(POLL)
    return True


def _ask_to_stop(home: Home) -> None:
    try:
        with open_connection(home) as connection:
            connection.ask(Stop(), within=LEAVING_WITHIN)
    except DaemonAway:
        return  # it left before its answer was out, or before it was asked
    except Refused as error:
        raise StartFailed(f"the daemon would not stop: {error}") from error
    except TimeoutError as error:
        problem = f"no answer within {LEAVING_WITHIN:g} s; see {home.log}"
        raise StartFailed(f"the daemon would not stop: {problem}") from error


def _started(
    home: Home, command: Sequence[str], say: Callable[[str], None], if_killed: bool, until: float
) -> Greeting:
    """Start the daemon, or wait for who does; raises ``_TooLate``."""
    while True:
        if _took_start_token(home):
            try:
                # Only now: between a look without the token and this, a person may have said `down`.
                if if_killed and not was_killed(home):
                    raise StartFailed("the daemon was told to leave")
                say("starting the daemon")
                return _brought_up(home, command, until)
            finally:
                home.starting.unlink(missing_ok=True)
        found = _started_elsewhere(home, until)
        if found is not None:
            return found


def _brought_up(home: Home, command: Sequence[str], until: float) -> Greeting:
    """Start the daemon until one is ready; again when another was just leaving."""
    while True:
        try:
            process = start_detached(home, command)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            raise StartFailed(f"cannot start the daemon: {error}") from error
        found = _ready_while_alive(home, process, until)
        if found is not None:
            return found
        _pause(until)  # the lock's holder may be about to write its name
        other = holder(home)
        if other is None:
            found = greeting(home)
            if found is None:
                raise StartFailed(f"the daemon ended while it started: {last_words(home)}")
            if found.ready:
                return found
            other = found.pid  # another one that is coming up
        found = _ready_while_alive(home, other, until)
        if found is not None:
            return found


def _ready_while_alive(home: Home, process: int, until: float) -> Greeting | None:
    """The ready daemon; ``None`` when the process ended before one was."""
    while alive(process):
        found = greeting(home)
        if found is not None and found.ready:
            return found
        _pause(until)
    return None


def _started_elsewhere(home: Home, until: float = math.inf) -> Greeting | None:
    """The daemon started by another process; ``None`` when the start failed."""
    while True:
        found = greeting(home)
        if found is not None and found.ready:
            return found
        if found is None and start_token_age(home) is None:
            return None
        _pause(until)
        if (start_token_age(home) or 0.0) > STALE_START:
            return None


def _pause(until: float) -> None:
    if monotonic() >= until:
        raise _TooLate
    sleep(POLL)


def _being_started(home: Home) -> bool:
    age = start_token_age(home)
    return age is not None and age <= STALE_START


def _took_start_token(home: Home) -> bool:
    if (start_token_age(home) or 0.0) > STALE_START:
        home.starting.unlink(missing_ok=True)
    try:
        descriptor = os.open(home.starting, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    except FileExistsError:
        return False
    os.close(descriptor)
    return True


def start_token_age(home: Home) -> float | None:
    """Seconds since somebody began to start the daemon; ``None`` when nobody does."""
    try:
        began = home.starting.stat().st_mtime
    except OSError:
        return None
    return datetime.now(UTC).timestamp() - began


def last_words(home: Home) -> str:
    """Reason for the daemon's absence: a full disk, which keeps it silent, else the last line of its log."""
    if shutil.disk_usage(home.root).free < LOG_ROOM:
        return f"the disk of {home.root} is full: free some room; what was kept is safe"
    try:
        with home.log.open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - LAST_WORDS))
            lines = log.read().decode("utf-8", "replace").split("\n")
    except OSError:
        lines = []
    said = [line.strip() for line in lines if line.strip()]
    return said[-1] if said else f"it said nothing; its log is {home.log}"
