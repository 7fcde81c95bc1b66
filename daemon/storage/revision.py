"""Which writes change what recall looks through; the others leave prepared answers true (Q08).

A write that is not named here changes the indexes, as far as anybody knows: a new kind of write
costs prepared answers until somebody has looked, and never makes one wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from actors.capture.writes import (
    Backfilled,
    Captured,
    Dimmed,
    Faded,
    ImportanceRated,
    Marked,
    Raised,
)
from actors.embedding.writes import ModelChosen
from actors.intake.writes import Derived, Journaled
from actors.intentions.writes import (
    IntentionChanged,
    IntentionErased,
    IntentionMade,
    IntentionsDropped,
)
from actors.memory.unit import Unit
from actors.memory.writes import DueAt, Erased, ErasedEverything
from actors.recall.prepared import Revision
from actors.session.writes import Delivered, Held, SessionSeen, Undelivered
from actors.strength.writes import (
    Credited,
    Exposed,
    Rated,
    Resettled,
    Reviewed,
    Suppressed,
    Validated,
)

# They write no text, vector, phrase or scope of a memory. The rows that some of them change
# (strength, importance, confidence, opinions) are read when a question comes.
QUIET: Final = (
    Backfilled, Captured, Credited, Delivered, Derived, Dimmed, DueAt, Exposed, Faded, Held,
    ImportanceRated, IntentionChanged, IntentionErased, IntentionMade, IntentionsDropped,
    Journaled, Marked, Raised, Rated, Resettled, Reviewed, SessionSeen, Suppressed,
    Undelivered, Validated,
)  # fmt: skip


def revised(before: Revision, units: Sequence[Unit]) -> Revision:
    """The revision after these units, carried out or not."""
    writes = [write for unit in units for write in unit]
    loud = any(not isinstance(write, QUIET) for write in writes)
    return replace(
        before,
        indexes=before.indexes + loud,
        models=before.models + any(isinstance(write, ModelChosen) for write in writes),
        erasures=before.erasures
        + any(isinstance(write, Erased | ErasedEverything) for write in writes),
    )
