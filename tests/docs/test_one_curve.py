"""docs/adr/0014: its table of states is what the policy gives, before and after."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from actors.policy.decay.curve import (
    FSRS6_DECAY,
    HALF_LIVES,
    Strength,
    effective_stability,
    retrievability,
)
from actors.policy.decay.states import DAY, Fading, Rules, Settings, named, standing_at

PAGE: Final = Path(__file__).parents[2] / "docs" / "adr" / "0014-one-curve.md"
ROW: Final = re.compile(r"^\| (?P<what>[a-z-]+(?:, used once)?) \| (?P<cells>.*) \|$", re.MULTILINE)
AGES: Final = (1, 2, 7, 30, 60, 90, 180, 365)  # days
BEFORE: Final = 0.5  # FSRS-4.5's exponent, by which states went
USED: Final = Strength(stability=2.3065, last_review=0.0, reviews=1)  # a first use, graded good


def seen(what: str, days: int, decay: float) -> tuple[str, str]:
    """The state and the retrievability of a memory of this kind after so many days."""
    kind, _, used = what.partition(", ")
    stability = effective_stability(USED if used else Strength(), kind, decay)
    state = named(standing_at(Fading(1, stability, 0.0, 0.0), days * DAY, Rules(Settings(), decay)))
    recalled = f"{retrievability(stability, days, decay):.2f}"
    return state, recalled.removeprefix("0")


def cell(what: str, days: int) -> str:
    (state, before), (now, after) = (seen(what, days, one) for one in (BEFORE, FSRS6_DECAY))
    if state == now:
        return f"{now} {before} → {after}"
    return f"**{state} → {now}** {before} → {after}"


def test_the_table_says_how_every_type_moves() -> None:
    kinds = [kind for kind in HALF_LIVES if kind != "meta-cognitive"]  # which never fades
    expected = {
        what: " | ".join(cell(what, days) for days in AGES)
        for what in (*kinds, "declarative, used once")
    }

    found = {row["what"]: row["cells"] for row in ROW.finditer(PAGE.read_text())}
    assert found == expected
