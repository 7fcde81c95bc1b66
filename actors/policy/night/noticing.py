"""Noticing: the seven kinds of insight, by the kinds of memories, likeness and time.

A *theme* is one memory and the ones near it. It is told when its notes come from three days or
more: one day's notes are only an account of the day. A theme is a rule in several projects, a thing
fixed again and again, a settled matter, or a matter of growing frequency; the kinds and the times of
its notes decide which, and never their words. Two memories contradict each other where one gives
another value, by the gate's rule. Statements and questions repeated in session after session are
found in ``demands``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Final, TypeAlias

from actors.policy.gate.contradiction import (
    CHANGED_VALUE_CONFIDENCE,
    another_one,
    changed_value,
    may_end_unannounced,
)
from actors.policy.gate.gate_features import read
from actors.policy.night import demands
from actors.policy.night.demands import ArchivedPrompt
from actors.policy.night.insights import (
    DAY,
    Insight,
    InsightKind,
    chosen,
    dated,
    insight,
    is_told,
    listed,
    quoted,
    spanned,
)
from actors.policy.night.replay import Likeness, Pieces, Replayed, in_order
from actors.policy.text.short_ids import short_id
from actors.policy.text.words import STOP_WORDS

# Kinds of memories.
RULES: Final = frozenset({"convention", "decision", "discovery", "preference"})
SETTLES: Final = frozenset({"convention", "decision"})
FIX: Final = "bugfix"
DONE: Final = frozenset({FIX, "change", "feature", "refactor"})

# What a theme is.
LEAST: Final = 3  # memories, and days on which they were made
MEMBERS: Final = 50
NEAR: Final = 0.7  # cosine of each with the one in the middle. Choice: a dream tells little.
THEMES: Final = 200  # of one dream
# What a trend is.
SPAN: Final = 30.0  # days that it is older than
TREND: Final = 5  # memories
LATE: Final = 0.75  # share of them in the later half of the time
HIDDEN: Final = 0.8  # cosine of two memories of different projects. Choice.
# What excludes each other.
SIMILARITY: Final = 0.55  # below it two memories are about different things
CHANGED: Final = "changed value"
COMPARED: Final = 1_000  # pairs of one dream, the most alike: .4 ms of CPU each
# What is written to one form: entries of a list, which differ because they are two.
FORM: Final = 6  # memories with the same small words in their order. Choice.
FORM_WORDS: Final = 2  # small words that a form has at least
READ: Final = 600  # characters of a memory that are looked at
_WORD: Final = re.compile(r"[^\W\d_]+")

Theme: TypeAlias = Sequence[Replayed]
"""Memories about one thing, in order of time."""


def noticing(
    memories: Sequence[Replayed],
    alike: Likeness,
    said: Sequence[ArchivedPrompt] = (),
    known: Sequence[Insight] = (),
) -> Pieces[list[Insight]]:
    """The insights of one dream beside the ``known`` ones, in pieces."""
    by_id = {one.id: one for one in memories}
    themes = yield from grouping(memories, alike)
    told = [one for one in map(noticed_in, themes) if one is not None]
    ranked = yield from in_order(
        [(-value, pair) for pair, value in alike.items() if value >= SIMILARITY], lambda one: one
    )
    near = [(by_id[one], by_id[other], -less) for less, (one, other) in ranked]
    told += yield from _contradicting([(one, other) for one, other, _ in near[:COMPARED]])
    told += islice((one for one in _hidden(near) if not is_told(one, known)), 1)
    told += yield from demands.repeating(said, [one.text for one in known])
    return chosen(told, known)


# ---- themes


def grouping(memories: Sequence[Replayed], alike: Likeness) -> Pieces[list[Theme]]:
    """Stars: the memory with the most near ones first, with those not yet in a theme.

    Union-find would chain half a store over a few weak bridges; in a star everything is near one
    memory. In pieces.
    """
    by_id = {one.id: one for one in memories}
    near: dict[int, dict[int, float]] = defaultdict(dict)
    for (one, other), value in alike.items():
        if value >= NEAR:
            near[one][other] = near[other][one] = value
        yield
    centres = yield from in_order(near, lambda one: (-len(near[one]), one))
    free = set(near)
    themes: list[Theme] = []
    for centre in centres:
        yield
        others = sorted(near[centre], key=lambda one: (-near[centre][one], one))
        members = [centre, *(one for one in others if one in free)][:MEMBERS]
        if centre not in free or len(members) < LEAST or len(themes) == THEMES:
            continue
        free.difference_update(members)
        themes.append(sorted((by_id[one] for one in members), key=lambda one: (one.at, one.id)))
    return themes


def noticed_in(theme: Theme) -> Insight | None:
    """The insight of a theme, or None."""
    if len({one.at // DAY for one in theme}) < LEAST:
        return None
    fixes = [one for one in theme if one.kind == FIX]
    places = {one.project for one in theme}
    rules = sum(one.kind in RULES for one in theme)
    first, last = theme[0], theme[-1]
    span = spanned(first.at, last.at)
    if len(places) > 1 and rules == len(theme):
        held = "; ".join(quoted(one) for one in theme[:3])
        text = f"This holds in {len(places)} projects, {_folders(places)}: {held}"
        return _told(InsightKind.GENERALIZATION, theme, text, 0.6)
    if last.kind in SETTLES and not any(one.kind in SETTLES for one in theme[:-1]):
        text = f"Settled on {dated(last.at)} after {len(theme) - 1} notes {span}: {quoted(last)}"
        return _told(InsightKind.SYNTHESIS, theme, text, 0.5)
    if len({one.at // DAY for one in fixes}) >= LEAST:
        text = (
            f"{len(fixes)} times {span} something here was fixed, last on"
            f" {dated(fixes[-1].at)}: {quoted(fixes[-1])}"
        )
        return _told(InsightKind.RECURRING_PATTERN, theme, text, 0.5)
    middle = (first.at + last.at) / 2
    late = sum(one.at > middle for one in theme)
    if len(theme) >= TREND and last.at - first.at > SPAN * DAY and late >= LATE * len(theme):
        text = (
            f"This comes up more and more often: {late} of {len(theme)} notes {span} are of the"
            f" later half. First on {dated(first.at)}: {quoted(first)}. Last: {quoted(last)}"
        )
        return _told(InsightKind.TEMPORAL_TREND, theme, text, 0.5)
    return None


def _told(kind: InsightKind, theme: Theme, text: str, sure: float) -> Insight:
    days = (theme[-1].at - theme[0].at) / DAY
    evidence = (f"{len(theme)} memories", f"{days:.0f} days")
    return insight(kind, f"{text} ({listed(theme)}).", theme, evidence, sure)


def _folders(projects: Iterable[str | None]) -> str:
    names = sorted((one or "").rstrip("/").rpartition("/")[2] for one in projects)
    return ", ".join(name or "no project" for name in names)


# ---- pairs


def _contradicting(near: Sequence[tuple[Replayed, Replayed]]) -> Pieces[list[Insight]]:
    """Pairs of living memories in conflict by the gate's rule."""
    written = Counter(
        form(one.text) for one in {one.id: one for pair in near for one in pair}.values()
    )
    yield
    lists = {form for form, many in written.items() if many >= FORM and len(form) >= FORM_WORDS}
    found: list[Insight] = []
    for pair in near:
        older, newer = sorted(pair, key=lambda one: (one.at, one.id))
        if conflict(older, newer, lists):
            found.append(_contradiction(older, newer))
        yield
    return found


def form(text: str) -> tuple[str, ...]:
    """The small words of a text in their order: entries of a list have the same."""
    return tuple(word for word in _WORD.findall(text[:READ].lower()) if word in STOP_WORDS)


def conflict(
    older: Replayed, newer: Replayed, lists: Collection[tuple[str, ...]] = frozenset()
) -> bool:
    """Return whether the newer memory gives another value for the older one's, by the gate's rule.

    The first and last statements of one session are its way to a finding; two entries of a list (of
    these forms) differ because they are two; a deed done once contradicts nothing. Words announcing
    a change ("no longer", "was wrong") were judged by the gate when they were said; here they were
    as often a fuller account.
    """
    one_session = older.session is not None and older.session == newer.session
    apart = older.project != newer.project and None not in (older.project, newer.project)
    done = not {older.kind, newer.kind}.isdisjoint(DONE)
    if one_session or apart or done or another_one(newer.text, older.text):
        return False
    if form(older.text) == form(newer.text) and form(older.text) in lists:
        return False
    return changed_value(newer.text, older.text) and may_end_unannounced(
        read(newer.text), read(older.text)
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


def _hidden(near: Iterable[tuple[Replayed, Replayed, float]]) -> Iterator[Insight]:
    """Memories of two projects that are very much alike, the most alike first."""
    for one, other, value in takewhile(lambda pair: pair[2] >= HIDDEN, near):
        projects = {one.project, other.project}
        if len(projects) == 2 and None not in projects:
            text = (
                f"Two projects, {_folders(projects)}, know the same: {quoted(one)}; {quoted(other)}"
                f" ({listed((one, other))})."
            )
            evidence = (f"similarity {value:.2f}",)
            yield insight(InsightKind.HIDDEN_CONNECTION, text, (one, other), evidence, 0.4)
