"""Rewording of a query: other words for its own, the beginning of its answer, its purpose, how much it asks.

All of it is off but the last, which says how many tokens an answer may take (docs/measured/recall-ablation.md).
Words and limits are choices.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from actors.policy.recall import fusion
from actors.policy.text.chunking import normalised
from actors.policy.text.speech import MEANINGS, meaning
from actors.policy.text.words import stem, stems

SIMPLE: Final = 3  # words of a simple query at most
MODERATE: Final = 8
WORTH: Final = 0.5  # share that what another word finds counts: it is a guess
# Of what words and vectors weigh together, the part of words; as shipped it is .4.
BY_INTENT: Final = (
    ("mending", 0.5, stems("fix bug error crash broken fail exception debug regression wrong hang leak")),
    ("understanding", 0.25, stems("spec plan scope understand explain overview describe meaning purpose how")),
)  # fmt: skip


def tier(query: str) -> str:
    """Tell how much is asked: ``simple``, ``moderate`` or ``complex``.

    An empty one counts as complex: looking everywhere costs time, looking in too few places costs
    the answer.
    """
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"


def synonyms(terms: Iterable[str]) -> list[str]:
    """Stems of other words of the same meaning."""
    asked = [*terms]
    others = dict.fromkeys(other for term in asked for other in _OF_ONE[meaning(term)])
    return [other for other in others if other not in {*map(stem, asked)}]


def joined(own: Mapping[int, float], others: Mapping[int, float]) -> dict[int, float]:
    """The query's scores by words with the scores of other words, the best of which counts half of its best."""
    best = max(others.values(), default=0.0)
    scale = WORTH * max(own.values(), default=best) / (best or 1.0)
    return {**own, **{i: max(own.get(i, 0.0), scale * score) for i, score in others.items()}}


def beginning(terms: Sequence[str]) -> str:
    """The beginning of an answer; empty for a query without terms."""
    return f"{' '.join(terms)} is" if terms else ""


def between(one: bytes, other: bytes) -> bytes:
    """The direction between two vectors, at length 1; zeros where they cancel out.

    An answer lies nearer to an answer than to its question (Gao et al. 2022, arXiv 2212.10496, with
    its beginning in place of a model's text).
    """
    rows = normalised(np.stack([np.frombuffer(vector, np.float32) for vector in (one, other)]))
    middle: bytes = normalised(rows.mean(axis=0))[0].tobytes()
    return middle


def weighed(query: str, settings: fusion.Settings) -> tuple[str, fusion.Settings]:
    """Return the kind of question, and the weights of words and vectors for it; their sum stays."""
    asked, both = stems(query), settings.words + settings.vectors
    for name, part, said in BY_INTENT:
        if asked & said:
            return name, replace(settings, words=both * part, vectors=both * (1.0 - part))
    return "anything", settings


_OF_ONE: Final[defaultdict[str, list[str]]] = defaultdict(list)
for _word, _shared in MEANINGS.items():
    _OF_ONE[_shared].append(_word)
