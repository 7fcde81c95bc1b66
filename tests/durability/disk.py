"""A disk that fails: below SQLite, at the n-th write or sync, in one of several ways.

It is the default one of every connection while it is there. What a file is for certain after a loss
of power is what it was at its last sync; what was written since is lost, or some of it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal, cast

import apsw
from msgspec import Struct, field

How = Literal["error", "short", "power", "torn"]
HOWS: Final[tuple[How, ...]] = (
    "error",  # it fails, and nothing else does
    "short",  # half is written, and then the disk is full; a sync fails
    "power",  # it fails and everything after it; nothing since each file's last sync is there
    "torn",  # the same, but some of what was written since is there, and of some a part
)
WITHOUT_POWER: Final = frozenset({"power", "torn"})
SECTOR: Final = 512  # bytes that are written whole or not at all
NAME: Final = "failing-disk"


class Fault(Struct, frozen=True):
    """What goes wrong with which write or sync, counted from 1.

    The power goes in any case once the work is done; then ``at`` may be beyond all of them.
    """

    how: How
    at: int


class _Kept(Struct):
    """A file as it was at its last sync, and what was done to it since."""

    content: bytes
    since: list[tuple[int, bytes | None]] = field(default_factory=list[tuple[int, bytes | None]])


class Disk(apsw.VFS):
    """The disk; files of ``database`` can be brought to what a loss of power leaves of them."""

    def __init__(self, database: Path, fault: Fault) -> None:
        super().__init__(NAME, "unix", makedefault=True)
        self.fault = fault
        self.kinds: list[str] = []  # of each write and sync: which file, and how many bytes
        self.is_dead = False
        self._armed = False
        self._database = database
        self._kept: dict[str, _Kept] = {}

    def arm(self) -> None:
        """Count from here; what there is now is there for certain."""
        self._armed = True
        for path in self._files():
            self._kept[str(path)] = _Kept(path.read_bytes())

    def disarm(self) -> None:
        """Fail no more; without power nothing is written any more, and nobody is told.

        An error below a closing connection is raised by apsw where SQLite itself says nothing.
        """
        self._armed = False
        self.is_dead |= self.fault.how in WITHOUT_POWER

    def lose_power(self) -> None:
        """Leave of the files what is there after a loss of power."""
        rng = random.Random(self.fault.at)
        for path in self._files():
            kept = self._kept.get(str(path), _Kept(b""))
            content = bytearray(kept.content)
            if self.fault.how == "torn":
                for at, data in kept.since:
                    _do_perhaps(rng, content, at, data)
            path.write_bytes(content)
        self._database.with_name(f"{self._database.name}-shm").unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        found = self._database.parent.glob(f"{self._database.name}*")
        ours = ("", "-wal", "-journal")
        return [path for path in found if path.name.removeprefix(self._database.name) in ours]

    @property
    def is_off(self) -> bool:
        """Whether nothing reaches the disk; while somebody is at work it is an error."""
        if self.is_dead and self._armed:
            raise apsw.IOError
        return self.is_dead

    def meets(self, path: str, size: int | None = None) -> bool:
        """Note a write of this size, or a sync; whether the fault is its."""
        if self._armed:
            self.kinds.append(f"{path.removeprefix(str(self._database))} {size}")
        met = self._armed and len(self.kinds) == self.fault.at
        self.is_dead = met and self.fault.how in WITHOUT_POWER
        return met

    def done(self, path: str, at: int, data: bytes | None) -> None:
        """Note a write, or a truncation: no data."""
        if self._armed:
            self._kept.setdefault(path, _Kept(b"")).since.append((at, data))

    def synced(self, path: str) -> None:
        """Note that a file is on the disk as it is."""
        if self._armed:
            self._kept[path] = _Kept(Path(path).read_bytes())

    def xDelete(self, filename: str, syncdir: bool) -> None:
        if self.is_off:
            return
        super().xDelete(filename, syncdir)
        self._kept.pop(filename, None)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        return _File(self, name, flags)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        self._disk = disk
        self._write = cast("Callable[[bytes, int], None]", super().xWrite)  # pyright: ignore[reportUnknownMemberType]
        self._path = str(name.filename() if isinstance(name, apsw.URIFilename) else name)

    def xWrite(self, data: Any, offset: int) -> None:
        if self._disk.is_off:
            return
        whole = bytes(data)
        met = self._disk.meets(self._path, len(whole))
        how = self._disk.fault.how
        if met and how == "short":
            self._write(whole[: len(whole) // 2], offset)
            raise apsw.FullError
        if met and how != "torn":
            raise apsw.IOError
        self._disk.done(self._path, offset, whole)
        if met:
            raise apsw.IOError
        self._write(whole, offset)

    def xTruncate(self, newsize: int) -> None:
        if self._disk.is_off:
            return
        self._disk.done(self._path, newsize, None)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        if self._disk.is_off:
            return
        if self._disk.meets(self._path):
            raise apsw.IOError
        super().xSync(flags)
        self._disk.synced(self._path)


def _do_perhaps(rng: random.Random, content: bytearray, at: int, data: bytes | None) -> None:
    """Write all of it, whole sectors from its beginning, or nothing."""
    if rng.random() < 0.5:
        return
    if data is None:
        del content[at:]
        return
    if rng.random() < 0.5:
        data = data[: rng.randrange(len(data) + 1) // SECTOR * SECTOR]
    content.extend(bytes(max(0, at + len(data) - len(content))))
    content[at : at + len(data)] = data


@contextmanager
def failing_disk(database: Path, fault: Fault) -> Generator[Disk]:
    """The disk of every connection that is opened in this block."""
    disk = Disk(database, fault)
    try:
        yield disk
    finally:
        cast("Any", disk).unregister()
