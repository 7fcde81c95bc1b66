"""Messages about intentions: which there are, which are due, and of which somebody was reminded."""

from dataclasses import dataclass

from actors.core.mailbox import Question
from actors.policy.night.intentions import Intention
from actors.policy.text.turn import Turn


class NoSuchIntention(Exception):
    """The id names no intention: the client's fault."""


class TooManyIntentions(Exception):
    """A thousand are open: some must be done or cancelled first."""


@dataclass(frozen=True, slots=True)
class WhatIsIntended(Question[tuple[tuple[Intention, bool], ...]]):
    """Question for the intentions, ended ones included, and which of them are due at a time."""

    at: float


@dataclass(frozen=True, slots=True)
class WhatIsDue(Question[tuple[Intention, ...]]):
    """Question for reminders due in a session, at a prompt or its start."""

    session: str
    project: str | None
    turn: Turn  # empty: the session starts
    at: float


@dataclass(frozen=True, slots=True)
class WereReminded:
    """These intentions are in the session's context now."""

    intention_ids: tuple[str, ...]
    session: str
    at: float


@dataclass(frozen=True, slots=True)
class IntentionsErased:
    """Intentions may have left the store: let go of the texts around them."""
