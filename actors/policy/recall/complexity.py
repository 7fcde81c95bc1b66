"""Complexity of a query by its words: how much of it is asked, and so how much an answer may take.

Simple with three words at most, complex with more than eight, moderate between. An empty one counts
as complex: looking everywhere costs time, looking in too few places costs the answer.
"""

from typing import Final

SIMPLE: Final = 3  # words at most
MODERATE: Final = 8


def tier(query: str) -> str:
    """``simple``, ``moderate`` or ``complex``."""
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"
