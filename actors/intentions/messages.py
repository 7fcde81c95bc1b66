"""Messages about intentions: made, changed, asked for, due."""

from dataclasses import dataclass
from typing import Literal

from actors.core.mailbox import Reply
from actors.intake.messages import Happened
from actors.policy.intentions.intentions import Intention


class NoSuchIntention(Exception):
    """The id names no intention: the client's fault."""


class TooManyIntentions(Exception):
    """A thousand are open: some must be done or cancelled first."""


@dataclass(frozen=True, slots=True)
class Intend:
    """Keep this intention: answer it with its id, once durable. Its like, when it is open already.

    ``TooManyIntentions`` when there is no room.
    """

    intention: Intention
    reply: Reply[Intention]


@dataclass(frozen=True, slots=True)
class WhatIsIntended:
    """Question for the intentions, ended ones included, and which of them are due at a time."""

    at: float
    reply: Reply[tuple[tuple[Intention, bool], ...]]


@dataclass(frozen=True, slots=True)
class ChangeIntention:
    """Order: it was done, given up or put off. The answer is what it is now, once durable."""

    intention_id: str
    change: Literal["done", "cancelled", "snoozed"]
    seconds: float | None  # how long it is put off; None: the usual time
    at: float
    reply: Reply[Intention]


@dataclass(frozen=True, slots=True)
class WhatIsDue:
    """Question for what is to be brought to mind in a session, at a prompt or its start."""

    session: str
    project: str | None
    prompt: str  # empty: the session starts
    at: float
    reply: Reply[tuple[Intention, ...]]


@dataclass(frozen=True, slots=True)
class WereReminded:
    """These intentions are in the session's context now."""

    intention_ids: tuple[str, ...]
    session: str
    at: float


@dataclass(frozen=True, slots=True)
class LookAtIntentions:
    """See which came due or expired, and let go of those that ended long ago."""

    at: float


@dataclass(frozen=True, slots=True)
class IntentionsErased:
    """Intentions may have left the store: read it anew."""


ProspectiveMessage = (
    Happened
    | Intend
    | WhatIsIntended
    | ChangeIntention
    | WhatIsDue
    | WereReminded
    | LookAtIntentions
    | IntentionsErased
)
