"""The causal graph: causes and effects, walked from the memory asked about, and declared in documents.

An edge reads ``source relation target``: the decision *caused* the outage, the new rule
*supersedes* the old one. How much passes over an edge in a walk is ``MULTIPLIERS``: a newer
version matters most to whoever looks at the old one.

Edges come in as values and in any order; every walk ends on any graph, cycles included.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from actors.policy.patterns import pattern

WHY_DEPTH: Final = 3  # hops
DEPTH_LIMIT: Final = 10  # hops that no walk exceeds


class Relation(Enum):
    """Relation of the source of an edge to its target: these six and no other."""

    CAUSED = "caused"
    ENABLED = "enabled"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"
    SUPPORTS = "supports"


class Direction(Enum):
    """Direction in which a memory's edges are followed."""

    OUTGOING = "outgoing"  # what it led to
    INCOMING = "incoming"  # what led to it
    BOTH = "both"


MULTIPLIERS: Final[Mapping[Relation, float]] = {
    Relation.SUPERSEDES: 1.5,
    Relation.CONTRADICTS: 0.8,
    Relation.CAUSED: 1.0,
    Relation.ENABLED: 1.0,
    Relation.DERIVED_FROM: 1.0,
    Relation.SUPPORTS: 1.0,
}


class InvalidLink(ValueError):
    """The asker's edge is none: an unknown relation, a memory linked to itself, a wrong strength."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One memory's standing to another."""

    id: str
    source: str
    target: str
    relation: Relation
    strength: float = 1.0  # 0..1: how sure the relation is
    evidence: str = ""

    def other(self, memory_id: str) -> str:
        """The end other than ``memory_id``."""
        return self.source if memory_id == self.target else self.target


@dataclass(frozen=True, slots=True)
class Step:
    """An edge met in a walk, and its far end."""

    edge: Edge
    memory_id: str
    hops: int
    path: tuple[str, ...]  # memories, from where the walk began to ``memory_id``
    weight: float  # of the path: multipliers and strengths


@dataclass(frozen=True, slots=True)
class Lineage:
    """Reasons of a memory: the edges around it, by relation."""

    memory_id: str
    groups: Mapping[Relation, tuple[Step, ...]]  # every relation, nearest edges first
    hint: str  # place to look at, when the chain contradicts itself; else empty
    cut: bool  # there is more beyond the depth


def edge(
    edge_id: str,
    source: str,
    target: str,
    relation: str,
    strength: float = 1.0,
    evidence: str = "",
) -> Edge:
    """An edge as asked for.

    Raises ``InvalidLink`` for a relation outside of the six, for a memory linked to itself and for
    a strength outside 0..1.
    """
    known = {one.value: one for one in Relation}
    if relation not in known:
        names = ", ".join(known)
        raise InvalidLink(f"a relation is one of {names}")
    if source == target:
        raise InvalidLink("a memory cannot be linked to itself")
    if not 0 <= strength <= 1:
        raise InvalidLink("the strength of a link is between 0 and 1")
    return Edge(edge_id, source, target, known[relation], strength, evidence)


def passing(one: Edge) -> float:
    """Factor of a walk on an edge."""
    return MULTIPLIERS[one.relation] * one.strength


def leaving(
    edges: Iterable[Edge], direction: Direction = Direction.BOTH
) -> Mapping[str, list[Edge]]:
    """The edges by which each memory can be left, in the direction of following."""
    around: dict[str, list[Edge]] = {}
    for one in edges:
        for end in _doors(one, direction):
            around.setdefault(end, []).append(one)
    return around


def walked(
    edges: Iterable[Edge],
    seeds: Collection[str],
    depth: int = WHY_DEPTH,
    direction: Direction = Direction.BOTH,
) -> tuple[Step, ...]:
    """The edges within ``depth`` hops of the seeds, nearest first, each once.

    A memory is left only once, by the weightiest of its shortest paths, so cycles end.
    """
    return tuple(_walk(leaving(edges, direction), seeds, depth))


def lineage(
    edges: Iterable[Edge],
    memory_id: str,
    depth: int = WHY_DEPTH,
    direction: Direction = Direction.BOTH,
) -> Lineage:
    """Reasons of a memory: the edges within ``depth`` hops, grouped by relation."""
    limit = min(depth, DEPTH_LIMIT)
    found = walked(edges, (memory_id,), limit + 1, direction)
    steps = [step for step in found if step.hops <= limit]
    groups = {
        relation: tuple(step for step in steps if step.edge.relation is relation)
        for relation in Relation
    }
    contradicting = len(groups[Relation.CONTRADICTS])
    hint = f"{contradicting} of these links contradict: look at both ends" if contradicting else ""
    return Lineage(memory_id, groups, hint, len(found) > len(steps))


def _walk(around: Mapping[str, list[Edge]], seeds: Collection[str], limit: int) -> Iterator[Step]:
    """Walk level by level, so the order of near memories never depends on the walk's length."""
    met: set[str] = set()
    reached = set(seeds)
    frontier: list[tuple[tuple[str, ...], float]] = [((seed,), 1.0) for seed in reached]
    for hops in range(1, limit + 1):
        steps = [
            Step(one, there, hops, (*path, there), weight * passing(one))
            for path, weight in frontier
            for one in around.get(path[-1], ())
            for there in (one.other(path[-1]),)
        ]
        frontier = []
        for step in sorted(steps, key=lambda step: (-step.weight, step.edge.id, step.path)):
            if step.edge.id in met:
                continue
            met.add(step.edge.id)
            yield step
            if step.memory_id not in reached:
                reached.add(step.memory_id)
                frontier.append((step.path, step.weight))


def _doors(one: Edge, direction: Direction) -> Iterator[str]:
    if direction is not Direction.INCOMING:
        yield one.source
    if direction is not Direction.OUTGOING:
        yield one.target


# ---- causal links declared in a document
#
# A memory's text may hold one YAML block of this shape, at any indentation, in front matter or in
# a fenced example of its own:
#
#     causalLinks:
#       caused_by:
#         - "the outage of 3 March"
#         - incident-42            # a comment
#       supersedes: ["old rule", 'older rule', rule-1]
#       derived_from: []
#       blocks: []
#       related_to:
#       - notes/retry.md
#
# This reads exactly this shape: lists of strings in lines or in brackets on one line. It is no YAML
# parser; a line of any other shape is refused by its number and never guessed at. The caller looks up
# the meaning of a reference, and one without an answer stays unlinked.


KEYS: Final = ("caused_by", "supersedes", "derived_from", "blocks", "related_to")
# The relation that a key stands for, and whether it is read from the reference to the memory.
# "blocks" is enabled: once the one is done, the other becomes possible.
RELATIONS: Final = {
    "caused_by": (Relation.CAUSED, True),
    "supersedes": (Relation.SUPERSEDES, False),
    "derived_from": (Relation.DERIVED_FROM, False),
    "blocks": (Relation.ENABLED, False),
    "related_to": (Relation.SUPPORTS, False),
}

_START: Final = pattern(r"\A(?P<indent> *)causalLinks: *(?:(?<= )#.*)?")
_KEY: Final = pattern(r"\A(?P<key>[A-Za-z_]+):(?: (?P<rest>.*))?")
_ITEM: Final = pattern(r"-(?: (?P<rest>.*))?")
# A string: in double quotes (only \" and \\ are escapes), in single quotes ('' is one), or plain.
# No two alternatives begin alike, so hostile lines are read in linear time. Nothing is possessive:
# Python 3.11.2, which Debian 12 has, reads groups in possessive repeats wrongly.
_QUOTED: Final = r'"(?P<double>(?:[^"\\]|\\["\\])*)"|\'(?P<single>(?:[^\']|\'\')*)\''
_FIRST: Final = r"[^\s\[\]{}&*!|>'\"%@`#,~?:-]"
_LINE: Final = pattern(rf"\A *(?:(?:{_QUOTED}) *|(?P<plain>{_FIRST}(?:[^#]|(?<! )#)*))(?:#.*)?")
_MEMBER: Final = pattern(
    rf"(?<=[\[,]) *(?:(?:{_QUOTED}) *|(?P<plain>{_FIRST}(?:[^,\[\]{{}}#]|(?<! )#)*))"
    r"(?:(?P<more>,)|(?=\]))"
)
_CLOSED: Final = pattern(r"(?:(?<! ) +)?\] *(?:(?<= )#.*)?")
_NULLS: Final = frozenset({"", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class CausalLinks:
    """Declared links of a document, each reference once under its key, in the order given."""

    caused_by: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    related_to: tuple[str, ...] = ()
    refused: tuple[int, ...] = ()  # numbers of the lines that could not be read, from 1

    def of(self, key: str) -> tuple[str, ...]:
        """The references under one of the five keys."""
        return {
            "caused_by": self.caused_by,
            "supersedes": self.supersedes,
            "derived_from": self.derived_from,
            "blocks": self.blocks,
            "related_to": self.related_to,
        }[key]


@dataclass(frozen=True, slots=True)
class Declared:
    """A link between the document's memory and whatever ``reference`` names."""

    relation: Relation
    reference: str
    incoming: bool  # the reference is the source, the document's memory the target


@dataclass(slots=True)
class _Reading:
    """Where in the block the reader is."""

    base: int  # indent of ``causalLinks:``
    found: dict[str, list[str]]
    refused: list[int]
    keys_at: int | None = None  # indent of the keys
    items_at: int | None = None  # indent of the items of the list that is open
    key: str | None = None  # of the open list


def causal_links(content: str) -> CausalLinks:
    """The links in the first ``causalLinks:`` block of a document.

    A reference given twice under one key counts once. Raises nothing: lines of another shape are
    left out and their numbers told.
    """
    lines = re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff"))
    starts = ((number, _START.fullmatch(line)) for number, line in enumerate(lines, 1))
    opened = next(((number, start) for number, start in starts if start), None)
    if opened is None:
        return CausalLinks()
    first, start = opened
    reading = _Reading(len(start["indent"]), {key: [] for key in KEYS}, [])
    for number, line in enumerate(lines[first:], first + 1):
        text = line.lstrip(" ")
        if not text or text.startswith("#"):
            continue
        indent = len(line) - len(text)
        if indent <= reading.base:
            break
        if not _read(reading, indent, text):
            reading.refused.append(number)
    found = {key: tuple(dict.fromkeys(values)) for key, values in reading.found.items()}
    return CausalLinks(**found, refused=tuple(reading.refused))


def declared(links: CausalLinks) -> tuple[Declared, ...]:
    """The links as relations of the causal graph: ``caused_by`` comes in, the rest go out."""
    return tuple(
        Declared(relation, reference, incoming)
        for key, (relation, incoming) in RELATIONS.items()
        for reference in links.of(key)
    )


def _read(reading: _Reading, indent: int, text: str) -> bool:
    """Return whether a line of the block could be read."""
    item = _ITEM.fullmatch(text)
    if item is not None:
        return _read_item(reading, indent, item["rest"] or "")
    reading.key, reading.items_at = None, None
    key = _KEY.fullmatch(text)
    if key is None or key["key"] not in KEYS or reading.keys_at not in (None, indent):
        return False
    reading.keys_at = indent
    return _read_key(reading, key["key"], (key["rest"] or "").strip())


def _read_key(reading: _Reading, key: str, rest: str) -> bool:
    if not rest or rest.startswith("#"):
        reading.key = key
        return True
    values = _members(rest) if rest.startswith("[") else None
    reading.found[key] += values or []
    return values is not None


def _read_item(reading: _Reading, indent: int, rest: str) -> bool:
    if reading.key is None or reading.keys_at is None or indent < reading.keys_at:
        return False
    if reading.items_at not in (None, indent):
        return False
    value = _value(_LINE.fullmatch(rest))
    if value is None:
        return False
    reading.items_at = indent
    reading.found[reading.key].append(value)
    return True


def _members(text: str) -> list[str] | None:
    """The strings of a list in brackets; None when it is not one."""
    values: list[str] = []
    at, more = 1, True
    while more and not _CLOSED.fullmatch(text, at):
        member = _MEMBER.match(text, at)
        value = _value(member)
        if member is None or value is None:
            return None
        values.append(value)
        at, more = member.end(), member["more"] is not None
    return values if _CLOSED.fullmatch(text, at) else None


def _value(string: re.Match[str] | None) -> str | None:
    """Value of a string; None for none, for an empty one, and for a mapping."""
    if string is None:
        return None
    if string["double"] is not None:
        return re.sub(r"\\(.)", r"\1", string["double"]) or None
    if string["single"] is not None:
        return string["single"].replace("''", "'") or None
    plain = string["plain"].strip()
    is_mapping = ": " in plain or plain.endswith(":")
    return None if is_mapping or plain in _NULLS else plain
