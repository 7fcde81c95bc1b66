"""Answers of a reader about the notes of one project, held against the notes shown to it.

Nothing of it changes anything: a repeated or contradicted note is proposed to be put away, and a
conclusion from several becomes an insight with their names.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.events.cutting import Redact
from actors.policy.events.events import listing, mapping
from actors.policy.night.insights import Insight, InsightKind, Proposal, insight
from actors.policy.night.replay import Replayed
from actors.policy.reader.instructions import INSIGHTS, TEXT
from actors.policy.statements.extraction import is_injected
from actors.policy.text.wording import numbered, short_id

NEW: Final = 20  # notes of a project since its last night, from which it is read
SURE: Final = 0.7  # confidence of an insight that was read: a person's verdict moves it. Choice.
EVIDENCE: Final = ("read together",)
REASON: Final = "a reader of the project's notes finds that others say it or end it"


@dataclass(frozen=True, slots=True)
class Concluded:
    """Valid proposals and insights of an answer, and the number of others, by the reason."""

    proposals: tuple[Proposal, ...]
    insights: tuple[Insight, ...]
    dropped: Mapping[str, int]


def concluded(
    document: Mapping[str, object], notes: Mapping[int, Replayed], redact: Redact
) -> Concluded | None:
    """Return the valid part of an answer; None when it has another shape.

    ``notes``: as shown in the request. Each is put away once at most, and never the one kept in its
    place.
    """
    parts = ("twins", "contradictions", "outdated", "insights")
    if not all(isinstance(document.get(part), list) for part in parts):
        return None
    dropped: Counter[str] = Counter()
    steps: dict[int, str] = {}
    stays: set[int] = set()
    for kept, gone, why in _endings(document):
        known = kept in notes and gone in notes and kept != gone
        if not known or gone in stays or kept in steps:
            dropped["it names notes that were not shown, or against itself"] += 1
            continue
        stays.add(kept)
        steps.setdefault(gone, f"{short_id(kept)} {why}")
    insights = [
        one
        for said in map(mapping, listing(document["insights"])[:INSIGHTS])
        if (one := _insight(said, notes, redact, dropped)) is not None
    ]
    made = [Proposal(REASON, ((gone, told),)) for gone, told in steps.items()]
    return Concluded(tuple(made), tuple(insights), dict(dropped))


def _endings(document: Mapping[str, object]) -> list[tuple[int, int, str]]:
    """The note to stay, the one to go, and the reason, for each fault."""
    found: list[tuple[int, int, str]] = []
    for one in map(mapping, listing(document["twins"])):
        kept = _number(one.get("keep"))
        found += [
            (kept, gone, "says it too")
            for gone in map(_number, listing(one.get("ids")))
            if gone != kept
        ]
    for one in map(mapping, listing(document["contradictions"])):
        found.append((_number(one.get("holds")), _number(one.get("ends")), "contradicts it"))
    for one in map(mapping, listing(document["outdated"])):
        found.append((_number(one.get("by")), _number(one.get("id")), "shows that it is over"))
    return found


def _number(id_: object) -> int:
    """The number of a memory by its short id; 0 for none."""
    return (numbered(id_) or 0) if isinstance(id_, str) else 0


def _insight(
    said: Mapping[str, object], notes: Mapping[int, Replayed], redact: Redact, dropped: Counter[str]
) -> Insight | None:
    text = said.get("text")
    ids = [_number(one) for one in listing(said.get("ids"))]
    sources: Sequence[Replayed] = [notes[one] for one in dict.fromkeys(ids) if one in notes]
    if not isinstance(text, str) or not text.strip() or len(text) > TEXT or len(sources) < 2:
        dropped["an insight that is too long, or names fewer than two notes"] += 1
        return None
    if redact(text)[1] or is_injected(text):
        dropped["an insight with a secret, or an order to an agent"] += 1
        return None
    return insight(InsightKind.SYNTHESIS, " ".join(text.split()), sources, EVIDENCE, SURE)
