"""Channel weights by what a query is for and what kind of text is asked for, and recency.

Looking for a specification leans on meaning, mending a bug as much on its words. Five weights a
profile; vectors, words and recency sum to 1, graph and causal bias come beside them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

SHIFT: Final = 0.1  # what a document's type moves


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the channels; the defaults are those of an intent without a profile."""

    vectors: float = 0.5
    words: float = 0.3
    recency: float = 0.2
    graph: float = 0.15
    causal: float = 0.10  # bias of the causal boost


DEFAULT: Final = Weights()
# ``find_decision`` has a graph weight and a bias of its own, and ``security_audit`` nothing.
PROFILES: Final[Mapping[str, Weights]] = {
    "understand": Weights(0.7, 0.2, 0.1, 0.15, 0.10),
    "find_spec": Weights(0.7, 0.2, 0.1, 0.30, 0.10),
    "find_decision": Weights(graph=0.50, causal=0.15),
    "fix_bug": Weights(0.4, 0.4, 0.2, 0.10, 0.15),
    "add_feature": Weights(0.5, 0.3, 0.2, 0.20, 0.15),
    "refactor": Weights(0.6, 0.3, 0.1, 0.15, 0.10),
    "security_audit": DEFAULT,
}


def channel_weights(intent: str, document_type: str | None = None) -> Weights:
    """The weights of a query; an unknown intent has the default.

    A decision moves .1 from vectors to words; an implementation moves .1 from vectors to recency.
    No weight falls below 0.
    """
    chosen = PROFILES.get(intent, DEFAULT)
    moved = min(SHIFT, chosen.vectors)
    match document_type:
        case "decision" | "decision_record":
            return replace(chosen, vectors=chosen.vectors - moved, words=chosen.words + moved)
        case "implementation" | "implementation_summary":
            return replace(chosen, vectors=chosen.vectors - moved, recency=chosen.recency + moved)
        case _:
            return chosen
