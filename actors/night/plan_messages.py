"""Messages to the archivist."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.policy.decay.plans import Step


@dataclass(frozen=True, slots=True)
class Scan:
    """The archivist looks through the old memories."""

    at: float


@dataclass(frozen=True, slots=True)
class Preview:
    """Finds of a scan made now."""

    scanned: int
    candidates: tuple[Step, ...]  # all of them
    room: int  # how many of them one run takes at most
    by_itself: frozenset[int] = frozenset()  # the ones that go without a person's word


@dataclass(frozen=True, slots=True)
class WhatWouldBeArchived(Question[Preview]):
    """Question for the findings of a scan now. Nothing is written."""

    at: float


ArchivistMessage = Scan | WhatWouldBeArchived
