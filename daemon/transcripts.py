"""Transcripts of Claude Code on disk: a project's ones, and their lines, some at a time.

The format is the client's own, so everything is checked and nothing trusted: regular files of the user, no large
ones. A session's file is ``FOLDER/NAME-OF-ITS-DIRECTORY/SESSION.jsonl``; its subagents' lie deeper.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from msgspec import Struct

from actors.policy.events.cutting import is_overfull
from hooks import ownership

LARGE: Final = 256 * 1024 * 1024  # bytes of a transcript that is not read
LINE: Final = 4 * 1024 * 1024  # bytes of a line: a longer one holds an image
PIECE: Final = 512 * 1024  # bytes that are read without a turn for others
HEAD: Final = 64 * 1024  # bytes in which a transcript says where it was
_CWD: Final = re.compile(rb'"cwd" {0,4}: {0,4}("(?:[^"\\]|\\.){1,4096}")')
_SUBAGENT: Final = "agent-"  # begins the name of its file, which once lay beside the session's


class Transcript(Struct, frozen=True):
    """A session's file."""

    path: Path
    session: str
    written: float  # when last, seconds UTC
    is_large: bool


class Piece(Struct, frozen=True):
    """Some lines of a transcript."""

    entries: tuple[Mapping[str, object], ...]
    damaged: int  # lines that are none of JSON, or too long
    after: int  # bytes read up to here; 0 at the end


def claude_folder(environ: Mapping[str, str]) -> Path:
    """Return Claude Code's folder: of its settings, and its transcripts."""
    configured = environ.get("CLAUDE_CONFIG_DIR")
    return Path(configured) if configured else Path.home() / ".claude"


def transcripts_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder with one for each directory of sessions."""
    return claude_folder(environ).absolute() / "projects"


def transcripts(folder: Path, since: float, is_wanted: Callable[[str], bool]) -> list[Transcript]:
    """List the sessions written to since then and begun in a wanted directory, newest first."""
    found: list[Transcript] = []
    for path in sorted(folder.glob("*/*.jsonl")):
        if path.name.startswith(_SUBAGENT) or not path.stem.isprintable():
            continue
        try:
            status = path.lstat()
            if not (stat.S_ISREG(status.st_mode) and ownership.is_ours(status.st_uid)):
                continue
            if status.st_mtime >= since and is_wanted(_directory(path)):
                large = status.st_size > LARGE
                found.append(Transcript(path, path.stem, status.st_mtime, large))
        except OSError:
            continue
    return sorted(found, key=lambda one: -one.written)


def piece(path: Path, start: int) -> Piece:
    """Read lines from here on; a last one still being written is left."""
    entries: list[Mapping[str, object]] = []
    damaged = 0
    with path.open("rb") as file:
        file.seek(start)
        for line in _lines(file.readline):
            entry = _entry(line)
            if entry is None:
                damaged += 1
            else:
                entries.append(entry)
            if file.tell() - start >= PIECE:
                return Piece(tuple(entries), damaged, file.tell())
    return Piece(tuple(entries), damaged, 0)


def _lines(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield whole lines; of a too long one only its beginning."""
    while line := readline(LINE):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = readline(LINE)
        if rest:
            yield line


def _entry(line: bytes) -> Mapping[str, object] | None:
    try:
        found = None if is_overfull(line) else json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", found) if isinstance(found, dict) else None


def _directory(path: Path) -> str:
    """Return the directory of a session's beginning; "" where its file does not say."""
    # A pipe that took its place meanwhile would block the thread for good.
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        said = _CWD.search(file.read(HEAD))
    found = json.loads(said[1]) if said else ""
    return found if isinstance(found, str) and found.startswith("/") and "\0" not in found else ""
