"""Intent: what a programmer seems to be about, by what they did last (Q11).

Each action speaks for some intents; an intent is as sure as the share of recent actions that speak
for it. Under .4 nothing is said. The weights are a choice: no measurement stands behind them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final


class Act(Enum):
    """What was done."""

    READ = "read"
    EDITED = "edited"
    CREATED = "created"
    SEARCHED = "searched"
    ERROR = "error"
    TEST_FAILED = "test_failed"
    TEST_PASSED = "test_passed"
    DOCS_READ = "docs_read"
    DOCS_EDITED = "docs_edited"
    DIFF_READ = "diff_read"
    COMMITTED = "committed"
    DEPENDENCY_CHANGED = "dependency_changed"
    CONFIG_CHANGED = "config_changed"
    RENAMED = "renamed"
    PROFILED = "profiled"


class Intent(Enum):
    """What it was done for."""

    DEBUGGING = "debugging"
    REFACTORING = "refactoring"
    BUILDING = "building"  # a new feature
    LEARNING = "learning"
    MAINTENANCE = "maintenance"
    REVIEWING = "reviewing"
    DOCUMENTING = "documenting"
    OPTIMISING = "optimising"
    INTEGRATING = "integrating"


EVIDENCE: Final[Mapping[Act, Mapping[Intent, float]]] = MappingProxyType(
    {
        Act.READ: {Intent.LEARNING: 0.6, Intent.REVIEWING: 0.4, Intent.DEBUGGING: 0.3},
        Act.EDITED: {Intent.BUILDING: 0.5, Intent.REFACTORING: 0.5, Intent.DEBUGGING: 0.4},
        Act.CREATED: {Intent.BUILDING: 1.0},
        Act.SEARCHED: {Intent.LEARNING: 0.6, Intent.DEBUGGING: 0.4, Intent.REFACTORING: 0.3},
        Act.ERROR: {Intent.DEBUGGING: 1.0},
        Act.TEST_FAILED: {Intent.DEBUGGING: 0.9},
        Act.TEST_PASSED: {Intent.BUILDING: 0.5, Intent.REFACTORING: 0.6, Intent.DEBUGGING: 0.4},
        Act.DOCS_READ: {Intent.LEARNING: 1.0, Intent.INTEGRATING: 0.4},
        Act.DOCS_EDITED: {Intent.DOCUMENTING: 1.0},
        Act.DIFF_READ: {Intent.REVIEWING: 1.0},
        Act.COMMITTED: {Intent.BUILDING: 0.4, Intent.MAINTENANCE: 0.4, Intent.REFACTORING: 0.4},
        Act.DEPENDENCY_CHANGED: {Intent.MAINTENANCE: 0.8, Intent.INTEGRATING: 0.8},
        Act.CONFIG_CHANGED: {Intent.MAINTENANCE: 0.9, Intent.INTEGRATING: 0.5},
        Act.RENAMED: {Intent.REFACTORING: 1.0},
        Act.PROFILED: {Intent.OPTIMISING: 1.0},
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """How far back it looks and how sure it must be (Q11)."""

    actions: int = 100
    seconds: float = 1800.0
    confidence: float = 0.4


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Action:
    """One thing done."""

    act: Act
    at: float  # seconds UTC
    subject: str = ""  # a file or a query


@dataclass(frozen=True, slots=True)
class Detected:
    """What somebody seems to be about, how sure that is, and on what."""

    intent: Intent
    confidence: float  # 0..1
    actions: int
    subjects: tuple[str, ...] = ()  # most frequent first, three at most


def recent(actions: Iterable[Action], now: float, settings: Settings = DEFAULT) -> list[Action]:
    """The actions that count: of the last 30 minutes, the last 100 (Q11)."""
    young = [action for action in actions if 0 <= now - action.at <= settings.seconds]
    return sorted(young, key=lambda action: action.at)[-settings.actions :]


def scores(actions: Sequence[Action]) -> dict[Intent, float]:
    """How much the actions speak for each intent, 0..1: the mean of their evidence (Q11)."""
    totals = dict.fromkeys(Intent, 0.0)
    for action in actions:
        for intent, weight in EVIDENCE[action.act].items():
            totals[intent] += weight
    return {intent: total / max(1, len(actions)) for intent, total in totals.items()}


def detected(
    actions: Iterable[Action], now: float, settings: Settings = DEFAULT
) -> Detected | None:
    """The likeliest intent, or None when none reaches .4 (Q11). Ties go to the first named."""
    counted = recent(actions, now, settings)
    likely = scores(counted)
    best = max(Intent, key=lambda intent: likely[intent])
    if likely[best] < settings.confidence:
        return None
    named = Counter(action.subject for action in counted if action.subject)
    subjects = tuple(subject for subject, _ in named.most_common(3))
    return Detected(best, likely[best], len(counted), subjects)
