"""The daemon itself: who it is, how it is, when it changes, and waiting for its vectors."""

from typing import Any, Literal

from msgspec import field

from daemon.requests.shapes import Done, Reply, Request


class Greeting(Reply, frozen=True, kw_only=True):
    """Greeting of whoever answers."""

    version: str
    pid: int
    ready: bool


class Greet(Request[Greeting], frozen=True, kw_only=True):
    """First words of a client: a question for the version."""

    NAME = "greet"
    ASKED_BY = "onlooker"
    version: str


class StatusReply(Reply, frozen=True, kw_only=True):
    """The daemon's state, as ``reverie status --json`` prints it."""

    ready: bool
    pid: int
    version: str
    home: str
    uptime: float  # seconds
    memories: int | None  # None: the database cannot be read, and ``degraded`` says why
    vectors: Literal["ready", "building", "off"]
    vectors_detail: str
    spooled: int
    undone: int | None  # journaled events whose derivation is not finished
    degraded: list[str]
    actors: dict[str, dict[str, Any]]
    schedule: dict[str, dict[str, Any]]
    plans: int = 0  # that wait for a person
    passages: int = 0
    passages_bytes: int = 0  # of their titles and texts
    inbox: int = 0  # notes of the reader that nobody has seen
    backup: float | None = None  # seconds UTC of the newest backup, if there is one
    # Both are filled in by the command that asks.
    recording_off: str = ""  # where it runs, the folder that does it; "/": a pause of everything
    recording: list[str] = field(
        default_factory=list[str]
    )  # lines that say what is off; none where everything is on


class Status(Request[StatusReply], frozen=True, kw_only=True):
    """Request for the state of the daemon."""

    NAME = "status"
    ASKED_BY = "onlooker"


class Stop(Request[Done], frozen=True, kw_only=True):
    """Drain and leave."""

    NAME = "stop"
    ASKED_BY = "onlooker"


class WatchReply(Reply, frozen=True, kw_only=True):
    """The watch ended because the daemon stops."""

    revision: int


class Watch(Request[WatchReply], frozen=True, kw_only=True):
    """Tell me when the store or the daemon's state changes.

    Each change is a progress frame ``{"revision", "memories", "vectors"}``, at most ten
    a second; the first comes at once.
    """

    NAME = "watch"
    ASKED_BY = "onlooker"


class Embedded(Reply, frozen=True, kw_only=True):
    """Progress of the vectors."""

    pending: int
    state: Literal["ready", "building", "off"]
    detail: str


class AwaitEmbedded(Request[Embedded], frozen=True, kw_only=True):
    """Answer when every living memory has its vectors, or when that cannot be.

    Progress frames ``{"pending": n}`` come meanwhile.
    """

    NAME = "await-embedded"
    ASKED_BY = "onlooker"
