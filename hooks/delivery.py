"""The delivery of one event: from standard input to the daemon, its reply to standard output.

Loaded by ``hook.py`` as compiled bytecode. The event goes out as raw bytes in one frame, the
reply's bytes come out unread: all parsing is the daemon's. An event not acknowledged by the daemon
in time goes to the spool (``spool.py``) under the same event id, so it counts once if both
happened.

Only builtin modules and ``_socket`` are loaded on the way: ``json`` alone doubles the cost of the
process.
"""

import posix
import sys
from time import monotonic, sleep, time_ns

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any, Callable

BUDGET = 0.110  # seconds for connection and reply, unless the daemon asks for more
LONGEST = 800  # milliseconds that it can ask for: the shortest of the agents' own limits is 1 s
LARGEST_EVENT = 15 * 1024 * 1024  # bytes; a larger event is reported by its size alone
LARGEST_REPLY = 1024 * 1024  # bytes; agents take 10,000 characters
CHUNK = 65536  # bytes a read
OTHERS_WRITE = 0o022  # mode bits that nothing has which is made here
PAUSE = 0.002  # seconds between tries while the daemon's backlog is full
AWAY = "away"  # nobody listens: a daemon may be started
SILENT = "silent"  # somebody does, but no valid reply came in time
UNTRIED = "untried"  # the native client left it to this one

# MessagePack of [version 1, id 0, kind, ...] up to the body (daemon/wire.py).
HOOK = b"\x94\x01\x00\xa4hook\x94"
OVERSIZE = b"\x94\x01\x00\xa8oversize\x94"
REPLY = b"\x94\x01\x00\xa5reply"
LENGTH_BYTES = {0xC4: 1, 0xC5: 2, 0xC6: 4}  # bin 8, bin 16, bin 32


class Event:
    """One event of an agent; ``at`` is wall-clock nanoseconds, ``size`` bytes."""

    def __init__(self, agent: str, event_id: bytes, at: int, raw: bytes, size: int) -> None:
        self.agent = agent
        self.event_id = event_id
        self.at = at
        self.raw = raw  # empty when the event is over LARGEST_EVENT
        self.size = size


class Undelivered(Exception):
    """The daemon did not acknowledge the event; the text is ``AWAY`` or ``SILENT``."""


def standard_input() -> "tuple[bytes, int]":
    """Bytes sent by the agent, and their size; of more than ``LARGEST_EVENT`` only the size."""
    parts: "list[bytes]" = []
    size = 0
    while True:
        part = posix.read(0, CHUNK)
        if not part:
            return b"".join(parts), size
        size += len(part)
        parts.append(part)
        if size > LARGEST_EVENT:
            parts.clear()  # read on: an agent that cannot write would see a broken pipe


def event_of(arguments: "list[str]") -> "tuple[Event, str | None]":
    """The event to deliver; with a state when the native client has tried already."""
    agent = arguments[0] if arguments else "unknown"
    raw, size = standard_input()
    if len(arguments) < 4:
        return Event(agent, posix.urandom(16), time_ns(), raw, size), None
    event_id, at, state = bytes.fromhex(arguments[1]), int(arguments[2]), arguments[3]
    size = int(arguments[4]) if len(arguments) > 4 else size
    return Event(agent, event_id, at, raw, size), None if state == UNTRIED else state


def data_home(environ: "dict[bytes, bytes]") -> bytes:
    """The data home by the rule of ``daemon/home.py``, as an absolute path."""
    chosen = environ.get(b"REVERIE_HOME", b"")
    if chosen:
        if chosen.startswith(b"~"):
            from posixpath import expanduser

            chosen = expanduser(chosen)
        return chosen if chosen.startswith(b"/") else posix.getcwdb() + b"/" + chosen
    shared = environ.get(b"XDG_DATA_HOME", b"")
    if shared.startswith(b"/"):
        return shared + b"/reverie"
    user = environ.get(b"HOME", b"")
    if not user.startswith(b"/"):
        from pwd import getpwuid

        user = getpwuid(posix.getuid()).pw_dir.encode()
    if sys.platform == "darwin":
        return user + b"/Library/Application Support/reverie"
    return user + b"/.local/share/reverie"


def framed(event: Event) -> bytes:
    """The event as one frame of the wire."""
    agent = event.agent.encode("ascii", "replace")[:255]
    at = event.at.to_bytes(8, "big")
    body = b"\xd9%c%b\xc4\x10%b\xcf%b" % (len(agent), agent, event.event_id, at)
    if event.size > LARGEST_EVENT:
        payload = OVERSIZE + body + b"\xcf" + event.size.to_bytes(8, "big")
    else:
        payload = HOOK + body + b"\xc6" + event.size.to_bytes(4, "big") + event.raw
    return len(payload).to_bytes(4, "big") + payload


def address_of(home: bytes, ownership: "Any") -> bytes:
    """Address on which the daemon of a trusted home listens.

    Raises ``Undelivered``, or ``Distrusted`` when somebody else could have written it.
    """
    try:
        return written(home + b"/address", ownership)
    except ownership.Distrusted:
        raise
    except OSError:
        raise Undelivered(AWAY) from None


def budget_of(home: bytes, ownership: "Any") -> float:
    """Seconds for connection and reply, by the word of a trusted home's daemon; see ``BUDGET``."""
    try:
        asked = int(written(home + b"/hook-budget", ownership))  # milliseconds
    except (OSError, ValueError):  # an older daemon says nothing
        return BUDGET
    return max(BUDGET, min(asked, LONGEST) / 1000)


def written(path: bytes, ownership: "Any") -> bytes:
    """Content of a file written by the daemon; ``Distrusted``, an ``OSError``, if others could have."""
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW)
    try:
        ownership.check_file(path, descriptor)
        return posix.read(descriptor, 4096).strip()
    finally:
        posix.close(descriptor)


def acknowledged(address: bytes, frame: bytes, deadline: float, ownership: "Any") -> bytes:
    """Text for printing from the daemon, once it holds the event for good.

    Raises ``Undelivered``, or ``Distrusted`` before a byte is sent.
    """
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connect(connection, address, deadline)
    ownership.check_peer(connection)
    try:
        connection.settimeout(left(deadline))
        connection.sendall(frame)
        answer = b""
        while not complete(answer):
            connection.settimeout(left(deadline))
            part = connection.recv(CHUNK)
            if not part:
                raise Undelivered(SILENT)
            answer += part
    except OSError:
        raise Undelivered(SILENT) from None
    return output_of(answer)


def connect(connection: "Any", address: bytes, deadline: float) -> None:
    """Connect, waiting while the daemon's backlog is full; raises ``Undelivered``."""
    while True:
        connection.settimeout(left(deadline))
        try:
            connection.connect(address)
        except BlockingIOError:
            sleep(PAUSE)
        except PermissionError:  # a sandbox: starting another daemon would not help
            raise Undelivered(SILENT) from None
        except OSError:
            raise Undelivered(AWAY) from None
        else:
            return


def left(deadline: float) -> float:
    """Seconds until the deadline; raises ``Undelivered`` when it has passed."""
    seconds = deadline - monotonic()
    if seconds <= 0:
        raise Undelivered(SILENT)
    return seconds


def complete(answer: bytes) -> bool:
    """Return whether a whole frame has arrived; raises ``Undelivered`` at an impossible length."""
    if len(answer) < 4:
        return False
    length = int.from_bytes(answer[:4], "big")
    if length > LARGEST_REPLY:
        raise Undelivered(SILENT)
    return len(answer) >= 4 + length


def output_of(answer: bytes) -> bytes:
    """The bytes a ``reply`` to id 0 carries; any other frame raises ``Undelivered``."""
    frame = answer[4 : 4 + int.from_bytes(answer[:4], "big")]
    tag = len(REPLY)
    width = LENGTH_BYTES.get(frame[tag], 0) if len(frame) > tag else 0
    start = tag + 1 + width
    size = int.from_bytes(frame[tag + 1 : start], "big")
    if not frame.startswith(REPLY) or not width or len(frame) != start + size:
        raise Undelivered(SILENT)
    return frame[start:]


def run(arguments: "list[str]", sibling: "Callable[[str], Any]") -> None:
    """One hook: deliver the event and print the reply, else spool it.

    ``sibling`` loads a module beside this one. Nothing of an untrusted home is used: one line says
    why.
    """
    event, state = event_of(arguments)
    if not event.size:
        return
    posix.umask(posix.umask(0o077) | OTHERS_WRITE)  # bytecode stays as readable as it was
    ownership = sibling("ownership")
    home = data_home(posix.environ)
    try:
        ownership.check(home)
    except ownership.Distrusted as why:
        ownership.say("the home %s is not used: %s" % (ownership.shown(home), why))
        return
    if event.size > LARGEST_EVENT and sibling("spool").is_off_here(home, event.at):
        return  # all that is known of such an event is where this process runs
    deadline = monotonic() + (0 if state == SILENT else budget_of(home, ownership))
    output = b""
    if state is None:
        try:
            address = address_of(home, ownership)
            output = acknowledged(address, framed(event), deadline, ownership)
        except Undelivered as failure:
            state = str(failure)
        except ownership.Distrusted as why:
            ownership.say("nothing is sent: %s" % why)
            state = AWAY  # a daemon of ours puts its own address there
    if state is not None:
        try:
            sibling("spool").keep(home, event, deadline)
        finally:
            if state == AWAY:
                start = sibling("start")
                has_command = start.start(home, ownership)
                if event.agent == "claude":
                    start.notify(home, event, has_command, sibling("spool"))
    while output:
        output = output[posix.write(1, output) :]
