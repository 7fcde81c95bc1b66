"""Messages about uses and opinions of a memory."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.memory.strength_writes import Exposed, Injected
from actors.policy.decay.reinforcement import Use
from actors.policy.events.events import Tool


@dataclass(frozen=True, slots=True)
class Review(Question[bool]):
    """A memory was of use, or a person or an agent judged it: answer whether anything of it changed."""

    memory_id: int
    use: Use
    at: float
    project: str | None = None  # where; None: in that of the memory
    by_agent: bool = False  # then prompts of the project heed it, and nothing else


@dataclass(frozen=True, slots=True)
class Rate(Question[bool]):
    """A person promotes or demotes a memory: answer whether it changed."""

    memory_id: int
    up: bool
    at: float


@dataclass(frozen=True, slots=True)
class Suppress(Question[int]):
    """A person wants this memory less, or takes it back: answer how often it is suppressed."""

    memory_id: int
    back: bool
    at: float


@dataclass(frozen=True, slots=True)
class Answered:
    """A prompt, a session's start or a call was answered: the record of it, and the notes shown."""

    injected: Injected
    shown: Exposed | None
    edit: Tool | None = None  # the edit it was shown before


class TooLate(Exception):
    """A suppression can be taken back for a day only: the client's fault."""


StrengthMessage = Happened | Review | Exposed | Answered | Rate | Suppress
