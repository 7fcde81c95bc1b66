"""The gate over pairs of texts; nothing is stored."""

import msgspec

from daemon.requests.shapes import Reply, Request


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """An existing and an incoming text."""

    id: str
    existing: str
    incoming: str


class PairVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate would do."""

    id: str
    action: str
    similarity: float | None
    contradiction: str | None


class Judged(Reply, frozen=True, kw_only=True):
    """The verdicts, in order."""

    verdicts: list[PairVerdict]


class Judge(Request[Judged], frozen=True, kw_only=True):
    """What would the gate do with these pairs? Nothing is stored."""

    NAME = "judge"
    pairs: list[Pair]
