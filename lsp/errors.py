"""Errors: the lines of one file at which other tools see one, and the memories read there.

Pure. A language server does not see what others diagnose; our plugins tell the lines, never a text.
A memory that was read (hovered) while an error stood at what it is about, and whose place has none
any more after the file was saved, may have helped. A hint that only stood there tells nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lsp.documents import Place

TOLD = "reverie/errors"  # the notification: {uri, lines}
MOST = 1_000  # lines of one file that are looked at
READ = 1800.0  # seconds for which a memory counts as read


@dataclass(slots=True)
class Errors:
    """Errors of one open file."""

    lines: frozenset[int] = frozenset()
    saved: bool = False  # since the text changed
    read: dict[str, float] = field(default_factory=dict[str, float])  # memories, and when

    def told(self, lines: Iterable[object]) -> None:
        """These lines have an error now, and no others."""
        found = [line for line in lines if isinstance(line, int) and line >= 0]
        self.lines = frozenset(found[:MOST])

    def reading(self, place: Place, now: float) -> None:
        """Somebody reads the memory of this place."""
        if self._at(place):
            self.read[place.memory.id] = now

    def cleared(self, places: Sequence[Place], now: float) -> list[str]:
        """Memories that were read at an error which the last save ended, each told once.

        One that has no place for now, because its line was just changed, is asked about again.
        """
        self.read = {id_: at for id_, at in self.read.items() if now - at <= READ}
        if not self.read or not self.saved:
            return []
        there = {place.memory.id for place in places}
        at_error = {place.memory.id for place in places if self._at(place)}
        found = [id_ for id_ in self.read if id_ in there and id_ not in at_error]
        for id_ in found:
            del self.read[id_]
        return found

    def _at(self, place: Place) -> bool:
        """Tell whether an error stands at a place, or in the lines below that its memory is about."""
        last = max(place.last_line, place.line + place.memory.lines - 1)
        return any(place.line <= line <= last for line in self.lines)
