"""Observatory: what happened just now, for whoever watches.

Owns a ring of the last observations with rising numbers. Followers ask for what comes after
the number they have; one that is slow finds that the oldest are gone, and is told how many.
So nobody who watches can delay what is watched: observations are offered, never waited for.
"""

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, assert_never

from actors.core.mailbox import Inbox
from actors.observatory.messages import (
    Observation,
    Observations,
    ObservatoryMessage,
    Observed,
    WhatHappened,
)

KEPT = 1_000  # observations
PATIENT = 64  # followers that may wait at once; the one that has waited longest is answered empty


@dataclass(slots=True)
class Observatory:
    """Keeps the ring and answers those who wait at its end."""

    last: int = 0  # the number of the newest observation
    _ring: deque[Observation] = field(default_factory=lambda: deque(maxlen=KEPT))
    _waiting: deque[WhatHappened] = field(default_factory=deque[WhatHappened])

    def statistics(self) -> dict[str, Any]:
        """Counts of things observed and kept, and of those who wait for the next."""
        return {"observed": self.last, "kept": len(self._ring), "followers": len(self._waiting)}

    async def run(self, inbox: Inbox[ObservatoryMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            self.handle(message)

    def handle(self, message: ObservatoryMessage) -> None:
        """One message."""
        match message:
            case Observed(observations):
                self._keep(observations)
            case WhatHappened():
                self._answer_or_keep_waiting(message)
            case _:
                assert_never(message)

    def _keep(self, observations: tuple[Observation, ...]) -> None:
        self._ring.extend(observations)
        self.last += len(observations)
        waiting, self._waiting = self._waiting, deque()
        for question in waiting:
            self._answer_or_keep_waiting(question)

    def _answer_or_keep_waiting(self, question: WhatHappened) -> None:
        if question.reply.abandoned:
            return
        if 0 <= question.after < self.last:
            question.reply(self._after(question.after, question.limit))
        elif question.after < 0 or question.after > self.last:  # of a daemon before this one
            question.reply(Observations((), self.last, 0))
        else:
            self._waiting.append(question)
            if len(self._waiting) > PATIENT:
                oldest = self._waiting.popleft()
                oldest.reply(Observations((), oldest.after, 0))

    def _after(self, number: int, limit: int) -> Observations:
        first = self.last - len(self._ring) + 1  # the number of the oldest that is kept
        begin = max(number + 1, first)
        chosen = islice(self._ring, begin - first, begin - first + max(1, limit))
        numbered = tuple(enumerate(chosen, start=begin))
        return Observations(numbered, numbered[-1][0], begin - number - 1)
