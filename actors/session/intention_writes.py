"""Intentions as they are written."""

from dataclasses import dataclass
from typing import Final

from actors.policy.night.intentions import Intention

NO_ROOM: Final = -1


@dataclass(frozen=True, slots=True)
class IntentionMade:
    """Somebody means to do something later.

    Outcome: its number, or the number of its like already open; 0 when its prompt has made one
    before or was erased, ``NO_ROOM`` when a thousand are open.
    """

    intention: Intention  # its id is not known yet
    seq: int | None = None  # the journaled prompt that stated it


@dataclass(frozen=True, slots=True)
class IntentionChanged:
    """Change of an intention. Outcome: 1, or 0 when it is gone or has ended meanwhile."""

    intention: Intention
    what: str  # reminded, done, cancelled, snoozed
    at: float
    session: str | None = None  # the reminded one


@dataclass(frozen=True, slots=True)
class IntentionsAged:
    """Let intentions past their deadline expire, and long ended ones leave. Outcome: how many left."""

    at: float  # seconds UTC


@dataclass(frozen=True, slots=True)
class IntentionErased:
    """Its text leaves the tables, and so do events with it. Outcome: 1, or 0 when gone."""

    number: int
    at: float | None = None  # when; None: now


IntentionWrite = IntentionMade | IntentionChanged | IntentionsAged | IntentionErased
