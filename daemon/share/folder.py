"""The folder of shared notes in a repository: looked at, read and written, never by a link leading out.

All on the thread of projects' files. Regular files of the user alone count; a file is written beside its
place and then takes it, so a crash leaves the old one or the new one.
"""

import os
import stat
from collections import OrderedDict
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import trio
from msgspec import Struct, field

from actors.core.equipment import Latest
from daemon.projects import common_directory, remote_of
from daemon.shapes.replies import Fault
from daemon.share.note import ENDING, FOLDER, LARGE, Note, Refused, digest, read
from hooks import ownership

MOST: Final = 2_000  # files of a folder, by name
ENTRIES: Final = 20_000  # names of a folder that are looked at
README: Final = "readme.md"  # a word of people to people beside the notes
# What git leaves in its folder while it rewrites files: what stands there then is nobody's word yet.
AT_WORK: Final = {
    "index.lock": "git is at work",
    "rebase-merge": "a rebase is not finished",
    "rebase-apply": "a rebase is not finished",
    "MERGE_HEAD": "a merge is not finished",
    "CHERRY_PICK_HEAD": "a cherry-pick is not finished",
}
_LINKS_OUT: Final = f"{FOLDER} is a link or no folder: nothing is read or written through it"
_OPEN: Final = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class Seen(Struct):
    """Content of the folder."""

    notes: dict[str, Note] = field(default_factory=dict[str, Note])  # by their ids
    files: dict[str, str] = field(default_factory=dict[str, str])  # names by the notes' ids
    digests: dict[str, bytes] = field(default_factory=dict[str, bytes])  # of what each note says
    faults: list[Fault] = field(default_factory=list[Fault])
    busy: str = ""  # why nothing is read now
    remote: str = ""  # where the repository comes from
    names: frozenset[str] = frozenset()  # of all files, read or not


# ---- looking


def stamp(root: Path) -> bytes:
    """Mark changing with the folder, the remote or git's work.

    Empty for no folder, and for an unreadable repository.
    """
    try:
        return _stamped(root)
    except OSError:
        return b""


def _stamped(root: Path) -> bytes:
    git = common_directory(root)
    if git is None:
        return b""
    marks = blake2b(digest_size=16)
    with suppress(OSError, Refused), opened(root) as folder:
        for name in _names(folder)[0]:
            with suppress(OSError):
                there = os.stat(name, dir_fd=folder, follow_symlinks=False)
                mark = (name, there.st_mtime_ns, there.st_ctime_ns, there.st_size, there.st_ino)
                marks.update(repr(mark).encode())
    marks.update(repr((remote_of(root), busy(git), (root / FOLDER).exists())).encode())
    return marks.digest()


def busy(git: Path) -> str:
    """Name git's work in progress, a source of files nobody meant; empty for none."""
    return next((words for name, words in AT_WORK.items() if (git / name).exists()), "")


def seen(root: Path) -> Seen:
    """Read the folder: notes, and other files with the reasons."""
    found = Seen()
    try:
        if not _is_repository_of_ours(root, found):
            return found
    except OSError as error:
        found.busy = f"the repository cannot be read: {error.strerror}"
        return found
    try:
        with suppress(FileNotFoundError), opened(root) as folder:
            _read_all(folder, found)
    except Refused as why:
        found.busy = str(why)
    except OSError as error:
        found.busy = f"{FOLDER} cannot be read: {error.strerror}"
    return found


def _is_repository_of_ours(root: Path, found: Seen) -> bool:
    """Tell whether the user alone may write the repository; whence it comes and what git is at, or why not."""
    found.remote = remote_of(root)
    git = common_directory(root)
    if git is None:
        found.busy = "this is no git repository"
        return False
    if reason := ownership.reason_against(os.fsencode(git)):
        found.busy = f"others may write the repository: {reason}"
        return False
    found.busy = busy(git)
    return True


def _read_all(folder: int, found: Seen) -> None:
    names, left = _names(folder)
    found.names = frozenset(names)
    if left:
        found.faults.append(Fault(file=FOLDER, reason=f"{left:,} files over {MOST:,} are not read"))
    twice: dict[str, list[str]] = {}
    for name in names:
        try:
            note = read(_bytes(folder, name))
        except Refused as why:
            found.faults.append(Fault(file=name, reason=str(why)))
        except OSError as error:
            found.faults.append(Fault(file=name, reason=f"it cannot be read: {error.strerror}"))
        else:
            twice.setdefault(note.id, []).append(name)
            found.notes[note.id], found.files[note.id] = note, name
    for one, files in twice.items():
        if len(files) > 1:
            del found.notes[one], found.files[one]
            reason = f"{' and '.join(files[:2])} have one id: give one of them another"
            found.faults += [Fault(file=name, reason=reason) for name in files]
    found.digests.update((one, digest(note)) for one, note in found.notes.items())


def _names(folder: int) -> tuple[list[str], int]:
    names: list[str] = []
    with os.scandir(folder) as entries:
        for number, one in enumerate(entries):
            if number >= ENTRIES:
                break
            hidden = one.name.startswith(".") or one.name.lower() == README
            if one.name.endswith(ENDING) and not hidden:
                names.append(one.name)
    names.sort()
    return names[:MOST], max(0, len(names) - MOST)


def _bytes(folder: int, name: str) -> bytes:
    """Read a file. Raises ``Refused`` for a foreign or too large one."""
    there = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(there.st_mode):
        raise Refused("it is a link: a note is a file of its own")
    if not stat.S_ISREG(there.st_mode) or not ownership.is_ours(there.st_uid):
        raise Refused("it is no file of yours")
    if there.st_size > LARGE:
        raise Refused(f"it is larger than {LARGE // 1024} KB")
    # A pipe that took its place meanwhile would block the thread for good.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
        return file.read(LARGE + 1)


# ---- writing


def write(root: Path, files: Mapping[str, bytes]) -> None:
    """Write these files into the folder, which is made where it is missing.

    Raises ``Refused`` where the folder leads elsewhere, ``OSError`` for an impossible write.
    """
    with opened(root, make=True) as folder:
        for name, data in files.items():
            aside = f".{name}.part"
            with suppress(FileNotFoundError):
                os.unlink(aside, dir_fd=folder)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(aside, flags, 0o666, dir_fd=folder), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, name, src_dir_fd=folder, dst_dir_fd=folder)


def take_out(root: Path, names: Iterable[str]) -> list[str]:
    """Take files out of the folder; which of them were there."""
    gone: list[str] = []
    with suppress(OSError, Refused), opened(root) as folder:
        for name in names:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=folder)
                gone.append(name)
    return gone


def has(root: Path, name: str) -> bool:
    """Tell whether a file is in the folder."""
    with suppress(OSError, Refused), opened(root) as folder:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        return True
    return False


@contextmanager
def opened(root: Path, *, make: bool = False) -> Generator[int]:
    """The folder of notes, each step of it a real folder of the repository.

    Raises ``Refused`` where a step is a link or no folder, ``FileNotFoundError`` where it is not there.
    """
    at = os.open(root, os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for step in FOLDER.split("/"):
            if make:
                with suppress(FileExistsError):
                    os.mkdir(step, dir_fd=at)
            try:
                below = os.open(step, _OPEN, dir_fd=at)
            except FileNotFoundError:
                raise
            except OSError:
                raise Refused(_LINKS_OUT) from None
            os.close(at)
            at = below
        yield at
    finally:
        os.close(at)


# ---- looks at the notes of repositories: due ones, asked for with a call returning at once


EVERY: Final = 2.0  # seconds between two looks at a repository, but at a session's start
PROJECTS: Final = 64  # whose folder is remembered


class Looks(Struct):
    """Repositories to be looked at, in the order in which they were heard of."""

    stamps: Latest[str, bytes] = field(default_factory=lambda: Latest(PROJECTS))
    one_at_a_time: trio.Lock = field(default_factory=trio.Lock)
    is_followed: bool = False  # somebody takes them up
    _waiting: OrderedDict[str, trio.Event] = field(default_factory=OrderedDict[str, trio.Event])
    _looked: Latest[str, float] = field(default_factory=lambda: Latest(PROJECTS))
    _came: trio.Event = field(default_factory=trio.Event)

    def heard(self, project: str, *, now: bool = False) -> trio.Event | None:
        """Note that somebody works in a project; returns the event set once it was looked at, unless no
        look is due.

        With ``now`` it is due however short ago the last look was.
        """
        if not self.is_followed:
            return None
        late = trio.current_time() - self._looked.get(project, -EVERY) >= EVERY
        if not (now or late or project in self._waiting):
            return None
        if project not in self._waiting and len(self._waiting) < PROJECTS:
            self._waiting[project] = trio.Event()
            self._came.set()
        return self._waiting.get(project)

    async def look(self, project: str, within: float) -> None:
        """Have a project looked at now, and wait for it so many seconds at most."""
        if (done := self.heard(project, now=True)) is not None:
            with trio.move_on_after(max(0.0, within)):
                await done.wait()

    async def next(self) -> tuple[str, trio.Event]:
        """Wait for the next due one."""
        while not self._waiting:
            self._came = trio.Event()
            await self._came.wait()
        project, done = self._waiting.popitem(last=False)
        self._looked[project] = trio.current_time()
        return project, done
