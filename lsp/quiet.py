"""Quiet: which lines wait to be matched, and when their turn comes.

Pure; times are seconds of one clock. A line being typed is not matched until it has been left alone
for a while, so nothing appears under the cursor (people switch off first a hint jumping about while
they type: vscode#130580, error-lens#150). Lines nobody has read yet are due at once.
"""

import math
from typing import NamedTuple

NEVER_READ = -math.inf
_READ = math.inf
NEAR = 20  # lines: two spans closer than this are asked as one


class Span(NamedTuple):
    """The lines ``first`` to before ``end``."""

    first: int
    end: int


class Unread:
    """Times of the last change of every line of a text, until it is read again."""

    def __init__(self, lines: int) -> None:
        self._changed_at = [NEVER_READ] * lines

    def replace(self, span: Span, lines: int, now: float) -> None:
        """``lines`` new lines stand where the span was."""
        self._changed_at[span.first : span.end] = [now] * lines

    def read(self, span: Span) -> None:
        """These lines are known again."""
        size = len(self._changed_at[span.first : span.end])
        self._changed_at[span.first : span.first + size] = [_READ] * size

    def forget(self, at: float) -> None:
        """Forget the matches: read lines count as changed at ``at``."""
        self._changed_at = [at if was == _READ else was for was in self._changed_at]

    def due(self, within: Span, quiet: float) -> float | None:
        """Time when the first line of ``within`` has been left alone for ``quiet`` seconds.

        ``None`` when all of them are read.
        """
        earliest = min(self._changed_at[within.first : within.end], default=_READ)
        return None if earliest == _READ else earliest + quiet

    def settled(self, within: Span, now: float, quiet: float) -> list[Span]:
        """The spans of ``within`` with every line left alone for ``quiet`` seconds.

        Lines between two near spans are read again with them, unless they are being
        typed.
        """
        spans: list[Span] = []
        typed = -1  # the last line that is not left alone yet
        changed_at = self._changed_at[within.first : within.end]
        for line, at in enumerate(changed_at, within.first):
            if at == _READ:
                continue
            if at + quiet > now:
                typed = line
                continue
            if spans and line - spans[-1].end < NEAR and typed < spans[-1].first:
                spans[-1] = Span(spans[-1].first, line + 1)
            else:
                spans.append(Span(line, line + 1))
        return spans
