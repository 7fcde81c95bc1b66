"""Forgetting: memories nobody would miss. A proposal, never a deed.

An important, young, lately used, pinned or protected memory, or one of a lasting kind, stays,
whatever its relevance. A memory is named only when all protections fail and its relevance is under
the threshold. The number named in one run is a rule of plans.
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
