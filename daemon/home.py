"""The data home: where everything of one user's reverie lies, and under which names.

``REVERIE_HOME`` moves all of it. ``hooks/hook.py`` repeats the rule in four lines,
because it may import nothing; a test holds the two together.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import platformdirs
from msgspec import Struct

from hooks import ownership

FOLDER_MODE = 0o700
FILE_MODE = 0o600


class _Place:
    """A path in a home, by its name there."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __get__(self, home: Home, _: type[Home]) -> Path:
        return home.root.joinpath(*self._names)


class Home(Struct, frozen=True):
    """The paths of one data home. Building it touches no disk."""

    root: Path

    database = _Place("reverie.db")
    """Truth: memories, journal, indexes."""
    marker = _Place("reverie.db.store")
    """The store's id and last count, so that a vanished database is noticed."""
    evaluations = _Place("eval.db")
    """Measurements by ``reverie eval`` of earlier versions: figures and ids, no text."""
    lock = _Place("daemon.lock")
    """Held by the one daemon of this home."""
    socket = _Place("daemon.sock")
    """Where the daemon listens, unless the path is too long for a socket."""
    address = _Place("address")
    """The path that clients connect to, written by the daemon when it listens."""
    hook_budget = _Place("hook-budget")
    """Milliseconds for which hooks wait for this daemon, written beside the address."""
    command = _Place("command")
    """How a hook starts the daemon: one argument a line."""
    starting = _Place("starting")
    """Taken by the one client that starts the daemon."""
    failed_start = _Place("failed-start")
    """Why the last start came to nothing, and how long hooks rest (``daemon.lock``)."""
    config = _Place("config.toml")
    """The user's settings."""
    spool = _Place("spool")
    """Redacted events of hooks that could not reach the daemon."""
    models = _Place("models")
    """Embedding models (GGUF files) that this home has for itself alone."""
    log = _Place("logs", "daemon.log")
    """What the daemon did, without the text of any memory."""
    backups = _Place("backups")
    """Copies of the database (``daemon.durability.copies``)."""
    repair = _Place("repair")
    """Where a damaged database is repaired; not there at other times."""
    indexes = _Place("index")
    """Folder of what the indexes in memory keep between two starts; made anew when it is not there."""
    hook_client = _Place("hook-client")
    """Name of the client that ``hook.sh`` runs, written by ``reverie install``."""
    client_seal = _Place("hook-client.trusted")
    """Note of ``hook.sh`` about a client found trusted, so it need not look again."""

    @property
    def model_folders(self) -> list[Path]:
        """Folders in which models are looked for: this home's own, then the one of all homes."""
        return list(dict.fromkeys((self.models, shared_models())))

    def check(self) -> None:
        """Raise ``ownership.Distrusted`` when somebody else could have written the files here."""
        for path in (self.root, self.database, self.config):
            reason = distrust(path)
            if reason:
                raise ownership.Distrusted(f"the home {self.root} is not used: {reason}")

    @property
    def folders(self) -> tuple[Path, ...]:
        """Folders that are there before a daemon begins."""
        return self.root, self.spool, self.models, self.log.parent, self.backups

    @property
    def no_folder(self) -> Path | None:
        """What lies in the place of one of them: a file, or a link that leads nowhere."""
        there = filter(os.path.lexists, self.folders)
        return next((path for path in there if not path.is_dir()), None)

    def prepare(self) -> None:
        """Make the folders, private to the user.

        Raises ``ownership.Distrusted`` as ``check``, and ``OSError`` where it cannot be written.
        """
        self.check()
        for folder in self.folders:
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            folder.chmod(FOLDER_MODE)


@contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Generator[BinaryIO]:
    """A file to write, which only its owner reads; at the end it takes the place of ``path``.

    ``durable``: its content is on the disk before. Nothing is left of it when the block is left by
    an exception.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)  # of a process that was killed
    try:
        descriptor = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
        with os.fdopen(descriptor, "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        if error.filename == str(fresh):
            error.filename = str(path)  # the name that somebody knows
        raise
    finally:
        fresh.unlink(missing_ok=True)


def flushed(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def identity(path: Path) -> tuple[int, int] | None:
    """Identity of the file there: it changes when a home is removed and made anew."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def distrust(path: Path, strict: int = 1) -> str:
    """Say why this path is not trusted, by the policy of ``hooks.ownership``; empty when it is."""
    return ownership.reason_against(os.fsencode(path.absolute()), strict)


def current_home() -> Home:
    """The home of this process, to use; raises ``ownership.Distrusted`` as ``Home.check``."""
    home = chosen_home()
    home.check()
    return home


def chosen_home() -> Home:
    """The home to use: ``REVERIE_HOME``, else the platform's data folder."""
    chosen = os.environ.get("REVERIE_HOME")
    if chosen:
        return Home(Path(chosen).expanduser().absolute())
    return _usual_home()


def shared_models() -> Path:
    """The folder of models for every home of this user; it is the usual home's own."""
    return _usual_home().models


def _usual_home() -> Home:
    return Home(platformdirs.user_data_path("reverie", appauthor=False))
