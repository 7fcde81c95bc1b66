"""Sessions and intentions: what is written, read and said of them."""

from typing import Final

from msgspec import Struct

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.policy.night.intentions import Intention
from actors.policy.session.ledger import WHOLE, Context
from actors.policy.session.pressure import Level
from actors.policy.text.turn import Turn


class Delivered(Struct, frozen=True):
    """These contents are in the session's context now."""

    session: str
    content_hashes: tuple[bytes, ...]
    at: float
    anchor: float = WHOLE  # the session's attention to them then, 0..1


class SessionSeen(Struct, frozen=True):
    """Facts of a session from an event; ``None`` leaves the known value.

    An event older than the last one seen changes nothing.
    """

    session: str
    agent: str
    project: str | None
    at: float
    status: str  # "open", "ended"
    task: str | None  # the last prompt of the user that tells what it is at, shortened
    summary: str | None
    transcript: str | None
    silent: bool | None = None  # a person switched notes off or on; counts however old it is
    emptied: bool = False  # its context began anew; counts however old it is
    cleared: bool = False  # by a person: it attends to nothing from before


SessionWrite = Delivered | SessionSeen


# ---- sessions: rows


class SessionRow(Struct, frozen=True):
    """Facts of a session."""

    session: str
    agent: str
    project: str | None
    started_at: float
    seen_at: float
    status: str
    task: str
    summary: str
    transcript: str | None
    silent: bool = False  # a person wants no notes in it
    emptied_at: float = 0.0  # when its context began anew; 0: never
    cleared_at: float = 0.0  # when a person began it anew; 0: never


# ---- intentions: writes


NO_ROOM: Final = -1


class IntentionMade(Struct, frozen=True):
    """Somebody means to do something later.

    Outcome: its number, or the number of its like already open; 0 when its prompt has made one
    before or was erased, ``NO_ROOM`` when a hundred are open.
    """

    intention: Intention  # its id is not known yet
    seq: int | None = None  # the journaled prompt that stated it


class IntentionChanged(Struct, frozen=True):
    """Change of an intention. Outcome: 1, or 0 when it is gone or has ended meanwhile."""

    intention: Intention
    what: str  # reminded, done, cancelled, snoozed
    at: float
    session: str | None = None  # the reminded one


class IntentionsLeft(Struct, frozen=True):
    """Let go of long ended intentions. Outcome: how many."""

    at: float  # seconds UTC


class IntentionErased(Struct, frozen=True):
    """Its text leaves the tables, and so do events with it. Outcome: 1, or 0 when gone."""

    number: int
    at: float | None = None  # when; None: now


IntentionWrite = IntentionMade | IntentionChanged | IntentionsLeft | IntentionErased


# ---- intentions: messages


class WhatIsIntended(Question[tuple[tuple[Intention, bool], ...]], frozen=True):
    """Question for the intentions, ended ones included, and which of them are due at a time."""

    at: float


class WhatIsDue(Question[tuple[Intention, ...]], frozen=True):
    """Question for reminders due in a session, at a prompt or its start."""

    session: str
    project: str | None
    turn: Turn  # empty: the session starts
    at: float


class WereReminded(Struct, frozen=True):
    """These intentions are in the session's context now."""

    intention_ids: tuple[str, ...]
    session: str
    at: float


class IntentionsErased(Struct, frozen=True):
    """Intentions may have left the store: let go of the texts around them."""


# ---- sessions: messages


class WhatItHas(Question[Context], frozen=True):
    """Question for everything already in a session's context.

    A session with its own instructions not yet reported has the ones of its project's last session.
    """

    session: str
    project: str | None
    at: float
    attends: bool = False  # with the memories in its attention


class IsSilent(Question[bool], frozen=True):
    """Question whether a person switched notes off for a session."""

    session: str


WorkingMemoryMessage = (
    Happened
    | WhatItHas
    | Delivered
    | IsSilent
    | WhatIsIntended
    | WhatIsDue
    | WereReminded
    | IntentionsErased
)


class HowFull(Question[Level], frozen=True):
    """Question how full a session's context is."""

    session: str


PressureMessage = Happened | HowFull
