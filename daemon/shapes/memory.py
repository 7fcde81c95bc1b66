"""A memory as a person sees it: its shape, its links, its place in a text, the reasons for it, and its facts in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from actors.memory.particulars import NAMES, Particulars
from daemon.commands.terminal.words import age, counted, short_marks, truth_interval, when
from daemon.shapes.replies import Reply
from daemon.times import FOR_EVER


class LinkView(msgspec.Struct, frozen=True, kw_only=True):
    """A causal link: ``source relation target``."""

    id: str  # m1:supersedes:m2, which ``reverie unlink`` takes
    source: str
    relation: str  # caused, enabled, supersedes, contradicts, derived_from or supports
    target: str
    strength: float  # 0..1
    evidence: str


class Related(msgspec.Struct, frozen=True, kw_only=True):
    """A memory related to another one."""

    id: str
    title: str
    how: str  # similar, or one of the six relations
    incoming: bool  # it is the source of the link
    strength: float  # cosine, or how sure the link is
    link: str | None  # the id of a causal link
    ended: str | None
    evidence: str = ""  # of a causal link


class AssociationView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory brought to mind by another one."""

    id: str
    title: str
    kind: str
    score: float  # activation, 0..1
    hops: int
    path: list[str]


class MatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory mentioned in a stretch of text. Offsets are code points of the text."""

    start: int
    end: int
    id: str
    phrase: str
    title: str
    text: str
    kind: str
    tier: str
    score: float
    created_at: float
    state: str
    origin: str
    status: str = "confirmed"  # or hypothesis, noticed
    valid: bool = True  # now
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against
    anchored: bool = False  # what it is about is here
    lines: int = 1  # from this one on, that make it stale when they change
    pinned: bool = False


Status = Literal["hypothesis", "noticed", "confirmed", "refuted"]

# The states in words.
LIFECYCLE: Final = {
    "HOT": "fresh or lately used",
    "WARM": "fading a little",
    "COLD": "not used for weeks",
    "DORMANT": "nearly faded",
    "archivable": "not used for months",
}
BECAME: Final = {"changed": "changed since", "gone": "gone"}  # of what a memory is about


class MemoryView(Particulars, frozen=True, kw_only=True):
    """One memory as a person sees it."""

    id: str
    text: str
    title: str
    kind: str
    tier: str
    project: str | None
    created_at: float  # seconds since the epoch, UTC
    updated_at: float
    state: str  # lifecycle state: HOT … DORMANT, archivable
    retrievability: float
    stability: float  # days
    pinned: bool
    ended: str | None  # deprecated, forgotten, … or None while it lives
    key: str | None
    triggers: list[str]
    origin: str  # in words: "remembered by hand", "from a prompt", …
    session: str | None
    versions: int
    superseded_by: str | None = None
    uses: int = 0
    exposures: int = 0
    status: Status = "confirmed"
    valid_from: float | None = None  # seconds UTC; None: since ever
    valid_until: float | None = None  # seconds UTC, not included; None: without an end
    valid: bool = True  # now
    subject: str | None = None  # the X of "the current X is Y"
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A file, or a symbol of it, as a memory's subject."""

    path: str  # in its project
    symbol: str
    state: str  # held, changed, gone


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Use of a memory, and people's reactions."""

    confidence: float = 0.5  # 0..1, moved by verdicts
    validations: int = 0  # verdicts
    sessions: int = 0  # in which it was shown unasked
    cited: int = 0  # of which so many cited it
    hidden_until: float | None = None  # no prompt gets it until then; until then it can be undone
    untold: dict[str, int] = {}  # why prompts that it was weighed for were not told, and how often
    relevance: float | None = None  # by age, use and connections now; None: it has ended


class Reasons(Reply, frozen=True, kw_only=True):
    """Reasons why a memory is there and as strong as it is."""

    memory: MemoryView
    sentences: list[str]
    links: list[Related]  # causal ones, the surest first


# ---- in words


def row(memory: MemoryView, moment: float) -> list[str]:
    """The memory in the cells of a list."""
    marks = [memory.kind]
    if memory.tier != "normal":
        marks.append(memory.tier)
    if memory.pinned:
        marks.append("pinned")
    if memory.ended is None:
        marks += short_marks(memory)
    state = memory.ended or memory.state
    text = memory.title or memory.text
    return [memory.id, age(moment - memory.created_at), " ".join(marks), state, text]


def facts(memory: MemoryView, moment: float) -> Iterator[list[str]]:
    """Facts about a memory, each with its name."""
    fading = memory.stability < FOR_EVER
    lasting = f"stability {memory.stability:.1f} days" if fading else "does not fade"
    strength = f"{memory.retrievability:.0%} recallable, {lasting}"
    each = {
        "what": f"{memory.kind}, {memory.tier}" + (", pinned" if memory.pinned else ""),
        "ended" if memory.ended else "lifecycle": _lifecycle(memory, strength),
        "kept for": memory.project or "every project",
        "origin": memory.origin + (f", session {memory.session}" if memory.session else ""),
        "made": when(memory.created_at, moment),
        "changed": when(memory.updated_at, moment) if memory.versions > 1 else "",
        "status": memory.status + (f", the current “{memory.subject}”" if memory.subject else ""),
        "true": truth_interval(memory, moment),
        "used": f"{counted(memory.uses, 'time')}, shown {counted(memory.exposures, 'time')}",
        "triggers": ", ".join(memory.triggers),
        "key": memory.key or "",
        **{name: getattr(memory, name) for name in NAMES},
        "replaced by": memory.superseded_by or "",
    }
    yield from ([name, value] for name, value in each.items() if value)


def usage_facts(usage: Usage, moment: float) -> Iterator[list[str]]:
    """Marks of use and of people on it; nothing where nobody said or did anything."""
    if usage.sessions:
        yield ["agents", f"shown in {counted(usage.sessions, 'session')}, cited in {usage.cited}"]
    if usage.validations:
        verdicts = counted(usage.validations, "verdict")
        yield ["confidence", f"{usage.confidence:.2f} after {verdicts}"]
    if usage.relevance is not None:
        yield ["relevance", f"{usage.relevance:.3f}"]
    if usage.hidden_until is not None:
        hours = (usage.hidden_until - moment) / 3600
        yield ["suppressed", f"in no prompt for {hours:.0f} hours more"]


def about_line(one: About) -> str:
    """Name a memory's subject, and its fate."""
    name = " in ".join(filter(None, (one.symbol, one.path)))
    return name if one.state == "held" else f"{name}: {BECAME[one.state]}"


def _lifecycle(memory: MemoryView, strength: str) -> str:
    if memory.ended:
        return f"{memory.ended} ({strength})"
    words = LIFECYCLE.get(memory.state, "")
    return f"{memory.state} ({strength})" + (f": {words}" if words else "")
