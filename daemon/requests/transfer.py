"""Pages of rows to keep, of pairs to judge, and of everything that lives."""

from typing import Annotated, Any, Literal

import msgspec

from daemon.requests.remember import Decided
from daemon.requests.shapes import Reply, Request, Row, Tier


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
    """Cue that brings a note of the reader up."""

    kind: Literal["prompt", "file", "symbol", "command", "error"]
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class RowReading(msgspec.Struct, frozen=True, kw_only=True):
    """The words that prove a note of the reader, and its cues."""

    kind: Annotated[str, msgspec.Meta(max_length=40)]
    said_by: Literal["user", "agent", "tool"]
    scope: Literal["always", "when"]
    quotation: Annotated[str, msgspec.Meta(max_length=2_000)] = ""
    agreed_to: Annotated[str, msgspec.Meta(max_length=2_000)] = ""
    session: Annotated[str, msgspec.Meta(max_length=400)] = ""
    cues: Annotated[list[RowCue], msgspec.Meta(max_length=40)] = []


class ImportRow(msgspec.Struct, frozen=True, kw_only=True):
    """One line of an import file; more fields than these are ignored."""

    text: str
    key: str | None = None
    project: str | None = None
    title: str = ""
    created_at: float | str | None = None
    type: str = "fact"
    tier: Tier = "normal"
    triggers: list[str] = []
    status: Literal["hypothesis", "noticed", "confirmed"] = "confirmed"
    valid_from: float | str | None = None
    valid_until: float | str | None = None
    # What follows is taken by a merge alone.
    id: str = ""  # by which links of the same file name it
    pinned: bool = False
    strength: RowStrength | None = None
    links: list[RowLink] = []
    read: RowReading | None = None


class Outcome(Decided, frozen=True, kw_only=True):
    """Decision on a row."""

    would_end: str | None = None  # the memory that it would replace, were it asked to


class Imported(Reply, frozen=True, kw_only=True):
    """Outcomes of the rows, in order."""

    outcomes: list[Outcome]


class Import(Request[Imported], frozen=True, kw_only=True):
    """Keep all of these (a client sends at most 500 rows at a time).

    With ``ahead`` and without the gate a progress frame ``{"prepared": rows}`` comes before they
    are written: a page that is sent then is made ready meanwhile, and kept after this one.
    A ``merge`` leaves a row out that is here (``HERE``, with its id) or was erased (``ERASED``), and
    keeps every other one as it is, with its strength, pin and quotation, beside what is there.
    """

    NAME = "import"
    rows: list[ImportRow]
    gate: bool = True
    ahead: bool = False
    merge: bool = False
    replace: bool = False  # rows end what they contradict; else they say what they would end


class Exported(Reply, frozen=True, kw_only=True):
    """A page of an export; ``after`` asks for the next one, ``None`` says it was the last."""

    rows: list[dict[str, Any]]
    after: int | None


class Export(Request[Exported], frozen=True, kw_only=True):
    """Give me everything that lives, page by page."""

    NAME = "export"
    after: Row = 0
    limit: int = 500
    project: str | None = None
    whole: bool = False  # with id, strength, pin and links, for a merge


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """An existing and an incoming text."""

    id: str
    existing: str
    incoming: str


class PairVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Decision that the gate would make."""

    id: str
    action: str
    similarity: float | None
    contradiction: str | None


class Judged(Reply, frozen=True, kw_only=True):
    """The verdicts, in order."""

    verdicts: list[PairVerdict]


class Judge(Request[Judged], frozen=True, kw_only=True):
    """Request for what the gate would do with these pairs. Nothing is stored."""

    NAME = "judge"
    pairs: list[Pair]
