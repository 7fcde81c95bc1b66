"""What a dream finds in the notes of ``dream_cases``, with the recorded likeness of their texts."""

import json
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from actors.policy.dreams import replay
from actors.policy.dreams.insights import Insight
from actors.policy.dreams.replay import Replayed
from tests.policy.dreams import at_once
from tests.policy.dreams.dream_cases import DAY, NOW, Case, Note, filler

FIRST: Final = 1_000  # id of the first planted note; those of the filler count from 0
NEAREST: Final = 12
# Cosines of all-MiniLM-L6-v2 in hundredths: [one, other, cosine] from .25 (.40 for filler) on.
RECORDED: Final = Path(__file__).with_name("dream_cosines.json")
ALL: Final = 1_000  # insights: more than any dream has


@cache
def recorded() -> dict[str, list[tuple[int, int, float]]]:
    found: dict[str, list[tuple[int, int, float]]] = json.loads(RECORDED.read_text("utf-8"))
    return found


def remembered(notes: Sequence[Note], first: int = FIRST) -> list[Replayed]:
    return [
        replay.replayed(
            first + number, NOW - note.days * DAY, note.text, note.kind, "episodic", note.project
        )
        for number, note in enumerate(notes)
    ]


def neighbours(*names: str) -> dict[int, list[tuple[int, float]]]:
    near: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for name in names:
        for one, other, cosine in recorded()[name]:
            near[one].append((other, cosine))
            near[other].append((one, cosine))
    return {one: sorted(hits, key=lambda hit: -hit[1])[:NEAREST] for one, hits in near.items()}


@cache
def dreamt(case: Case | None) -> list[Insight]:
    """All insights of a dream over the filler, with a case's notes among it."""
    notes = remembered(filler(), 0) + (remembered(case.notes) if case else [])
    names = ("filler", case.name) if case else ("filler",)
    return at_once.noticed(at_once.told_apart(notes), neighbours(*names), most=ALL)


def tells(found: Sequence[Insight], case: Case) -> bool:
    """Whether an insight of the right kind rests on the planted notes, most of them."""
    planted = set(range(FIRST, FIRST + len(case.notes)))
    return any(
        insight.kind.value == case.kind
        and set(insight.memory_ids) <= planted
        and len(insight.memory_ids) >= min(len(planted), max(2, 0.6 * len(planted)))
        for insight in found
    )
