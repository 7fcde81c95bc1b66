"""Which memories the archivist would put away (G01, C07).

The job's rule: older than 90 days, used fewer than twice, trusted less than .4; and the lifecycle
has to agree that it is archivable, which it is after 90 days without use, stretched by what the
memory is about (A23). Being shown is no use (finding 13). Protected ones never go (B07).
"""

from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400.0  # seconds
QUIET: Final = 90 * DAY  # seconds for which what a person brought back or left stays (U02)


@dataclass(frozen=True, slots=True)
class Settings:
    """The archivist (G01)."""

    enabled: bool = True
    applies: bool = False  # what it finds is put away at once; else it waits as a plan (ADR 0013)
    every: float = 7_200.0  # seconds
    batch: int = 50  # memories looked at in one turn
    age_days: float = 90.0  # older than
    uses: int = 2  # fewer than
    confidence: float = 0.4  # less than


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Old:
    """What the rule goes by."""

    age_days: float
    idle_days: float  # since it was last used
    uses: int
    confidence: float  # 0..1
    archivable: bool  # by its lifecycle state (C07)
    protection: str = ""  # why it is protected, in words; empty when it is not


def why_it_stays(old: Old, settings: Settings = DEFAULT) -> str:
    """The first reason not to archive it, in words; empty when it should be archived (G01, G03)."""
    if old.protection:
        return old.protection
    if not old.age_days > settings.age_days:
        return f"it is {old.age_days:.0f} days old, not over {settings.age_days:g}"
    if old.uses >= settings.uses:
        return f"it was used {old.uses} times"
    if not old.confidence < settings.confidence:
        return f"its confidence is {old.confidence:.2f}, not under {settings.confidence:g}"
    if not old.archivable:
        return "it has not been idle for long enough for what it is"
    return ""


def evidence(old: Old) -> str:
    """Why it would be archived, in figures: the same whatever the memory says."""
    times = {0: "never used", 1: "used once"}.get(old.uses, f"used {old.uses} times")
    idle = f", not for {old.idle_days:.0f} days" if old.uses else ""
    return f"{old.age_days:.0f} days old, {times}{idle}, confidence {old.confidence:.2f}"


def reason(settings: Settings = DEFAULT) -> str:
    """The rule in a line, for the plan (G01)."""
    return (
        f"older than {settings.age_days:g} days, used fewer than {settings.uses} times,"
        f" confidence under {settings.confidence:g}"
    )
