"""Listings: what follows where lines of the page are not opened.

A line costs every start a few characters and says of a note only that it is there. One that thirty starts
of a person listed in three weeks or more and nobody used leaves the page; search finds the note still.
Where two hundred lines of a project in a row were not opened, half as many are listed.
"""

from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0  # seconds
# Round numbers. Thirty starts may be two busy days, and three weeks one start: both are asked for.
STARTS: Final = 30  # of a person, each session once
SPAN: Final = 21 * DAY  # seconds from the first of them to the last
UNOPENED: Final = 200  # lines: five or six starts


@dataclass(frozen=True, slots=True)
class Listing:
    """Starts at which a note was a line of the page."""

    starts: int = 0
    first_at: float = 0.0  # seconds UTC
    last_at: float = 0.0

    @property
    def days(self) -> float:
        """Days from the first of them to the last."""
        return (self.last_at - self.first_at) / DAY

    @property
    def is_long(self) -> bool:
        """Tell whether it was listed for so long that a note without a use leaves the page."""
        return self.starts >= STARTS and self.last_at - self.first_at >= SPAN

    @property
    def evidence(self) -> str:
        """How often and for how long it was listed, in figures."""
        return f"a line at {self.starts} starts in {self.days:.0f} days, never used"


NEVER: Final = Listing()


def lines(room: int, unopened: int) -> int:
    """Characters of lines, where so many in a row were not opened: half of them from UNOPENED on."""
    return room // 2 if unopened >= UNOPENED else room
