"""Listings: effects of page lines nobody opens.

A line costs every start a few characters and says of a note only that it is there. One listed at
thirty starts of a person, over eleven days or more, and never used leaves the page; search finds
the note still. Where two hundred lines of a project in a row were not opened, by agents opening
some, half as many are listed.
"""

from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0  # seconds
# Thirty starts may be two busy days, and eleven days one start: both are asked for. Thirty is a round number;
# of real notes that were ever used each was so within eleven days (ADR 0013), and what is not fades after 14.
STARTS: Final = 30  # of a person, each session once
SPAN: Final = 11 * DAY  # seconds from the first to the last: an idle project has none
SEARCHED: Final = 7 * DAY  # seconds for which only search finds it, before it is put away
UNOPENED: Final = 200  # lines: five or six starts


@dataclass(frozen=True, slots=True)
class Listing:
    """Starts at which a note was a line of the page."""

    starts: int = 0
    first_at: float = 0.0  # seconds UTC
    last_at: float = 0.0

    def excess(self) -> str:
        """Evidence of being listed for too long, if nobody used the note; empty when it was not."""
        span = self.last_at - self.first_at
        if self.starts < STARTS or span < SPAN:
            return ""
        return f"a line at {self.starts} starts over {span / DAY:.0f} days, never used"


NEVER: Final = Listing()


def room_of_lines(room: int, unopened: int) -> int:
    """Characters of lines, where so many in a row were not opened: half of them from UNOPENED on."""
    return room // 2 if unopened >= UNOPENED else room
