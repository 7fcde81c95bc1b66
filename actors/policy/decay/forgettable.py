"""Forgetting: which memories nobody would miss. A proposal, never a deed (J06).

What is important, young, of use lately, of a kind that lasts, pinned or of a protected tier stays,
whatever its relevance. A memory is named only when all protections fail and its relevance is under
the threshold (INV-001 to INV-004); of the store at most 5 % in one run (U08).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from actors.policy.decay.states import is_protected

DAY: Final = 86_400.0  # seconds
LASTING: Final = frozenset({"decision", "discovery"})  # J06


@dataclass(frozen=True, slots=True)
class Settings:
    """Who is protected, and what is little (J06)."""

    important: float = 0.7  # importance, at or above
    young: float = 90.0  # days of age, below
    unused: float = 90.0  # days since the last use, below: the sources forgot what was in use
    lasting: frozenset[str] = LASTING  # kinds
    threshold: float = 0.01  # relevance, below
    share: float = 0.05  # of the living memories, at most, in one run


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a memory that may have to go."""

    id: int
    kind: str
    tier: str
    pinned: bool
    created_at: float  # seconds UTC
    last_use: float | None
    importance: float  # 0..1
    relevance: float | None  # None: never computed
    worth: float = 0.0  # by J12: of several that may go, the least goes first


def protection(memory: Standing, now: float, settings: Settings = DEFAULT) -> str:
    """Why a memory stays, in a few words; empty when nothing protects it (J06)."""
    if is_protected(memory.tier, pinned=memory.pinned):
        return "pinned" if memory.pinned else f"its tier is {memory.tier}"
    if memory.importance >= settings.important:
        return "it is important"
    if now - memory.created_at < settings.young * DAY:
        return "it is young"
    if memory.kind in settings.lasting:
        return f"a {memory.kind} lasts"
    if memory.last_use is not None and now - memory.last_use < settings.unused * DAY:
        return "it was of use lately"
    return ""


def is_forgettable(memory: Standing, now: float, settings: Settings = DEFAULT) -> bool:
    """Whether no protection holds and its relevance is under the threshold (INV-004)."""
    if memory.relevance is None or not memory.relevance < settings.threshold:
        return False
    return not protection(memory, now, settings)


def forgettable(
    memories: Iterable[Standing], living: int, now: float, settings: Settings = DEFAULT
) -> list[Standing]:
    """Those to be proposed: the least relevant and least worth first, at most 5 % of the living."""
    found = [memory for memory in memories if is_forgettable(memory, now, settings)]
    found.sort(key=lambda memory: (memory.relevance or 0.0, memory.worth, memory.id))
    return found[: int(living * settings.share)]
