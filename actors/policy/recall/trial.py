"""Features on trial: which are switched on here, and what they make of an order (F15, D07, D08).

A switch is false, true or a percentage of installations. True leaves it to the percentage that
holds for all of them, as F15 has it; a percentage of its own is asked before that one. The
identity is the store's, so an installation keeps its side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from actors.policy.recall import composite
from actors.policy.recall.interference import Sibling, interfering
from actors.policy.recall.ranking import Placed
from actors.policy.recall.rollout import is_enabled
from actors.policy.recall.stage_rules import Term

Switch = bool | float  # off, on, or a percentage

BOOSTING: Final = composite.Settings(novelty=True)


@dataclass(frozen=True, slots=True)
class Settings:
    """The switches. What was decided against or not decided yet is off (C16, ADR 0008)."""

    percent: float = 100.0  # of installations have what is switched on by ``True``
    session_boost: Switch = True  # F08, C19
    pressure: Switch = True  # F13, C19
    extraction: Switch = True  # F11
    novelty: Switch = False  # D07, C16
    interference: Switch = False  # D08
    capacity: Switch = False  # B02, B03


@dataclass(frozen=True, slots=True)
class Enabled:
    """The switches as they are for one installation."""

    session_boost: bool = True
    pressure: bool = True
    extraction: bool = True
    novelty: bool = False
    interference: bool = False
    capacity: bool = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """What the features on trial look at in a memory."""

    identity: int
    age_hours: float
    folder: str
    title: str
    triggers: tuple[str, ...] = ()


def enabled(settings: Settings, identity: str | None) -> Enabled:
    """Which features this installation has (F15)."""
    return Enabled(
        **{
            field.name: _is_on(getattr(settings, field.name), identity, settings.percent)
            for field in fields(Enabled)
        }
    )


def adjusted(placed: Sequence[Placed], looks: Mapping[int, Candidate], on: Enabled) -> list[Placed]:
    """The order with what is switched on, best first (D07, D08).

    Being new adds up to .15 and lifts to .95 at most; each other memory found whose title and
    triggers say much the same takes .08. What changed a score stands among its parts.
    """
    if not (on.novelty or on.interference):
        return list(placed)
    siblings: dict[str, int] = {}
    if on.interference:
        siblings = interfering(
            Sibling(str(one.identity), one.folder, one.title, one.triggers)
            for one in looks.values()
        )
    changed = [_adjusted(one, looks[one.identity], siblings, on) for one in placed]
    return sorted(changed, key=lambda one: (-one.score, one.identity))


def _is_on(switch: Switch, identity: str | None, percent: float) -> bool:
    if isinstance(switch, bool):
        return is_enabled(str(switch), identity, percent)
    return is_enabled(None, identity, switch)


def _adjusted(one: Placed, look: Candidate, siblings: Mapping[str, int], on: Enabled) -> Placed:
    score, parts, terms = one.score, dict(one.parts), list(one.terms)
    if on.interference:
        lowered = composite.with_interference(score, siblings[str(one.identity)], BOOSTING)
        parts["interference"] = lowered - score
        terms.append(Term("interference", plus=lowered - score))
        score = lowered
    if on.novelty:
        lifted = composite.with_novelty(score, look.age_hours, BOOSTING)
        parts["novelty"] = lifted - score
        terms.append(Term("novelty", plus=lifted - score))
        score = lifted
    return one._replace(score=score, parts=parts, terms=tuple(terms))
