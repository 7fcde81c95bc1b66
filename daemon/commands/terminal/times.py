"""Moments as they are typed: an age, words, or a date."""

import re
from datetime import UTC, datetime, timedelta

from daemon.commands.terminal.words import now

UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment_given(value: str) -> float:
    """``2h``, ``today``, ``last week``, or a date and time of ISO 8601, as seconds since the epoch.

    Raises ``ValueError`` with what is wrong in it.
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
    """Begin of the time that these words name, where we are; None where they name none."""
    from actors.policy.times.time_phrases import interval

    zone = datetime.now().astimezone().tzinfo or UTC
    found = interval(" ".join(value.split()), now(), zone, past=True)
    return None if found is None or found.begin < 0 else found.begin
