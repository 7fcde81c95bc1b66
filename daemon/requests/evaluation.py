"""Use that agents made of the memories they were shown."""

import msgspec

from daemon.requests.shapes import Reply, Request


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """Seven days. A memory counts once a session, in the week in which it was first shown there."""

    begins: float  # seconds since the epoch, UTC
    sessions: int  # that were shown anything
    shown: int
    cited: int
    used: int  # cited, edited after, or confirmed
    ignored: int  # shown, and no sign of use


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that was shown and of which there is no sign of use."""

    id: str
    title: str
    sessions: int


class AgentsFigures(Reply, frozen=True, kw_only=True):
    """The weeks, newest first, and what was most often shown for nothing."""

    weeks: list[Week]
    ignored: list[Ignored]


class Agents(Request[AgentsFigures], frozen=True, kw_only=True):
    """Request for the use that agents made of what they were shown."""

    NAME = "agents"
    weeks: int = 8
