"""The data home: where everything of one user's reverie lies, and under which names.

``REVERIE_HOME`` moves all of it. ``hooks/hook.py`` repeats the rule in four lines,
because it may import nothing; a test holds the two together.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import platformdirs

FOLDER_MODE = 0o700
FILE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Home:
    """The paths of one data home. Building it touches no disk."""

    root: Path

    @property
    def database(self) -> Path:
        """Truth: memories, journal, indexes."""
        return self.root / "reverie.db"

    @property
    def marker(self) -> Path:
        """The store's id and last count, so that a vanished database is noticed."""
        return self.root / "reverie.db.store"

    @property
    def evaluations(self) -> Path:
        """What ``reverie eval`` measured: figures and ids, no text."""
        return self.root / "eval.db"

    @property
    def lock(self) -> Path:
        """Held by the one daemon of this home."""
        return self.root / "daemon.lock"

    @property
    def socket(self) -> Path:
        """Where the daemon listens, unless the path is too long for a socket."""
        return self.root / "daemon.sock"

    @property
    def address(self) -> Path:
        """The path that clients connect to, written by the daemon when it listens."""
        return self.root / "address"

    @property
    def command(self) -> Path:
        """How a hook starts the daemon: one argument a line."""
        return self.root / "command"

    @property
    def starting(self) -> Path:
        """Taken by the one client that starts the daemon."""
        return self.root / "starting"

    @property
    def failed_start(self) -> Path:
        """Why the last start came to nothing, and how long hooks rest (``daemon.failed_starts``)."""
        return self.root / "failed-start"

    @property
    def config(self) -> Path:
        """The user's settings."""
        return self.root / "config.toml"

    @property
    def spool(self) -> Path:
        """Redacted events of hooks that could not reach the daemon."""
        return self.root / "spool"

    @property
    def models(self) -> Path:
        """Embedding models (GGUF files)."""
        return self.root / "models"

    @property
    def log(self) -> Path:
        """What the daemon did, without the text of any memory."""
        return self.root / "logs" / "daemon.log"

    @property
    def backups(self) -> Path:
        """Copies of the database made before a migration."""
        return self.root / "backups"

    @property
    def indexes(self) -> Path:
        """What the indexes in memory keep between two starts; made anew when it is not there."""
        return self.root / "index"

    def prepare(self) -> None:
        """Make the folders, private to the user."""
        for folder in (self.root, self.spool, self.models, self.log.parent, self.backups):
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            folder.chmod(FOLDER_MODE)


@contextmanager
def whole_file(path: Path) -> Generator[BinaryIO]:
    """A file to write, which only its owner reads; at the end it takes the place of ``path``.

    Nothing is left of it when the block is left by an exception.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)  # of a process that was killed
    try:
        descriptor = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def identity(path: Path) -> tuple[int, int] | None:
    """Which file lies there: it changes when a home is removed and made anew."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def current_home() -> Home:
    """The home of this process: ``REVERIE_HOME``, else the platform's data folder."""
    chosen = os.environ.get("REVERIE_HOME")
    if chosen:
        return Home(Path(chosen).expanduser().absolute())
    return Home(platformdirs.user_data_path("reverie", appauthor=False))
