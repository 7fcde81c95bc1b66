"""References of memories as they are stored and written, and questions and orders to staleness."""

from msgspec import Struct

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.memory.rows import MemoriesChanged
from actors.policy.references.references import Reference

Stamp = tuple[int, int]  # when a file was last written, in nanoseconds, and its size


class Referring(Struct, frozen=True):
    """A living memory with its references; as a write they take the place of the former ones.

    Outcome: 0 when the memory is gone or has another text by now, 2 when the remark on it changed, or its
    files and symbols, else 1.
    """

    memory_id: int
    project: str
    session: str | None
    content_hash: bytes  # of the text that names them
    references: tuple[Reference, ...]


class Commit(Struct, frozen=True):
    """A commit of a repository."""

    id: str
    at: float  # seconds UTC
    author: str  # a name, never an address
    subject: str
    body: str

    def event(self, folder: str, session: str) -> dict[str, object]:
        """The event by which an agent's hook would have reported making this commit."""
        end = "END_OF_MESSAGE"
        message = f"{self.subject}\n\n{self.body}"
        return {
            "hook_event_name": "PostToolUse", "session_id": session, "cwd": folder,
            "tool_name": "Bash",
            "tool_input": {"command": f"git commit -F - <<'{end}'\n{message}\n{end}"},
            "tool_response": {"stdout": f"[main {self.id[:7]}] {self.subject}"},
        }  # fmt: skip


class WhatIsStale(Question[dict[int, str]], frozen=True):
    """Look at the files and symbols of these memories now.

    The answer: the remark on each memory with references, "" while they hold.
    """

    memory_ids: tuple[int, ...]


class HoldsStill(Struct, frozen=True):
    """A person confirmed these memories: their files and symbols count as they are now."""

    memory_ids: tuple[int, ...]


class FileOpened(Struct, frozen=True):
    """An editor shows this file: memories about it are looked at."""

    path: str
    project: str


class PlaceGiven(Struct, frozen=True):
    """A memory is about this line of its project, whatever its text names."""

    memory_id: int
    reference: Reference


StalenessMessage = Happened | MemoriesChanged | WhatIsStale | HoldsStill | FileOpened | PlaceGiven
