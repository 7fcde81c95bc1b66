"""Forgetting: which memories nobody would miss. A proposal, never a deed.

What is important, young, of use lately, of a kind that lasts, pinned or of a protected tier stays,
whatever its relevance. A memory is named only when all protections fail and its relevance is under
the threshold. How much one run may name is a rule of plans.
"""

from typing import Final

from actors.policy.decay.relevance import Use
from actors.policy.decay.states import is_protected

LASTING: Final = frozenset({"decision", "discovery"})  # kinds
IMPORTANT: Final = 0.7  # importance, at or above
YOUNG: Final = 90.0  # days of age, below
UNUSED: Final = 90.0  # days since the last use, below: the sources forgot what was in use
THRESHOLD: Final = 0.01  # relevance, below


def is_forgettable(kind: str, tier: str, use: Use, relevance: float, *, pinned: bool) -> bool:
    """Return whether no protection holds and its relevance is under the threshold."""
    return (
        relevance < THRESHOLD
        and not is_protected(tier, pinned=pinned)
        and use.importance < IMPORTANT
        and kind not in LASTING
        and use.age >= YOUNG
        and (use.unused is None or use.unused >= UNUSED)
    )
