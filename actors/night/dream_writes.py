"""Writes of a dream: connections, stages, insights, episodes.

``actors.memory.unit`` takes them into its union; ``daemon.storage.graph`` and ``dreams`` carry
them out. Times are seconds since the epoch, UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from actors.policy.night.connection_graph import Connection
from actors.policy.night.insights import Insight

SOURCE: Final = "dreaming"  # who draws and proposes in a dream
Stage = Literal["replay", "cross_reference", "strengthen", "prune", "transfer"]
STAGES: tuple[Stage, ...] = ("replay", "cross_reference", "strengthen", "prune", "transfer")
Outcome = Literal["finished", "cancelled", "failed"]
Figures = Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class ConnectionsDrawn:
    """Connections were found, or found again: the stronger of old and new counts.

    Outcome: how many are new. A connection of a removed memory is left out.
    """

    connections: tuple[Connection, ...]
    at: float


@dataclass(frozen=True, slots=True)
class ConnectionsStrengthened:
    """Connections between these pairs, of whatever kind, grow stronger by these amounts."""

    gains: tuple[tuple[int, int, float], ...]  # one, other, by how much
    cap: float
    at: float


@dataclass(frozen=True, slots=True)
class ConnectionsFaded:
    """All connections fade; the weakest go. Outcome: how many went."""

    factor: float
    floor: float
    kept: int = 20_000  # at most: the strongest


@dataclass(frozen=True, slots=True)
class DreamBegun:
    """A dream over so many memories begins. Outcome: its number."""

    why: str
    memories: int
    at: float


@dataclass(frozen=True, slots=True)
class DreamAdvanced:
    """A stage is done: the last write of the unit with all its results.

    Outcome: 1, or 0 when the dream has ended or was further already.
    """

    dream_id: int
    stage: Stage
    figures: Figures  # what it did, in numbers
    at: float


@dataclass(frozen=True, slots=True)
class DreamEnded:
    """A dream is over; older dreams beyond the last ``kept`` leave.

    Dreams are dropped unless they have insights left; insights expire unless they are pinned or of
    a protected tier.
    """

    dream_id: int
    outcome: Outcome
    at: float
    kept: int = 100  # dreams
    insights: int = 500


@dataclass(frozen=True, slots=True)
class InsightFound:
    """A dream noticed something: a memory of its own, with its sources.

    Outcome: the new memory's id, or 0: a person called a similar one useless, the same exists
    already, or a source is gone. An older insight with most of the same sources is superseded,
    unless it is pinned or of a protected tier; then it stays, and nothing is made.
    """

    dream_id: int
    insight: Insight  # with the project of all of its sources
    at: float


@dataclass(frozen=True, slots=True)
class EpisodesDrawn:
    """Groups of connected memories; earlier groups are gone."""

    episodes: tuple[tuple[int, ...], ...]


DreamWrite = (
    ConnectionsDrawn
    | ConnectionsStrengthened
    | ConnectionsFaded
    | DreamBegun
    | DreamAdvanced
    | DreamEnded
    | InsightFound
    | EpisodesDrawn
)
