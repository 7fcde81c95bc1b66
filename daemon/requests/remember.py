"""A text to keep or to change, and what became of it."""

from typing import Literal

import msgspec

from daemon.requests.shapes import Reply, Request, Tier


class Decided(Reply, frozen=True, kw_only=True):
    """Decision of the prediction-error gate on a text."""

    id: str
    action: str  # CREATE, CREATE_LINKED, REINFORCE, UPDATE, SUPERSEDE; of an import: REFUSED
    reason: str
    similarity: float | None


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """Line of a file as an editor has it, saved or not."""

    path: str
    number: int  # from 1
    text: str


class Remember(Request[Decided], frozen=True, kw_only=True):
    """Keep this."""

    NAME = "remember"
    text: str
    title: str = ""
    type: str = ""  # "": a rule or a wish where a person says one, else a fact
    tier: Tier = "normal"
    triggers: list[str] = msgspec.field(default_factory=list[str])
    project: str | None = None
    intent: Literal["auto", "new", "update", "supersede"] = "auto"
    target: str | None = None
    source: Literal["hand", "editor", "agent"] = "hand"
    session: str | None = None  # that an agent writes it in
    status: Literal["hypothesis", "confirmed"] = "confirmed"
    valid_from: float | str | None = None  # seconds UTC, or an ISO date
    valid_until: float | str | None = None  # not included
    line: Line | None = None  # that it is about


class Edited(Reply, frozen=True, kw_only=True):
    """A memory says something else now."""

    id: str
    version: int
    before: str  # what it said until now
    settles_at: float | None  # until then further edits are part of this version


class Edit(Request[Edited], frozen=True, kw_only=True):
    """This memory says this from now on; or with ``undo`` what it said before the last change.

    An agent changes only what no person stated, confirmed or keeps, in its own project.
    """

    NAME = "edit"
    MEMORIES = ("id",)
    id: str
    text: str = ""
    title: str = ""  # made from the text unless given; alone it changes no text
    undo: bool = False
