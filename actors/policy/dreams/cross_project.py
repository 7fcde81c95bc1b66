"""Across projects: what holds in several of them, and may hold everywhere (Q06).

A pattern is universal when two projects or more have it and it did well there: of the times it
was followed, six in ten ended well. Then lifting it to the user's own scope is proposed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.themes import Theme
from actors.policy.statements.happenings import OPEN

# When a pattern is universal (Q06).
PROJECTS: Final = 2
SUCCESS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Uses:
    """How often a memory was followed, and how often that ended well."""

    helped: int = 0
    failed: int = 0


def success(uses: Iterable[Uses]) -> float | None:
    """The share of uses that ended well, or None when there were none (Q06)."""
    held = list(uses)
    helped, failed = sum(one.helped for one in held), sum(one.failed for one in held)
    return helped / (helped + failed) if helped + failed else None


def is_universal(projects: int, rate: float | None) -> bool:
    """Whether a pattern of so many projects and such success holds everywhere (Q06)."""
    return projects >= PROJECTS and rate is not None and rate >= SUCCESS


def lifts(themes: Iterable[Theme], uses: Mapping[int, Uses]) -> list[Proposal]:
    """The themes that may be lifted to the user's scope, most successful first (Q06).

    Questions and failures are not lifted, nor is what belongs to the user already. The reason is
    figures alone: a plan outlives the texts that it is about.
    """
    found: list[Proposal] = []
    for theme in themes:
        members = [one for one in theme.members
                   if one.project is not None and one.happening not in OPEN]  # fmt: skip
        projects = {one.project for one in members}
        rate = success(uses.get(one.id, Uses()) for one in members)
        if rate is None or not is_universal(len(projects), rate):
            continue
        reason = (
            f"the same holds in {len(projects)} projects and went well {rate:.0%} of the times it"
            " was followed"
        )
        ids = tuple(one.id for one in members)
        found.append(Proposal("lift", ids, reason, share=rate))
    return sorted(found, key=lambda one: (-one.share, one.memory_ids))
