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
from actors.policy.dreams.plans import USER, is_said_by
from actors.policy.dreams.replay import Replayed
from actors.policy.text.pieces import Pieces
from actors.policy.text.short_ids import short_id

# When an episode may become general knowledge.
ACCESSES: Final = 3
LINKS: Final = 2
TOTAL: Final = 1.0  # strength of all its connections
TWINS: Final = 0.9  # likeness from which two memories may be one; the gate's own is .92
COMPARED: Final = 500  # pairs so alike whose words are compared: half a millisecond each
# When a theme is universal.
PROJECTS: Final = 2
SUCCESS: Final = 0.6  # share of its uses that ended well


@dataclass(frozen=True, slots=True)
class Proposal:
    """One thing to do with these memories, and why; nothing of it is done."""

    act: Literal["archive", "retype", "rescope"]
    argument: str
    reason: str
    steps: tuple[tuple[int, str], ...]  # each memory with its evidence


def transfers(memories: Iterable[Replayed], edges: Iterable[Connection]) -> list[Proposal]:
    """Episodes that have become general knowledge: used three times and well connected.

    The most connected first; the episode is kept.
    """
    count: Counter[int] = Counter()
    total: dict[int, float] = defaultdict(float)
    for edge in edges:
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
    return [
        Proposal(
            "retype",
            "semantic",
            f"used {one.accesses} times and connected with {count[one.id]} other memories"
            f" (strength {total[one.id]:.2f}): what it tells has become general knowledge",
            ((one.id, ""),),
        )
        for one in sorted(ready, key=lambda one: (-total[one.id], one.id))
    ]


def twins(memories: Iterable[Replayed], alike: Likeness) -> Pieces[list[Proposal]]:
    """The older ones of near twins, to be put away together: a newer one says the same.

    Of one project and kind, nearly one vector, and four fifths of the older one's words stand in
    the newer one.
    """
    by_id = {one.id: one for one in memories}
    near = [pair for pair, value in alike.items() if value >= TWINS]
    repeated: set[int] = set()
    for pair in sorted(near)[:COMPARED]:
        older, newer = sorted((by_id[one] for one in pair), key=lambda one: (one.at, one.id))
        of_one = (older.project, older.kind) == (newer.project, newer.kind)
        if of_one and newer.id not in repeated and is_said_by(older.text, newer.text):
            repeated.add(older.id)
        yield
    reason = (
        f"a newer memory says the same: likeness {TWINS:g} or more, and four fifths of the words"
    )
    steps = tuple((one, "") for one in sorted(repeated))
    return [Proposal("archive", "", reason, steps)] if steps else []


def outdated(insights: Iterable[Insight]) -> list[Proposal]:
    """Proposals to put away what a contradiction says is out of date."""
    return [
        Proposal(
            "archive",
            "",
            f"memory {short_id(newer)} is newer and contradicts it ({', '.join(one.evidence[:2])})",
            ((older, ""),),
        )
        for one in insights
        if one.kind is InsightKind.CONTRADICTION
        for older, newer in (one.memory_ids,)
    ]


def lifts(themes: Iterable[Theme], uses: Mapping[int, tuple[int, int]]) -> list[Proposal]:
    """The themes that may be lifted to the user's scope, most successful first.

    Of two projects or more, and six in ten of the ``uses`` of its memories, those that helped and
    those that did not, helped. What belongs to the user already is left out.
    """
    ranked: list[tuple[float, Proposal]] = []
    for theme in themes:
        places = {one.id: one.project for one in theme.members if one.project is not None}
        projects = len(set(places.values()))
        counts = [uses[one] for one in places if one in uses]
        helped, followed = sum(yes for yes, _ in counts), sum(yes + no for yes, no in counts)
        if projects < PROJECTS or not followed or helped < SUCCESS * followed:
            continue
        reason = (
            f"the same holds in {projects} projects and went well {helped / followed:.0%} of the"
            " times it was followed"
        )
        steps = tuple(
            (one, f"now in {place.rstrip('/').rpartition('/')[2]} alone")
            for one, place in places.items()
        )
        ranked.append((helped / followed, Proposal("rescope", USER, reason, steps)))
    ranked.sort(key=lambda one: (-one[0], one[1].steps))
    return [proposal for _, proposal in ranked]
