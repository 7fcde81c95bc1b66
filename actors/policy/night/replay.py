"""Replay: when a dream is due, the memories that it goes through, their connections, and its computations in pieces."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from enum import Enum
from heapq import merge
from itertools import pairwise
from typing import Any, Final, TypeVar

from msgspec import Struct

# ---- when a dream is due, and why not yet
#
# One is due when enough has happened since the last (50 saves, or a day), never sooner than six hours
# after it. At the start of a session it takes a day. A person gets one at once on request. The
# schedule sees whether nobody is looking (``actors.policy.times.recurrence``).


HOUR: Final = 3_600.0  # seconds
SAVES: Final = 50  # since the last dream that make one due: what VE dreams after
HOURS: Final = 24.0  # since the last dream that make one due, when anything was saved
GAP: Final = 6.0  # hours at least between two dreams
OVER: Final = 24.0  # hours after which a dream that came to no end is given up


class Occasion(Enum):
    """Occasion on which it is asked whether a dream is due."""

    TICK = "tick"  # the clock
    SESSION_START = "session_start"


def hours_since(last: float | None, now: float) -> float:
    """Hours since the last dream began, times in seconds UTC; without end when there was none.

    A clock set back by more than the gap says nothing, so it counts as none.
    """
    hours = math.inf if last is None else (now - last) / HOUR
    return math.inf if hours < -GAP else max(0.0, hours)


def missing(hours: float, saves: int, occasion: Occasion = Occasion.TICK) -> str:
    """Reason for a dream to wait, so many hours and saves after the last; empty when it is due."""
    if hours < GAP:
        return "the last dream was only just"
    late = hours >= HOURS and saves > 0
    many = saves >= SAVES and occasion is Occasion.TICK
    return "" if late or many else "too little is new"


# ---- memories as a dream sees them, and their order


RECENT: Final = 100  # memories of one replay


class Replayed(Struct, frozen=True):
    """A memory as dreaming sees it."""

    id: int
    at: float  # seconds UTC, when what it tells happened or was stored
    text: str
    kind: str = ""
    project: str | None = None
    session: str | None = None  # its own


def sequence(memories: Iterable[Replayed]) -> list[Replayed]:
    """Memories to go through in order of time: at most the latest 100."""
    return sorted(memories, key=lambda one: (one.at, one.id))[-RECENT:]


# ---- long computations in pieces: whoever runs one decides how long it goes on before others have a turn
#
# A computation is a generator: it yields wherever it may be interrupted and returns its value at the
# end. Dreaming runs it for some milliseconds at a time.


Value = TypeVar("Value")
Item = TypeVar("Item")
Key = TypeVar("Key", bound=tuple[Any, ...])
Pieces = Generator[None, None, Value]
RUN: Final = 2_000  # values sorted in one piece: 2 ms


def in_order(values: Iterable[Item], key: Callable[[Item], Key]) -> Pieces[list[Item]]:
    """``sorted`` in pieces: a long list is sorted in runs, which are merged."""
    runs: list[list[tuple[Key, int, Item]]] = [[]]
    for place, value in enumerate(values):
        if len(runs[-1]) == RUN:
            runs[-1].sort(key=_keyed)
            runs.append([])
        runs[-1].append((key(value), place, value))
        yield
    runs[-1].sort(key=_keyed)
    merged: list[Item] = []
    for _, _, value in merge(*runs, key=_keyed):
        merged.append(value)
        yield
    return merged


def _keyed(entry: tuple[Key, int, Item]) -> tuple[Key, int]:
    return entry[:2]


# ---- connections: memories near each other in meaning
#
# A connection is an observation, not a claim: it is made without a person, fades when it is not found
# again, and is gone when it is weak. A person's statement is a causal edge, mere nearness in vector
# space an association (``link_graph``). Only neighbours are compared, by the cosines of their nearest
# vectors: the cost grows with the number of memories and not with its square.


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
