"""Noticing: the seven kinds of insight, by the kinds of memories, likeness and time.

A *theme* is one memory and the ones connected with it (``connection_graph``). It is told when its
notes come from three days or more: one day's notes are only an account of the day. A theme is a
rule in several projects, a thing fixed again and again, a settled matter, or a matter of growing
frequency; the kinds and the times of its notes decide which, and never their words. Two memories
contradict each other where one gives another value, by the gate's rule. Statements and questions
repeated in session after session are found in ``demands``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from actors.policy.gate.contradiction import (
    CHANGED_VALUE_CONFIDENCE,
    another_one,
    changed_value,
    may_end_unannounced,
)
from actors.policy.gate.gate_features import read
from actors.policy.night import demands
from actors.policy.night.connection_graph import Connection, Likeness
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import (
    DAY,
    MOST,
    Insight,
    InsightKind,
    chosen,
    dated,
    insight,
    listed,
    quoted,
    spanned,
)
from actors.policy.night.pieces import Pieces, in_order
from actors.policy.night.replay import Replayed, holding, is_code, shared, spelled
from actors.policy.text.short_ids import short_id

# Kinds of memories.
RULES: Final = frozenset({"convention", "decision", "discovery", "preference"})
SETTLES: Final = frozenset({"convention", "decision"})
FIX: Final = "bugfix"
DONE: Final = frozenset({FIX, "change", "feature", "refactor"})

# What a theme is.
LEAST: Final = 3  # memories, and days on which they were made
MEMBERS: Final = 50
SHARE: Final = 0.8  # of its memories that have a concept of the theme in common
THEMES: Final = 200  # of one dream
# What a trend is.
SPAN: Final = 30.0  # days that it is older than
TREND: Final = 5  # memories
LATE: Final = 0.75  # share of them in the later half of the time
# What is hidden: concepts that two memories of different projects share, and hardly another has.
RARE: Final = 3  # memories with such a concept, at most
HIDDEN: Final = 2  # such concepts, an identifier among them
# What excludes each other.
SIMILARITY: Final = 0.55  # below it two memories are about different things
CHANGED: Final = "changed value"
COMPARED: Final = 1_000  # pairs of one dream, the most alike: .4 ms of CPU each


class Theme(Struct, frozen=True):
    """Memories about one thing."""

    members: tuple[Replayed, ...]  # in order of time
    concepts: tuple[str, ...]  # shared by most of them, the leading one first


def noticing(
    memories: Sequence[Replayed],
    alike: Likeness,
    edges: Sequence[Connection],
    said: Sequence[ArchivedPrompt] = (),
    known: Sequence[Insight] = (),
    most: int = MOST,
) -> Pieces[list[Insight]]:
    """The insights of one dream beside the ``known`` ones, at most ``most``, in pieces."""
    themes = yield from grouping(memories, edges)
    told = [one for one in map(noticed_in, themes) if one is not None]
    told += yield from _contradicting(memories, alike)
    told += yield from _hidden(memories, edges)
    told += yield from demands.repeating(said, [one.text for one in known])
    return chosen(told, most, known)


# ---- themes


def grouping(memories: Sequence[Replayed], edges: Iterable[Connection]) -> Pieces[list[Theme]]:
    """Stars: the most connected memory first, with its neighbours not yet in a theme.

    Union-find would chain half a store over a few weak bridges; in a star everything is near one
    memory. In pieces.
    """
    by_id = {one.id: one for one in memories}
    linked: dict[int, dict[int, float]] = defaultdict(dict)
    for one in edges:
        linked[one.one][one.other] = linked[one.other][one.one] = one.strength
    yield
    centres = yield from in_order(linked, lambda one: (-len(linked[one]), one))
    free = set(linked)
    themes: list[Theme] = []
    for centre in centres:
        yield
        near = sorted(linked[centre], key=lambda one: (-linked[centre][one], one))
        members = [centre, *(one for one in near if one in free)][:MEMBERS]
        if centre not in free or len(members) < LEAST or len(themes) == THEMES:
            continue
        free.difference_update(members)
        ordered = sorted((by_id[one] for one in members), key=lambda one: (one.at, one.id))
        themes.append(Theme(tuple(ordered), shared(ordered, SHARE)))
    return themes


def noticed_in(theme: Theme) -> Insight | None:
    """The insight of a theme, or None."""
    members = theme.members
    if len({one.at // DAY for one in members}) < LEAST or not theme.concepts:
        return None
    fixes = [one for one in members if one.kind == FIX]
    places = {one.project for one in members}
    rules = sum(one.kind in RULES for one in members)
    first, last = members[0], members[-1]
    span = spanned(first.at, last.at)
    if len(places) > 1 and rules == len(members):
        held = "; ".join(quoted(one) for one in members[:3])
        text = f"This holds in {len(places)} projects, {_folders(places)}: {held}"
        return _told(InsightKind.GENERALIZATION, theme, text, 0.6)
    if last.kind in SETTLES and not any(one.kind in SETTLES for one in members[:-1]):
        text = f"Settled on {dated(last.at)} after {len(members) - 1} notes {span}: {quoted(last)}"
        return _told(InsightKind.SYNTHESIS, theme, text, 0.5)
    if len({one.at // DAY for one in fixes}) >= LEAST:
        text = (
            f"{len(fixes)} times {span} something here was fixed, last on"
            f" {dated(fixes[-1].at)}: {quoted(fixes[-1])}"
        )
        return _told(InsightKind.RECURRING_PATTERN, theme, text, 0.5)
    middle = (first.at + last.at) / 2
    late = sum(one.at > middle for one in members)
    if len(members) >= TREND and last.at - first.at > SPAN * DAY and late >= LATE * len(members):
        text = (
            f"This comes up more and more often: {late} of {len(members)} notes {span} are of the"
            f" later half. First on {dated(first.at)}: {quoted(first)}. Last: {quoted(last)}"
        )
        return _told(InsightKind.TEMPORAL_TREND, theme, text, 0.5)
    return None


def _told(kind: InsightKind, theme: Theme, text: str, sure: float) -> Insight:
    name = ", ".join(spelled(concept, theme.members) for concept in theme.concepts[:3])
    days = (theme.members[-1].at - theme.members[0].at) / DAY
    evidence = (f"{len(theme.members)} memories", f"{days:.0f} days")
    whole = f"{name}: {text} ({listed(theme.members)})."
    return insight(kind, whole, theme.members, evidence, sure)


def _folders(projects: Iterable[str | None]) -> str:
    names = sorted((one or "").rstrip("/").rpartition("/")[2] for one in projects)
    return ", ".join(name or "no project" for name in names)


# ---- pairs


def _contradicting(memories: Sequence[Replayed], alike: Likeness) -> Pieces[list[Insight]]:
    """Pairs of living memories in conflict by the gate's rule."""
    known = {one.id: one for one in memories}
    near = [(-value, pair) for pair, value in alike.items() if value >= SIMILARITY]
    ranked = yield from in_order(near, lambda one: one)
    found: list[Insight] = []
    for _, pair in ranked[:COMPARED]:
        older, newer = sorted((known[one] for one in pair), key=lambda one: (one.at, one.id))
        if conflict(older, newer):
            found.append(_contradiction(older, newer))
        yield
    return found


def conflict(older: Replayed, newer: Replayed) -> bool:
    """Return whether the newer memory gives another value for the older one's, by the gate's rule.

    The first and last statements of one session are its way to a finding; two entries of a list
    differ because they are two; a deed done once contradicts nothing. Words announcing a change
    ("no longer", "was wrong") were judged by the gate when they were said; here they were as often
    a fuller account.
    """
    one_session = older.session is not None and older.session == newer.session
    apart = older.project != newer.project and None not in (older.project, newer.project)
    entries = older.is_entry and older.small == newer.small
    done = not {older.kind, newer.kind}.isdisjoint(DONE)
    if one_session or apart or entries or done or another_one(newer.text, older.text):
        return False
    return changed_value(newer.text, older.text) and may_end_unannounced(
        newer.text, read(newer.text), older.text, read(older.text)
    )


def _contradiction(older: Replayed, newer: Replayed) -> Insight:
    text = (
        f"Two memories contradict each other ({CHANGED}). On {dated(older.at)}: {quoted(older)}. On"
        f" {dated(newer.at)}: {quoted(newer)}. The newer one is memory {short_id(newer.id)}; if it"
        f" holds, memory {short_id(older.id)} is out of date."
    )
    days = (newer.at - older.at) / DAY
    evidence = (CHANGED, f"{days:.0f} days apart")
    return insight(
        InsightKind.CONTRADICTION, text, (older, newer), evidence, CHANGED_VALUE_CONFIDENCE
    )


def _hidden(memories: Sequence[Replayed], edges: Iterable[Connection]) -> Pieces[list[Insight]]:
    """Memories of two projects without a connection, sharing a name found hardly elsewhere."""
    holders = yield from holding(memories)
    connected = {(min(one.one, one.other), max(one.one, one.other)) for one in edges}
    together: dict[tuple[int, int], list[str]] = defaultdict(list)
    for concept, holder in holders.items():
        for one, other in _across(holder):
            if (one.id, other.id) not in connected:
                together[one.id, other.id].append(concept)
        yield
    by_id = {one.id: one for one in memories}
    return [
        _connection((by_id[pair[0]], by_id[pair[1]]), concepts)
        for pair, concepts in sorted(together.items())
        if len(concepts) >= HIDDEN and any(map(is_code, concepts))
    ]


def _across(held: Sequence[Replayed]) -> Iterator[tuple[Replayed, Replayed]]:
    if len(held) <= RARE:
        for one, other in combinations(held, 2):
            if None not in (one.project, other.project) and one.project != other.project:
                yield (one, other) if one.id < other.id else (other, one)


def _connection(pair: tuple[Replayed, Replayed], concepts: Sequence[str]) -> Insight:
    names = ", ".join(spelled(concept, pair) for concept in sorted(concepts)[:3])
    places = _folders(one.project for one in pair)
    text = (
        f"Two projects, {places}, meet in {names}: {quoted(pair[0])}; {quoted(pair[1])}"
        f" ({listed(pair)})."
    )
    evidence = (f"{len(concepts)} concepts that few others have",)
    return insight(InsightKind.HIDDEN_CONNECTION, text, pair, evidence, 0.4)
