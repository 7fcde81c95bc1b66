"""Pacing: asks for queries' vectors, and sets the wait for the next by the time of the last ones.

The rule is in ``actors.policy.recall.patience``; its facts are kept here: the pace of vectors
received, late ones too, and the questions still without an answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from actors.core.answers import Posted, posted
from actors.core.mailbox import Mailbox
from actors.memory.rows import Embed, Embedded, EmbedderMessage
from actors.policy.recall.patience import FRESH, Pace, paced, patience

MOST = 64  # questions without an answer that are remembered


@dataclass(slots=True)
class Pacing:
    """How long vectors of queries take now."""

    pace: Pace = field(default_factory=Pace)
    late: int = 0  # vectors that came when nobody waited any more
    _out: list[Posted[list[Embedded]]] = field(default_factory=list[Posted[list[Embedded]]])

    def wait(self, most: float, room: float) -> float:
        """Seconds of a prompt's wait for its vector; ``room``: seconds left by the rest of its work."""
        now = trio.current_time()
        # What waits longer will never be answered: the worker is given up after as long.
        self._out = [one for one in self._out if one.is_out and now - one.began < FRESH]
        oldest = now - self._out[0].began if self._out else 0.0
        return patience(self.pace, oldest, now, most, room)

    async def embedded(
        self,
        embedder: Mailbox[EmbedderMessage],
        text: str,
        within: float,
        keep: Callable[[Embedded], None],
    ) -> Embedded:
        """The vector of a query and its tokens; raises the errors of ``Mailbox.ask``.

        ``keep`` is given it whenever it comes, also when nobody waits any more.
        """

        def heard(made: list[Embedded]) -> None:
            now = trio.current_time()
            self.pace = paced(self.pace, now - began, now)
            self.late += now - began > within
            keep(made[0])

        began = trio.current_time()
        question: Posted[list[Embedded]] = posted(
            embedder,
            Embed((text,), "query", True, tokens=True),
            within=within,
            heard=heard,
        )
        if len(self._out) < MOST:
            self._out.append(question)
        return (await question.answer())[0]
