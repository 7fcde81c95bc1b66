"""Files of agents: changes in them, and the way back.

A file is replaced as a whole. Its content without us lies beside it, dated, and a record in the data home
has our version; a file untouched since is given back byte for byte, and the copy goes. Of one changed by
others only our part is taken out.
"""

import difflib
import json
import os
import shutil
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from daemon.home import FILE_MODE, FOLDER_MODE, Home, whole_file

RECORD: Final = "connected.json"


@dataclass(frozen=True, slots=True)
class Change:
    """One file as it is, as it is to be, and as it would be without us; ``None`` where there is none."""

    path: Path
    before: bytes | None
    after: bytes | None
    without: bytes | None
    opens: bool = False  # the permission to open a note is in it by us

    @property
    def is_one(self) -> bool:
        """Return whether anything changes."""
        return self.before != self.after

    def diff(self) -> str:
        """The change as a unified diff; empty when there is none."""
        old, new = (
            (text or b"").decode("utf-8", "replace").splitlines()
            for text in (self.before, self.after)
        )
        return "\n".join(
            difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm="")
        )


class Written(msgspec.Struct, frozen=True):
    """Record of a written file: its digest, the name of the copy beside it, and folders made for it."""

    digest: str
    copy: str = ""  # empty: there was no file
    folders: tuple[str, ...] = ()
    opens: bool = False  # the permission to open a note is ours, not its person's


def content(path: Path) -> bytes | None:
    """The file's bytes. Raises ``OSError`` where it is there and cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def records(home: Home) -> dict[str, Written]:
    """Records of written files; none where the record cannot be read."""
    try:
        return msgspec.json.decode((home.root / RECORD).read_bytes(), type=dict[str, Written])
    except (OSError, ValueError):
        return {}


def write(home: Home, change: Change) -> str:
    """Make a change, keep the file's content without us, and say so. Raises ``OSError``."""
    path, known = change.path, records(home)
    if not change.is_one or change.after is None:
        return f"left {path} as it is"
    done = f"changed the hooks in {path}"
    kept = known.get(str(path))
    if kept is None or kept.digest != _digest(change.before):
        kept = Written("", _copied(change), _made(path.parent))
        done += f"; as it was: {path.with_name(kept.copy)}" if kept.copy else ""
    _replace(path, change.after)
    left = msgspec.structs.replace(kept, digest=_digest(change.after), opens=change.opens)
    _record(home, {**known, str(path): left})
    return done


def given_back(home: Home, change: Change) -> Change:
    """The change for taking us out of a file: to its copy when nobody touched it, else to the content without us."""
    written = records(home).get(str(change.path))
    if written is None or written.digest != _digest(change.before):
        return change
    if not written.copy:
        return Change(change.path, change.before, None, None)
    copy = content(change.path.with_name(written.copy))
    return change if copy is None else Change(change.path, change.before, copy, copy)


def restore(home: Home, change: Change) -> str:
    """Make a change taking us out, and say so; the copy goes once it equals the file. Raises ``OSError``."""
    path, known = change.path, records(home)
    written = known.pop(str(path), None)
    if change.is_one:
        if change.after is None:
            path.unlink()
        else:
            _replace(path, change.after)
    if written is not None:
        copy = path.with_name(written.copy) if written.copy else None
        if copy is not None and content(copy) == change.after:
            copy.unlink()
        for folder in written.folders:
            place = Path(folder)
            if change.after is None and place.is_dir() and not any(place.iterdir()):
                place.rmdir()
        _record(home, known)
    if not change.is_one:
        return f"left {path} as it is"
    return f"removed {path}" if change.after is None else f"took our hooks out of {path}"


def _copied(change: Change) -> str:
    """Keep the file's content without us beside it, and return the copy's name."""
    if change.without is None:
        return ""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = change.path.with_name(f"{change.path.name}.before-reverie-{stamp}")
    number = 1
    while copy.exists():
        number += 1
        copy = copy.with_name(f"{change.path.name}.before-reverie-{stamp}-{number}")
    copy.touch(mode=FILE_MODE)
    copy.write_bytes(change.without)
    shutil.copymode(change.path, copy)
    return copy.name


def _made(folder: Path) -> tuple[str, ...]:
    """Make a folder and return the missing ones, the deepest first."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    return tuple(str(one) for one in missing)


def _replace(path: Path, data: bytes) -> None:
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.touch(mode=FILE_MODE)
    fresh.write_bytes(data)
    if path.exists():
        shutil.copymode(path, fresh)
    fresh.replace(path)


def _record(home: Home, written: dict[str, Written]) -> None:
    if not written:
        (home.root / RECORD).unlink(missing_ok=True)
        return
    with whole_file(home.root / RECORD) as file:
        file.write(json.dumps(msgspec.to_builtins(written), indent=1).encode())


def _digest(data: bytes | None) -> str:
    return sha256(data or b"").hexdigest()
