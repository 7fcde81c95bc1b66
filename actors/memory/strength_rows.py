"""Rows for strength: opinions, windows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Opinion:
    """Opinions of people about a memory."""

    confidence: float = 0.5  # 0..1, by their verdicts
    validations: int = 0  # verdicts
    suppressions: int = 0
    suppressed_at: float | None = None
    edges: float = 0.0  # to memories that are suppressed, summed
    useful: int = 0  # times it was called so in the project that asks, and in none
    useless: int = 0
    unused: int = 0  # prompts' sessions that it was told to, if nobody ever used it; 5 at most


@dataclass(frozen=True, slots=True)
class Hinted:
    """Feedback on a memory's hint in a file."""

    unheeded: int = 0  # showings since somebody reacted
    muted: bool = False


@dataclass(frozen=True, slots=True)
class Window:
    """A memory recalled lately and labile, and its number of edits since."""

    memory_id: int
    opened_at: float
    edits: int
