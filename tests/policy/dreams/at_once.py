"""What a dream does piece by piece, done at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from actors.policy.dreams import (
    compression,
    connection_graph,
    dream_insights,
    lessons,
    replay,
)
from actors.policy.dreams import conflicts as excluding
from actors.policy.dreams.connection_graph import Connection, Neighbours
from actors.policy.dreams.effects import Links
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import whole


def told_apart(memories: Sequence[Replayed]) -> list[Replayed]:
    """The memories with only those concepts that tell them from the others."""
    return whole(replay.telling_apart(memories))


def noticed(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
    misses: Sequence[Replayed] = (),
    settings: dream_insights.Settings = dream_insights.DEFAULT,
) -> list[Insight]:
    """The insights of one dream."""
    return whole(dream_insights.noticing(memories, neighbours, causes, misses, settings))


def hidden(memories: Sequence[Replayed], linked: Links) -> list[Insight]:
    """Two memories that share what hardly any other has."""
    return whole(lessons.hiding(memories, linked, (), lessons.DEFAULT))


def connections(
    memories: Iterable[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
    settings: connection_graph.Settings = connection_graph.DEFAULT,
) -> list[Connection]:
    """The connections of one dream."""
    return whole(connection_graph.connecting(memories, neighbours, causes, settings))


def conflicts(
    memories: Iterable[Replayed],
    neighbours: Neighbours,
    settings: excluding.Settings = excluding.DEFAULT,
) -> list[excluding.Conflict]:
    """The pairs of neighbours that exclude each other."""
    return whole(excluding.searched(memories, neighbours, settings))


def groups(
    memories: Sequence[Replayed], neighbours: Neighbours, now: float
) -> list[tuple[Replayed, ...]]:
    """Memories that are near one of them and may be summed up."""
    return whole(compression.grouping(memories, neighbours, now, compression.DEFAULT))


def proposals(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    now: float,
    settings: compression.Settings = compression.DEFAULT,
) -> list[Proposal]:
    """The summaries that are proposed."""
    return whole(compression.proposing(memories, neighbours, now, settings))
