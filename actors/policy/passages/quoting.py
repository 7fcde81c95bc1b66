"""Quoting a passage: its sentences nearest to the question, within a line's room.

A passage is as long as a section; a prompt gets the few sentences it was found for. They follow one
another in the passage, so nothing is put together out of separate places.
"""

import re
from collections.abc import Mapping
from itertools import accumulate
from math import fsum
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.wording import one_line, sentences, shortened
from actors.policy.text.words import caseless, stems

ROOM: Final = 260
"""Characters of a quotation at most: what a reader takes in beside a task (choice)."""

TITLE_SHOWN: Final = 60
"""Characters of a title in that line."""

_MARKS: Final = pattern(
    r"^[ \t]*(?:[-*+>#]+|\d{1,3}[.)]|\|)[ \t]+|\*\*|(?<![ \t])[ \t]*+\|[ \t]*+$", re.MULTILINE
)
_FENCE: Final = pattern(r"^[ \t]*(?:```|~~~).*$|^[ \t|:-]+$", re.MULTILINE)


_SIGNS: Final = "✅✓“\"'*_-–— "  # before a sentence
# An agent's account of its own steps: of 25 quotations that begin so one was of use, of 40 others
# eight (docs/adr/0018).
_NARRATION: Final = caseless(
    r"(?:(?:all )?done|great|perfect|excellent|good|now|summary|let me|let's|i|i've|i'll|i'm"
    r"|created|updated|added|implemented|fixed|removed|deleted|changed|renamed|moved|refactored"
    r"|committed|pushed|implementation complete|here'?s (?:a summary|what))\b"
)


def answer_of_turn(title: str, text: str) -> str:
    """Return the answer of a turn, without its prompt, which comes first and is its title."""
    said, paragraphs = title.rstrip("…").split(), text.split("\n\n")
    at = 0
    while said and at < len(paragraphs):
        words = paragraphs[at].split()
        both = min(len(words), len(said))
        if words[:both] != said[:both]:
            break
        said, at = said[both:], at + 1
    return "\n\n".join(paragraphs[at:])


def whence(kind: str, place: str, title: str) -> str:
    """Place of a passage, in words: a document with its heading, or the prompt answered."""
    about = shortened(one_line(title), TITLE_SHOWN)
    match kind:
        case "document":
            return f"{one_line(place)}{f', {about}' if about else ''}"
        case "summary":
            return "a session's summary"
        case _:
            return f"an agent, asked “{about}”" if about else "an agent"


def quoted(text: str, weights: Mapping[str, float], room: int = ROOM) -> str:
    """Quotation of at most ``room`` characters with most of the words asked for.

    ``weights`` are of stems. Of equal windows the first is taken, so a text without any of the
    words is quoted from its beginning.
    """
    parts = _sentences(text)
    if not parts:
        return ""
    each = [frozenset(weights) & stems(part) for part in parts]
    ends = [0, *accumulate(len(part) + 1 for part in parts)]
    best, first, last = -1.0, 0, 1
    stop = 0
    for start in range(len(parts)):
        stop = max(stop, start + 1)
        while stop < len(parts) and ends[stop + 1] - ends[start] - 1 <= room:
            stop += 1
        had = frozenset[str]().union(*each[start:stop])
        mass = fsum(weights[stem] for stem in had)  # exact: a set has no order
        if mass > best:
            best, first, last = mass, start, stop
    return shortened(" ".join(parts[first:last]), room)


def _sentences(text: str) -> list[str]:
    """Sentences and lines without the marks of Markdown and an agent's account of its steps."""
    plain = _MARKS.sub("", _FENCE.sub("", text))
    return [
        one
        for line in plain.splitlines()
        if line.strip()
        for part in sentences(line)
        if (one := " ".join(part.split())) and not _NARRATION.match(one.lstrip(_SIGNS))
    ]
