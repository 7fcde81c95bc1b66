"""Results of a recall as clients see them: their shapes, made of recall's answer, and their lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import msgspec

from daemon.api.operation import Aside, Line, Title
from daemon.commands.terminal.words import age, claim_marks, fitted, now, one_line, printable
from daemon.shapes.memory import AssociationView, Status
from daemon.shapes.replies import Mode, Reply
from daemon.views import memory_view, view

if TYPE_CHECKING:
    from actors.memory.rows import Memory
    from actors.policy.recall.candidates import Candidate
    from actors.policy.recall.stages import Passed
    from actors.recall.shapes import Answer


class ConsideredView(msgspec.Struct, frozen=True, kw_only=True):
    """A memory weighed for a prompt, or for the page of a start."""

    id: str
    title: str
    confidence: float  # 0…1, that it bears on the prompt; of the page the share of the most weight
    reason: str  # by which evidence
    fate: str  # told, a line, or why not
    characters: int = 0  # of its text where it was told, of its line where it was listed
    # how the session made use of it: opened, cited, done, edited_after, confirmed
    used: str | None = None
    became: str = ""  # in words, of what was told or listed: ``nothing yet``


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a recall."""

    id: str
    key: str | None
    score: float  # 0…1
    text: str
    title: str
    kind: str
    tier: str
    origin: str
    project: str | None
    created_at: float
    why: str
    parts: dict[str, float] = {}
    # with ``explain``: name, times, plus; applied in this order from 0 they give the score
    terms: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    status: Status = "confirmed"
    valid_from: float | None = None
    valid_until: float | None = None
    valid: bool = True  # now
    stale: str = ""  # what is said while what it is about is gone, changed or spoken against


class Degraded(msgspec.Struct, frozen=True, kw_only=True):
    """Account of the channels that did not answer."""

    failure_mode: str  # each with its mode: late, unavailable, unreadable, crashed, switched off
    line: str  # with the reasons, for a person


class Recalled(Reply, frozen=True, kw_only=True):
    """The answer to a recall, best first."""

    results: list[Scored]
    confidence: float = 0.0
    mode: Mode = "none"  # what was searched: words and vectors, or only one of them
    degraded: Degraded | None = None  # what failed; what a person switched off is not among it
    # gap, reason, z
    evidence: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    prompt: str | None = None  # with ``as_prompt``: the block that a prompt would get
    # with ``as_prompt``: what it would be told, and what comes close
    considered: list[ConsideredView] = msgspec.field(default_factory=list[ConsideredView])
    # how the query was understood: words searched for besides, an event's day
    said: list[str] = msgspec.field(default_factory=list[str])
    # with ``explain``: each stage, how many came in and went on, and how many scores it changed
    stages: list[dict[str, Any]] = msgspec.field(default_factory=list[dict[str, Any]])
    # with ``associations``: what the best result brings to mind
    associations: list[AssociationView] = msgspec.field(default_factory=list[AssociationView])
    # with ``tokens``: ids of what did not fit, best first
    expandable: list[str] = msgspec.field(default_factory=list[str])


def recalled(found: Answer, *, explain: bool, at: float) -> Recalled:
    """Results of recall for the wire; ``at``: now."""
    from actors.policy.recall.answers import line_of, mode_of

    lost = found.missing
    return view(
        Recalled,
        found,
        results=[scored(note, explain=explain, at=at) for note in found.notes],
        degraded=Degraded(failure_mode=mode_of(lost), line=line_of(lost)) if lost else None,
        considered=[],
        stages=[_stage(passed) for passed in found.stages] if explain else [],
    )


def _stage(passed: Passed) -> dict[str, Any]:
    return {
        "stage": passed.stage,
        "in": len(passed.entered),
        "out": len(passed.left),
        "changed": len(passed.terms),
    }


def scored(note: Candidate[Memory], *, explain: bool, at: float) -> Scored:
    """One result for the wire; ``at``: now."""
    from actors.memory.use import origin_of
    from actors.policy.times.stated_times import is_valid

    memory = note.memory
    return memory_view(
        Scored,
        memory,
        score=note.score,
        origin=origin_of(memory),
        why=note.why,
        parts=dict(note.parts) if explain else {},
        terms=[term._asdict() for term in note.terms] if explain else [],
        valid=is_valid(memory.validity, at),
    )


# ---- in lines: each result with its origin, its beginning and its reason; the evidence of the answer


INDENT: Final = "    "
# Reasons of results that nobody would miss: a person asked for as many as there are.
LEADING: Final = "constitutional"  # leads whether or not it is close
FAR: Final = frozenset(
    {
        "not close enough",
        "not looked at closely",
        "only an outright question is told it",
        "shares words, but is not close in meaning",
    }
)
SHOWN_LINES: Final = 6  # lines of a text; ``reverie show`` has all


def results(recalled: Recalled, *, explain: bool) -> Iterator[Line]:
    """Results, best first, and remarks on them."""
    if not recalled.results:
        yield "nothing is known about this"
    for line in recalled.said:
        yield Aside(fitted(one_line(line)))
    further = _further(recalled.results)
    for place, scored in enumerate(recalled.results):
        if place == further:
            yield Aside("further ones, none of them close:")
        yield from result(scored, explain=explain)
    if recalled.associations and recalled.results:
        came = ", ".join(f"{one.id} {one.title} ({one.score:.2f})" for one in recalled.associations)
        yield fitted(f"{recalled.results[0].id} brings to mind: {one_line(came)}")
    if explain:
        yield f"confidence {recalled.confidence:.2f}"
        if recalled.evidence:
            yield _gap(recalled.evidence)
        if recalled.stages:
            yield "stages: " + ", ".join(map(_stage_in_words, recalled.stages))


def _further(found: Sequence[Scored]) -> int:
    """The place from which none is close; a stage of variety puts far ones before close ones."""
    close = (
        place
        for place, scored in enumerate(found, start=1)
        if scored.why not in FAR or scored.tier == LEADING
    )
    return max(close, default=0)


def result(scored: Scored, *, explain: bool) -> Iterator[Line]:
    """One result, as a person reads it."""
    tier = "" if scored.tier == "normal" else f", {scored.tier}"
    about = f"{scored.kind}{tier}, {age(now() - scored.created_at)}, {one_line(scored.origin)}"
    about += "".join(f", {mark}" for mark in claim_marks(scored, None))
    own_title = scored.title and not scored.text.startswith(scored.title)
    title = f"  {one_line(scored.title)}" if own_title else ""
    yield Title(fitted(f"{scored.score:.2f}  {scored.id}{title}"))
    yield fitted(f"{INDENT}{about}")
    yield from beginning(scored.id, scored.text)
    if explain:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in scored.parts.items())
        yield f"{INDENT}why: {one_line(scored.why)}" + (f" ({parts})" if parts else "")
        if scored.terms:
            yield f"{INDENT}score: {_sum(scored)}"


def beginning(name: str, text: str) -> Iterator[Line]:
    """The first lines of a text, and the command for the rest; ``name``: its id."""
    lines = [line for line in printable(text).splitlines() if line.strip()]
    for line in lines[:SHOWN_LINES]:
        yield fitted(f"{INDENT}{one_line(line)}")
    if len(lines) > SHOWN_LINES:
        yield f"{INDENT}({len(lines) - SHOWN_LINES} more lines: reverie show {name})"


def _sum(scored: Scored) -> str:
    """Terms of the score, as it can be recomputed."""
    steps = [
        f"{'+' if term['plus'] >= 0 else '-'} {abs(term['plus']):.3f} {term['name']}"
        if term["times"] == 1
        else f"x {term['times']:.3f} {term['name']}"
        for term in scored.terms
        if term["times"] != 1 or term["plus"]
    ]
    most = ", the most there is" if scored.score >= 1 else ""
    return f"{' '.join(steps).removeprefix('+ ')} = {scored.score:.3f}{most}"


def _gap(evidence: Mapping[str, Any]) -> str:
    z = "" if evidence.get("z") is None else f", z {evidence['z']:.2f}"
    why = "there is some" if evidence["reason"] == "none" else evidence["reason"]
    return f"evidence: {why}{z}"


def _stage_in_words(stage: dict[str, Any]) -> str:
    """A stage in words: how many went on, of how many, and how many scores it changed."""
    count = f"{stage['in']}" if stage["in"] == stage["out"] else f"{stage['in']} to {stage['out']}"
    changed = f", {stage['changed']} changed" if stage["changed"] else ""
    return f"{stage['stage']} ({count}{changed})"
