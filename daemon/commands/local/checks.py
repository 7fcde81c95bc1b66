"""Checks of ``doctor``: each is one function, one result, and a repair only where nothing of value can be lost by it."""

import os
import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import apsw
from msgspec import Struct

from daemon import files, own_version, release
from daemon.api.status import StatusReply
from daemon.commands.terminal.words import age, counted, duration
from daemon.durability.copies import counted_in, log_of, newest, patient
from daemon.durability.marker import emptied, fullest, log_damage
from daemon.durability.salvage import flaws
from daemon.embedding import build_llama, provision
from daemon.embedding.models import MINILM
from daemon.home import FILE_MODE, FOLDER_MODE, Home, distrust
from daemon.lock import seen
from daemon.recording import Recording
from daemon.soundness import DAMAGE, explained
from daemon.storage.database.sql import Sql
from hooks.ownership import is_ours

State = Literal["ok", "warn", "fail"]

OTHERS = 0o077  # mode bits that let other users in
SPOOL_PATIENCE = 60.0  # seconds after which a running daemon should have taken an event
LITTLE_DISK = 500_000_000  # bytes free: a backup or a migration may not fit
NO_DISK = 50_000_000  # bytes free: writes begin to fail
UNSAVED = 7 * 86_400.0  # seconds without a backup


class Check(Struct, frozen=True):
    """One result; ``remedy`` tells the step for a person, ``repair`` does it."""

    name: str
    state: State
    detail: str
    remedy: str = ""
    repair: Callable[[], None] | None = None


def home_check(home: Home) -> Check:
    """The data home is there and private."""
    if wrong := home.no_folder:
        return Check("home", "fail", f"{wrong} is no folder", "move it away, then reverie up")
    if not home.root.is_dir():
        return Check("home", "warn", f"{home.root} is not there yet", "reverie up")
    if reason := distrust(home.root):
        return _distrusted_home(home, reason)
    if not os.access(home.root, os.W_OK):
        return Check(
            "home",
            "fail",
            f"{home.root} cannot be written",
            "make it yours and writable, or move REVERIE_HOME",
        )
    paths = _private_paths(home)
    foreign = next((path for path in paths if not is_ours(path.lstat().st_uid)), None)
    if foreign is not None:
        return Check("home", "fail", distrust(foreign), f"look at {foreign}, then take it away")
    open_paths = [path for path in paths if path.lstat().st_mode & OTHERS]
    if not open_paths:
        return Check("home", "ok", f"{home.root}, private to you")
    first = open_paths[0]
    return Check(
        "home",
        "fail",
        f"other users may enter {counted(len(open_paths), 'path')}, such as {first}",
        f"chmod go= {first}",
        lambda: _make_private(open_paths),
    )


def _distrusted_home(home: Home, reason: str) -> Check:
    """Refuse a home others could have written to; the user's own can be closed."""
    own = home.root.lstat().st_uid == os.geteuid() and not distrust(home.root.parent, strict=0)
    if not own or home.root.is_symlink():
        return Check("home", "fail", reason, "move REVERIE_HOME to a folder of your own")
    return Check(
        "home", "fail", reason, f"chmod go= {home.root}", lambda: _make_private([home.root])
    )


def _private_paths(home: Home) -> list[Path]:
    folders = [folder for folder in home.folders if folder.is_dir()]
    files = [*home.root.iterdir(), *home.models.glob("*.gguf")]
    return folders + [path for path in files if path.is_file() and not path.is_symlink()]


def _make_private(paths: list[Path]) -> None:
    for path in paths:
        path.chmod(FOLDER_MODE if path.is_dir() else FILE_MODE)


def daemon_check(
    home: Home, found: StatusReply | None, problem: str = "", failed: str = ""
) -> Check:
    """A daemon answers, and every part of it works; ``failed`` says why none could be started."""
    if problem:
        return Check("daemon", "fail", problem, "reverie log --daemon")
    if found is None:
        named, held = seen(home)
        if held:
            said = f"process {named or 'unknown'} holds {home.lock} and does not answer"
            return Check("daemon", "fail", said, f"kill {named}, then reverie up")
        if failed:
            remedy = "reverie status tells all of that line; then reverie up"
            return Check("daemon", "fail", f"not running: {failed}", remedy)
        return Check("daemon", "warn", "not running", "reverie up")
    said = f"process {found.pid}, version {found.version}, running for {duration(found.uptime)}"
    ours, theirs = release(own_version()), release(found.version)
    if theirs < ours:
        return Check("daemon", "warn", f"{said}: older than this command", "reverie up")
    if theirs > ours:
        return Check("daemon", "warn", f"{said}: newer than this command", "update this reverie")
    if not found.ready:
        return Check("daemon", "warn", f"{said}: not ready yet", "reverie log --daemon")
    if found.degraded:
        return Check("daemon", "warn", "; ".join(found.degraded), "reverie status")
    return Check("daemon", "ok", said)


def recording_check(home: Home, moment: float) -> Check:
    """Check whether events in this folder are recorded; a person may have switched it off."""
    off = "; ".join(Recording(home).lines(moment))
    return Check("recording", "ok", off or "on in this folder")


def spool_check(home: Home, running: bool, now: float) -> Check:
    """Check that undelivered events do not pile up."""
    waiting = files.waiting(home.spool)
    if not waiting:
        return Check("spool", "ok", "empty")
    oldest = now - min(_modified(home.spool / name, now) for name in waiting)
    said = f"{counted(len(waiting), 'event')} waiting, the oldest for {duration(oldest)}"
    if not running:
        return Check("spool", "warn", said, "reverie up takes them in")
    if oldest > SPOOL_PATIENCE:
        return Check("spool", "warn", f"{said}, though the daemon runs", "reverie log --daemon")
    return Check("spool", "ok", said)


def _modified(path: Path, otherwise: float) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:  # taken in meanwhile
        return otherwise


def disk_check(home: Home) -> Check:
    """Check for room to write."""
    folder = next(path for path in (home.root, *home.root.parents) if path.is_dir())
    free = shutil.disk_usage(folder).free
    detail = f"{free / 1e9:.1f} GB free"
    if free < NO_DISK:
        return Check("disk", "fail", detail, "make room: nothing can be kept")
    if free < LITTLE_DISK:
        return Check("disk", "warn", detail, "make room: a backup may not fit")
    return Check("disk", "ok", detail)


def backup_check(home: Home, now: float) -> Check:
    """The newest backup, or the first event without one, is little older than what was written last."""
    found = newest(home)
    since = found.at if found is not None else _first_event(home)
    if since is None:
        return Check("backup", "ok", "none yet")
    detail = f"the newest is {found.path.name}, of {age(now - since)}" if found else "none yet"
    files = (home.database, log_of(home.database))
    written = max((path.stat().st_mtime for path in files if path.exists()), default=0.0)
    if written - since > UNSAVED:
        used = "since" if found else f"for {duration(written - since)}"
        return Check("backup", "warn", f"{detail}; reverie was used {used}", "reverie backup now")
    return Check("backup", "ok", detail)


def _first_event(home: Home) -> float | None:
    """Time of the oldest event that is kept, seconds UTC; ``None`` if there is none to be read."""
    with suppress(apsw.Error, UnicodeDecodeError):
        first = "SELECT min(received_at) FROM journal"
        at: float | None = counted_in(home.database, lambda sql: sql.value(first))
        return at
    return None


def is_database_in_doubt(home: Home, found: StatusReply) -> bool:
    """Return whether the running daemon complains of its database."""
    return any(problem.startswith(str(home.database)) for problem in found.degraded)


def database_check(home: Home) -> Check:
    """The database is whole; looked at only when no daemon vouches for it."""
    if not home.database.is_file() or not home.database.stat().st_size:
        if home.marker.is_file():
            return Check(
                "database",
                "fail",
                f"{home.database} is gone or empty, though memories were in it",
                "put it back, or take the newest backup: reverie doctor --fix",
            )
        return Check("database", "ok", "none yet")
    # Read-only SQLite still wants to make a file beside a database; where it cannot, nobody
    # else can write either.
    fixed = "" if os.access(home.root, os.W_OK) else "?immutable=1"
    try:
        with closing(patient(f"{home.database.as_uri()}{fixed}")) as connection:
            sql = Sql(connection)
            ((said,),) = sql.rows("PRAGMA integrity_check(1)")
            changed = flaws(sql) if said == "ok" else 0
            lacking = log_damage(home, sql) or emptied(home, sql) or _lacking(home)
    except (*DAMAGE, apsw.SQLError) as error:
        return _damaged(home, str(error))
    except apsw.Error as error:  # another program holds it, or it cannot be opened now
        return Check("database", "warn", explained(error, home), "then try again")
    if said != "ok":
        return _damaged(home, str(said))
    if changed:
        return _damaged(home, f"{counted(changed, 'row')} cannot be read as written")
    if lacking:
        return Check(
            "database",
            "fail",
            lacking,
            "reverie doctor --fix makes a new one of it and of the newest backup, and keeps this one",
        )
    return Check("database", "ok", f"whole, {home.database.stat().st_size / 1e6:.1f} MB")


def _lacking(home: Home) -> str:
    """Say how many lost memories a copy has; else empty."""
    best = fullest(home)
    if best is None:
        return ""
    memories = counted(best[1], "memory", "memories")
    return f"{home.database} lacks {memories} that {best[0].path.name} has"


def _damaged(home: Home, reason: str) -> Check:
    return Check(
        "database",
        "fail",
        f"{home.database} is damaged: {reason}",
        "reverie doctor --fix makes a new one of what can be read, and keeps this one",
    )


def model_check(used: Path | None) -> Check:
    """Llama.cpp and the embedding model are here and whole; whether they load is the daemon's word."""
    if find_spec(build_llama.MODULE) is None and not build_llama.site().is_dir():
        said = "llama-cpp-python is not installed: recall works by words alone"
        return Check("model", "warn", said, "reverie model setup")
    if used is None:
        return Check("model", "warn", "none: recall works by words alone", "reverie model setup")
    if reason := distrust(used):
        return Check(
            "model", "fail", f"not used: {reason}", f"chmod go-w {used}, or choose another"
        )
    if used.name != MINILM.file:
        return Check("model", "ok", str(used))
    if provision.digest(used) != MINILM.sha256:
        return Check("model", "fail", f"{used} was changed or cut", "reverie model setup")
    return Check("model", "ok", f"{MINILM.name}, its digest is right")
