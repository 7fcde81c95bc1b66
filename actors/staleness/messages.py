"""Questions and orders to staleness."""

from msgspec import Struct

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.memory.rows import MemoriesChanged
from actors.policy.references.references import Reference


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
