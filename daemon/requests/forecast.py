"""A forecast of memories that will have faded."""

import msgspec

from daemon.requests.shapes import Reply, Request


class Moved(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that will be in another state by then."""

    id: str
    title: str
    kind: str
    tier: str
    project: str | None
    now: str
    then: str
    at: float  # when it leaves the state it is in now


class Foretold(Reply, frozen=True, kw_only=True):
    """What will have faded by then, if nothing is used until then."""

    at: float  # seconds since the epoch, UTC
    until: float
    memories: int
    now: dict[str, int]  # how many are in each state
    then: dict[str, int]
    changing: int
    changes: list[Moved]  # soonest first, at most ``limit``


class Forecast(Request[Foretold], frozen=True, kw_only=True):
    """What will have faded in so many days?"""

    NAME = "forecast"
    days: float
    project: str | None = None
    everywhere: bool = False
    limit: int = 50
