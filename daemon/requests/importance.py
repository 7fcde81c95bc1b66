"""How important a text would be found, before it is kept."""

import msgspec

from daemon.requests.shapes import Reply, Request


class Weighed(Reply, frozen=True, kw_only=True):
    """Importance of a text, 0…1, and what it is made of."""

    importance: float
    priority: str  # low, normal, high, critical
    channels: dict[str, float]  # novelty, arousal, reward, attention
    compared: int  # texts of the project that novelty was judged by


class Weigh(Request[Weighed], frozen=True, kw_only=True):
    """Request for the importance of a text. Nothing is stored."""

    NAME = "weigh"
    text: str
    names: list[str] = msgspec.field(default_factory=list[str])  # what it has to do with
    project: str | None = None
