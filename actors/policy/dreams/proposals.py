"""Proposals: what dreaming would like to do and may not do by itself.

Whatever merges, moves or puts away is only proposed; a plan that a person can read, apply and
undo is made of it elsewhere. A reason is figures alone: a plan outlives the texts that it is about.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from actors.policy.dreams.connection_graph import CAP, Connection, Likeness
from actors.policy.dreams.insights import Insight, InsightKind
from actors.policy.dreams.noticing import Theme
from actors.policy.dreams.plans import is_said_by
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import Pieces
from actors.policy.text.short_ids import short_id

Act = Literal["transfer", "twins", "lift", "outdated"]

ACCESSES: Final = 3  # from which a memory may become general knowledge
LINKS: Final = 2
TOTAL: Final = 1.0  # strength of all its connections
TWINS: Final = 0.9  # likeness from which two memories may be one; the gate's own is .92
COMPARED: Final = 500  # pairs so alike whose words are compared: half a millisecond each
# When a theme is universal.
PROJECTS: Final = 2
SUCCESS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to do with these memories, and why; nothing of it is done."""

    act: Act
    memory_ids: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Uses:
    """Counts of how often a memory was followed, and how often that ended well."""

    helped: int = 0
    failed: int = 0


def transfers(memories: Iterable[Replayed], found: Iterable[Connection]) -> list[Proposal]:
    """Episodes that have become general knowledge: used three times and well connected.

    The most connected first; the episode is kept.
    """
    count: Counter[int] = Counter()
    total: dict[int, float] = defaultdict(float)
    for edge in found:
        for end in (edge.one, edge.other):
            count[end] += 1
            total[end] += min(edge.strength, CAP)
    ready = [
        one
        for one in memories
        if one.memory_type == "episodic"
        and one.accesses >= ACCESSES
        and count[one.id] >= LINKS
        and total[one.id] >= TOTAL - 1e-9
    ]
    ready.sort(key=lambda one: (-total[one.id], one.id))
    return [
        Proposal(
            "transfer",
            (one.id,),
            f"used {one.accesses} times and connected with {count[one.id]} other memories"
            f" (strength {total[one.id]:.2f}): what it tells has become general knowledge",
        )
        for one in ready
    ]


def twins(memories: Iterable[Replayed], alike: Likeness) -> Pieces[list[Proposal]]:
    """The older ones of near twins, to be put away together: a newer one says the same.

    Of one project and kind, nearly one vector, and four fifths of the older one's words stand in
    the newer one.
    """
    known = {one.id: one for one in memories}
    near = [pair for pair, value in alike.items() if value >= TWINS]
    said: dict[int, int] = {}
    for pair in sorted(near)[:COMPARED]:
        older, newer = sorted((known[one] for one in pair), key=lambda one: (one.at, one.id))
        of_one = (older.project, older.kind) == (newer.project, newer.kind)
        if of_one and newer.id not in said and is_said_by(older.text, newer.text):
            said[older.id] = newer.id
        yield
    if not said:
        return []
    reason = (
        f"a newer memory says the same: likeness {TWINS:g} or more, and four fifths of the words"
    )
    return [Proposal("twins", tuple(sorted(said)), reason)]


def outdated(told: Iterable[Insight]) -> list[Proposal]:
    """Proposals to put away what a contradiction says is out of date."""
    return [
        Proposal(
            "outdated",
            one.memory_ids[:1],
            f"memory {short_id(one.memory_ids[1])} is newer and contradicts it"
            f" ({', '.join(one.evidence[:2])})",
        )
        for one in told
        if one.kind is InsightKind.CONTRADICTION
    ]


def success(uses: Iterable[Uses]) -> float | None:
    """The share of uses that ended well, or None when there were none."""
    held = list(uses)
    helped, failed = sum(one.helped for one in held), sum(one.failed for one in held)
    return helped / (helped + failed) if helped + failed else None


def is_universal(projects: int, rate: float | None) -> bool:
    """Return whether a theme of so many projects and such success holds everywhere."""
    return projects >= PROJECTS and rate is not None and rate >= SUCCESS


def lifts(themes: Iterable[Theme], uses: Mapping[int, Uses]) -> list[Proposal]:
    """The themes that may be lifted to the user's scope, most successful first.

    What belongs to the user already is left out.
    """
    found: list[tuple[float, Proposal]] = []
    for theme in themes:
        members = [one for one in theme.members if one.project is not None]
        projects = {one.project for one in members}
        rate = success(uses.get(one.id, Uses()) for one in members)
        if rate is None or not is_universal(len(projects), rate):
            continue
        reason = (
            f"the same holds in {len(projects)} projects and went well {rate:.0%} of the times it"
            " was followed"
        )
        found.append((rate, Proposal("lift", tuple(one.id for one in members), reason)))
    found.sort(key=lambda one: (-one[0], one[1].memory_ids))
    return [proposal for _, proposal in found]
