"""Labels: whose or what a text says it is, before its first colon.

"Melanie: I have just signed up for it" is Melanie's, "shop convention: amounts are whole cents" is
a convention of the shop. A question that names the label asks for that text rather than for one in
which the name is only mentioned, or which somebody says to her. On turns of conversations that is
worth 3.7 points of MRR, on facts about projects 1.2; of seven other sets none moved
(docs/recall-ablation.md).
"""

import re
from collections.abc import Collection
from typing import Final

from actors.policy.text.words import STOP_WORDS, stem

NAMED: Final = 0.2  # of its score that a text gains whose whole label is named
_WORDS: Final = 6  # a longer beginning is a sentence
_LABEL: Final = re.compile(r"\A\s*+([^\W\d_][\w .'/-]{0,38}?\w):\s")
_PART: Final = re.compile(r"[^\W_]+")


def label(text: str) -> frozenset[str]:
    """The stems of what stands before the first colon of ``text``; empty without a label."""
    found = _LABEL.match(text)
    parts = _PART.findall(found[1].lower()) if found else []
    if len(parts) > _WORDS:
        return frozenset()
    return frozenset(stem(part) for part in parts if part not in STOP_WORDS)


def named(asked: Collection[str], text: str) -> float:
    """Share, 0..1, of the words of the label of ``text`` that are among the ``asked`` stems."""
    words = label(text)
    return len(words.intersection(asked)) / len(words) if words else 0.0
