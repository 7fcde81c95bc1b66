"""The time of day and files that are not ours, as Protocols that the composition root fills."""

from typing import Protocol


class Clock(Protocol):
    """The time of day."""

    def now(self) -> float:
        """Seconds since the epoch, UTC."""
        ...


class Files(Protocol):
    """Reads of files that are not ours, on their own thread."""

    async def last_lines(self, path: str, limit: int) -> list[str]:
        """The last lines of a file, at most ``limit`` bytes of them; [] when absent."""
        ...
