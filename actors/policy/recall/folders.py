"""Weight of a folder of memories: recent, important, busy."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

UNDATED: Final = 0.5  # recency of a memory without a date that can be read
VALIDATION: Final = 0.5  # a placeholder: nothing measures it
FULL: Final = 5  # memories from which on a folder is as busy as can be

# The importance factors here; not those of the composite score.
TIERS: Final[Mapping[str, float]] = {
    "constitutional": 1.0,
    "critical": 1.0,
    "important": 0.8,
    "normal": 0.5,
    "temporary": 0.3,
    "deprecated": 0.1,
}
_ARCHIVES: Final = (
    (re.compile(r"(?:^|/)z_archive(?:/|$)"), 0.1),
    (re.compile(r"(?:^|/)(?:scratch|prototype)(?:/|$)|(?:^|/)test-|-test(?:/|$)"), 0.2),
)


@dataclass(frozen=True, slots=True)
class Member:
    """A memory of a folder, or several of one tier.

    ``days`` since it, or the newest of them, changed; None when that is not known.
    """

    tier: str | None
    days: float | None
    count: int = 1


def recency(member: Member) -> float:
    """1 / (1 + .1 days); constitutional and future ones 1, undated ones .5."""
    if member.tier == "constitutional":
        return 1.0
    if member.days is None or math.isnan(member.days):
        return UNDATED
    return 1 / (1 + 0.1 * max(0.0, member.days))


def archive_multiplier(folder: str) -> float:
    """Share of its score that a folder's place leaves: z_archive .1, scratch and the like .2."""
    path = folder.casefold().replace("\\", "/")
    return next((factor for place, factor in _ARCHIVES if place.search(path)), 1.0)


def folder_score(folder: str, members: Sequence[Member]) -> float:
    """Score of a folder, 0..1: .40 recency, .30 importance, .20 activity, .10 validation.

    The recency is that of the newest. Times what its place leaves. Three normal memories, the newest
    of 7 days ago, come to .5553; an empty folder has none of it.
    """
    count = sum(member.count for member in members)
    if not count:
        return 0.0
    weights = (TIERS.get(one.tier or "", TIERS["normal"]) * one.count for one in members)
    whole = (
        0.40 * max(recency(member) for member in members)
        + 0.30 * sum(weights) / count
        + 0.20 * min(1.0, count / FULL)
        + 0.10 * VALIDATION
    )
    return whole * archive_multiplier(folder)


def folder_scores(members: Iterable[tuple[str, Member]]) -> dict[str, float]:
    """Scores of the folders of these members to three digits, the best first."""
    inside: defaultdict[str, list[Member]] = defaultdict(list)
    for folder, member in members:
        inside[folder].append(member)
    scores = {folder: round(folder_score(folder, each), 3) for folder, each in inside.items()}
    return dict(sorted(scores.items(), key=lambda one: (-one[1], one[0])))
