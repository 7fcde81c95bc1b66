"""What a dream does piece by piece, done at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from actors.policy.night import connection_graph, demands, insights, noticing, replay
from actors.policy.night.connection_graph import Connection, Pair
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import Insight
from actors.policy.night.replay import Replayed
from tests.policy.text.whole import whole

Neighbours = Mapping[int, Sequence[tuple[int, float]]]
"""By id the nearest memories with their likeness; one direction is enough."""


def told_apart(memories: Sequence[Replayed]) -> list[Replayed]:
    """The memories with only those concepts that tell them from the others."""
    return whole(replay.telling_apart(memories))


def noticed(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    said: Sequence[ArchivedPrompt] = (),
    known: Sequence[Insight] = (),
    most: int = insights.MOST,
) -> list[Insight]:
    """The insights of one dream."""
    alike = near(memories, neighbours)
    edges = whole(connection_graph.connecting(memories, alike))
    return whole(noticing.noticing(memories, alike, edges, said, known, most))


def near(memories: Iterable[Replayed], neighbours: Neighbours) -> dict[Pair, float]:
    """Tell how alike neighbours are, of those among the memories."""
    ids = {one.id for one in memories}
    pairs = (
        ((min(one, other), max(one, other)), value)
        for one, others in neighbours.items()
        for other, value in others
        if one != other and {one, other} <= ids
    )
    return dict(sorted(pairs, key=lambda pair: pair[1]))


def near_by_words(memories: Sequence[Replayed]) -> dict[Pair, float]:
    """How alike memories are that share what they are about, without vectors."""
    return whole(connection_graph.nearing_by_words(memories))


def repeated(said: Sequence[ArchivedPrompt], known: Collection[str] = ()) -> list[Insight]:
    """What is demanded or asked in several sessions."""
    return whole(demands.repeating(said, known))


def connections(memories: Sequence[Replayed], neighbours: Neighbours) -> list[Connection]:
    """The connections of one dream."""
    return whole(connection_graph.connecting(memories, near(memories, neighbours)))
