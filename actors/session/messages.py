"""Messages about an agent's session: its working memory, its context."""

from dataclasses import dataclass

from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.intentions.messages import (
    IntentionsErased,
    WereReminded,
    WhatIsDue,
    WhatIsIntended,
)
from actors.policy.session.attention import Attended
from actors.policy.session.ledger import Context
from actors.policy.session.pressure import Pressure
from actors.session.writes import Delivered


@dataclass(frozen=True, slots=True)
class WhatIsHeld:
    """Question for the memories that a session attends to, by id, the most attended first."""

    session: str
    reply: Reply[dict[int, Attended]]


@dataclass(frozen=True, slots=True)
class ForgetSession:
    """Let go of what this session was told, and attend to nothing; the answer counts it, once durable."""

    session: str
    reply: Reply[int]


@dataclass(frozen=True, slots=True)
class WhatItHas:
    """Question for what a session has in its context already.

    One that has not told yet which instructions it loaded has those of its project's last session.
    """

    session: str
    project: str | None
    at: float
    reply: Reply[Context]


@dataclass(frozen=True, slots=True)
class IsSilent:
    """Question whether a person switched notes off for a session."""

    session: str
    reply: Reply[bool]


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
class HowFull:
    """Question how full a session's context is."""

    session: str
    reply: Reply[Pressure]


PressureMessage = Happened | HowFull
