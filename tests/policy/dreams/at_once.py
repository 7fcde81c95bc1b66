"""What a dream does piece by piece, done at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from actors.policy.dreams import connection_graph, insights, noticing, repetition, replay
from actors.policy.dreams.connection_graph import Connection, Neighbours, Pair
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.repetition import Said
from actors.policy.dreams.replay import Replayed
from tests.policy.text.whole import whole


def told_apart(memories: Sequence[Replayed]) -> list[Replayed]:
    """The memories with only those concepts that tell them from the others."""
    return whole(replay.telling_apart(memories))


def noticed(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    said: Sequence[Said] = (),
    known: Sequence[Insight] = (),
    most: int = insights.MOST,
) -> list[Insight]:
    """The insights of one dream."""
    alike = near(memories, neighbours)
    themes = whole(noticing.grouping(memories, alike))
    return whole(noticing.noticing(memories, alike, themes, said, known, most))


def near(memories: Iterable[Replayed], neighbours: Neighbours) -> dict[Pair, float]:
    """How alike neighbours are."""
    return whole(connection_graph.pairing(neighbours, {one.id for one in memories}))


def near_by_words(memories: Sequence[Replayed]) -> dict[Pair, float]:
    """How alike memories are that share what they are about, without vectors."""
    return whole(connection_graph.nearing_by_words(memories))


def repeated(
    said: Sequence[Said], memories: Sequence[Replayed] = (), known: Collection[str] = ()
) -> list[Insight]:
    """What is said or asked in several sessions."""
    return whole(repetition.repeating(said, memories, known))


def connections(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
) -> list[Connection]:
    """The connections of one dream."""
    return whole(connection_graph.connecting(memories, near(memories, neighbours), causes))
