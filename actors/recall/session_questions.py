"""Questions about the session of a prompt, asked side by side with the channels; who is late has said nothing.

What it has and wants, how full its context is, what is due; and the wait for the vector of its prompt.
"""

from typing import Final, TypeVar

import trio
from msgspec import Struct, field

from actors.core.equipment import Latest, Posted, posted
from actors.core.failures import Conflicting, Unwritable
from actors.core.mailbox import Mailbox
from actors.memory.rows import Embed, Embedded, EmbedderMessage
from actors.policy.night.intentions import Intention
from actors.policy.recall.answers import FRESH, Pace, paced, patience
from actors.policy.session.ledger import Attended, Context
from actors.policy.session.pressure import Level
from actors.recall.inquiry import AWAY
from actors.recall.ordering import Settings
from actors.recall.shapes import Bring
from actors.session.shapes import (
    HowFull,
    IsSilent,
    PressureMessage,
    WhatIsDue,
    WhatIsHeld,
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

    def context(self, question: Bring, within: float) -> Posted[Context] | None:
        """Ask for the context of the session."""
        asked = WhatItHas(question.event.session, question.project, question.at)
        return posted(self.working_memory, asked, within=within) if asked.session else None

    def usual_context(self, question: Bring) -> Posted[Context]:
        """Ask for the context of a new session: everything the project's last one loaded."""
        asked = WhatItHas("", question.project, question.at)
        return posted(self.working_memory, asked, within=question.within)

    def attention(self, question: Bring, within: float) -> Posted[dict[int, Attended]] | None:
        """Ask for the attention of the session."""
        asked = WhatIsHeld(question.event.session)
        return posted(self.working_memory, asked, within=within) if asked.session else None

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


# ---- pacing: the vectors of queries, and the wait for the next by the time of the last ones
#
# The rule is in ``actors.policy.recall.answers``; its facts are kept here: the pace of vectors
# received, late ones too, and the questions still without an answer.


MOST = 64  # questions without an answer that are remembered
KEPT = 64  # vectors, of which a long question's with its tokens has some 100 KB
KEEPS = 120.0  # seconds for which one is kept: a prompt that missed it is asked again until then


class Pacing(Struct):
    """How long vectors of queries take now."""

    embedder: Mailbox[EmbedderMessage]
    pace: Pace = field(default_factory=Pace)
    _out: list[Posted[list[Embedded]]] = []
    _known: Latest[str, tuple[float, Embedded]] = field(default_factory=lambda: Latest(KEPT))
    _erasures: int = 0  # a vector that was asked for before the last one is not kept

    def wait(self, most: float, room: float) -> float:
        """Seconds of a prompt's wait for its vector; ``room``: seconds left by the rest of its work."""
        now = trio.current_time()
        # What waits longer will never be answered: the worker is given up after as long.
        self._out = [one for one in self._out if one.is_out and now - one.began < FRESH]
        oldest = now - self._out[0].began if self._out else 0.0
        return patience(self.pace, oldest, now, most, room)

    async def embedded(self, text: str, within: float) -> Embedded:
        """The vector of a query and its tokens; raises the errors of ``Mailbox.ask``.

        A late one is kept for the next time that the query is asked.
        """
        began, erasures = trio.current_time(), self._erasures
        made_at, known = self._known.get(text, (0.0, None))
        if known is not None and began - made_at < KEEPS:
            return known

        def heard(made: list[Embedded]) -> None:
            now = trio.current_time()
            self.pace = paced(self.pace, now - began, now)
            if erasures == self._erasures:
                self._known[text] = now, made[0]

        asked = Embed((text,), "query", True, tokens=True)
        question: Posted[list[Embedded]] = posted(self.embedder, asked, within=within, heard=heard)
        if len(self._out) < MOST:
            self._out.append(question)
        return (await question.answer())[0]

    def forget(self) -> None:
        """Let go of the questions kept, and of those under way: one may quote an erased text."""
        self._erasures += 1
        self._known.clear()

    async def vector_of_answer(self, text: str, within: float) -> bytes:
        """The vector of the beginning of an answer; a person waits for it."""
        made = await self.embedder.ask(Embed((text,), "document", True), within=within)
        return made[0].vector
