"""The connection graph: common ground of memories, found by dreaming.

A connection is an observation, not a claim: it is made without a person, fades when it is not found
again, and is gone when it is weak. A person's statement or a text's declaration is a causal edge
(``causal``), mere nearness in vector space an association (``activation``).

Only neighbouring memories are compared, so the cost grows with their number and not with its
square. Neighbours come as cosines of the nearest vectors, or are found by shared words when there
are no vectors (``nearing_by_words``).

*Bridges* join memories about one thing hardly named elsewhere: "Invoices are rendered by Quill" and
"Quill needs the font package noto-extra" are not alike, but a question about invoices may need
both. A concept of two or three memories, or two concepts of eight, join them, within a project.
Measured in docs/measured/dreaming.md.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from itertools import combinations, pairwise
from typing import Final

from msgspec import Struct

from actors.policy.graph.link_graph import regions
from actors.policy.night.pieces import Pieces, in_order
from actors.policy.night.replay import Pattern, Replayed, holding

HOUR: Final = 3_600.0  # seconds
DAY: Final = 86_400.0  # seconds
BRIDGED: Final = "that few others have"
NEAREST: Final = 8  # of a memory by words
BESIDE: Final = 8  # memories compared of those that share a concept. Choice.

# When memories are connected, and how connections live.
SIMILARITY: Final = 0.5  # from which two are connected: a cosine, or the likeness by words
DEGREE: Final = 8  # connections of a memory; a choice against hairballs
MOST: Final = 4_000  # connections of one dream, the strongest: 8,000 changed no figure of LoCoMo
CONCEPTS: Final = 0.4  # weight of shared concepts when there is no cosine
WORDS: Final = 0.6  # weight of shared words
SHARED: Final = 2  # concepts that make a shared one
TOGETHER: Final = 24.0  # hours within which two memories belong to one time
TOGETHER_SIMILARITY: Final = 0.6
SEMANTIC: Final = 0.8
# Memories with a concept that joins them alone; choices, see docs/measured/dreaming.md.
FEW: Final = 3
SOME: Final = 8  # memories with a concept of which it takes two
BRIDGE: Final = 0.7  # strength of memories joined by a bridge. Choice.
CAUSED: Final = 0.25  # likeness from which order in time may be a cause. Choice.
FIX_HOURS: Final = 168.0  # from a change to the fix after it. Choice.
CHANGES: Final = frozenset({"change", "feature", "refactor"})  # kinds that a fix may follow
CONSECUTIVE: Final = 0.1  # gain of memories replayed one after the other
PATTERN: Final = 0.05  # gain of memories in one pattern, times its confidence
CAP: Final = 2.0
FADE: Final = 0.95  # per dream
FLOOR: Final = 0.1

Pair = tuple[int, int]
"""Ids of two memories, the smaller one first."""
Likeness = Mapping[Pair, float]
"""Likeness of two memories, 0..1, of those that are near each other."""


class ConnectionKind(Enum):
    """Kind of connection: ground shared by two memories, or the relation of one to the other."""

    SHARED_CONCEPT = "shared_concept"
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
    evidence: str  # without a memory's text: numbers, names of rules, times


def likeness(one: Replayed, other: Replayed) -> float:
    """Likeness of two memories without vectors, 0..1: .4 of concepts and .6 of words shared."""
    concepts = _jaccard(one.concepts, other.concepts)
    return CONCEPTS * concepts + WORDS * _jaccard(one.words, other.words)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def caused(one: Replayed, other: Replayed, alike: float) -> bool:
    """Return whether order in time and kind make the first the cause of the second.

    A change and a fix within a week after it; both about the same thing: a shared concept, or alike
    enough to be connected.
    """
    hours = (other.at - one.at) / HOUR
    if hours <= 0 or alike < CAUSED or one.project != other.project:
        return False
    if one.concepts.isdisjoint(other.concepts) and alike < SIMILARITY:
        return False
    return one.kind in CHANGES and other.kind == "bugfix" and hours <= FIX_HOURS


def kind_of(one: Replayed, other: Replayed, alike: float) -> ConnectionKind:
    """Kind of connection of two similar memories.

    Two shared concepts; else one day and over .6; else over .8; else anything.
    """
    if len(one.concepts & other.concepts) >= SHARED:
        return ConnectionKind.SHARED_CONCEPT
    near = abs(one.at - other.at) <= TOGETHER * HOUR
    if near and alike > TOGETHER_SIMILARITY:
        return ConnectionKind.TEMPORAL
    if alike > SEMANTIC:
        return ConnectionKind.SEMANTIC
    return ConnectionKind.COMPLEMENTARY


def connecting(memories: Iterable[Replayed], near: Likeness) -> Pieces[list[Connection]]:
    """The connections of memories, causes first, then the strongest, in pieces.

    At most ``DEGREE`` of a memory and ``MOST`` in all.
    """
    by_id = {one.id: one for one in memories}
    bridged = yield from bridging(by_id.values())
    pairs = {**dict.fromkeys(bridged, 0.0), **near}
    edges: list[Connection] = []
    for (first, second), alike in pairs.items():
        one, other = by_id[first], by_id[second]
        edge = (
            _cause(one, other, alike)
            or _resemblance(one, other, alike)
            or (_bridge(one, other) if (first, second) in bridged else None)
        )
        if edge is not None:
            edges.append(edge)
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


def _cause(one: Replayed, other: Replayed, alike: float) -> Connection | None:
    """A cause and its effect, as their order in time says; stated ones are links already."""
    cause, effect = sorted((one, other), key=lambda each: (each.at, each.id))
    if not caused(cause, effect, alike):
        return None
    strength = min(1.0, max(alike, SIMILARITY))
    order = f"{cause.kind} then {effect.kind}"
    evidence = f"{order}, {_apart(cause, effect)}, similarity {alike:.2f}"
    return Connection(cause.id, effect.id, ConnectionKind.CAUSAL_CHAIN, strength, evidence)


def _resemblance(one: Replayed, other: Replayed, alike: float) -> Connection | None:
    """The connection of two similar memories."""
    if alike < SIMILARITY:
        return None
    evidence = f"similarity {alike:.2f}, {_shared(one, other)}, {_apart(one, other)}"
    return Connection(one.id, other.id, kind_of(one, other, alike), min(1.0, alike), evidence)


def _bridge(one: Replayed, other: Replayed) -> Connection:
    """The connection of two memories not alike but about the same rare thing."""
    several = len(one.concepts & other.concepts) >= SHARED
    kind = ConnectionKind.SHARED_CONCEPT if several else ConnectionKind.COMPLEMENTARY
    evidence = f"{_shared(one, other)} {BRIDGED}, {_apart(one, other)}"
    return Connection(one.id, other.id, kind, BRIDGE, evidence)


def _shared(one: Replayed, other: Replayed) -> str:
    shared = len(one.concepts & other.concepts)
    return f"{shared} shared concept{'' if shared == 1 else 's'}"


def _apart(one: Replayed, other: Replayed) -> str:
    hours = abs(other.at - one.at) / HOUR
    if hours < 1:
        return "within an hour"
    if hours < 1.5:
        return "an hour apart"
    return f"{hours:.0f} hours apart" if hours < 48 else f"{hours * HOUR / DAY:.0f} days apart"


def bridging(memories: Iterable[Replayed]) -> Pieces[frozenset[Pair]]:
    """The joined pairs, the smaller id first, in pieces.

    At most ``SOME`` memories share a concept here, so the cost grows with their number and not
    with its square.
    """
    holders = yield from holding(memories)
    joined: Counter[tuple[int, int]] = Counter()
    for holder in holders.values():
        if 2 <= len(holder) <= SOME:
            weight = 2 if len(holder) <= FEW else 1
            for one, other in combinations(holder, 2):
                if one.project == other.project:
                    joined[min(one.id, other.id), max(one.id, other.id)] += weight
        yield
    return frozenset(pair for pair, weight in joined.items() if weight >= 2)


def nearing_by_words(memories: Sequence[Replayed]) -> Pieces[dict[Pair, float]]:
    """Likeness by shared concepts and words, for a store without vectors, in pieces.

    Only memories with a shared concept are compared, each with the next 8 of the same concept, so
    the cost stays linear; of each the 8 nearest count.
    """
    holders = yield from holding(memories)
    near: dict[int, dict[int, float]] = defaultdict(dict)
    for held in holders.values():
        for at, one in enumerate(held):
            yield
            for other in held[at + 1 : at + 1 + BESIDE]:
                if other.id not in near[one.id] and (alike := likeness(one, other)):
                    near[one.id][other.id] = near[other.id][one.id] = alike
    found: dict[Pair, float] = {}
    for one_id, hits in near.items():
        for other_id, alike in sorted(hits.items(), key=lambda hit: (-hit[1], hit[0]))[:NEAREST]:
            found[min(one_id, other_id), max(one_id, other_id)] = alike
        yield
    return found


def gains(
    order: Sequence[int], patterns: Iterable[Pattern] = (), connected: Collection[Pair] = ()
) -> list[tuple[int, int, float]]:
    """Gains of connections by a replay: one, other, by how much.

    .1 for memories replayed one after the other, .05 times its confidence for a pattern. Only
    ``connected`` pairs, given with the smaller id first.
    """
    replayed = frozenset(order)
    held = [pair for pair in connected if replayed.issuperset(pair)]
    gained = dict.fromkeys(held, 0.0)
    for one, other in pairwise(order):
        if (pair := (min(one, other), max(one, other))) in gained:
            gained[pair] += CONSECUTIVE
    for pattern in patterns:
        members = frozenset(pattern.members)
        for pair in held:
            if members.issuperset(pair):
                gained[pair] += PATTERN * pattern.confidence
    return [(*pair, gain) for pair, gain in sorted(gained.items()) if gain]


def is_bridge(edge: Connection) -> bool:
    """Return whether at most one rare thing joins the two: too little for a group."""
    return edge.kind is ConnectionKind.COMPLEMENTARY and BRIDGED in edge.evidence


def clusters(edges: Iterable[Connection]) -> list[tuple[int, ...]]:
    """Groups of memories connected with each other over any number of steps.

    The largest first, each in order of id; two or more memories each.
    """
    groups: dict[int, list[int]] = defaultdict(list)
    for one, region in regions((edge.one, edge.other) for edge in edges).items():
        groups[region].append(one)
    return sorted((tuple(members) for members in groups.values()), key=lambda one: (-len(one), one))
