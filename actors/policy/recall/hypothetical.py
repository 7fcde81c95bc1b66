"""Template HyDE: what an answer to a query might begin with, without a language model.

An answer lies nearer to an answer than to its question, so a query is told as three or four beginnings of
answers of its kind, and searched by the mean of their vectors and its own (Gao et al. 2022, arXiv
2212.10496, with templates in place of a model's text). Whether recall does so is decided by
measurement: docs/adr/0006.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final

import numpy as np
import numpy.typing as npt

from actors.policy.text.vectors import Floats, normalised
from actors.policy.text.words import caseless

READ: Final = 400  # characters of a query: a model of 128 tokens sees no more


class Kind(Enum):
    """Kind of answer that a query wants."""

    DEFINITION = "definition"
    HOW_TO = "how_to"
    REASONING = "reasoning"
    TEMPORAL = "temporal"
    LOOKUP = "lookup"
    TECHNICAL = "technical"


TEMPLATES: Final[Mapping[Kind, tuple[str, ...]]] = {
    Kind.DEFINITION: (
        "{} is a concept that involves",
        "The definition of {} in the context of",
        "{} refers to a type of",
    ),
    Kind.HOW_TO: (
        "The steps to {} are",
        "To {}, first",
        "We {} by running",
    ),
    Kind.REASONING: (
        "The reason {} is that",
        "{} because",
        "It was decided because of {}",
    ),
    Kind.TEMPORAL: (
        "{} happened on",
        "The date of {} was",
        "At that time, {}",
    ),
    Kind.LOOKUP: (
        "{} is",
        "The project uses {}",
        "We decided on {}",
    ),
    Kind.TECHNICAL: (
        "{} is implemented in",
        "The code of {} does",
        "{} is configured with",
        "The error in {} was caused by",
    ),
}

# In this order: the first that matches is the kind.
_KINDS: Final = (
    (Kind.REASONING, re.compile(r"\b(?:why|reasons?|rationale|how come|what made)\b")),
    (
        Kind.HOW_TO,
        re.compile(
            r"\b(?:how (?:do|can|should|to|would|did) ?(?:i|we|you|one)?|steps? to|way to)\b"
        ),
    ),
    (
        Kind.TEMPORAL,
        re.compile(
            r"\b(?:when|what (?:date|day|time|year|month)|how long|how often|yesterday"
            r"|last (?:week|month|year|time|night)|ago|since|until|latest|history)\b"
        ),
    ),
    (
        Kind.DEFINITION,
        re.compile(
            r"^(?:what (?:is|are) (?:an? |the )?[\w-]+(?: [\w-]+)?\W*$|define |what does .{1,60} mean"
            r"|(?:the )?(?:definition|meaning) of|explain what)"
        ),
    ),
    (
        Kind.TECHNICAL,
        re.compile(
            r"\w_\w|\w\(\)|\w/\w|\w\.\w|::|\b(?:error|exception|bug|stack|traceback|function|class|method"
            r"|module|api|endpoint|schema|config\w*|database|query|test\w*|compil\w+|deploy\w*)\b"
        ),
    ),
)
_ASKING: Final = caseless(
    r"^(?:(?:please|so|and|ok(?:ay)?|hey|can you|could you|tell me|show me|explain|describe|do you know"
    r"|define|find|give me|i want to know|remind me)[ ,]+)*"
    r"(?:(?:what|which|who|whom|whose|where|when|why|how come|how)\b[ ']*)?"
    r"(?:(?:s|is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|to) )*"
    r"(?:(?:i|we|you|one) )?(?:(?:the|an|a) )?"
)


def kind_of(query: str) -> Kind:
    """Kind of answer that ``query`` wants; a lookup when nothing else shows."""
    asked = _plain(query).lower()
    return next((kind for kind, form in _KINDS if form.search(asked)), Kind.LOOKUP)


def hypotheses(query: str) -> tuple[str, ...]:
    """``query`` and three or four beginnings of its answer: four or five; none of an empty one."""
    plain = _plain(query)
    if not plain:
        return ()
    about = _ASKING.sub("", plain, count=1).strip(" ?!.,;:") or plain.strip(" ?!.,;:") or plain
    return (plain, *(template.replace("{}", about) for template in TEMPLATES[kind_of(query)]))


def centroid(vectors: npt.ArrayLike) -> Floats:
    """The mean of the rows, each at length 1, at length 1 itself; float32.

    Zeros when there is no direction: no rows with a length, or rows that cancel out.
    """
    rows = normalised(vectors)
    mean: npt.NDArray[np.float64] = rows.sum(axis=0, dtype=np.float64)
    length = float(np.linalg.norm(mean))
    if length < 1e-6 or not np.isfinite(length):
        length = np.inf
    found: Floats = (mean / length).astype(np.float32)
    return found


def averaged_cosines(own: Mapping[int, float], middle: Mapping[int, float]) -> dict[int, float]:
    """The mean of the cosines with the query and with the middle of its answers.

    Half of it stays what was asked: a beginning of an answer is a guess. Where nobody knows the
    one, the other counts.
    """
    return {**own, **{one: (own.get(one, cosine) + cosine) / 2 for one, cosine in middle.items()}}


def _plain(query: str) -> str:
    return " ".join(query[:READ].split())
