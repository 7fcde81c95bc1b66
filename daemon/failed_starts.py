"""Failed starts: noted in the home, so hooks do not try at every event.

The note is ``HOME/failed-start``: the seconds for which hooks rest, how many starts in a row failed,
and why the last did, a line each; the time is the file's. A daemon writes it before anything can go
wrong, so an end without a word counts as well, puts its reason in when it knows one, and removes it
when it is ready. Hooks read the first line alone (``hooks/start.py``); whoever is asked by a person
tries at once.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from daemon.home import Home, whole_file

LONGEST_REST: Final = 3_600  # seconds
TOLD: Final = 60  # seconds after the first start that failed for a reason; then doubled
# Seconds after the first that ended without a word: a machine that was switched off meanwhile is
# no fault of ours, and a start that hangs is tried again after as long (hooks/start.py).
UNTOLD: Final = 10
UNKNOWN: Final = "it ended without a word while it started"


@dataclass(frozen=True, slots=True)
class FailedStart:
    """The last start failed, as the ones before it."""

    times: int  # in a row
    at: float  # seconds since the epoch, by the disk's clock
    rest: int  # seconds for which hooks do not try again
    why: str


def failed_start(home: Home) -> FailedStart | None:
    """Note of the last start, if it failed; None when it went well or nothing is known."""
    try:
        rest, times, why, *_ = home.failed_start.read_text(encoding="utf-8").split("\n")
        return FailedStart(int(times), home.failed_start.stat().st_mtime, int(rest), why)
    except (OSError, ValueError):
        return None


def note_start(home: Home) -> None:
    """A start begins: until somebody knows better, it has come to nothing."""
    before = failed_start(home)
    _note(home, before.times + 1 if before is not None else 1, UNTOLD, UNKNOWN)


def note_failure(home: Home, why: str) -> None:
    """Note the reason of the failed start, one line; a ready one did not fail."""
    begun = failed_start(home)
    if begun is not None:
        _note(home, begun.times, TOLD, why)


def forget_failed_start(home: Home) -> None:
    """The daemon is ready, or was told to leave before it was."""
    with suppress(OSError):
        home.failed_start.unlink()


def rest_after(times: int, first: int) -> int:
    """Seconds for which hooks do not try again after so many starts in a row."""
    return min(first << min(max(times - 1, 0), 20), LONGEST_REST)


def _note(home: Home, times: int, first: int, why: str) -> None:
    """Write it, as a whole; a full disk is reported elsewhere."""
    noted = f"{rest_after(times, first)}\n{times}\n{' '.join(why.split())}\n"
    with suppress(OSError), whole_file(home.failed_start) as file:
        file.write(noted.encode(errors="backslashreplace"))  # a path may be no text
