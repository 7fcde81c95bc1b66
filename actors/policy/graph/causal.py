"""The causal graph: causes and effects, walked from the memory asked about, and declared in documents.

An edge reads ``source relation target``: the decision *caused* the outage, the new rule
*supersedes* the old one. How much passes over an edge in a walk is ``MULTIPLIERS``: a newer
version matters most to whoever looks at the old one.

Edges come in as values and in any order; every walk ends on any graph, cycles included.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Final, NamedTuple

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


class Edge(NamedTuple):
    """One memory's standing to another."""

    source: int
    target: int
    relation: Relation
    strength: float = 1.0  # 0..1: how sure the relation is
    evidence: str = ""

    def other(self, memory_id: int) -> int:
        """The end other than ``memory_id``."""
        return self.source if memory_id == self.target else self.target


class Step(NamedTuple):
    """An edge met in a walk, and its far end."""

    edge: Edge
    memory_id: int
    hops: int
    path: tuple[int, ...]  # memories, from where the walk began to ``memory_id``
    weight: float  # of the path: multipliers and strengths


class Lineage(NamedTuple):
    """Reasons of a memory: the edges around it, by relation."""

    groups: Mapping[Relation, tuple[Step, ...]]  # every relation, nearest edges first
    cut: bool  # there is more beyond the depth


def edge(
    source: int, target: int, relation: str, strength: float = 1.0, evidence: str = ""
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
    return Edge(source, target, known[relation], strength, evidence)


def lineage(edges: Iterable[Edge], memory_id: int, depth: int = WHY_DEPTH) -> Lineage:
    """Reasons of a memory: the edges within ``depth`` hops, grouped by relation."""
    limit = min(depth, DEPTH_LIMIT)
    found = [*_walked(edges, memory_id, limit + 1)]
    steps = [step for step in found if step.hops <= limit]
    groups = {
        relation: tuple(step for step in steps if step.edge.relation is relation)
        for relation in Relation
    }
    return Lineage(groups, len(found) > len(steps))


def _walked(edges: Iterable[Edge], start: int, limit: int) -> Iterator[Step]:
    """The edges within so many hops, level by level: near ones do not depend on the walk's length.

    A memory is left only once, by the weightiest of its shortest paths, so cycles end.
    """
    around = defaultdict[int, list[Edge]](list)
    for one in edges:
        around[one.source].append(one)
        around[one.target].append(one)
    met, reached = set[Edge](), {start}
    frontier: list[tuple[tuple[int, ...], float]] = [((start,), 1.0)]
    for hops in range(1, limit + 1):
        steps = [
            Step(
                one, there, hops, (*path, there), weight * MULTIPLIERS[one.relation] * one.strength
            )
            for path, weight in frontier
            for one in around[path[-1]]
            for there in (one.other(path[-1]),)
        ]
        frontier = []
        for step in sorted(steps, key=_order):
            if step.edge in met:
                continue
            met.add(step.edge)
            yield step
            if step.memory_id not in reached:
                reached.add(step.memory_id)
                frontier.append((step.path, step.weight))


def _order(step: Step) -> tuple[float, int, int, str, tuple[int, ...]]:
    edge = step.edge
    return -step.weight, edge.source, edge.target, edge.relation.value, step.path


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
# parser; a line of any other shape is left out and never guessed at. The caller looks up
# the meaning of a reference, and one without an answer stays unlinked.


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


class Declared(NamedTuple):
    """A link between the document's memory and whatever ``reference`` names."""

    relation: Relation
    reference: str
    incoming: bool  # the reference is the source, the document's memory the target


def declared(content: str) -> tuple[Declared, ...]:
    """The links in the first ``causalLinks:`` block of a document, by the kind of relation.

    A reference given twice under one key counts once. Raises nothing: lines of another shape are
    left out.
    """
    lines = re.split(r"\r\n|\r|\n", content.removeprefix("\ufeff"))
    starts = ((number, _START.fullmatch(line)) for number, line in enumerate(lines, 1))
    first, start = next(((number, start) for number, start in starts if start), (0, None))
    if start is None:
        return ()
    found = {key: dict[str, None]() for key in RELATIONS}
    open_list: str | None = None
    keys_at: int | None = None  # indent of the keys
    items_at: int | None = None  # and of the items of the open list
    for line in lines[first:]:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if not text or text.startswith("#"):
            continue
        if indent <= len(start["indent"]):
            break
        if (item := _ITEM.fullmatch(text)) is not None:
            value = _value(_LINE.fullmatch(item["rest"] or ""))
            fits = keys_at is not None and indent >= keys_at and items_at in (None, indent)
            if open_list is not None and fits and value is not None:
                found[open_list][value] = None
                items_at = indent
            continue
        open_list = items_at = None
        key = _KEY.fullmatch(text)
        if key is None or key["key"] not in RELATIONS or keys_at not in (None, indent):
            continue
        keys_at, rest = indent, (key["rest"] or "").strip()
        if not rest or rest.startswith("#"):
            open_list = key["key"]
        elif rest.startswith("["):
            found[key["key"]].update(dict.fromkeys(_members(rest)))
    return tuple(
        Declared(relation, reference, incoming)
        for key, (relation, incoming) in RELATIONS.items()
        for reference in found[key]
    )


def _members(text: str) -> list[str]:
    """The strings of a list in brackets; none when it is no such list."""
    values: list[str] = []
    at, more = 1, True
    while more and not _CLOSED.fullmatch(text, at):
        member = _MEMBER.match(text, at)
        value = _value(member)
        if member is None or value is None:
            return []
        values.append(value)
        at, more = member.end(), member["more"] is not None
    return values if _CLOSED.fullmatch(text, at) else []


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
