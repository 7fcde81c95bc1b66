"""Notes told before calls and at failures, not yet known to the store: calls follow each other at once."""

from dataclasses import dataclass, field
from typing import Final

from actors.core.equipment import Latest

TELLINGS_KEPT: Final = 256  # tellings: a session has a few


@dataclass(slots=True)
class Moments:
    """The last tellings, by session, place and memory."""

    _last: Latest[tuple[str, str, int], bool] = field(default_factory=lambda: Latest(TELLINGS_KEPT))

    def tell(self, session: str, place: str, memory_id: int) -> None:
        """Note a telling."""
        self._last[session, place, memory_id] = True

    def has(self, session: str, place: str, memory_id: int) -> bool:
        """Tell whether a session was told a memory at a place."""
        return (session, place, memory_id) in self._last
