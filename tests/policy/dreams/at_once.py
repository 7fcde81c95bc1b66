"""What a dream does piece by piece, done at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from actors.policy.dreams import (
    compression,
    connection_graph,
    dream_insights,
    insights,
    repetition,
    replay,
    themes,
)
from actors.policy.dreams import conflicts as excluding
from actors.policy.dreams.connection_graph import Connection, Neighbours
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.repetition import Said
from actors.policy.dreams.replay import Replayed
from tests.policy.text.whole import whole


def told_apart(memories: Sequence[Replayed]) -> list[Replayed]:
    """The memories with only those concepts that tell them from the others."""
    return whole(replay.telling_apart(memories))


def noticed(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    causes: Collection[tuple[int, int]] = (),
    said: Sequence[Said] = (),
    most: int = insights.MOST,
) -> list[Insight]:
    """The insights of one dream."""
    return whole(dream_insights.noticing(memories, neighbours, causes, said, most=most))


def links(memories: Sequence[Replayed], neighbours: Neighbours) -> dict[int, dict[int, float]]:
    """By id what each memory is linked with."""
    return whole(themes.linking(memories, neighbours))


def neighbours_by_words(memories: Sequence[Replayed]) -> dict[int, list[tuple[int, float]]]:
    """The nearest memories by what they share, without vectors."""
    return whole(connection_graph.nearing_by_words(memories))


def repeated(
    said: Sequence[Said], memories: Sequence[Replayed] = (), known: Collection[str] = ()
) -> list[Insight]:
    """What is said or asked in several sessions."""
    return whole(repetition.repeating(said, memories, known))


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
    compared: int = excluding.COMPARED,
) -> list[excluding.Conflict]:
    """The pairs of neighbours that exclude each other."""
    return whole(excluding.searched(memories, neighbours, compared))


def groups(
    memories: Sequence[Replayed], neighbours: Neighbours, now: float
) -> list[tuple[Replayed, ...]]:
    """Memories that are near one of them and may be summed up."""
    return whole(compression.grouping(memories, neighbours, now))


def proposals(
    memories: Sequence[Replayed],
    neighbours: Neighbours,
    now: float,
    most: int = compression.PLANS,
) -> list[Proposal]:
    """The summaries that are proposed."""
    return whole(compression.proposing(memories, neighbours, now, most))
