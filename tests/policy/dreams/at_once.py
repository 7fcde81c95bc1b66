"""What a dream does piece by piece, done at once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from actors.policy.night import demands, noticing, replay
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import Insight
from actors.policy.night.replay import Connection, Pair, Replayed
from tests.policy.text.whole import whole


def noticed(
    memories: Sequence[Replayed],
    alike: dict[Pair, float],
    said: Sequence[ArchivedPrompt] = (),
    known: Sequence[Insight] = (),
) -> list[Insight]:
    """The insights of one dream."""
    return whole(noticing.noticing(memories, alike, said, known))


def repeated(said: Sequence[ArchivedPrompt], known: Collection[str] = ()) -> list[Insight]:
    """What is demanded or asked in several sessions."""
    return whole(demands.repeating(said, known))


def connections(memories: Sequence[Replayed], alike: dict[Pair, float]) -> list[Connection]:
    """The connections of one dream."""
    return whole(replay.connecting(memories, alike))
