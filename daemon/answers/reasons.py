"""Why a memory is there, in sentences: one a question that a person may have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from actors.policy.notes import age
from daemon.requests.past import Reasons

LATER = 5  # of the gate's later decisions, the newest
PHRASES = 8  # of each sort
PLACES = {
    "prompt": "with a prompt",
    "session_start": "at the start of a session",
    "recall": "by a search",
    "editor": "in an editor",
}


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of a memory, to be put into words."""

    found: Reasons
    memory_type: str
    unjudged: bool
    now: float


def sentences(known: Known) -> list[str]:
    """Where it comes from, who made it, what became of it, how strong it is, what calls it."""
    return [
        *_origin(known),
        *_decisions(known),
        *_succession(known),
        *_captures(known),
        *_use(known),
        *_strength(known),
        *_phrases(known),
    ]


def _ago(known: Known, at: object) -> str:
    return age(known.now - float(at)) if isinstance(at, int | float) else "at an unknown time"


def _origin(known: Known) -> Iterator[str]:
    memory, made_of = known.found.memory, known.found.provenance
    said = f"It was {memory.origin}, {_ago(known, memory.created_at)}"
    if memory.session:
        said += f", in session {memory.session}"
    if made_of["tool"]:
        said += f", from the tool {made_of['tool']}"
    if made_of["event"]:
        said += f" (the event: {made_of['event'].replace('_', ' ')}, of {made_of['agent']})"
    yield said + "."
    if made_of["redacted"]:
        yield "Secrets were taken out of its text before it was stored."
    if memory.versions > 1:
        yield f"Its text was rewritten {_times(memory.versions - 1)}; earlier ones are kept."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _decisions(known: Known) -> Iterator[str]:
    made = known.found.decision
    if made is None:
        yield "No decision of the gate that made it is on record."
    else:
        yield f"The gate made it: {_decision(made)}."
    if known.unjudged and known.found.memory.ended is None:
        yield "It was kept without vectors; the gate looks at it again when it has them."
    for later in known.found.later[-LATER:]:
        other = later["memory"] if later["memory"] != known.found.memory.id else None
        cause = f" because of {other}" if other else ""
        yield f"The gate came back to it {_ago(known, later['at'])}{cause}: {_decision(later)}."


def _decision(decision: dict[str, Any]) -> str:
    said = f"{decision['action']}, {decision['reason'].rstrip('.') or 'no reason noted'}"
    if decision["existing"] and decision["similarity"] is not None:
        return f"{said} (similarity {decision['similarity']:.2f} to {decision['existing']})"
    return f"{said} (beside {decision['existing']})" if decision["existing"] else said


def _succession(known: Known) -> Iterator[str]:
    memory = known.found.memory
    if known.found.supersedes:
        yield f"It took the place of {', '.join(known.found.supersedes)}."
    if memory.ended is None:
        return
    when = _ago(known, known.found.provenance["ended_at"])
    if memory.superseded_by:
        yield f"{memory.superseded_by} took its place, {when}: it is {memory.ended}."
    else:
        yield f"It is {memory.ended}, since {when}."


def _captures(known: Known) -> Iterator[str]:
    """Which moments captured it (H07, H09)."""
    for taken in known.found.captures:
        side = "before" if taken["hours"] >= 0 else "after"
        moment = taken["reason"] or str(taken["kind"]).replace("_", " ")
        yield (
            f"It was captured {_ago(known, taken['at'])}, made {abs(taken['hours']):.1f} hours"
            f" {side} the moment “{moment}”: score {taken['score']:.2f}, importance at least"
            f" {taken['importance']:.2f}, episode {taken['episode']}."
        )


def _use(known: Known) -> Iterator[str]:
    found = known.found
    if found.shown_at is None:
        yield "It was never shown."
    else:
        place = PLACES.get(found.shown_where or "", f"in {found.shown_where}")
        often = _times(found.memory.exposures)
        yield f"It was shown {often}, last {place}, {_ago(known, found.shown_at)}."
    if found.used_at is None:
        yield "It was never used."
    else:
        yield f"It was used {_times(found.memory.uses)}, last {_ago(known, found.used_at)}."


def _strength(known: Known) -> Iterator[str]:
    found, memory = known.found, known.found.memory
    if found.reviews:
        causes = Counter(str(review["cause"]).replace("_", " ") for review in found.reviews)
        listed = ", ".join(f"{cause} {_times(count)}" for cause, count in causes.items())
        came = (
            f"{len(found.reviews)} {'review' if len(found.reviews) == 1 else 'reviews'} ({listed})"
        )
    else:
        came = f"no review, only what is usual for {known.memory_type} memory"
    if memory.pinned or memory.tier in ("constitutional", "critical"):
        held = "pinned" if memory.pinned else memory.tier
        yield f"It does not fade: it is {held}. Behind that stands {came}."
        return
    if memory.ended is not None:
        yield f"Its strength came from {came}: a stability of {memory.stability:.1f} days."
        return
    yield (
        f"Its strength comes from {came}: a stability of {memory.stability:.1f} days,"
        f" {memory.retrievability:.0%} recallable now ({memory.state})."
    )


def _phrases(known: Known) -> Iterator[str]:
    given, derived = (known.found.phrases[sort] for sort in ("given", "derived"))
    if known.found.memory.ended is not None:
        yield "Nothing calls it: an ended memory is in no index."
        return
    for phrases, sort in ((given, "set by a person"), (derived, "found in its text")):
        if phrases:
            listed = ", ".join(f"“{phrase}”" for phrase in phrases[:PHRASES])
            more = f" and {len(phrases) - PHRASES} more" if len(phrases) > PHRASES else ""
            yield f"It is called by {listed}{more} ({sort})."
    if not given and not derived:
        yield "No phrase calls it; a question of its words or meaning does."
