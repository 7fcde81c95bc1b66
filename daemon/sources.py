"""The files of projects, read for the subjects of memories, on a thread of their own.

Read-only and bounded: regular files of the user, inside the project and not in a repository within
it, never by a symbolic link leading out; of a large file, and of one that may hold secrets, only
whether it is there. Where a file went, git is asked, which reads its own store alone.
"""

from __future__ import annotations

import os
import stat
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct, field

from actors.core.equipment import Worker
from actors.policy.references.naming import GENERATED, is_secret
from actors.staleness.messages import Commit, Stamp
from daemon.projects import checkout_of, common_directory
from hooks import ownership

T = TypeVar("T")

LARGE: Final = 256 * 1024  # bytes of a file that is not read
ENTRIES: Final = 20_000  # files and folders looked at by name where git does not list them
GIT_WITHIN: Final = 2.0  # seconds for each of the two questions
COMMITS: Final = 200  # the newest in which a move is looked for
RENAMES: Final = 400  # files of one commit that git compares
CHANGED: Final = 200  # files of a branch
# Nothing of the user's settings, no process, no network: a partial clone must not fetch.
_ALONE: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_GIT: Final = ("git", "--no-pager", "-c", "core.fsmonitor=false")
_HOW: Final = ("-M", f"-l{RENAMES}", "--diff-filter=R", "--name-status", "-z", "--no-ext-diff")
_COMMITTED: Final = ("log", *_HOW, "--format=", "--no-show-signature", f"-n{COMMITS}", "HEAD", "--")
_HISTORY: Final = (
    *("log", "-z", "--no-merges", "--no-show-signature"),
    "--format=%H%x1f%at%x1f%an%x1f%s%x1f%b",
)
FIELDS: Final = 5
_BOT: Final = "[bot]"  # in the name of an author that is a machine
_IGNORED: Final = ("ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--")
_LISTED: Final = ("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--")
_DEFAULTS: Final = ("refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master")
_REFERENCES: Final = ("for-each-ref", "--format=%(refname)%00", *_DEFAULTS)
_DIFFERING: Final = ("diff-index", "--name-only", "-z", "--no-ext-diff", "--merge-base")
_FILTERS: Final = ("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
_STAGED: Final = ("diff-index", "--cached", *_HOW, "HEAD", "--")


class ProjectSources:
    """Files of projects, and of instructions wherever they lie."""

    def __init__(self, thread: Worker) -> None:
        self._thread = thread

    async def visit(self, project: str, function: Callable[[DiskFolder], T]) -> T | None:
        """Run the function on the thread of files; None when there is no such project."""
        return await self._thread.run(lambda: _visited(project, function))

    async def read(self, path: str, function: Callable[[str], T]) -> T | None:
        """Run the function on the thread of files, on the text of one file, wherever it or its link leads."""
        return await self._thread.run(lambda: _read(path, function))

    async def checkout(self, project: str, directory: str) -> str:
        """Return the root of the project's checkout around a directory: a worktree's, or its own."""
        return await self._thread.run(lambda: checkout_of(project, directory))


def _visited(project: str, function: Callable[[DiskFolder], T]) -> T | None:
    root = Path(project)
    try:
        is_there = root.is_absolute() and root.is_dir()
    except OSError:  # a name that is too long, or a folder that is not to be looked into
        return None
    return function(DiskFolder(root)) if is_there else None


def _read(path: str, function: Callable[[str], T]) -> T | None:
    try:
        place = Path(path).resolve() if path.startswith("/") else None
    except (OSError, RuntimeError, ValueError):  # a loop of links; a NUL in the name
        return None
    if place is None or is_secret(str(place)):
        return None
    text = DiskFolder(place.parent).read(place.name)
    return None if text is None else function(text)


class DiskFolder(Struct):
    """A project's files, for one look of whoever is on their thread."""

    root: Path
    _texts: dict[str, str | None] = field(default_factory=dict[str, str | None])
    _inside: dict[str, bool] = field(default_factory=dict[str, bool])

    def stamp(self, path: str) -> Stamp | None:
        """Return the time of a file's writing, and its size; None without a file of the user's."""
        found = self._found(path)
        return None if found is None else (found.st_mtime_ns, found.st_size)

    def read(self, path: str) -> str | None:
        """Read a file's text; None when it is too large, may hold secrets, or cannot be read."""
        if path not in self._texts:
            found = self._found(path)
            fits = found is not None and found.st_size <= LARGE and not is_secret(path)
            self._texts[path] = _text(self.root / path) if fits else None
        return self._texts[path]

    def files(
        self, under: str, is_wanted: Callable[[str], bool], most: int | None = None
    ) -> list[str] | None:
        """List the wanted files below a folder, except the ones ignored by git, in order.

        None when git does not say, or is not asked because others may write its repository: the
        ignored ones are not known then. Outside of git the nearest ``ENTRIES`` are looked at; with
        ``most`` as many, and None says there are more.
        """
        git = common_directory(self.root)
        listed: Iterable[str]
        if git is None:
            listed, is_whole = _nearest(self.root, under, most or ENTRIES)
            if most is not None and not is_whole:
                return None
        elif ownership.reason_against(os.fsencode(git)) or not (
            listed := _asked(self.root, (*_LISTED, under))
        ):
            return None
        return sorted({path for path in listed if is_wanted(path) and self._found(path)})

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Tell where these files lie by now, by git's own detection of renames."""
        if not self._has_own_repository():
            return {}
        committed = reversed(_renames(self.root, _COMMITTED))  # git tells the newest first
        return followed(paths, [*committed, *_renames(self.root, _STAGED)])

    def changed(self) -> list[str]:
        """List the files changed on this branch, committed or not, since it left the default one.

        On the default branch the ones since the last push. Three questions to git; [] when it does not
        say.
        """
        if not self._has_own_repository():
            return []
        there = {name.strip() for name in _asked(self.root, _REFERENCES)}
        base = next((name for name in _DEFAULTS if name in there), "HEAD")
        # A file as old as git's index is read again, through the programs that its settings name.
        filters = [one for one in _asked(self.root, _FILTERS) if one]
        differing = _asked(self.root, (*_DIFFERING, base, "--"), without=filters)
        return [path for path in differing if path][:CHANGED]

    def commits(self, limit: int) -> list[Commit]:
        """List the newest commits of the branch except merges and machines' ones, newest first.

        [] where git does not say in time, or others may write its repository.
        """
        if not self._has_own_repository():
            return []
        rows = [
            row.split("\x1f") for row in _asked(self.root, (*_HISTORY, f"-n{limit}", "HEAD", "--"))
        ]
        return [
            Commit(row[0], float(row[1]), *map(_stored, row[2:]))
            for row in rows
            if len(row) == FIELDS and _BOT not in row[2]
        ]

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Tell which of these files git ignores, as far as there is a repository."""
        git = self.root / ".git"
        if not (paths and git.is_dir()) or ownership.reason_against(os.fsencode(git)):
            return frozenset()
        return frozenset(filter(None, _asked(self.root, (*_IGNORED, *paths))))

    def _has_own_repository(self) -> bool:
        """Tell whether there is a repository that nobody else may write."""
        git = common_directory(self.root)
        return git is not None and not ownership.reason_against(os.fsencode(git))

    def _found(self, path: str) -> os.stat_result | None:
        """Look up a regular file of the user really in the project."""
        place = f"{self.root}/{path}"
        try:
            found = os.lstat(place)
            is_link = stat.S_ISLNK(found.st_mode)
            if is_link:
                found = Path(place).stat()
            if not (stat.S_ISREG(found.st_mode) and ownership.is_ours(found.st_uid)):
                return None
            inside = self._is_inside(place.rpartition("/")[0])
            if inside and is_link:
                inside = self._is_inside(str(Path(place).resolve().parent))
        except (OSError, RuntimeError, ValueError):  # not there; a loop of links; a NUL in the name
            return None
        return found if inside else None

    def _is_inside(self, folder: str) -> bool:
        """Tell whether a folder lies in the project and in no repository, or worktree, within it."""
        if folder not in self._inside:
            root, real = self.root.resolve(), Path(folder).resolve()
            between = (real, *real.parents)[: len(real.parts) - len(root.parts)]
            is_own = not any((one / ".git").exists() for one in between)
            self._inside[folder] = is_own and real.is_relative_to(root)
        return self._inside[folder]


def _nearest(root: Path, under: str, most: int) -> tuple[list[str], bool]:
    """List the files nearest to the root, and whether these are all; at most ``most`` files and folders are looked at.

    Left out are a repository within, which is another project, folders made by a build, and targets of links.
    """
    waiting = deque([os.path.normpath(under)])
    files: list[str] = []
    left = most
    while waiting:
        folder = waiting.popleft()
        try:
            with os.scandir(root / folder) as entries:
                there = sorted(
                    (one.name, one.is_dir(follow_symlinks=False))
                    for one in islice(entries, left + 1)
                )
        except OSError:
            continue
        left -= len(there)
        if left < 0:
            return files, False
        if folder != "." and any(name == ".git" for name, _ in there):
            continue
        before = "" if folder == "." else f"{folder}/"
        for name, is_folder in there:
            if not is_folder:
                files.append(before + name)
            elif name not in GENERATED:
                waiting.append(before + name)
    return files, True


def _text(path: Path) -> str | None:
    try:
        # A pipe that took its place meanwhile would block the thread for good.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            return file.read(LARGE).decode("utf-8", "replace")
    except OSError:
        return None


def followed(paths: Sequence[str], renames: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Follow files through these renames, in the order in which they happened; only moved ones."""
    places = {path: path for path in paths}
    for before, after in renames:
        for path, place in places.items():
            if place == before:
                places[path] = after
    return {path: place for path, place in places.items() if place != path}


def _stored(text: str) -> str:
    """The text without invalid UTF-8, which the store does not take."""
    return text.encode("utf-8", "replace").decode().strip()


def _renames(root: Path, words: Sequence[str]) -> list[tuple[str, str]]:
    """Ask git for renames, (before, after) in git's order; [] when it does not say in time."""
    fields = _asked(root, words)
    return list(zip(fields[1::3], fields[2::3], strict=False))


def _asked(root: Path, words: Sequence[str], *, without: Sequence[str] = ()) -> list[str]:
    """Ask git, with these of its settings empty; its answer's fields.

    [] when it has none or does not say in time.
    """
    settings = {"GIT_CONFIG_COUNT": str(len(without))}
    for place, name in enumerate(without):
        settings |= {f"GIT_CONFIG_KEY_{place}": name, f"GIT_CONFIG_VALUE_{place}": ""}
    try:
        run = subprocess.run(
            [*_GIT, "-C", str(root), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_WITHIN,
            check=True,
            env={"PATH": os.environ.get("PATH", os.defpath), **_ALONE, **settings},
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return run.stdout.decode("utf-8", "surrogateescape").split("\0")
