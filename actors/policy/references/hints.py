"""Hints in an editor: which place a memory is hinted at, and how much the hint is worth.

A memory stands at the definition of the symbol that it is about, which is one of those that it
names, or where a phrase that a person set is used first. Any other place that names it is for hovers.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.references.references import Reference, judged, phrase
from actors.policy.references.symbols import definition, parts

CROWD: Final = 5  # memories that name a symbol, above which it says little of each
OWN: Final = 12  # characters a line must have to be a memory's own text
SET: Final = 1.0  # worth of a phrase that a person set
DEFINED: Final = 0.85  # of a definition
MENTIONED: Final = 0.5  # of any other place: it is told of in a hover, and never a hint
USELESS: Final = -0.4  # where it was called useless more often than useful, or is suppressed
_USEFUL: Final = 0.02  # for each time, three at most
_TIERS: Final = {"constitutional": 0.05, "critical": 0.04, "important": 0.02, "temporary": -0.02}
_DEPRECATED: Final = -0.2

_COMMENT: Final = " \t\r#/*;-<!>"  # around the words of one

Shared = Mapping[tuple[str, str], int]  # how many memories name a symbol of a file


@dataclass(frozen=True, slots=True)
class Anchor:
    """Place of a memory in a text: what it is about is defined there, or was."""

    start: int  # characters
    end: int
    stale: str  # what is said while it is not what it was


def subject(references: Sequence[Reference], shared: Shared) -> Reference | None:
    """Choose the symbol that a memory is about most; None when it names none.

    The first that it names, but for one that many memories name beside one that few do.
    """
    symbols = [one for one in references if one.symbol and not one.command]
    rare = (one for one in symbols if shared.get((one.path, one.symbol), 0) <= CROWD)
    return next(rare, symbols[0] if symbols else None)


def anchor(reference: Reference, text: str) -> Anchor | None:
    """Find a symbol where this text defines it, else where it first uses it; None for neither."""
    name = parts(reference.symbol)[-1]
    found = definition(text, reference.symbol)
    begin = _start_of_line(text, found.line) if found is not None else 0
    place = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])").search(text, begin)
    if place is None:
        return None
    return Anchor(place.start(), place.end(), phrase((judged(reference, True, text),)))


def worth(base: float, tier: str, useful: int, useless: int, is_suppressed: bool) -> float:
    """Rate a hint, 0..1: by its place, the memory's tier, and what people said of it here."""
    said = _USEFUL * min(3, max(0, useful - useless))
    if useless > useful or is_suppressed:
        said = USELESS
    rank = _DEPRECATED if tier == "deprecated" else _TIERS.get(tier, 0.0)
    return max(0.0, min(1.0, base + said + rank))


def is_name(phrase: str) -> bool:
    """Tell whether a derived phrase is one name; pairs of words are for prompts and not for code."""
    return " " not in phrase


def repeats(text: str, at: int, memory: str) -> bool:
    """Tell whether the line at a place of a text is one of the memory's own."""
    end = text.find("\n", at)
    line = text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)].strip(_COMMENT)
    line = " ".join(line.split())
    return len(line) >= OWN and line in " ".join(memory.split())


def _start_of_line(text: str, line: int) -> int:
    start = 0
    for _ in range(line):
        start = text.index("\n", start) + 1
    return start
