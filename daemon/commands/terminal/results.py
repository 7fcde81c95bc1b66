"""Results of a recall as lines: heading, origin, the beginning of the text, and why it is there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from daemon.api.operation import Line, Title
from daemon.commands.terminal.validity import marks
from daemon.commands.terminal.words import age, fitted, now, one_line, printable

if TYPE_CHECKING:
    from daemon.requests.recall import Scored

INDENT: Final = "    "
SHOWN_LINES: Final = 6  # lines of a text; ``reverie show`` has all


def result(scored: Scored, *, explain: bool) -> Iterator[Line]:
    """One result, as a person reads it."""
    tier = "" if scored.tier == "normal" else f", {scored.tier}"
    about = f"{scored.kind}{tier}, {age(now() - scored.created_at)}, {one_line(scored.origin)}"
    about += "".join(f", {mark}" for mark in marks(scored, scored.ended))
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
    """The first lines of a text, and the command that shows the rest; ``name``: its id."""
    lines = [line for line in printable(text).splitlines() if line.strip()]
    for line in lines[:SHOWN_LINES]:
        yield fitted(f"{INDENT}{one_line(line)}")
    if len(lines) > SHOWN_LINES:
        yield f"{INDENT}({len(lines) - SHOWN_LINES} more lines: reverie show {name})"


def _sum(scored: Scored) -> str:
    """How the score came about, as it can be recomputed."""
    steps = [
        f"{'+' if term['plus'] >= 0 else '-'} {abs(term['plus']):.3f} {term['name']}"
        if term["times"] == 1
        else f"x {term['times']:.3f} {term['name']}"
        for term in scored.terms
        if term["times"] != 1 or term["plus"]
    ]
    most = ", the most there is" if scored.score >= 1 else ""
    return f"{' '.join(steps).removeprefix('+ ')} = {scored.score:.3f}{most}"
