"""What a session is told of captures: one line about what was kept since the last one (H07, H09).

It says how many notes, for which moments, and where to see them. What a moment was is quoted from
a command or made by a rule, so the line goes into the fence like any note.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from actors.policy.text.wording import listed, one_line

MOMENTS: Final = 3  # that are named; the others are counted
REASON: Final = 100  # characters


def reported(captures: Iterable[tuple[str, str, str]]) -> str:
    """The line about captures (event, its kind, its reason), in their order; "" for none (H09)."""
    found = list(captures)
    if not found:
        return ""
    counts = Counter(_said(kind, reason) for _, kind, reason in found)
    named = list(counts)[:MOMENTS]
    if len(counts) == 1:
        because = f"because {named[0]}"
    else:
        because = listed(f"{counts[reason]} because {reason}" for reason in named)
        rest = len(counts) - len(named)
        if rest:
            because += f", and others at {rest} more {'moment' if rest == 1 else 'moments'}"
    notes = "1 earlier note was" if len(found) == 1 else f"{len(found)} earlier notes were"
    return f"Since your last session {notes} kept as important: {because}."


def waiting(plans: int) -> str:
    """The line about plans that wait for a person (U02); "" for none. It says nothing of them."""
    if not plans:
        return ""
    much = "A proposal" if plans == 1 else f"{plans} proposals"
    verb = "waits" if plans == 1 else "wait"
    return f"{much} to tidy up the memory {verb} for the user's decision: reverie plans."


def _said(kind: str, reason: str) -> str:
    """The reason; an erased one leaves the kind of the moment."""
    if reason:
        return one_line(reason, REASON).rstrip(".")
    return f"of a moment ({kind.replace('_', ' ')})"
