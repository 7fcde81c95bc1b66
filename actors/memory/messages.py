"""Messages to long-term memory, and the news of changed memories."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.memory.unit import Unit


@dataclass(frozen=True, slots=True)
class Commit(Question[list[int]]):
    """Write this unit durably; the answer: the outcomes of its writes."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Write:
    """Write this unit; nobody waits for it."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class EraseNow(Question[int]):
    """Erase, and leave no byte in any file of the store; the answer counts memories."""

    unit: Unit
    backups: bool = True  # whether the copies of the database go as well


@dataclass(frozen=True, slots=True)
class Tidy:
    """Prune old rows."""

    at: float


LongTermMessage = Commit | Write | EraseNow | Tidy
