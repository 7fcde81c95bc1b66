"""Messages about an agent's session: its attention, its ledger, its context."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.policy.session.pressure import Pressure
from actors.session.writes import Delivered


@dataclass(frozen=True, slots=True)
class Focused:
    """A session attends to these memories (id, attention 0..1)."""

    session: str
    memories: tuple[tuple[int, float], ...]
    at: float


@dataclass(frozen=True, slots=True)
class WhatIsHeld:
    """Which memories does the session attend to, how strongly?"""

    session: str
    reply: Reply[dict[int, float]]


@dataclass(frozen=True, slots=True)
class ForgetSession:
    """Let go of everything that you keep for this session; the answer counts it, once durable."""

    session: str
    reply: Reply[int]


WorkingMemoryMessage = Happened | Focused | WhatIsHeld | ForgetSession


@dataclass(frozen=True, slots=True)
class WhatItHas:
    """Which contents does the session have in its context already?"""

    session: str
    at: float
    reply: Reply[frozenset[bytes]]


@dataclass(frozen=True, slots=True)
class IsSilent:
    """Did a person switch notes off for this session?"""

    session: str
    reply: Reply[bool]


SessionsMessage = Happened | WhatItHas | Delivered | IsSilent | ForgetSession


@dataclass(frozen=True, slots=True)
class HowFull:
    """How full is the session's context?"""

    session: str
    reply: Reply[Pressure]


PressureMessage = Happened | HowFull
