"""Places where any of many literals stand in a text, found in one pass.

A literal is sought at its rarest character: an attempt at each `k` for `token` costs a seventh of
one at each `t`. Loaded by the hook by its path: see `redaction`.
"""

from __future__ import annotations

import re
from itertools import groupby

from actors.policy.secrets.secret_values import compiled

TYPE_CHECKING = False  # the constant of typing, which costs a hook 10 ms to import
if TYPE_CHECKING:
    from collections.abc import Iterable

    # A literal, and where in it the character stands by which it is sought.
    Anchored = tuple[str, int]

# Characters by which literals are sought, the most frequent in the output of tools first. They are
# few, since each costs whatever stands in the text.
_ANCHORS = "cdmphugfb:k(wyv=_xjqz"


def _rarest(literal: str) -> int:
    """Return where the rarest anchor of a literal stands in it."""
    return max(range(len(literal)), key=lambda at: _ANCHORS.find(literal[at]))


class Literals:
    """Literals in lower case, of ASCII alone, ready to be sought together."""

    __slots__ = ("_branches", "_rivals", "_together")

    def __init__(self, literals: Iterable[str]) -> None:
        anchored: dict[str, list[Anchored]] = {}
        for literal in sorted(set(literals)):
            at = _rarest(literal)
            anchored.setdefault(literal[at], []).append((literal, at))
        # By the number of the group that the pattern ends in: that literal, and all of its anchor.
        self._rivals: list[tuple[Anchored, list[Anchored]]] = [(("", 0), [])]
        # What can stand at the same anchor, once it was met: told of all in advance it costs a hook 3 ms.
        self._together: dict[int, list[Anchored]] = {}
        branches: list[str] = []
        for anchor in sorted(anchored, key=_ANCHORS.find):
            # By what follows the anchor, the end of a literal last: one look fails for all that share it.
            rivals = sorted(anchored[anchor], key=_behind_its_anchor, reverse=True)
            ends = [
                re.escape(first) + "(?:" + "|".join(map(_rest, alike)) + ")"
                for first, alike in groupby(rivals, lambda one: _behind_its_anchor(one)[:1])
            ]
            branches.append(re.escape(anchor) + "(?:" + "|".join(ends) + ")")
            self._rivals.extend((one, rivals) for one in rivals)
        self._branches = "|".join(branches)

    def hits(self, lower: str) -> list[tuple[int, str]]:
        """Return where which literals begin in a lower-cased text, in order."""
        hits: list[tuple[int, str]] = []
        pattern = compiled(self._branches)
        found = pattern.search(lower)
        while found is not None:
            anchor = found.start()
            for literal, at in self._beside(found.lastindex or 0):
                if lower.startswith(literal, anchor - at):
                    hits.append((anchor - at, literal))
            found = pattern.search(lower, anchor + 1)
        hits.sort()
        return hits

    def _beside(self, group: int) -> list[Anchored]:
        beside = self._together.get(group)
        if beside is None:
            one, rivals = self._rivals[group]
            beside = self._together[group] = [two for two in rivals if _agree(one, two)]
        return beside


def _behind_its_anchor(anchored: Anchored) -> str:
    literal, at = anchored
    return literal[at + 1 :]


def _rest(anchored: Anchored) -> str:
    """Return the pattern of a literal from the second character behind its anchor on.

    The part before the anchor is looked at last: the literal behind it fails faster. An empty group
    tells which literal it was.
    """
    literal, at = anchored
    begins = "(?<=" + re.escape(literal) + ")" if at else ""
    return re.escape(literal[at + 2 :]) + begins + "()"


def _agree(one: Anchored, two: Anchored) -> bool:
    """Tell whether two literals can stand in one text with their anchors at one place."""
    (left, at), (right, there) = one, two
    ends = left[at:], right[there:]
    begins = left[:at], right[:there]
    return (ends[0].startswith(ends[1]) or ends[1].startswith(ends[0])) and (
        begins[0].endswith(begins[1]) or begins[1].endswith(begins[0])
    )
