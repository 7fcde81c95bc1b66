"""Memory made of a note, and the memories it may end."""

from dataclasses import dataclass
from typing import Final

from actors.policy.statements.sources import READER, READER_NOTICED
from actors.policy.statements.trust import KEPT_TIERS, is_stated


@dataclass(frozen=True, slots=True)
class Become:
    """Form in which a note of a kind is kept: the house's kind, its types, and how important it is."""

    kind: str
    memory_type: str
    context_type: str
    importance: float  # 0..1


# The house knows no design; an open matter is a state, which lasts 30 days unless it is said again.
KINDS: Final = {
    "decision": Become("decision", "semantic", "decision", 0.8),
    "wish": Become("preference", "procedural", "general", 0.8),
    "rule": Become("convention", "procedural", "general", 0.8),
    "fact": Become("fact", "declarative", "general", 0.6),
    "cause": Become("discovery", "declarative", "discovery", 0.7),
    "trap": Become("discovery", "declarative", "discovery", 0.7),
    "fix": Become("bugfix", "declarative", "implementation", 0.6),
    "design": Become("fact", "semantic", "implementation", 0.6),
    "open": Become("state", "declarative", "general", 0.6),
}
GONE: Final = "that one had ended by then"
PINNED: Final = "a person pinned that one"
TIERED: Final = "that one is of a tier that a person set"
STATED: Final = "that one is a person's word, which only a person's word ends"
LATER: Final = "that one was said later"


@dataclass(frozen=True, slots=True)
class NoteTarget:
    """A memory to be ended by a note."""

    source: str
    confidence: float  # 0..1
    tier: str
    pinned: bool
    stated_at: float  # seconds UTC
    is_living: bool = True


def source_of(said_by: str) -> str:
    """The source of the memory: a person's word, or an observation."""
    return READER if said_by == "user" else READER_NOTICED


def refusal(source: str, at: float, held: NoteTarget) -> str:
    """Tell why a note of this source, said then, may not end a memory; empty when it may."""
    if not held.is_living:
        return GONE
    if held.pinned:
        return PINNED
    if held.tier in KEPT_TIERS:
        return TIERED
    if source != READER and is_stated(held.source, held.confidence):
        return STATED
    return LATER if held.stated_at > at else ""
