"""The spool: events the daemon could not take, kept on disk until it can.

Loaded by ``hook.py`` by file path, and only when the daemon did not acknowledge. One event is one
file ``spool/<wall-clock ns, 20 digits>-<event id>.json``, so name order is time order; it is
written whole or not at all, and synced before the hook ends. The daemon drains the folder; the
event id makes an event count once.

Nothing unredacted is written. An agent's own names are read as the daemon reads them (``actors/policy/events/agents.py``), so
the rules hold for each. Secrets read by a command are masked, strings are cut and redacted, by the daemon's own policy
(``actors/policy/secrets/``: ``secret_commands.py``, ``redaction.py``; ``events/cutting.py``); an event taking too long, not a JSON
object or too large is *withheld*: only its ids, its tool's name, its folder and its size are kept.

Patterns of the user's own (``redaction.patterns`` in ``config.toml``) hold here as well; a Python
unable to read them withholds.

Nothing is written of events where or while a person switched recording off, by the same rule as in the daemon
(``switch.py``), which reads the same files. For an event other than a JSON object the folder in which the hook runs
counts.

A full spool keeps its files and drops the new event: acknowledged ones stay.
"""

import json
import os
import re
import sys
from time import monotonic, process_time

TYPE_CHECKING = False  # the constant of typing, which costs 10 ms to import
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Tuple, Union

    from hooks.delivery import Event

    Json = Union[str, float, bool, None, List["Json"], Dict[str, "Json"]]
    Redact = Callable[[str], Tuple[str, List[str]]]
    Mask = Callable[[Dict[str, Json]], Dict[str, Json]]

# What `redaction.py` imports, in an order in which each finds what it needs.
REDACTION = (
    *("secret_values", "secret_words", "given_values", "spoken_secrets", "named_secrets"),
    *("secret_tokens", "secret_shapes"),
)
REDACTION_TIME = 0.150  # seconds for parsing and redaction together
HUNG_TIME = 0.060  # seconds past the hook's budget: an agent has waited long enough
LEAST_TIME = 0.030  # seconds of CPU granted however late it is: a busy machine loses no event
LARGEST_PARSED = 8 * 1024 * 1024  # bytes; json reads 50 MB/s of small values, 600 of long text
MOST_MARKS = 1_000_000  # quotes, commas and openings of what is parsed: 70 MB when made
LARGEST_FILE = 1024 * 1024  # bytes of one spooled event
MOST_FILES = 10_000
MOST_BYTES = 256 * 1024 * 1024
END = 8 * 1024 - 32  # characters kept of each end: with the mark, what the daemon leaves whole

# What a withheld event keeps. A name outside this alphabet is not an id.
IDS = (
    "hook_event_name",
    "session_id",
    "prompt_id",
    "agent_id",
    "agent_type",
    "tool_name",
    "tool_use_id",
    "source",
    "trigger",
    "reason",
    "permission_mode",
)
PATHS = ("cwd", "transcript_path")
ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}\Z")
LONGEST_PATH = 1024  # characters
RUN = (
    "0a0a0a0a-0a0a-0a0a"  # no secret; a run of characters that may be one is looked at by a pattern
)
NO_LIMIT = 1_000_000_000  # of what the spool bounds by time and by the size of a file


class TooSlow(Exception):
    """The event could not be redacted in its time."""


def keep(home: bytes, event: "Event", deadline: float) -> None:
    """Write the event to the spool of ``home``; a refusing disk is left alone.

    ``deadline`` (monotonic seconds) is when the hook gave up waiting for the daemon.
    """
    redact, mask = _policy()
    patience = _patience(deadline)
    parsed = _parsed(event.raw)
    if isinstance(parsed, dict):
        event.agent, parsed = _loaded("agents", "events").normal(event.agent, parsed)
    if is_off(home, parsed, event.at):
        return
    try:
        own = _settings(home, "redaction").get("redaction", {}).get("patterns", [])
        redact = _loaded("redaction").with_patterns(redact, own)
    except Exception:
        patience = _none  # what the user calls a secret is not known: the text is withheld
    content = _content(event, parsed, redact, mask, patience)
    folder = home + b"/spool"
    try:
        os.makedirs(home, 0o700, exist_ok=True)
        os.makedirs(folder, 0o700, exist_ok=True)
        if not _full(folder):
            _write(folder, b"%020d-%s.json" % (event.at, event.event_id.hex().encode()), content)
    except OSError:
        pass  # a full or read-only disk: nothing half-written is left, the agent goes on


def is_off_here(home: bytes, at: int) -> bool:
    """Tell whether recording is off in the folder where this process runs."""
    try:
        return is_off(home, {"cwd": os.getcwd()}, at)
    except OSError:  # the folder was removed
        return False


def is_off(home: bytes, parsed: "Json", at: int) -> bool:
    """Tell whether recording is off where an event happens, at ``at`` nanoseconds."""
    if not isinstance(parsed, dict):
        return is_off_here(home, at)
    switch = _loaded("switch", "events")
    try:
        private, pauses = _kept_private(home), switch.pauses_of(_paused(home, switch.PAUSES))
    except Exception:
        return True  # what a person keeps private is not known
    session, when = parsed.get("session_id"), at / 1e9
    # Of what was before, a summary tells as well (actors/intake/intake.py).
    begin = when - switch.TOLD_OF if parsed.get("hook_event_name") in switch.TELLING else when
    switches = switch.Switches(os.path.lexists, _real, private, pauses)
    named = session if isinstance(session, str) else ""
    return switches.off(switch.places(parsed), named, begin, when) is not None


def _paused(home: bytes, name: str) -> "Json":
    """Content of the file of pauses; no pause where there is none. Raises where it is no JSON."""
    try:
        with open(home + b"/" + name.encode(), "rb") as file:
            found: "Json" = json.load(file)
    except FileNotFoundError:
        return []
    return found


def _kept_private(home: bytes) -> "List[str]":
    """Patterns of private folders; raises where they cannot be read."""
    settings = _settings(home, "private").get("recording", {}).get("private", [])
    if not all(isinstance(one, str) for one in settings) or isinstance(settings, str):
        raise TypeError
    return list(settings)


def _real(path: str) -> str:
    return os.path.realpath(os.path.expanduser(path))


def _policy() -> "Tuple[Redact, Mask]":
    """The daemon's redaction policy, loaded from beside this folder: of a text, of an event.

    All of it is loaded and its dearest pattern is compiled before the time of the event begins.
    """
    for name in REDACTION:
        _loaded(name)
    redacted: "Redact" = _loaded("redaction").redacted
    redacted(RUN)
    for name in ("command_lines", "agents", "switch", "cutting"):
        _loaded(name, "events")
    masked: "Mask" = _loaded("secret_commands").masked
    return redacted, masked


def _settings(home: bytes, word: str) -> "Any":
    """The user's settings, if their text holds this word; raises where they cannot be read."""
    try:
        with open(home + b"/config.toml", "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return {}
    if word.encode() not in content:
        return {}
    import tomllib  # of Python 3.11

    return tomllib.loads(content.decode())


def _loaded(name: str, room: str = "secrets") -> "Any":
    """A module of the policy, by its path; under its own name, so others can import it."""
    full = "actors.policy." + room + "." + name
    if full in sys.modules:
        return sys.modules[full]
    from importlib.machinery import SourceFileLoader

    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(root, "actors", "policy", room, name + ".py")
    module: "Any" = type(os)(full)
    module.__file__ = path  # beside which its table lies
    sys.modules[full] = module
    SourceFileLoader(full, path).exec_module(module)
    return module


def _none() -> bool:
    """No patience: nothing of the text may be kept."""
    return False


def _patience(deadline: float) -> "Callable[[], bool]":
    """Asked between strings: whether there is time for another."""
    until = min(monotonic() + REDACTION_TIME, deadline + HUNG_TIME)
    spent = process_time() + LEAST_TIME
    return lambda: monotonic() < until or process_time() < spent


def _content(
    event: "Event",
    parsed: "Json",
    redact: "Redact",
    mask: "Mask",
    patience: "Callable[[], bool]",
) -> bytes:
    """The file's bytes: the redacted event, or the rest of a withheld one."""
    cutting = _loaded("cutting", "events")
    limits = cutting.Limits(END, depth=NO_LIMIT, leaves=NO_LIMIT, total=NO_LIMIT)

    def clean(text: str) -> "Tuple[str, List[str]]":
        if not patience():
            raise TooSlow
        return redact(text)

    try:
        if isinstance(parsed, dict):
            content = _envelope(event, cutting.cut(mask(parsed), clean, limits)[0])
            if len(content) <= LARGEST_FILE:
                return content
    except Exception:
        pass  # nested too deep, too slow, a fault of the policy: withheld all the same
    return _envelope(event, _withheld(parsed, event.size, redact))


def _parsed(raw: bytes) -> "Json":
    """The event as JSON says, ``None`` when it is none, nested too deep, too large or too full."""
    if len(raw) > LARGEST_PARSED or sum(map(raw.count, (b'"', b",", b"[", b"{"))) > MOST_MARKS:
        return None
    try:
        # strict=False takes the raw control characters that some agents send.
        value: "Json" = json.loads(raw.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None
    return value


def _envelope(event: "Event", body: "Json") -> bytes:
    envelope = {
        "v": 1,
        "agent": event.agent.encode("utf-8", "replace").decode(),
        "event_id": event.event_id.hex(),
        "at": event.at,
        "event": body,
    }
    return json.dumps(envelope, allow_nan=False, separators=(",", ":")).encode()


def _withheld(parsed: "Json", size: int, redact: "Redact") -> "Json":
    """Part of a withheld event to be kept: ids, tool, folder, size in bytes."""
    cut_text = _loaded("cutting", "events").cut_text
    kept: "Dict[str, Json]" = {}
    for name in IDS + PATHS:
        value = parsed.get(name) if isinstance(parsed, dict) else None
        if not isinstance(value, str):
            continue
        if ID.match(value) or (name in PATHS and len(value) <= LONGEST_PATH):
            try:
                kept[name] = cut_text(value, redact)[0]
            except Exception:
                continue  # a fault of the policy: what it cannot judge is not kept
    kept["size"] = size
    kept["withheld"] = True
    return kept


def _full(folder: bytes) -> bool:
    """Return whether the spool has reached a bound; files other than our events do not count.

    Files are looked at only when there are enough of them to reach it.
    """
    names = [name for name in os.listdir(folder) if name.endswith(b".json")]
    if len(names) < min(MOST_FILES, MOST_BYTES // LARGEST_FILE):
        return False
    number = size = 0
    for name in names:
        try:
            status = os.lstat(folder + b"/" + name)
        except OSError:
            continue  # drained since the folder was listed
        if status.st_uid in (0, os.geteuid()):
            number += 1
            size += status.st_size
    return number >= MOST_FILES or size >= MOST_BYTES


def _write(folder: bytes, name: bytes, content: bytes) -> None:
    """The file whole and synced under its name, or nothing and an ``OSError``."""
    temporary = folder + b"/." + name + b".tmp"
    try:
        with open(temporary, "xb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.rename(temporary, folder + b"/" + name)
    except OSError:
        os.unlink(temporary)
        raise
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _private(path: "Any", flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
