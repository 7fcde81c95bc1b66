"""Times as they are typed: an age, words, or a date; of the future also durations and schedules."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from daemon.commands.terminal.words import now

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


# ---- what is to come


def moment_to_come(text: str, option: str) -> float:
    """``tomorrow 9:00`` of an option, as seconds since the epoch. Raises ``ValueError`` with a line."""
    from actors.policy.times.naming_times import moment_named
    from daemon.clock import LocalZone

    return float(_said(lambda: moment_named(text, now(), LocalZone()), option))


def duration_given(text: str, option: str) -> float:
    """``3 days`` of an option, in seconds. Raises ``ValueError`` with a line."""
    from actors.policy.times.naming_times import duration_named

    return float(_said(lambda: duration_named(text), option))


def schedule_given(text: str, option: str) -> object:
    """``weekly mon 9:00`` of an option. Raises ``ValueError`` with a line."""
    from actors.policy.times.naming_times import schedule_named

    return _said(lambda: schedule_named(text), option)


def _said(read: Callable[[], Any], option: str) -> Any:
    from actors.policy.times.naming_times import BadTime
    from actors.policy.times.recurrence import BadSchedule

    try:
        return read()
    except (BadTime, BadSchedule) as wrong:
        raise ValueError(f"Invalid value for '{option}': {wrong}.") from None
