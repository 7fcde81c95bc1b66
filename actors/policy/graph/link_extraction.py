"""Causal links declared in a document.

A memory's text may hold one YAML block of this shape, at any indentation, in front matter or in
a fenced example of its own:

    causalLinks:
      caused_by:
        - "the outage of 3 March"
        - incident-42            # a comment
      supersedes: ["old rule", 'older rule', rule-1]
      derived_from: []
      blocks: []
      related_to:
      - notes/retry.md

This reads exactly this shape: lists of strings in lines or in brackets on one line. It is no YAML
parser; a line of any other shape is refused by its number and never guessed at. The caller looks up
the meaning of a reference, and one without an answer stays unlinked.
"""

import re
from dataclasses import dataclass
from typing import Final

from actors.policy.graph.causal import Relation
from actors.policy.patterns import pattern

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
