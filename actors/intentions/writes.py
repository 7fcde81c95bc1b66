"""Intentions as they are written."""

from dataclasses import dataclass

from actors.policy.intentions.intentions import Intention


@dataclass(frozen=True, slots=True)
class IntentionMade:
    """Somebody means to do something later. Outcome: its number, 0 when made already."""

    intention: Intention  # its id is not known yet
    seq: int | None = None  # the journaled prompt that stated it


@dataclass(frozen=True, slots=True)
class IntentionChanged:
    """Change of an intention. Outcome: 1, or 0 when it is gone."""

    intention: Intention
    what: str  # due, reminded, done, cancelled, snoozed, expired
    at: float
    session: str | None = None  # that was reminded


@dataclass(frozen=True, slots=True)
class IntentionsDropped:
    """These ended long ago. Outcome: how many left."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IntentionErased:
    """Its text leaves the tables, and so do events that hold it. Outcome: 1, or 0 when gone."""

    number: int


IntentionWrite = IntentionMade | IntentionChanged | IntentionsDropped | IntentionErased
