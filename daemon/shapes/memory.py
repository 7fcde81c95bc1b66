"""A memory as a person sees it: its shape, its links, its place in a text, the reasons for it, and its facts in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

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


class LinkMet(msgspec.Struct, frozen=True, kw_only=True):
    """A link met in a walk, and its far end."""

    link: LinkView
    memory: str  # the end that it led to
    title: str
    ended: str | None  # how that memory ended
    hops: int
    weight: float  # of the whole path: strengths and what each relation lets pass
    path: list[str]


class LineageView(msgspec.Struct, frozen=True, kw_only=True):
    """Reasons of a memory: the links around it, by relation, nearest first."""

    groups: dict[str, list[LinkMet]]  # every relation
    cut: bool  # there is more beyond the depth
    depth: int


class Related(msgspec.Struct, frozen=True, kw_only=True):
    """A memory related to another one."""

    id: str
    title: str
    how: str  # similar, or one of the six relations
    incoming: bool  # it is the source of the link
    strength: float  # cosine, or how sure the link is
    link: str | None  # the id of a causal link
    ended: str | None


class AssociationView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory brought to mind by another one."""

    id: str
    title: str
    kind: str
    score: float  # activation, 0..1
    hops: int
    path: list[str]


# ---- its place in a text


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


# ---- a memory


Status = Literal["hypothesis", "noticed", "confirmed", "refuted"]

# The states of the two axes in words. Both have a dormant one, so each is said with its axis.
LIFECYCLE: Final = {
    "HOT": "fresh or lately used",
    "WARM": "fading a little",
    "COLD": "not used for weeks",
    "DORMANT": "nearly faded",
    "archivable": "not used for months",
}
ACCESSIBILITY: Final = {
    "active": "on the mind now",
    "dormant": "comes to mind when asked for",
    "silent": "needs a strong cue",
    "unavailable": "hardly comes to mind at all",
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
    accessibility: str | None = None  # active … unavailable: of show, list
    accessibility_value: float | None = None  # 0..1


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A file, a symbol of it or a command, as a memory's subject."""

    path: str  # in its project; empty for a command that no file there defines
    symbol: str
    command: str
    state: str  # held, changed, gone


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Use of a memory, and people's reactions."""

    confidence: float = 0.5  # 0..1, moved by verdicts
    validations: int = 0  # verdicts
    storage: float = 1.0  # 1..10; never fades
    retention: float = 1.0  # 0..1, of both strengths
    sessions: int = 0  # in which it was shown unasked
    cited: int = 0  # of which so many cited it
    effectiveness: float | None = None  # their share, from ten on
    credits: list[dict[str, Any]] = []  # session, cause, at
    suppressions: int = 0
    hidden_until: float | None = None  # no prompt gets it until then; until then it can be undone
    proposals: list[dict[str, Any]] = []  # id, state, reason, at
    verdicts: list[dict[str, Any]] = []  # project (empty: in none), useful, useless
    untold: dict[str, int] = {}  # why prompts that it was weighed for were not told, and how often
    windows: list[dict[str, Any]] = []  # none: edits of five minutes are one version
    relevance: float | None = None  # by age, use and connections now; None: it has ended


class Archival(msgspec.Struct, frozen=True, kw_only=True):
    """Standing of a memory with the archivist."""

    memory: str
    title: str
    is_archived: bool
    should_archive: bool
    why: str  # why it should, in figures, or why it stays


class ArchivalReply(Reply, frozen=True, kw_only=True):
    """Memories that would be archived, or where these stand."""

    memories: list[Archival]
    total: int  # that the rule holds for
    room: int  # how many of them one run takes at most


class Reasons(Reply, frozen=True, kw_only=True):
    """Reasons why a memory is there and as strong as it is."""

    memory: MemoryView
    sentences: list[str] = msgspec.field(default_factory=list[str])  # all of the below in words
    provenance: dict[str, Any]  # rule, tool, redacted; the event's kind, agent and time, or null
    decision: dict[str, Any] | None  # the gate's that made it
    later: list[dict[str, Any]]  # its other decisions about it
    supersedes: list[str]
    shown_at: float | None
    shown_where: str | None
    used_at: float | None
    reviews: list[dict[str, Any]]
    phrases: dict[str, list[str]]  # given by a person, derived from its text
    # episode, kind, reason, score, hours, importance, at
    captures: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    # value, priority, promotable, channels, changes, backfills
    importance: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    lineage: LineageView | None = None
    usage: Usage = Usage()


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
    reach = f"access {memory.accessibility}" if memory.accessibility and not memory.ended else ""
    text = memory.title or memory.text
    return [memory.id, age(moment - memory.created_at), " ".join(marks), state, reach, text]


def facts(memory: MemoryView, spent: Mapping[str, float], moment: float) -> Iterator[list[str]]:
    """Facts about a memory, each with its name; ``spent``: per cent of its life in each state."""
    fading = memory.stability < FOR_EVER
    lasting = f"stability {memory.stability:.1f} days" if fading else "does not fade"
    strength = f"{memory.retrievability:.0%} recallable, {lasting}"
    each = {
        "what": f"{memory.kind}, {memory.tier}" + (", pinned" if memory.pinned else ""),
        "ended" if memory.ended else "lifecycle": _lifecycle(memory, strength),
        "accessibility": _accessibility(memory, spent),
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
    """Marks of use and of people on it; little where nobody said or did anything."""
    yield ["strengths", f"storage {usage.storage:.1f} of 10, retention {usage.retention:.0%}"]
    if usage.sessions:
        share = f" ({usage.effectiveness:.0%})" if usage.effectiveness is not None else ""
        shown = f"shown in {counted(usage.sessions, 'session')}, cited in {usage.cited}{share}"
        yield ["agents", shown]
    if usage.validations:
        verdicts = counted(usage.validations, "verdict")
        yield ["confidence", f"{usage.confidence:.2f} after {verdicts}"]
    if usage.relevance is not None:
        yield ["relevance", f"{usage.relevance:.3f}"]
    if usage.suppressions:
        until = ""
        if usage.hidden_until is not None:
            until = f", in no prompt for {(usage.hidden_until - moment) / 3600:.0f} hours more"
        yield ["suppressed", counted(usage.suppressions, "time") + until]
    for made in usage.proposals:
        if made["state"] == "open":
            yield ["proposed", f"critical ({made['reason']}): reverie plan show {made['id']}"]


def about_line(one: About) -> str:
    """Name a memory's subject, and its fate."""
    name = " in ".join(filter(None, (one.command or one.symbol, one.path)))
    return name if one.state == "held" else f"{name}: {BECAME[one.state]}"


def _lifecycle(memory: MemoryView, strength: str) -> str:
    if memory.ended:
        return f"{memory.ended} ({strength})"
    words = LIFECYCLE.get(memory.state, "")
    return f"{memory.state} ({strength})" + (f": {words}" if words else "")


def _accessibility(memory: MemoryView, spent: Mapping[str, float]) -> str:
    """The second axis, with its value, in words, and how its life was spent."""
    state = memory.accessibility
    if state is None or memory.ended:
        return ""
    value = memory.accessibility_value
    said = f"{state} ({value:.2f})" if value is not None else state
    life = ", ".join(f"{name} {share:.0f} %" for name, share in spent.items() if share >= 0.5)
    return f"{said}: {ACCESSIBILITY[state]}" + (f"; its life so far: {life}" if life else "")
