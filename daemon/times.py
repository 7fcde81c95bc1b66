"""The time of day and the machine's time zone, the only place to read them; and spans of time in words."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Protocol


class WallClock:
    """``actors.core.equipment.Clock`` from the system's clock."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return datetime.now(UTC).timestamp()


class LocalZone(tzinfo):
    """The zone named by ``TZ`` or the operating system, with its changes of summer time.

    ``datetime.astimezone()`` gives a fixed offset, which is wrong half a year later. Here every moment
    is asked of the operating system, so a thing due daily at 9:00 is due at 9:00 all year.
    """

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """Offset of local time from UTC at this local moment."""
        if moment is None:
            return None
        naive = moment.replace(tzinfo=None)
        # ``timestamp`` heeds ``fold``, and counts a time that was skipped from before the change.
        return naive - datetime.fromtimestamp(naive.timestamp(), UTC).replace(tzinfo=None)

    def dst(self, moment: datetime | None) -> timedelta | None:
        """Daylight saving: not known, and asked by nobody here."""
        _ = moment
        return None

    def tzname(self, moment: datetime | None) -> str | None:
        """The zone's own name at this moment."""
        return None if moment is None else moment.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, moment: datetime) -> datetime:
        """The local time of a moment of UTC; the second of two equal ones has ``fold`` set."""
        local = moment.replace(tzinfo=UTC).astimezone()
        naive = local.replace(tzinfo=None)
        ahead = naive - datetime.fromtimestamp(naive.timestamp(), UTC).replace(tzinfo=None)
        return naive.replace(tzinfo=self, fold=int(ahead != local.utcoffset()))


# ---- spans in which something is true, in words: of the daemon's answers and of commands

DAY = 86_400.0  # seconds
FOR_EVER = 1e6  # days of stability; what lasts longer does not fade


class Claimed(Protocol):
    """Fields common to a result of a recall and a memory."""

    @property
    def status(self) -> str: ...
    @property
    def valid_from(self) -> float | None: ...
    @property
    def valid_until(self) -> float | None: ...
    @property
    def valid(self) -> bool: ...
    @property
    def stale(self) -> str: ...


def span(claimed: Claimed) -> str:
    """``from 2026-03-04 until 2026-04-01``; empty without either."""
    parts = [("from", claimed.valid_from), ("until", claimed.valid_until)]
    return " ".join(f"{word} {date(at)}" for word, at in parts if at is not None)


def date(at: float) -> str:
    """A day in UTC, with the time where it is not the day's beginning.

    A time outside of the calendar is left as a number.
    """
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{at:.0f}"
    return f"{moment:%Y-%m-%d}" if at % DAY == 0 else f"{moment:%Y-%m-%d %H:%M} UTC"
