"""Rows of a file, the conditions for keeping each, and its outcome."""

from typing import Annotated, Literal

import msgspec

from actors.memory.particulars import Particulars
from daemon.shapes.acceptance import check, moment
from daemon.shapes.replies import Reply, Tier


class RowStrength(msgspec.Struct, frozen=True, kw_only=True):
    """Strength of a memory in another home, as of its last review."""

    stability: Annotated[float, msgspec.Meta(ge=0.1, le=36_500.0)]  # days
    difficulty: Annotated[float, msgspec.Meta(ge=1.0, le=10.0)]
    at: float  # seconds UTC


class RowLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link of a row to another one."""

    relation: str
    to: str  # the other's ``id`` in the file
    strength: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] = 1.0
    evidence: str = ""


class RowCue(msgspec.Struct, frozen=True, kw_only=True):
    """Cue for bringing a note of the reader up."""

    kind: Literal["prompt", "file", "symbol", "command", "error"]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class RowReading(msgspec.Struct, frozen=True, kw_only=True):
    """The words proving a note of the reader, and its cues."""

    kind: Annotated[str, msgspec.Meta(max_length=40)]
    said_by: Literal["user", "agent", "tool"]
    scope: Literal["always", "when"]
    quotation: Annotated[str, msgspec.Meta(max_length=2_000)] = ""
    agreed_to: Annotated[str, msgspec.Meta(max_length=2_000)] = ""
    session: Annotated[str, msgspec.Meta(max_length=400)] = ""
    cues: Annotated[list[RowCue], msgspec.Meta(max_length=40)] = []


class ImportRow(Particulars, frozen=True, kw_only=True):
    """One line of an import file; more fields than these are ignored."""

    text: str
    key: str | None = None
    project: str | None = None
    title: str = ""
    created_at: float | str | None = None
    type: str = "fact"
    tier: Tier = "normal"
    triggers: list[str] = msgspec.field(default_factory=list[str])
    status: Literal["hypothesis", "noticed", "confirmed"] = "confirmed"
    valid_from: float | str | None = None
    valid_until: float | str | None = None
    # What follows is taken by a merge alone.
    since: float | None = None  # when it was last said or changed; None: when it was made
    id: str = ""  # by which links of the same file name it
    pinned: bool = False
    strength: RowStrength | None = None
    links: list[RowLink] = msgspec.field(default_factory=list[RowLink])
    read: RowReading | None = None


class GoneRow(msgspec.Struct, frozen=True, kw_only=True):
    """A text ended or erased in another home, without its words."""

    gone: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]  # its digest
    salt: Annotated[str, msgspec.Meta(pattern="^[0-9a-z-]{1,40}$")]  # the id it is made under
    how: Literal["erased", "deprecated", "expired", "refuted", "archived", "forgotten"]
    at: float  # seconds UTC
    project: str | None = None  # of what ended; what was erased is so in every project


def check_row(row: ImportRow) -> None:
    """Raise ``BadRequest`` for a text empty or too long, and for impossible times."""
    check(row)
    moment(row.created_at, 0.0)
    if row.since is not None:
        moment(row.since, 0.0, "since")


def check_gone(row: GoneRow) -> None:
    """Raise ``BadRequest`` for an impossible time."""
    moment(row.at, 0.0, "at")


class Decided(Reply, frozen=True, kw_only=True):
    """Decision of the prediction-error gate on a text."""

    id: str
    action: str  # CREATE, CREATE_LINKED, REINFORCE, UPDATE, SUPERSEDE; of an import: REFUSED
    reason: str
    similarity: float | None


class Outcome(Decided, frozen=True, kw_only=True):
    """Decision on a row."""

    would_end: str | None = None  # the memory that it would replace, were it asked to
