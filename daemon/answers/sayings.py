"""Sayings from before there was a memory, learnt in bulk: of commits, and of sessions of an agent.

They are read as live events are, by the same rules; the gate learns they are past, with their times.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

import msgspec
import trio

from actors.core.mailbox import Lane
from actors.gate.drafts import draft_of, standing_of
from actors.gate.messages import Decide, Proposed
from actors.intake.messages import Journaled
from actors.intake.reading import Reading
from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.statements.statement_rules import Candidate
from daemon.context import Parts
from daemon.shapes.learnt import ItemSaid
from daemon.storage import learn as stored

MOST_NOTES: Final = 300  # of a run: the newest
GATE_WITHIN: Final = 300.0  # seconds for what one event says


@dataclass(frozen=True, slots=True)
class Saying:
    """An event with its statements worth a note."""

    id: bytes  # by which it is journaled once
    agent: str
    at: float  # seconds UTC
    body: bytes  # the event as it is journaled
    candidates: tuple[Candidate, ...]
    said: tuple[
        CorrectingSentence, ...
    ] = ()  # sentences of a prompt that may correct what was said before
    new: tuple[bool, ...] = ()  # of each: nothing that is, or was, remembered says it

    @property
    def is_news(self) -> bool:
        """Tell whether anything may come of it."""
        return any(self.new) or bool(self.said)

    def items(self) -> list[ItemSaid]:
        """Text of it, as a client is told it."""
        return [
            ItemSaid(topic=each.rule, line=0, text=each.text, new=new)
            for each, new in zip(self.candidates, self.new, strict=True)
        ]


def saying(
    name: str,
    agent: str,
    at: float,
    reading: Reading,
    candidates: Sequence[Candidate],
    said: tuple[CorrectingSentence, ...] = (),
) -> Saying:
    """Saying of an event; ``name`` is unique to it."""
    body = msgspec.msgpack.encode(reading.body)
    return Saying(digest_of(name), agent, at, body, tuple(candidates), said)


def digest_of(name: str) -> bytes:
    """Id of an event by its name."""
    return blake2b(name.encode("utf-8", "replace"), digest_size=16).digest()


async def compared(parts: Parts, one: Saying, project: str, said: set[str], at: float) -> Saying:
    """Mark its new statements: not ``said`` by another of the run, nor over by now, nor known."""
    texts = [each.text for each in one.candidates]
    if await parts.reader.read(stored.learnt, [one.id]):
        return replace(one, said=(), new=(False,) * len(texts))
    unknown = await parts.reader.read(stored.unknown, texts, project)
    proposed = Proposed(0, one.at, "", project, one.candidates, past=True)
    new: list[bool] = []
    for each, fresh in zip(one.candidates, unknown, strict=True):
        until = standing_of(draft_of(each, proposed)).valid_until
        new.append(fresh and each.text not in said and (until is None or until > at))
        said.add(each.text)
    return replace(one, new=tuple(new))


async def learn_saying(parts: Parts, one: Saying, session: str, project: str, at: float) -> None:
    """Propose its new statements to the gate."""
    row = Journaled(one.id, one.agent, at, "learn", session, project, one.body, done=True)
    (seq,) = await parts.commit((row,))
    fresh = tuple(each for each, new in zip(one.candidates, one.new, strict=True) if new)
    if not (seq and (fresh or one.said)):
        return
    proposed = Proposed(seq, one.at, session, project, fresh, said=one.said, past=True)
    # Whoever asked may leave at any moment: what was begun is learnt whole.
    with trio.CancelScope(shield=True):
        await parts.mailboxes.gate.ask(Decide(proposed), within=GATE_WITHIN, lane=Lane.BACKGROUND)
