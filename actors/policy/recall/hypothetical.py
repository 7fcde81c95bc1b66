"""Template HyDE: what an answer to a query might begin with, without a language model.

An answer lies nearer to an answer than to its question, so a query is searched also by the mean of
its vector and those of three beginnings of answers (Gao et al. 2022, arXiv 2212.10496, with
templates in place of a model's text).
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from actors.policy.text.vectors import normalised

READ: Final = 400  # characters of a query: a model of 128 tokens sees no more

# By the words of a query that want this kind of answer; the last is for all others.
TEMPLATES: Final = (
    ("why reason reasons rationale", ("The reason {} is that", "{} because", "It was decided because of {}")),
    ("how steps way", ("The steps to {} are", "To {}, first", "We {} by running")),
    ("when date time since until ago yesterday", ("{} happened on", "The date of {} was", "At that time, {}")),
    ("", ("{} is", "The project uses {}", "We decided on {}")),
)  # fmt: skip
_ASKING: Final = frozenset(
    "please can could you tell show me explain describe define find what which who whose where when why"
    " how is are was were do does did should would will has have had to i we the an a".split()
)


def beginnings(query: str) -> tuple[str, ...]:
    """Three beginnings of an answer; none of an empty query."""
    words = query[:READ].split()
    plain = [word.strip("?!.,;:").lower() for word in words]
    asking = next((place for place, word in enumerate(plain) if word not in _ASKING), 0)
    about = " ".join(words[asking:]).strip(" ?!.,;:")
    kinds = (of for wanted, of in TEMPLATES if not wanted or {*wanted.split()} & {*plain})
    return tuple(one.replace("{}", about) for one in next(kinds)) if about else ()


def middle(vectors: Sequence[bytes]) -> bytes:
    """The mean of these vectors, each at length 1, at length 1 itself; zeros where they cancel out."""
    rows = normalised(np.stack([np.frombuffer(vector, np.float32) for vector in vectors]))
    found: bytes = normalised(rows.mean(axis=0))[0].tobytes()
    return found


def averaged(own: Mapping[int, float], answers: Mapping[int, float]) -> dict[int, float]:
    """The mean of the cosines with the query and with the middle of its answers, or the one there is."""
    return {**own, **{one: (own.get(one, cosine) + cosine) / 2 for one, cosine in answers.items()}}
