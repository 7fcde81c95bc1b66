"""Experience with a memory in prompts: its record there moves the evidence for the next one.

Three facts, as log-odds beside the ones of ``evidence``: it was called useful, or not, in this
project, and it was told in several sessions and never used (calling it useful counts as a use). A
memory of no use here stays so: of 64 notes told again none was useful (docs/adr/0018). Being told
once changes nothing, since another question may be its own, and a single use ends it. The sizes are
choices: with the bar at .65 a note called useless once is told from .83 on, one told to two
sessions for nothing from .97 on.
"""

from typing import Final

USELESS: Final = -1.0  # for each time
USEFUL: Final = 0.5
UNUSED: Final = (
    -3.0
)  # for each session after the first that it was told in, when it was used in none
SESSIONS: Final = 4  # sessions that count
MOST_FOR: Final = 3.0  # of all together, for it
MOST_AGAINST: Final = -9.0  # and against it


def experience_shift(useful: int, useless: int, unused: int) -> float:
    """Log-odds for a memory with so many verdicts, and so many sessions told it unused."""
    wasted = 0 if useful else max(0, min(unused, SESSIONS) - 1)
    return max(MOST_AGAINST, min(MOST_FOR, USEFUL * useful + USELESS * useless + UNUSED * wasted))
