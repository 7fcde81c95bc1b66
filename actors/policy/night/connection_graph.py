"""The connection graph: memories near each other in meaning, joined by dreaming.

A connection is an observation, not a claim: it is made without a person, fades when it is not found
again, and is gone when it is weak. A person's statement is a causal edge, mere nearness in vector
space an association (``link_graph``).

Only neighbouring memories are compared, so the cost grows with their number and not with its
square. Neighbours come as cosines of the nearest vectors; without vectors nothing is connected.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import Final

from msgspec import Struct

from actors.policy.night.replay import HOUR, Pieces, Replayed, in_order

# When memories are connected, and how connections live.
SIMILARITY: Final = 0.5  # cosine from which two are connected
DEGREE: Final = 8  # connections of a memory; a choice against hairballs
MOST: Final = 4_000  # connections of one dream, the strongest: 8,000 changed no figure of LoCoMo
TOGETHER: Final = 24.0  # hours within which two memories belong to one time
TOGETHER_SIMILARITY: Final = 0.6
SEMANTIC: Final = 0.8
FIX_HOURS: Final = 168.0  # from a change to the fix after it. Choice.
CHANGES: Final = frozenset({"change", "feature", "refactor"})  # kinds that a fix may follow
CONSECUTIVE: Final = 0.1  # gain of memories replayed one after the other
CAP: Final = 2.0
FADE: Final = 0.95  # per dream
FLOOR: Final = 0.1

Pair = tuple[int, int]
"""Ids of two memories, the smaller one first."""
Likeness = Mapping[Pair, float]
"""Cosine of two memories, of those that are near each other."""


class ConnectionKind(Enum):
    """Kind of connection: ground shared by two memories, or the relation of one to the other."""

    SHARED_CONCEPT = "shared_concept"  # both are decisions, both are fixes …
    TEMPORAL = "temporal"
    SEMANTIC = "semantic"
    COMPLEMENTARY = "complementary"
    CAUSAL_CHAIN = "causal_chain"  # the one kind with a direction: the first memory is the cause


class Connection(Struct, frozen=True):
    """Two memories and their connection; of an undirected kind the smaller id stands first."""

    one: int
    other: int
    kind: ConnectionKind
    strength: float  # 0 to 2
    evidence: str  # without a memory's text


def caused(one: Replayed, other: Replayed) -> bool:
    """Return whether the second of two similar memories is a fix within a week after the first, a change."""
    hours = (other.at - one.at) / HOUR
    follows = one.kind in CHANGES and other.kind == "bugfix"
    return follows and one.project == other.project and 0 < hours <= FIX_HOURS


def kind_of(one: Replayed, other: Replayed, alike: float) -> ConnectionKind:
    """Kind of connection of two similar memories: of one day and over .6; over .8; of one kind; any other."""
    near = abs(one.at - other.at) <= TOGETHER * HOUR
    if near and alike > TOGETHER_SIMILARITY:
        return ConnectionKind.TEMPORAL
    if alike > SEMANTIC:
        return ConnectionKind.SEMANTIC
    same = one.kind == other.kind
    return ConnectionKind.SHARED_CONCEPT if same else ConnectionKind.COMPLEMENTARY


def connecting(memories: Iterable[Replayed], near: Likeness) -> Pieces[list[Connection]]:
    """The connections of memories in pieces: causes first, then the strongest, within the bounds."""
    by_id = {one.id: one for one in memories}
    edges: list[Connection] = []
    for (first, second), alike in near.items():
        if alike >= SIMILARITY:
            edges.append(_connected(by_id[first], by_id[second], alike))
        yield
    ranked = yield from in_order(
        edges,
        lambda one: (one.kind is not ConnectionKind.CAUSAL_CHAIN, -one.strength,
                     one.one, one.other),
    )  # fmt: skip
    ends: Counter[int] = Counter()
    strongest: list[Connection] = []
    for edge in ranked:
        if ends[edge.one] < DEGREE and ends[edge.other] < DEGREE and len(strongest) < MOST:
            ends.update((edge.one, edge.other))
            strongest.append(edge)
        yield
    return strongest


def _connected(one: Replayed, other: Replayed, alike: float) -> Connection:
    """The connection of two similar memories, a cause and its effect or any other."""
    strength, evidence = min(1.0, alike), f"similarity {alike:.2f}"
    cause, effect = sorted((one, other), key=lambda each: (each.at, each.id))
    if caused(cause, effect):
        evidence = f"{cause.kind} then {effect.kind}, {evidence}"
        return Connection(cause.id, effect.id, ConnectionKind.CAUSAL_CHAIN, strength, evidence)
    return Connection(one.id, other.id, kind_of(one, other, alike), strength, evidence)


def gains(order: Sequence[int], connected: Collection[Pair]) -> list[tuple[int, int, float]]:
    """Gains of connections between memories replayed one after the other: one, other, by how much."""
    pairs = {(min(pair), max(pair)) for pair in pairwise(order)}
    return [(*pair, CONSECUTIVE) for pair in sorted(pairs.intersection(connected))]
