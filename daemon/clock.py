"""The time of day; the only place that reads it."""

from datetime import UTC, datetime


class WallClock:
    """``actors.core.ports.Clock`` from the system's clock."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        return datetime.now(UTC).timestamp()
