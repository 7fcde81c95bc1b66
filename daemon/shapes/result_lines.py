"""Results of a recall as lines: each with its origin, its beginning and its reason; the evidence of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from daemon.api.operation import Aside, Line, Title
from daemon.commands.terminal.validity import claim_marks
from daemon.commands.terminal.words import age, fitted, now, one_line, printable

if TYPE_CHECKING:
    from daemon.shapes.results import Channel, Recalled, Scored

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
    if recalled.expandable:
        yield fitted(f"not whole here (reverie show ID): {', '.join(recalled.expandable)}")
    if recalled.associations and recalled.results:
        came = ", ".join(f"{one.id} {one.title} ({one.score:.2f})" for one in recalled.associations)
        yield fitted(f"{recalled.results[0].id} brings to mind: {one_line(came)}")
    if explain:
        yield from _explained(recalled)


def _further(found: Sequence[Scored]) -> int:
    """The place from which none is close; a stage of variety puts far ones before close ones."""
    close = (
        place
        for place, scored in enumerate(found, start=1)
        if scored.why not in FAR or scored.tier == LEADING
    )
    return max(close, default=0)


def _explained(recalled: Recalled) -> Iterator[Line]:
    """Confidence of the answer, its evidence, and the results of each channel and stage."""
    spent = ", ".join(f"{name} {ms:.1f} ms" for name, ms in recalled.timings.items())
    yield f"confidence {recalled.confidence:.2f}" + (f"; {spent}" if spent else "")
    if recalled.evidence:
        yield _gap(recalled.evidence)
    if recalled.channels:
        yield "channels: " + ", ".join(map(_channel_in_words, recalled.channels))
    if recalled.stages:
        yield "stages: " + ", ".join(map(_stage_in_words, recalled.stages))


def result(scored: Scored, *, explain: bool) -> Iterator[Line]:
    """One result, as a person reads it."""
    tier = "" if scored.tier == "normal" else f", {scored.tier}"
    about = f"{scored.kind}{tier}, {age(now() - scored.created_at)}, {one_line(scored.origin)}"
    about += "".join(f", {mark}" for mark in claim_marks(scored, scored.ended))
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


def _channel_in_words(channel: Channel) -> str:
    """A channel in words: its results and time, or its failure."""
    said = channel.failure or f"{channel.found} found"
    return f"{channel.channel.replace('_', ' ')} {said} in {channel.ms:.1f} ms"


def _gap(evidence: Mapping[str, Any]) -> str:
    """Line on whether the answer stands on anything."""
    z = "" if evidence.get("z") is None else f", z {evidence['z']:.2f}"
    connected = evidence.get("connected")
    links = "" if connected is None else f", {connected} memories linked with it"
    why = "there is some" if evidence["reason"] == "none" else evidence["reason"]
    return f"evidence: {why}{z}{links}"


def _stage_in_words(stage: dict[str, Any]) -> str:
    """A stage in words: how many went on, of how many, and how many scores it changed."""
    count = f"{stage['in']}" if stage["in"] == stage["out"] else f"{stage['in']} to {stage['out']}"
    changed = f", {stage['changed']} changed" if stage["changed"] else ""
    return f"{stage['stage']} ({count}{changed})"
