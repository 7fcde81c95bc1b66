"""The start of the daemon by a hook without a listener.

Loaded by ``hook.py`` by file path, after the event is safe in the spool. Forty hooks at once start one daemon: the
creator of ``HOME/starting`` does, and the token is stale after ten seconds. The daemon's own lock stays the guard; the
token only spares the others the cost. Failed starts are noted in ``HOME/failed-start`` (``daemon/lock.py``):
for as long as its first line says nobody starts another. The hook does not wait: the daemon is forked off into a
session of its own, with ``/dev/null`` for its three descriptors and ``/`` for its folder.

The agent's environment holds its session's tokens, so the daemon inherits only the names
listed here (``daemon/launch.py`` has the same list).
"""

import os
import stat
import time

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any, Dict, List, Mapping, Optional

STALE = 10.0  # seconds after which a start that led to nothing may be tried again
LONGEST = 3600.0  # seconds that hooks rest at most after starts that failed, whatever a file says
NAMES = "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR".encode().split()
PREFIXES = (b"LC_", b"XDG_", b"REVERIE_")
DESCRIPTORS = 1024  # closed in the child, as far as the agent may have leaked any


def start(home: bytes, ownership: "Any") -> bool:
    """Start the daemon of ``home`` if nobody else does; tell whether there is a command for it.

    ``home`` is trusted; ``ownership`` is the module behind the judgement.
    """
    if _rests(home + b"/failed-start"):
        return True
    try:
        command = command_of(home, os.environb, ownership)
    except ownership.Distrusted as why:
        ownership.say("the daemon is not started: %s" % why)
        return True
    if command is not None and _taken(home + b"/starting"):
        _spawn(command, environment(home, os.environb))
    return command is not None


def notify(home: bytes, event: "Any", has_command: bool, spool: "Any") -> None:
    """Tell the person who begins a session about a missing daemon, or a first start; does not return then.

    ``has_command``: whether there is a daemon to start; ``spool`` is the module for asking where
    recording is off.
    """
    if has_command and os.path.exists(home + b"/reverie.db"):
        return
    from json import loads

    said = loads(event.raw)
    if said.get("hook_event_name") == "SessionStart" and said.get("source") != "compact":
        script = os.path.dirname(os.path.abspath(__file__)) + "/notice.sh"
        begins = "off" if spool.is_off(home, said, event.at) else "first"
        what = begins if has_command else "missing"
        os.execv("/bin/sh", ["/bin/sh", script, what, os.fsdecode(home)])


def _rests(note: bytes) -> bool:
    """Return whether the last start failed too lately for another one."""
    try:
        with open(note, "rb") as file:
            seconds = float(file.readline(32))
            began = os.fstat(file.fileno()).st_mtime
    except (OSError, ValueError):
        return False
    age = time.time() - began  # noqa: TID251 - compared with the disk's clock
    return 0 <= age < min(seconds, LONGEST)


def command_of(
    home: bytes, environ: "Mapping[bytes, bytes]", ownership: "Any"
) -> "Optional[List[bytes]]":
    """Command for running the daemon: as recorded, else the checkout's, else PATH's, else where
    ``uv tool`` and ``pipx`` put it, which an agent's PATH may lack.

    Raises ``Distrusted`` when it could be somebody else's.
    """
    root = os.path.dirname(os.path.dirname(os.path.abspath(os.fsencode(__file__))))
    folders = [root + b"/.venv/bin", *environ.get(b"PATH", b"").split(b":")]
    folders += [environ.get(b"HOME", b"") + b"/.local/bin"]
    choices = [_recorded(home + b"/command", ownership)]
    choices += [[folder + b"/reverie"] for folder in folders]
    for choice in choices:
        # An absolute path only: "." on PATH is the project the agent works in.
        if choice and choice[0].startswith(b"/") and _is_program(choice[0]):
            ownership.check(choice[0], ownership.PROGRAM)
            return [*choice, b"daemon"]
    return None


def _recorded(path: bytes, ownership: "Any") -> "List[bytes]":
    """The command recorded in the home; raises ``Distrusted`` when others may write it."""
    try:
        with open(path, "rb") as file:
            ownership.check_file(path, file.fileno())
            return [argument for argument in file.read().split(b"\n") if argument]
    except ownership.Distrusted:
        raise
    except OSError:
        return []


def _is_program(path: bytes) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False


def environment(home: bytes, environ: "Mapping[bytes, bytes]") -> "Dict[bytes, bytes]":
    """Part of the agent's environment open to the daemon, and its home for certain."""
    passed = {
        name: value for name, value in environ.items() if name in NAMES or name.startswith(PREFIXES)
    }
    passed[b"REVERIE_HOME"] = home  # absolute: the daemon's folder is another
    return passed


def _taken(token: bytes) -> bool:
    """Return whether this process is the one to start the daemon."""
    try:
        os.close(os.open(token, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return _taken_over(token)
    except OSError:
        return False
    return True


def _taken_over(token: bytes) -> bool:
    """Return whether the token was stale and replaced by this process."""
    mine = token + b"-%d" % os.getpid()
    try:
        if not _is_stale(token):
            return False
        os.rename(token, mine)  # of several, one succeeds
        stale = _is_stale(mine)  # else another had just replaced it: theirs is put back
        if stale:
            os.utime(mine)
        os.link(mine, token)
        os.unlink(mine)
    except OSError:
        return False
    return stale


def _is_stale(token: bytes) -> bool:
    age = time.time() - os.stat(token).st_mtime  # noqa: TID251 - compared with the disk's clock
    return not 0 <= age < STALE


def _spawn(command: "List[bytes]", environ: "Dict[bytes, bytes]") -> None:
    """Run the command in a session of its own and do not wait for it."""
    if os.fork():
        return
    try:
        os.setsid()
        os.chdir("/")
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        os.closerange(3, DESCRIPTORS)
        os.execve(command[0], command, environ)
    finally:
        os._exit(127)
