"""Questions about the session of a prompt, asked side by side with the channels; who is late has said nothing.

What it has and wants, how full its context is, and what is due.
"""

from typing import Final, TypeVar

import trio
from msgspec import Struct

from actors.core.equipment import Posted, posted
from actors.core.failures import Conflicting, Unwritable
from actors.core.mailbox import Mailbox
from actors.policy.night.intentions import Intention
from actors.policy.session.ledger import Context
from actors.policy.session.pressure import Level
from actors.recall.channels import AWAY
from actors.recall.ordering import Settings
from actors.recall.shapes import Bring
from actors.session.shapes import (
    HowFull,
    IsSilent,
    PressureMessage,
    WhatIsDue,
    WhatItHas,
    WorkingMemoryMessage,
)

A = TypeVar("A")
B = TypeVar("B")

SHARE: Final = 0.5  # of a prompt's time, for what its session has and wants


class SessionQuestions(Struct):
    """Questions about the session of a prompt or a start, to the actors that know it."""

    settings: Settings
    working_memory: Mailbox[WorkingMemoryMessage]
    pressure: Mailbox[PressureMessage]

    def reads(self, question: Bring) -> float:
        """Seconds for an answer of an actor when it first reads the store of a session."""
        return max(self.settings.channel_wait, question.within * SHARE)

    def silence(
        self, question: Bring, looking: trio.CancelScope | None = None
    ) -> Posted[bool] | None:
        """Ask whether a person wants no notes in this session; without one nobody is asked.

        If so the ``looking`` ends at once: it is for nobody.
        """

        def at_once(silent: bool) -> None:
            if silent and looking is not None:
                looking.cancel()

        asked = IsSilent(question.event.session)
        if not asked.session:
            return None
        within = self.reads(question)
        return posted(self.working_memory, asked, within=within, heard=at_once)

    def context(
        self, question: Bring, within: float, *, attends: bool = False
    ) -> Posted[Context] | None:
        """Ask for the context of the session; ``attends``: with the memories in its attention."""
        event = question.event
        asked = WhatItHas(event.session, question.project, question.at, attends)
        return posted(self.working_memory, asked, within=within) if event.session else None

    def usual_context(self, question: Bring) -> Posted[Context]:
        """Ask for the context of a new session: everything the project's last one loaded."""
        asked = WhatItHas("", question.project, question.at)
        return posted(self.working_memory, asked, within=question.within)

    def fullness(self, question: Bring) -> Posted[Level]:
        """Ask how full the context of the session is."""
        asked = HowFull(question.event.session)
        return posted(self.pressure, asked, within=self.settings.neighbour_wait)

    def due(self, question: Bring) -> Posted[tuple[Intention, ...]]:
        """Ask for the user's intentions due here; it depends on no channel."""
        event = question.event
        asked = WhatIsDue(event.session, question.project, event.turn, question.at)
        return posted(self.working_memory, asked, within=self.settings.neighbour_wait)


async def heard(reply: Posted[A] | None, unasked: B) -> A | B | None:
    """The answer of an actor; None when it has failed: recall goes on."""
    if reply is None:
        return unasked
    try:
        return await reply.answer()
    except (*AWAY, Conflicting, Unwritable):
        return None
