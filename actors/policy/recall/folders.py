"""Weight of a project among others: recent, important, busy."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from actors.policy.decay.states import importance

BUSY: Final = 5  # memories from which on a project is as busy as can be


class Members(NamedTuple):
    """Memories of a project of one tier; the newest of them changed ``days`` ago."""

    project: str
    tier: str
    days: float
    many: int = 1


def project_weights(members: Iterable[Members]) -> dict[str, float]:
    """Weight of each project, 0..1, the heaviest first: .45 recency, .35 importance, .20 activity.

    The recency is the newest one's, 1 / (1 + .1 days). Three normal memories, the newest of 7 days
    ago, come to .56.
    """
    inside: dict[str, list[Members]] = {}
    for one in members:
        inside.setdefault(one.project, []).append(one)
    found: dict[str, float] = {}
    for project, each in inside.items():
        count = sum(one.many for one in each)
        recency = max(1 / (1 + 0.1 * max(0.0, one.days)) for one in each)
        mean = sum(importance(one.tier) * one.many for one in each) / count
        found[project] = round(0.45 * recency + 0.35 * mean + 0.20 * min(1.0, count / BUSY), 3)
    return dict(sorted(found.items(), key=lambda one: (-one[1], one[0])))
