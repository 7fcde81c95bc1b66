"""Attention: presence of a note in a session, and the few notes in its attention.

It fades with the session's prompts and never by the clock: a session resumed after a night attends
to its earlier work. It is computed on request and never written back, so nothing depends on how
often somebody looked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

WHOLE: Final = 1.0  # of what was told beside a prompt, made or used
LISTED: Final = (
    0.4  # of what a page lists, which is no use of it. Choice: warm, and gone after 13 prompts
)
HOT: Final = 0.5  # from which a note is hot: for four prompts
FADED: Final = 0.05  # below it a session attends no more: after 18 prompts
LEFT: Final = 0.85  # share of attention that one prompt leaves


class Tier(StrEnum):
    """Tier of a note's presence."""

    HOT = "hot"
    WARM = "warm"


@dataclass(frozen=True, slots=True)
class Settings:
    """Room of one session's working memory."""

    hot: int = 5
    warm: int = 10


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Attended:
    """A note in a session's attention."""

    attention: float  # 0..1
    tier: Tier


def attention(anchor: float, prompts: int) -> float:
    """Attention left of ``anchor`` (0..1) after so many prompts: anchor * .85^prompts."""
    return anchor * LEFT**prompts


def attended(notes: Mapping[int, float], settings: Settings = DEFAULT) -> dict[int, Attended]:
    """Return the notes within the room, by id, the most attended first; of equals the newer.

    ``notes`` gives the attention to each. The first five of .5 or more are hot, the next ten warm.
    """
    present = {note: much for note, much in notes.items() if much >= FADED}
    order = sorted(present, key=lambda note: (-present[note], -note))
    hot = [note for note in order if present[note] >= HOT][: settings.hot]
    warm = order[len(hot) : len(hot) + settings.warm]
    tiers = dict.fromkeys(hot, Tier.HOT) | dict.fromkeys(warm, Tier.WARM)
    return {note: Attended(present[note], tier) for note, tier in tiers.items()}
