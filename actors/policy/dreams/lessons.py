"""Lessons: what recurs, what holds in several places, what nobody settled, what adds up.

All read off themes. A theme that is asked about or fails again and again, with no fix or decision
anywhere near it, is a gap. The same said of different things, in different places, is a general
rule. What is left is a recurring pattern, or, where a failure, its fix and more come together, a
synthesis. Also what two memories of different places share without anybody having said so.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from actors.policy.dreams.effects import Links
from actors.policy.dreams.happenings import OPEN, SETTLING, Happening, cause_and_effect
from actors.policy.dreams.insights import (
    DAY,
    Insight,
    InsightKind,
    counted,
    dated,
    insight,
    listed,
    quoted,
    spanned,
)
from actors.policy.dreams.replay import Replayed, spelled
from actors.policy.dreams.themes import Theme, name
from actors.policy.graph.link_extraction import short_id
from actors.policy.text.pieces import Pieces

_RULE: Final = re.compile(
    r"""\b(?:needs?|needed|must|should|always|never|avoid(?:s|ed)?|prevent(?:s|ed)?|help(?:s|ed)?
    |requires?|solv(?:es|ed)|fix(?:es|ed)?|removed|went\ away|made|makes|until|without|explicit(?:ly)?
    |because|so\ that|reduc(?:es|ed)|cured|kept|keeps?|stays?|surviv(?:es|ed)|thanks\ to|simpler
    |easier|fewer|safer|cheaper|improv(?:es|ed)|saves?|saved|reproducible|reliable|fast|found|better
    |faster|quick(?:er|ly)?|sped|works?\ (?:best|better|well)|pays?\ off|worth)\b""",
    re.IGNORECASE | re.VERBOSE,
)


# When a theme is which kind of insight.
ASKED: Final = 3  # questions and failures of a gap
ASKED_SHARE: Final = 0.65  # of the theme
QUESTIONS: Final = 2  # of them, else the theme also recurs
PLACES: Final = 2  # of a general rule
MEMBERS: Final = 3
KINDS: Final = 3  # different happenings of a synthesis
RARE: Final = 3  # memories that hold what a hidden connection rests on
LIKENESS: Final = 0.5
COPIES: Final = 0.85  # likeness from which two say the same
APART: Final = 14.0  # days


def is_gap(theme: Theme, around: Iterable[Replayed] = ()) -> bool:
    """Return whether a theme is asked about or fails again and again and nothing settles it.

    ``around`` is what is linked with its memories.
    """
    asked = [one for one in theme.members if one.happening in OPEN]
    if len(asked) < ASKED or len(asked) < ASKED_SHARE * len(theme.members):
        return False
    if any(one.happening in SETTLING for one in (*theme.members, *around)):
        return False
    explained = sum(
        one.happening is Happening.FAILURE and cause_and_effect(one.text) is not None
        for one in asked
    )
    return 2 * explained < len(asked)


def is_general(theme: Theme) -> bool:
    """Return whether the same is said of different things in different places.

    In two projects or more; or of three different things of one, as a rule and not as what
    happened to them.
    """
    if len(theme.members) < MEMBERS or not theme.concepts:
        return False
    places = {one.project for one in theme.members}
    rules = sum(_RULE.search(one.text) is not None for one in theme.members)
    asked = sum(one.happening is Happening.QUESTION for one in theme.members)
    if 2 * asked >= len(theme.members):
        return False
    failing = sum(one.happening is Happening.FAILURE for one in theme.members)
    if len(places) >= PLACES:
        return 2 * failing < len(theme.members) or 3 * rules >= 2 * len(theme.members)
    several = len(theme.concepts) >= 2 and 3 * rules >= 2 * len(theme.members)
    return several and 2 * failing < len(theme.members) and _subjects(theme) >= MEMBERS


def lesson(theme: Theme, around: Sequence[Replayed] = ()) -> list[Insight]:
    """Lesson of a theme: one insight, or two when failures without a fix recur."""
    if is_general(theme):
        return [_general(theme)]
    if is_gap(theme, around):
        questions = sum(one.happening is Happening.QUESTION for one in theme.members)
        found = [_gap(theme, questions)]
        return found if questions >= QUESTIONS else [*found, _recurring(theme)]
    kinds = {one.happening for one in theme.members}
    if len(kinds) >= KINDS and kinds & SETTLING:
        return [_synthesis(theme)]
    return [_recurring(theme)]


def hiding(
    memories: Sequence[Replayed], linked: Links, told: Collection[Collection[int]] = ()
) -> Pieces[list[Insight]]:
    """``hidden`` in pieces."""
    known = {one.id: one for one in memories}
    holders: Counter[str] = Counter()
    for memory in memories:
        holders.update(memory.concepts)
        yield
    covered = {one: at for at, ids in enumerate(told) for one in ids}
    found: list[Insight] = []
    for first, near in linked.items():
        yield
        for second, alike in near.items():
            if first >= second or not LIKENESS <= alike < COPIES:
                continue
            one, other = known[first], known[second]
            together = covered.get(first, -1) == covered.get(second, -2)
            if together or one.form or other.form or not _apart(one, other):
                continue
            both = [each for each in one.concepts & other.concepts
                    if holders[each] <= RARE]  # fmt: skip
            if len(both) >= 2 and len(near) == 1:
                found.append(_hidden(one, other, sorted(both), alike))
    return found


def _subjects(theme: Theme) -> int:
    """Members with something of their own that no other member is about."""
    counts = Counter(concept for one in theme.members for concept in one.concepts)
    return sum(any(counts[each] == 1 for each in one.concepts) for one in theme.members)


def _apart(one: Replayed, other: Replayed) -> bool:
    days = abs(one.at - other.at) / DAY
    return one.project != other.project or days >= APART


def _seen(theme: Theme) -> str:
    first, last = theme.members[0], theme.members[-1]
    times = counted(len(theme.members))
    return f"{times} {spanned(first.at, last.at)}"


def _recurring(theme: Theme) -> Insight:
    first, last = theme.members[0], theme.members[-1]
    text = (
        f"It keeps coming up: {name(theme)}. {_seen(theme)}, first on {dated(first.at)}"
        f" ({quoted(first)}), last on {dated(last.at)} ({quoted(last)}); {listed(theme.members)}."
    )
    return insight(InsightKind.RECURRING_PATTERN, text, theme.members, _evidence(theme), 0.5)


def _gap(theme: Theme, questions: int) -> Insight:
    last = theme.members[-1]
    failures = sum(one.happening is Happening.FAILURE for one in theme.members)
    parts = [f"{questions} open question{'s' * (questions > 1)}"] * (questions > 0)
    parts += [f"{failures} failure{'s' * (failures > 1)}"] * (failures > 0)
    text = (
        f"Nothing settles this yet: {name(theme)}. {' and '.join(parts)}"
        f" {spanned(theme.members[0].at, last.at)}, and no fix, answer or decision is stored. Last"
        f" on {dated(last.at)}: {quoted(last)} ({listed(theme.members)})."
    )
    evidence = (*_evidence(theme), f"{questions} questions, {failures} failures, 0 settled")
    return insight(InsightKind.KNOWLEDGE_GAP, text, theme.members, evidence, 0.6)


def _general(theme: Theme) -> Insight:
    places = sorted({(one.project or "").rstrip("/").rpartition("/")[2] for one in theme.members})
    where = f"in {', '.join(place or 'no project' for place in places)}"
    several = where if len(places) > 1 else "of different things"
    text = (
        f"This may be a general rule: {name(theme)}. {len(theme.members)} memories say the same"
        f" {several}: {'; '.join(quoted(one) for one in theme.members[:3])}"
        f" ({listed(theme.members)})."
    )
    evidence = (*_evidence(theme), f"{len(places)} places, {_subjects(theme)} subjects")
    return insight(InsightKind.GENERALIZATION, text, theme.members, evidence, 0.6)


def _synthesis(theme: Theme) -> Insight:
    parts = "; ".join(f"{one.happening.value}: {quoted(one)}" for one in theme.members[:5])
    text = (
        f"Taken together, about {name(theme)}, {spanned(theme.members[0].at, theme.members[-1].at)}"
        f": {parts} ({listed(theme.members)})."
    )
    return insight(InsightKind.SYNTHESIS, text, theme.members, _evidence(theme), 0.4)


def _hidden(one: Replayed, other: Replayed, both: Sequence[str], alike: float) -> Insight:
    words = " and ".join(f"“{spelled(each, (one, other))}”" for each in both[:3])
    older, newer = sorted((one, other), key=lambda each: (each.at, each.id))
    text = (
        f"These two have to do with each other, both about {words}: {quoted(older)}"
        f" ({dated(older.at)}, memory {short_id(older.id)}) and {quoted(newer)} ({dated(newer.at)}, memory"
        f" {short_id(newer.id)})."
    )
    evidence = (f"{len(both)} rare concepts shared", f"similarity {alike:.2f}")
    return insight(InsightKind.HIDDEN_CONNECTION, text, (older, newer), evidence, 0.4)


def _evidence(theme: Theme) -> tuple[str, ...]:
    days = (theme.members[-1].at - theme.members[0].at) / DAY
    return (
        f"{len(theme.members)} memories",
        f"{days:.0f} days",
        f"{theme.density:.2f} of the pairs alike",
    )
