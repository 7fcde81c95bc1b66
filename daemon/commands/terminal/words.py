"""Words of people: ages, counts and stored text as they are shown; projects, times and numbers as they are typed.

Without click: operations of ``daemon/api/`` print with it, which the daemon imports as well.
"""

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from daemon.projects import project_root
from daemon.shapes.replies import Done
from daemon.times import DAY, Claimed, span

NARROW = 20  # columns below which no column is cut any further
PIPED_WIDTH = 100  # columns when the output is no terminal and COLUMNS is not set
ELLIPSIS = "…"

_AGES = (  # seconds, the word for one of them
    (31_556_952.0, "year"),
    (2_629_746.0, "month"),
    (604_800.0, "week"),
    (86_400.0, "day"),
    (3_600.0, "hour"),
    (60.0, "minute"),
)


def now() -> float:
    """The wall clock, in seconds since the epoch: the command line's one place for it."""
    return datetime.now(UTC).timestamp()


def age(seconds: float) -> str:
    """``3 days ago`` for a moment this many seconds back."""
    if seconds >= 60.0:
        return f"{duration(seconds)} ago"
    return "just now" if seconds >= -60.0 else "in the future"


def local(at: float) -> datetime:
    """A moment in the machine's time zone."""
    return datetime.fromtimestamp(at).astimezone()


def day(at: float) -> str:
    """``2026-03-04``, in local time."""
    return f"{local(at):%Y-%m-%d}"


def when(at: float, moment: float | None = None) -> str:
    """``2026-03-04 09:30 (3 days ago)``, in local time; ``moment``: now, unless given."""
    return f"{local(at):%Y-%m-%d %H:%M} ({age((now() if moment is None else moment) - at)})"


def duration(seconds: float) -> str:
    """``3 days`` or ``12 s``: how long something took or has run."""
    for size, word in _AGES:
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {word}{'' if count == 1 else 's'}"
    return f"{seconds:.0f} s"


def counted(count: int, word: str, plural: str | None = None) -> str:
    """``1 memory``, ``2 memories``."""
    return f"{count:,} {word if count == 1 else plural or word + 's'}"


def shown_of(rows: Sequence[object], total: int) -> str:
    """Line saying there are more than these rows; empty when they are all."""
    return f"{len(rows)} of {total:,}; --limit shows more" if len(rows) < total else ""


def megabytes(size: float) -> str:
    """``1.2 MB`` of so many bytes."""
    return f"{size / 1e6:.1f} MB"


def counted_memories(done: Done, verb: str) -> str:
    """``forgot 2 memories``, and the remark on them."""
    note = f" ({one_line(done.note)})" if done.note else ""
    return f"{verb} {counted(done.count, 'memory', 'memories')}{note}"


def printable(text: str) -> str:
    """The text without anything acting on a terminal; line ends and tabs stay."""
    if text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character in "\n\t" or character.isprintable():
        return character
    return (
        " "
        if unicodedata.category(character) in ("Zs", "Zl", "Zp")
        else "\N{REPLACEMENT CHARACTER}"
    )


def one_line(text: str) -> str:
    """The text on one line, safe to show."""
    return " ".join(printable(text).split())


def columns(text: str) -> int:
    """Number of columns of a terminal for the text."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def shortened(text: str, width: int) -> str:
    """The text in at most ``width`` columns, with an ellipsis where it was cut."""
    if columns(text) <= width:
        return text
    kept: list[str] = []
    room = width - 1
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).rstrip() + ELLIPSIS if width > 0 else ""


def page_width() -> int:
    """The columns there are."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return PIPED_WIDTH


def fitted(line: str) -> str:
    """The line as much as the page has room for."""
    return shortened(line, page_width())


def table(rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """Rows as aligned lines, none wider than ``width``; the last column gives way first.

    Cells are one line each and safe to show afterwards.
    """
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not cells:
        return []
    sizes = [max(columns(row[i]) for row in cells) for i in range(len(cells[0]))]
    for index in reversed(range(len(sizes))):
        excess = sum(sizes) + 2 * (len(sizes) - 1) - width
        if excess > 0:
            sizes[index] = max(min(NARROW, sizes[index]), sizes[index] - excess)
    lines: list[str] = []
    for row in cells:
        cut = [shortened(cell, size) for cell, size in zip(row, sizes, strict=True)]
        padded = [
            cell + " " * (size - columns(cell)) for cell, size in zip(cut, sizes, strict=True)
        ]
        lines.append(shortened("  ".join(padded).rstrip(), width))
    return lines


# ---- how sure a memory is and when it is true


def claim_marks(claimed: Claimed, ended: str | None) -> list[str]:
    """Marks for a reader to see at once: a guess, over, or replaced since."""
    found: list[str] = []
    if claimed.status == "hypothesis":
        found.append("unconfirmed")
    if ended == "deprecated":
        found.append(f"replaced since, true {span(claimed)}".removesuffix(", true "))
    elif ended is None and not claimed.valid:
        found.append(f"true only {span(claimed)}")
    if claimed.stale:
        found.append(f"({claimed.stale})")
    return found


def short_marks(claimed: Claimed) -> list[str]:
    """The same of a living one, where there is no room for dates."""
    found = ["unconfirmed"] if claimed.status == "hypothesis" else []
    found += [] if claimed.valid else ["not true now"]
    return [*found, f"({claimed.stale})"] if claimed.stale else found


def truth_interval(claimed: Claimed, now: float) -> str:
    """The span, and its part of importance now."""
    said = span(claimed)
    if not said:
        return ""
    if claimed.valid_until is not None and claimed.valid_until <= now:
        return f"{said}: over"
    if claimed.valid_from is not None and claimed.valid_from > now:
        return f"{said}: not yet"
    if claimed.valid_until is None:
        return said
    days = (claimed.valid_until - now) / DAY
    return f"{said}: {days:.0f} days left" if days >= 2 else f"{said}: {days * 24:.0f} hours left"


# ---- projects as they are typed


def named_project(name: str) -> str:
    """The project of ``--project NAME``.

    A path (it begins with ``.``, ``/`` or ``~``) of an existing folder means the folder's project;
    any other name is taken as it is.
    """
    if name.startswith((".", "/", "~")):
        folder = Path(name).expanduser()
        if folder.is_dir():
            return _project_of(folder.absolute())
    return name


@cache
def _project_of(folder: Path) -> str:
    return str(project_root(folder))  # a file of rows names one folder over and over


def current_project() -> str:
    """The project of the current directory."""
    return str(project_root(Path.cwd()))


# ---- times as they are typed


UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment_given(value: str) -> float:
    """``2h``, ``today``, ``last week``, or a date and time of ISO 8601, as seconds since the epoch.

    Raises ``ValueError`` with the mistake in it.
    """
    back = re.fullmatch(r"(\d+)([smhdw])", value)
    try:
        if back:
            return now() - timedelta(**{UNITS[back[2]]: int(back[1])}).total_seconds()
        named = None if value[:1].isdecimal() else _named(value)
        return datetime.fromisoformat(value).astimezone().timestamp() if named is None else named
    except (ValueError, OverflowError):
        line = f"{value!r} is neither like 2h, 3d, today or last week nor a date."
        raise ValueError(line) from None


def _named(value: str) -> float | None:
    """Begin of the time named by these words, in our zone; None where they name none."""
    from actors.policy.times.time_phrases import interval

    zone = datetime.now().astimezone().tzinfo or UTC
    found = interval(" ".join(value.split()), now(), zone, past=True)
    return None if found is None or found.begin < 0 else found.begin


# ---- times to come


def moment_to_come(text: str, option: str) -> float:
    """``tomorrow 9:00`` of an option, as seconds since the epoch. Raises ``ValueError`` with a line."""
    from actors.policy.times.stated_times import moment_named
    from daemon.times import LocalZone

    return float(_said(lambda: moment_named(text, now(), LocalZone()), option))


def duration_given(text: str, option: str) -> float:
    """``3 days`` of an option, in seconds. Raises ``ValueError`` with a line."""
    from actors.policy.times.stated_times import duration_named

    return float(_said(lambda: duration_named(text), option))


def _said(read: Callable[[], Any], option: str) -> Any:
    from actors.policy.times.stated_times import BadTime

    try:
        return read()
    except BadTime as wrong:
        raise ValueError(f"Invalid value for '{option}': {wrong}.") from None


# ---- numbers as names of rows


LARGEST = 2**63 - 1  # that a row of the store can have


def row_number(value: str) -> int:
    """Read the number of a plan, a proposal or a dream.

    Raises ``click.BadParameter`` for anything but a number, ``click.ClickException`` for an
    impossible one.
    """
    import click  # not before: the daemon reads this module as well

    try:
        number = int(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a valid integer.") from None
    if not 0 < number <= LARGEST:
        raise click.ClickException(f"nothing has the number {value}")
    return number
