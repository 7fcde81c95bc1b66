"""Lessons: what fails again and again, what ended it, what nobody settled, what holds in several projects.

All read off themes whose notes come from three days or more: what one day's work says of itself is
an account of that day and no lesson.
"""

import re
from collections.abc import Iterable
from typing import Final

from actors.policy.dreams.happenings import OPEN, SETTLING, Happening, happening
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
from actors.policy.dreams.replay import Replayed
from actors.policy.dreams.themes import Theme, name
from actors.policy.text.wording import sentences

_RULE: Final = re.compile(
    r"""\b(?:needs?|needed|must|should|always|never|avoid(?:s|ed)?|prevent(?:s|ed)?|help(?:s|ed)?
    |requires?|solv(?:es|ed)|fix(?:es|ed)?|removed|went\ away|made|makes|until|without|explicit(?:ly)?
    |because|so\ that|reduc(?:es|ed)|cured|kept|keeps?|stays?|surviv(?:es|ed)|thanks\ to|simpler
    |easier|fewer|safer|cheaper|improv(?:es|ed)|saves?|saved|reproducible|reliable|fast|found|better
    |faster|quick(?:er|ly)?|sped|works?\ (?:best|better|well)|pays?\ off|worth)\b""",
    re.IGNORECASE | re.VERBOSE,
)


# When a theme is which kind of insight.
DAYS: Final = 3  # different ones on which its notes were made
OPEN_SHARE: Final = 0.65  # of the theme: questions and failures
QUESTIONS: Final = 2  # of a gap
PLACES: Final = 2  # projects of a general rule
RULES: Final = 2 / 3  # of its notes that are worded as one


def lesson(theme: Theme, around: Iterable[Replayed] = ()) -> Insight | None:
    """Lesson of a theme, or None; ``around`` is what is linked with its memories.

    Questions and failures that nothing settles are a gap; failures alone recur, or are told with
    what ended them. The same said in several projects is a general rule.
    """
    days = {one.at // DAY for one in theme.members}
    if len(days) < DAYS or not theme.concepts:
        return None
    if _is_general(theme):
        return _general(theme)
    waiting = [one for one in theme.members if _is_open(one)]
    if len(waiting) < DAYS or len(waiting) < OPEN_SHARE * len(theme.members):
        return None
    settling = [one for one in (*theme.members, *around) if one.happening in SETTLING]
    questions = sum(one.happening is Happening.QUESTION for one in waiting)
    if not settling:
        return _gap(theme, questions) if questions >= QUESTIONS else _recurring(theme)
    newest = max(settling, key=lambda one: (one.at, one.id))
    return _settled(theme, waiting, newest) if newest.at > waiting[-1].at else _recurring(theme)


def _is_open(one: Replayed) -> bool:
    """Return whether a note is about a failure or a question: its first sentence says so.

    A long account mentions one somewhere.
    """
    first = next(iter(sentences(one.text)), one.text)
    return one.happening in OPEN and happening(first, one.kind) in OPEN


def _is_general(theme: Theme) -> bool:
    """Return whether the same rule is stated in two projects or more."""
    places = {one.project for one in theme.members}
    rules = sum(_RULE.search(one.text) is not None for one in theme.members)
    asked = sum(one.happening is Happening.QUESTION for one in theme.members)
    return (
        len(places) >= PLACES
        and rules >= RULES * len(theme.members)
        and 2 * asked < len(theme.members)
    )


def _recurring(theme: Theme) -> Insight:
    first, last = theme.members[0], theme.members[-1]
    text = (
        f"This fails again and again, and no fix is kept: {name(theme)}."
        f" {counted(len(theme.members))} {spanned(first.at, last.at)}, first on {dated(first.at)}"
        f" ({quoted(first)}), last on {dated(last.at)} ({quoted(last)}); {listed(theme.members)}."
    )
    return insight(InsightKind.RECURRING_PATTERN, text, theme.members, _evidence(theme), 0.5)


def _settled(theme: Theme, failed: list[Replayed], ended: Replayed) -> Insight:
    text = (
        f"{counted(len(failed))} {spanned(failed[0].at, failed[-1].at)} the same went wrong"
        f" ({name(theme)}), last on {dated(failed[-1].at)}: {quoted(failed[-1])}. After that, on"
        f" {dated(ended.at)}: {quoted(ended)} ({listed([*failed, ended])})."
    )
    return insight(InsightKind.SYNTHESIS, text, [*failed, ended], _evidence(theme), 0.5)


def _gap(theme: Theme, questions: int) -> Insight:
    last = theme.members[-1]
    text = (
        f"Nothing settles this yet: {name(theme)}. {questions} open questions"
        f" {spanned(theme.members[0].at, last.at)}, and no fix, answer or decision is kept. Last on"
        f" {dated(last.at)}: {quoted(last)} ({listed(theme.members)})."
    )
    return insight(InsightKind.KNOWLEDGE_GAP, text, theme.members, _evidence(theme), 0.6)


def _general(theme: Theme) -> Insight:
    places = sorted({(one.project or "").rstrip("/").rpartition("/")[2] for one in theme.members})
    text = (
        f"This holds in {len(places)} projects, {', '.join(place or 'no project' for place in places)}:"
        f" {'; '.join(quoted(one) for one in theme.members[:3])} ({listed(theme.members)})."
    )
    return insight(InsightKind.GENERALIZATION, text, theme.members, _evidence(theme), 0.6)


def _evidence(theme: Theme) -> tuple[str, ...]:
    days = (theme.members[-1].at - theme.members[0].at) / DAY
    return (
        f"{len(theme.members)} memories",
        f"{days:.0f} days",
        f"{theme.density:.2f} of the pairs alike",
    )
