"""Which of recall's channels a query is worth asking, by how much it asks (K18, K19).

Of the five channels of K19, words are one here: one look matches them (``fts``) and scores them
(``bm25``). It and vectors are the floor and are always asked; a route chooses among those that
follow links. So a simple and a moderate question ask words and vectors, and a complex one all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from actors.policy.recall.complexity import (
    DEFAULT,
    Channel,
    Complexity,
    Settings,
    complexity,
    routed,
)
from actors.policy.recall.switches import Channels

# The switches that ask each of the channels that can be left out.
ASKING: Final[Mapping[Channel, tuple[str, ...]]] = MappingProxyType(
    {Channel.GRAPH: ("graph",), Channel.DEGREE: ("degree", "causes")}
)


@dataclass(frozen=True, slots=True)
class Route:
    """The switches a query is asked with, and those that its route turned off."""

    complexity: Complexity
    on: Channels
    left_out: tuple[str, ...]

    @property
    def said(self) -> str | None:
        """For a person: what was not asked and why; ``None`` when all of it is."""
        if not self.left_out:
            return None
        judged = self.complexity
        terms = f"{judged.terms} term{'' if judged.terms == 1 else 's'}"
        said = f"a {judged.tier.value} question ({terms}, {judged.sureness.value} confidence)"
        return f"{said}: {', '.join(self.left_out)} not asked"


def route_of(query: str, on: Channels, settings: Settings = DEFAULT) -> Route:
    """The route of ``query``: of what is on, what it is worth asking (K19)."""
    judged = complexity(query, settings=settings)
    chosen = routed(judged.tier, settings)
    away = [name for channel, names in ASKING.items() if channel not in chosen for name in names]
    left_out = tuple(name for name in away if getattr(on, name))
    return Route(judged, replace(on, **dict.fromkeys(left_out, False)), left_out)
