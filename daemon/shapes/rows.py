"""Rows of a file and other texts to keep: the conditions for keeping each, and its outcome."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

import msgspec

from actors.memory.particulars import LIMIT, NAMES, Particulars
from daemon.shapes.replies import BadRequest, Reply, Tier

# ---- what may be kept: asked by who reads it from a file, and by the daemon again


TEXT_LIMIT = 100_000  # characters of one memory
END_OF_TIME = 6e10  # seconds: the year 3871; a calendar ends in 9999


def check(row: ImportRow) -> None:
    """Raise ``BadRequest`` for a text empty or too long, and for impossible times."""
    check_length(row.text, "text")
    check_length(row.title, "title")
    for phrase in row.triggers:
        check_length(phrase, "trigger")
    for name in NAMES:
        check_length(getattr(row, name), name, LIMIT)
    if not row.text.strip():
        raise BadRequest("the text is empty: there is nothing to remember")
    interval(row)
    moment(row.created_at, 0.0)
    if row.since is not None:
        moment(row.since, 0.0, "since")


def check_length(text: str, what: str, limit: int = TEXT_LIMIT) -> None:
    """Raise ``BadRequest`` for a longer text; the default limit is a memory's."""
    if len(text) > limit:
        raise BadRequest(f"the {what} has {len(text)} characters, the limit is {limit}")


def interval(row: ImportRow) -> tuple[float | None, float | None]:
    """From when until when a text is said to be true.

    Raises ``BadRequest`` for an impossible time or an empty span.
    """
    begun = None if row.valid_from is None else moment(row.valid_from, 0.0, "valid_from")
    over = None if row.valid_until is None else moment(row.valid_until, 0.0, "valid_until")
    if begun is not None and over is not None and over <= begun:
        raise BadRequest("valid_until is not after valid_from: it would never be true")
    return begun, over


def moment(value: float | str | None, otherwise: float, what: str = "created_at") -> float:
    """Seconds since the epoch of a number (seconds or milliseconds) or an ISO date.

    Raises ``BadRequest`` for anything else.
    """
    if value is None:
        return otherwise
    if isinstance(value, str):
        try:
            stamp = datetime.fromisoformat(value)
        except ValueError:
            raise BadRequest(f"{what} {value[:40]!r} is no ISO 8601 date") from None
        return (stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)).timestamp()
    seconds = value / 1000 if value > 1e11 else value  # milliseconds since 1973 are larger
    if not abs(seconds) < END_OF_TIME:  # NaN is neither
        raise BadRequest(f"{what} {value} is no time that a calendar has")
    return seconds


# ---- rows


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


def check_gone(row: GoneRow) -> None:
    """Raise ``BadRequest`` for an impossible time."""
    moment(row.at, 0.0, "at")


class FileLine(msgspec.Struct, frozen=True, kw_only=True):
    """Line of a file as an editor has it, saved or not."""

    path: str
    number: int  # from 1
    text: str


class Decided(Reply, frozen=True, kw_only=True):
    """Decision of the prediction-error gate on a text."""

    id: str
    action: str  # CREATE, CREATE_LINKED, REINFORCE, UPDATE, SUPERSEDE; of an import: REFUSED
    reason: str
    similarity: float | None


class Edited(Reply, frozen=True, kw_only=True):
    """A memory says something else now, or has another reason or tier."""

    id: str
    version: int
    before: str  # what it said, its reason or its tier until now


class Left(Reply, frozen=True, kw_only=True):
    """How many memories ended, and how many were erased."""

    ended: int
    erased: int
