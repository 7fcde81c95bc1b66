"""Experience with a memory in prompts: what became of it there moves the evidence for the next one.

Three facts, as log-odds beside those of ``evidence``: it was called useful, or not, in this project,
and it was told in many sessions and never used. Being told once more than that changes nothing, and
a single use ends it. The sizes are choices: with the bar at .65 a note that was called useless once
is told from .83 on, one that was so twice from .93.
"""

from typing import Final

USELESS: Final = -1.0  # for each time
USEFUL: Final = 0.5
UNUSED: Final = -1.0  # once it was told in ``ENOUGH`` sessions and used in none
ENOUGH: Final = 5  # sessions
MOST: Final = 3.0  # of all together, either way


def shift(useful: int, useless: int, unused: int) -> float:
    """Log-odds for a memory that was judged so often, and told unused in so many sessions."""
    judged = USEFUL * useful + USELESS * useless
    ignored = UNUSED if unused >= ENOUGH else 0.0
    return max(-MOST, min(MOST, judged + ignored))
