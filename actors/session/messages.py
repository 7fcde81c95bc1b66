"""Messages about an agent's session: its working memory, its context."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.intake.messages import Happened
from actors.policy.session.attention import Attended
from actors.policy.session.ledger import Context
from actors.policy.session.pressure import Pressure
from actors.session.intention_messages import (
    IntentionsErased,
    WereReminded,
    WhatIsDue,
    WhatIsIntended,
)
from actors.session.writes import Delivered


@dataclass(frozen=True, slots=True)
class WhatIsHeld(Question[dict[int, Attended]]):
    """Question for the memories in a session's attention, by id, the most attended first."""

    session: str


@dataclass(frozen=True, slots=True)
class ForgetSession(Question[int]):
    """Empty this session's ledger and attention; the answer counts its entries, once durable."""

    session: str


@dataclass(frozen=True, slots=True)
class WhatItHas(Question[Context]):
    """Question for everything already in a session's context.

    A session with its own instructions not yet reported has the ones of its project's last session.
    """

    session: str
    project: str | None
    at: float


@dataclass(frozen=True, slots=True)
class IsSilent(Question[bool]):
    """Question whether a person switched notes off for a session."""

    session: str


WorkingMemoryMessage = (
    Happened
    | WhatItHas
    | WhatIsHeld
    | Delivered
    | IsSilent
    | ForgetSession
    | WhatIsIntended
    | WhatIsDue
    | WereReminded
    | IntentionsErased
)


@dataclass(frozen=True, slots=True)
class HowFull(Question[Pressure]):
    """Question how full a session's context is."""

    session: str


PressureMessage = Happened | HowFull
