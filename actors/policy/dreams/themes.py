"""Themes: groups of memories about the same thing, for the insights of a dream.

A theme is a star: one memory and those that are linked with it, together with what is linked with
several of them. Union-find would chain half a store into one group over a few weak bridges; in a
star everything is near one memory, which can be shown. A link is a cosine of a half, or less when
the two share what they are about; notes written to one form need more, because the form itself
makes them alike.

A theme is universal when two projects or more have it and it did well there: of the times it was
followed, six in ten ended well. Then lifting it to the user's own scope is proposed.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from actors.policy.dreams.connection_graph import Neighbours, paired
from actors.policy.dreams.happenings import OPEN
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.replay import Replayed, is_code, shared, spelled
from actors.policy.text.pieces import Pieces, in_order

MEMBERS: Final = 50  # of a theme


# What links two memories to a theme; all of it chosen on tests/policy/dream_cases.
ALONE: Final = 0.6  # likeness that needs no shared concept
ONE_SHARED: Final = 0.42  # with a shared concept
TWO_SHARED: Final = 0.3  # with two, or one that is an identifier
LEAST: Final = 3  # memories
SHARE: Final = 0.1  # of all memories at most: what is more is no theme ...
MOST: Final = 200  # themes of one dream: ten insights are told
SPARED: Final = 15  # ... unless it has no more members than this

# When a pattern is universal.
PROJECTS: Final = 2
SUCCESS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Uses:
    """Counts of how often a memory was followed, and how often that ended well."""

    helped: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Theme:
    """Memories about one thing."""

    members: tuple[Replayed, ...]  # in order of time
    concepts: tuple[str, ...]  # that most of them share, the leading one first
    density: float  # 0..1: the share of its pairs that are linked

    @property
    def ids(self) -> tuple[int, ...]:
        """The members' ids in order of time."""
        return tuple(one.id for one in self.members)


def is_linked(one: Replayed, other: Replayed, alike: float) -> bool:
    """Return whether two memories are about the same thing."""
    common = one.concepts & other.concepts
    both = len(common)
    if one.form or other.form:
        return both >= 3 and alike >= ALONE
    if both >= 2 or any(is_code(concept) for concept in common):
        return alike >= TWO_SHARED
    return alike >= (ONE_SHARED if both else ALONE)


def linking(
    memories: Sequence[Replayed], neighbours: Neighbours
) -> Pieces[dict[int, dict[int, float]]]:
    """Links of each memory by id, and how alike the two are."""
    known = {one.id: one for one in memories}
    found: dict[int, dict[int, float]] = defaultdict(dict)
    alike_by_pair = yield from paired(known, neighbours)
    for (first, second), alike in alike_by_pair.items():
        yield
        if is_linked(known[first], known[second], alike):
            found[first][second] = alike
            found[second][first] = alike
    return dict(found)


def grouping(
    memories: Sequence[Replayed], linked: Mapping[int, Mapping[int, float]]
) -> Pieces[list[Theme]]:
    """The themes of memories whose links are known, the largest first, at most 200.

    A memory is in one at most.
    """
    known = {one.id: one for one in memories}
    centres = yield from in_order(
        linked, lambda one: (-len(linked[one]), -sum(linked[one].values()), one)
    )
    free = set(linked)
    most = max(SPARED, SHARE * len(memories))
    found: list[Theme] = []
    for centre in centres:
        yield
        if centre not in free:
            continue
        members = _star(centre, linked, free)
        if len(members) < LEAST:
            free.discard(centre)
            continue
        free -= members
        if len(members) <= most:
            found.append(_theme([known[one] for one in members], linked))
    return sorted(found, key=lambda one: (-len(one.members), one.ids))[:MOST]


def name(theme: Theme, limit: int = 3) -> str:
    """Name of a theme in the words of its memories: “deploy, staging”."""
    return ", ".join(spelled(concept, theme.members) for concept in theme.concepts[:limit])


def _star(centre: int, linked: Mapping[int, Mapping[int, float]], free: set[int]) -> set[int]:
    """A memory, what is linked with it, and what is linked with two of those."""
    near = sorted(linked[centre], key=lambda one: (-linked[centre][one], one))
    members = {centre, *[one for one in near if one in free][: MEMBERS - 1]}
    ties: dict[int, int] = defaultdict(int)
    for one in members:
        for other in linked[one]:
            if other in free and other not in members:
                ties[other] += 1
    needed = max(2, len(members) // 2)
    for other in sorted(ties, key=lambda one: (-ties[one], one)):
        if ties[other] >= needed and len(members) < MEMBERS:
            members.add(other)
    return _knit(members, linked)


def _knit(members: set[int], linked: Mapping[int, Mapping[int, float]]) -> set[int]:
    """Without those that are linked with less than half of the others, the loosest first."""
    kept = set(members)
    ties = {one: sum(other in kept for other in linked[one]) for one in kept}
    while kept:
        loosest = min(kept, key=lambda one: (ties[one], -one))
        if 2 * ties[loosest] >= len(kept) - 1:
            break
        kept.remove(loosest)
        for other in linked[loosest]:
            if other in kept:
                ties[other] -= 1
    return kept


def _theme(members: Iterable[Replayed], linked: Mapping[int, Mapping[int, float]]) -> Theme:
    ordered = tuple(sorted(members, key=lambda one: (one.at, one.id)))
    ids = {one.id for one in ordered}
    tied = sum(other in ids for one in ids for other in linked[one])
    return Theme(ordered, shared(ordered), tied / (len(ids) * (len(ids) - 1)))


def success(uses: Iterable[Uses]) -> float | None:
    """The share of uses that ended well, or None when there were none."""
    held = list(uses)
    helped, failed = sum(one.helped for one in held), sum(one.failed for one in held)
    return helped / (helped + failed) if helped + failed else None


def is_universal(projects: int, rate: float | None) -> bool:
    """Return whether a pattern of so many projects and such success holds everywhere."""
    return projects >= PROJECTS and rate is not None and rate >= SUCCESS


def lifts(themes: Iterable[Theme], uses: Mapping[int, Uses]) -> list[Proposal]:
    """The themes that may be lifted to the user's scope, most successful first.

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
