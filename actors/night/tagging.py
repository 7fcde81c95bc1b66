"""Tagging: an important moment keeps the turns around it with something in common.

Every turn leaves a tag of the things it touched when it ends. A moment captures tagged turns of its
project from the hours around it when they share a file, a symbol or a phrase with it: an episode. All
of it lives in the store; of a turn interrupted by a restart only the rest is tagged. The rules are in
``actors.policy.decay.capture``.
"""

import logging
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from actors.core.equipment import Latest
from actors.core.mailbox import Inbox, Mailbox
from actors.memory.commit import LongTermMessage, attempted, commit
from actors.night.shapes import Faded, Place, TaggingMessage, Touched
from actors.policy.decay import capture
from actors.policy.decay.capture import (
    FORWARD,
    HOUR,
    LIFETIME,
    Raised,
    Settings,
    TurnTagged,
    packed,
)
from daemon.storage.reader import ReadingSide

log = logging.getLogger(__name__)

SESSIONS: Final = 200  # sessions whose turn is followed
TAGS: Final = 1_000  # of the newest turns that one moment looks at
MOMENTS: Final = 50  # of the last hours that one turn looks at
BEFORE: Final = 3  # of them capture it
KEPT: Final = 2_000  # captured turns
NOTHING: Final = frozenset[bytes]()


class Turn(Struct, frozen=True):
    """A turn in progress."""

    first_seq: int
    touched: frozenset[bytes] = NOTHING


class Tagging(Struct):
    """Tags and captures turns, one message at a time."""

    settings: Settings
    reader: ReadingSide
    long_term: Mailbox[LongTermMessage]
    turns: Latest[str, Turn] = field(default_factory=lambda: Latest(SESSIONS))
    before: Latest[str, frozenset[bytes]] = field(default_factory=lambda: Latest(SESSIONS))

    async def run(self, inbox: Inbox[TaggingMessage]) -> None:
        """Handle messages until the mailbox is closed and drained."""
        async for message in inbox:
            await self.handle(message)

    async def handle(self, event: TaggingMessage) -> None:
        """Follow the turn of a session; an episode impossible to write now is lost, and nothing else."""
        if not self.settings.enabled:
            return
        turn = self.turns.get(event.session) or Turn(event.seq)
        before = turn.touched or self.before.get(event.session) or NOTHING
        turn = replace(turn, touched=turn.touched | event.touched)
        self.turns[event.session] = turn
        if event.moment is not None:
            asked = event.touched or before  # a prompt without names is about the turn before it
            about = asked if event.place is Place.ASKED else turn.touched
            await attempted(self._capture(event.moment, about), log, "capture_lost")
        if event.place is Place.ENDED:
            del self.turns[event.session]
            if turn.touched:
                self.before[event.session] = turn.touched
            await attempted(self._tag(turn, event), log, "capture_lost")

    async def _capture(self, raised: Raised, touched: frozenset[bytes]) -> None:
        """Note a moment and sweep the tags with something in common, in one unit."""
        noted = replace(raised, touched=packed(touched))
        since = raised.at - LIFETIME * HOUR
        tags = await self.reader.turn_tags(raised.project, raised.session, since, TAGS)
        found = capture.sweep(tags, noted, self.settings.decay)
        await commit(self.long_term, (noted, *found))

    async def _tag(self, turn: Turn, end: Touched) -> None:
        """Tag an ended turn; a moment of the last hours may capture it at once."""
        if not turn.touched:
            return
        made = TurnTagged(
            turn.first_seq, end.seq, end.session, end.project, end.at, packed(turn.touched)
        )
        since = end.at - FORWARD * HOUR
        moments = await self.reader.moments(end.project, end.session, since, end.at, MOMENTS)
        taken = (capture.captured(made, one, self.settings.decay) for one in moments)
        found = sorted((one for one in taken if one is not None), key=lambda one: -one.score)
        await commit(self.long_term, (made, *found[:BEFORE]))


def faded(at: float) -> Faded:
    """Order to let go of expired tags and moments."""
    return Faded(at - LIFETIME * HOUR, KEPT)
