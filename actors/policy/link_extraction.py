"""Causal links that a document declares of itself (L04).

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

This reads exactly that: lists of strings in lines or in brackets on one line. It is no YAML
parser; a line of any other shape is refused by its number and never guessed at. What a reference
means is for the caller to look up, and one that nothing answers to stays unlinked.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from actors.policy.causal import Relation

KEYS: Final = ("caused_by", "supersedes", "derived_from", "blocks", "related_to")
# The relation that a key stands for, and whether it is read from the reference to the memory.
# L04 maps "blocks" to enabled: what blocks a thing makes it possible once it is done.
RELATIONS: Final = MappingProxyType(
    {
        "caused_by": (Relation.CAUSED, True),
        "supersedes": (Relation.SUPERSEDES, False),
        "derived_from": (Relation.DERIVED_FROM, False),
        "blocks": (Relation.ENABLED, False),
        "related_to": (Relation.SUPPORTS, False),
    }
)

_COMMENT: Final = r"[ ]*(?:(?<=[ ])#.*)?$"
_START: Final = re.compile(rf"(?P<indent> *)causalLinks:(?: *\{{\}})?{_COMMENT}")
_KEY: Final = re.compile(r"(?P<indent> *)(?P<key>[A-Za-z_]+):(?P<rest>(?: .*)?)$")
_ITEM: Final = re.compile(r"(?P<indent> *)- +(?P<rest>.*)$")
_EMPTY: Final = re.compile(rf"[ ]*{_COMMENT}")
# A string: in double quotes (only \" and \\ are escapes), in single quotes ('' is one), or plain.
_DOUBLE: Final = r'"(?P<double>(?:[^"\\]|\\["\\])*)"'
_SINGLE: Final = r"'(?P<single>(?:[^']|'')*)'"
_PLAIN_START: Final = r"(?![\s\[\]{}&*!|>'\"%@`#,~-])"
_SCALAR: Final = re.compile(
    rf"[ ]*(?:{_DOUBLE}|{_SINGLE}|(?P<plain>{_PLAIN_START}(?:(?!: |:$| #).)+?)){_COMMENT}"
)
_MEMBER: Final = re.compile(
    rf"[ ]*(?:{_DOUBLE}|{_SINGLE}|(?P<plain>{_PLAIN_START}[^,\[\]{{}}#\"':]+))[ ]*(?P<end>[,\]])"
)
_ENDED: Final = re.compile(_COMMENT)


@dataclass(frozen=True, slots=True)
class CausalLinks:
    """What a document declares, each reference once under its key, in the order given."""

    caused_by: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    derived_from: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    related_to: tuple[str, ...] = ()
    refused: tuple[int, ...] = ()  # numbers of the lines that could not be read, from 1

    @property
    def has_causal_links(self) -> bool:
        """Whether anything is declared at all."""
        return any(getattr(self, key) for key in KEYS)


@dataclass(frozen=True, slots=True)
class Declared:
    """A link between the document's memory and whatever ``reference`` names."""

    relation: Relation
    reference: str
    incoming: bool  # the reference is the source, the document's memory the target
