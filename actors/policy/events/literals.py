"""Places where any of many literals stand in a text, found in one pass.

A literal is sought at its rarest character: an attempt at each `k` for `token` costs a seventh of
one at each `t`. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable

# Characters by which literals are sought, the most frequent in the output of tools first. They are
# few, since each costs whatever stands in the text.
_ANCHORS = "cdmphugfb:k(wyv=_xjqz"


def _rarest(literal: str) -> int:
    """Return where the rarest anchor of a literal stands in it."""
    return max(range(len(literal)), key=lambda at: _ANCHORS.find(literal[at]))


class Literals:
    """Literals in lower case, of ASCII alone, ready to be sought together."""

    __slots__ = ("_anchored", "_pattern")

    def __init__(self, literals: Iterable[str]) -> None:
        self._anchored: dict[str, list[tuple[str, int]]] = {}  # by rarest character, with its place
        for literal in sorted(set(literals)):
            at = _rarest(literal)
            self._anchored.setdefault(literal[at], []).append((literal, at))
        # What stands before the anchor is looked at last: the literal behind it fails faster.
        self._pattern = re.compile(
            "|".join(
                re.escape(anchor)
                + "(?:"
                + "|".join(re.escape(lit[at + 1 :]) + _behind(lit, at) for lit, at in literals)
                + ")"
                for anchor, literals in sorted(
                    self._anchored.items(), key=lambda item: _ANCHORS.find(item[0])
                )
            )
        )

    def hits(self, lower: str) -> list[tuple[int, str]]:
        """Return where which literals begin in a lower-cased text, in order."""
        found = self._pattern.search(lower)
        if found is None:
            return []
        hits: list[tuple[int, str]] = []
        while found is not None:
            anchor = found.start()
            for literal, at in self._anchored[lower[anchor]]:
                if lower.startswith(literal, anchor - at):
                    hits.append((anchor - at, literal))
            found = self._pattern.search(lower, anchor + 1)
        hits.sort()
        return hits


def _behind(literal: str, at: int) -> str:
    """Return what makes sure that a literal, of which the end was read, began with its beginning."""
    return "(?<=" + re.escape(literal) + ")" if at else ""
