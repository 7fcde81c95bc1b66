"""Bridges: memories that are about one thing which hardly another memory names.

"Invoices are rendered by Quill" and "Quill needs the font package noto-extra" are not alike, so no
nearest neighbour joins them, but a question about invoices may need both. What they are about is
read off their words (``replay``); a concept that two or three memories have, or two that eight
have, joins them. Only within a project. Measured in docs/dreaming.md.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Final

from actors.policy.dreams.replay import Replayed, holding
from actors.policy.text.pieces import Pieces

# What few memories are. Choices, see docs/dreaming.md.
FEW: Final = 3  # memories with a concept that joins them alone
SOME: Final = 8  # memories with a concept of which it takes two


def bridging(memories: Iterable[Replayed]) -> Pieces[frozenset[tuple[int, int]]]:
    """The pairs that are joined, the smaller id first, in pieces.

    At most ``SOME`` memories share a concept here, so the cost grows with their number and not
    with its square.
    """
    holders = yield from holding(memories)
    joined: Counter[tuple[int, int]] = Counter()
    for held in holders.values():
        if 2 <= len(held) <= SOME:
            weight = 2 if len(held) <= FEW else 1
            for one, other in combinations(held, 2):
                if one.project == other.project:
                    joined[min(one.id, other.id), max(one.id, other.id)] += weight
        yield
    return frozenset(pair for pair, weight in joined.items() if weight >= 2)
