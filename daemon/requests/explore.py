"""What connects memories: around one, and between two (row Q10)."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Reply, Request

Action = Literal["associations", "chains", "bridges"]


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """One link of a way, as it is walked."""

    source: str
    target: str
    kind: str  # a relation, a kind of connection, or similar
    directed: bool  # whether the link has a direction
    forward: bool  # whether it is walked in its direction
    strength: float  # 0..1


class WayView(msgspec.Struct, frozen=True, kw_only=True):
    """A way from one memory to another."""

    memories: list[str]
    steps: list[StepView]
    sure: float  # product of the strengths


class BridgeView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory that stands between two."""

    memory: str
    ways: int
    best: WayView


class Explored(Reply, frozen=True, kw_only=True):
    """What was found, the surest first."""

    start: str
    end: str | None
    titles: dict[str, str]  # of every memory named
    ways: list[WayView]  # with ``bridges``: empty
    bridges: list[BridgeView]
    total: int
    cut: bool  # there are more links around than were read


class Explore(Request[Explored], frozen=True, kw_only=True):
    """What is this connected with, and how does it lead to that?"""

    NAME = "explore"
    start: str  # an id, or what the memory is about
    to: str | None = None  # the same; needed for chains and bridges
    action: Action = "associations"
    depth: int = 3
    limit: int = 10
    project: str | None = None  # where a text is looked for, and whose memories ways lead over
    everywhere: bool = False
