"""References as they are stored, and the files of a project."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from actors.policy.references.references import Reference

T = TypeVar("T")
Stamp = tuple[int, int]  # when a file was last written, in nanoseconds, and its size


@dataclass(frozen=True, slots=True)
class Referring:
    """A living memory with what it is about."""

    memory_id: int
    project: str
    session: str | None
    content_hash: bytes
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of a repository."""

    id: str
    at: float  # seconds UTC
    author: str  # a name, never an address
    subject: str
    body: str

    def event(self, folder: str, session: str) -> dict[str, object]:
        """The event by which an agent's hook would have reported that it made this commit."""
        end = "END_OF_MESSAGE"
        message = f"{self.subject}\n\n{self.body}"
        return {
            "hook_event_name": "PostToolUse", "session_id": session, "cwd": folder,
            "tool_name": "Bash",
            "tool_input": {"command": f"git commit -F - <<'{end}'\n{message}\n{end}"},
            "tool_response": {"stdout": f"[main {self.id[:7]}] {self.subject}"},
        }  # fmt: skip


class Folder(Protocol):
    """A project's files, for whoever is on the thread that reads them."""

    def stamp(self, path: str) -> Stamp | None:
        """Return when a file was written, and its size; None when there is none that is the user's."""
        ...

    def read(self, path: str) -> str | None:
        """Read a file's text; None when it is too large, may hold secrets, or cannot be read."""
        ...

    def files(
        self, under: str, is_wanted: Callable[[str], bool], most: int | None = None
    ) -> list[str] | None:
        """List the wanted files below a folder, but for those that git ignores, in order.

        None when that cannot be known; with ``most`` also when there is no repository and there
        are more files and folders than that.
        """
        ...

    def moved(self, paths: Sequence[str]) -> Mapping[str, str]:
        """Tell where these files lie by now, as far as the repository knows."""
        ...

    def changed(self) -> list[str]:
        """List the files that this branch changes, committed or not, against the default one."""
        ...

    def commits(self, limit: int) -> list[Commit]:
        """List the newest commits of the branch but for merges and those of machines, newest first."""
        ...

    def ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Tell which of these files git ignores, as far as there is a repository."""
        ...


class Sources(Protocol):
    """The files of projects, on a thread of their own."""

    async def visit(self, project: str, function: Callable[[Folder], T]) -> T | None:
        """Run the function on that thread; None when there is no such project."""
        ...

    async def checkout(self, project: str, directory: str) -> str:
        """Return the root of the project's checkout that a directory lies in: a worktree's, or its own."""
        ...
