"""Offers: what an agent's last message puts to the user, a question and the options under it.

"Option 2" and "yes, do both" mean something only beside it. An offer is read from the shape of the
message: a list of marked items, and the question before or behind it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final

from actors.policy.statements.standing import content
from actors.policy.text.wording import one_line, sentences
from actors.policy.text.words import caseless

FEWEST: Final = 2  # options of an offer
MOST: Final = 8
BEFORE: Final = 3  # lines before a list in which its question is looked for
ASKED: Final = 240  # characters of a question
LABEL: Final = 120  # characters
MEANING: Final = 240  # characters
TELLING: Final = 3  # content words with which a question says what it is about

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
# "1. **Label** - text", "**Option B: label**", "- **A — label:** text", "### Option 1: label"
_MARKED: Final = caseless(
    r"[ \t]{0,3}(?:[-*•][ \t]+|#{1,6}[ \t]+)?(?:\*\*)?"
    r"(?:(?:option|approach|alternative|variant|choice)[ \t]#?(\d{1,2}|[a-h])|(\d{1,2})|([A-H]))"
    r"(?:[ \t]\([^)\n]{1,40}\))?(?:\*\*)?[ \t]{0,2}(?:[.):]|[—–-](?=[ \t]))(?:\*\*)?[ \t]{1,3}(\S.*)"
)
# "- **Gate** — what it is": marked by its name alone.
_NAMED: Final = re.compile(
    r"[ \t]{0,3}[-*•][ \t]+(\*\*[^*\n]{2,80}\*\*.*|[A-Z][^:*\n]{1,40}:[ \t]\S.*)"
)
_LABEL: Final = re.compile(r"\A(?:\*\*)?([^*]{2,120}?)(?:\*\*|[ \t][—–-][ \t]|:[ \t]|$)")
# What stands below an option and does not say what it is.
_NO_MEANING: Final = caseless(
    r"\A[ \t]*(?:#|(?:[-*•][ \t]+)?(?:\*\*)?(?:(?:pros|cons|option)\b|\d{1,2}[.)]|[a-h][.)]))|[?:][* ]*\Z"
)
_EDGES: Final = " \t*:.—–-"
# A line before a list that says that its items are to be chosen from.
_OFFERS: Final = caseless(
    r"\b(?:prefer|options|approaches|choices|alternatives|ways|either|one of|which)\b"
)
# A question to which one of several is the answer.
_CHOOSES: Final = caseless(
    r"\b(?:which|what(?! do you think)|how|where|who|when|prefer(?:ence)?|either|or|your (?:call|pick|choice|thoughts)"
    r"|choose|pick)\b"
)
_GENERIC: Final = frozenset(
    "options approaches two three four five few several ideal proceed handle here work".split()
)
_ADVISED: Final = caseless(r"[ \t]?[\[(](?:recommended|default|my pick)[\])]")


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its marks in small letters, its label, and what it means."""

    marks: tuple[str, ...]
    label: str
    meaning: str
    advised: bool = False
    called: bool = False  # "option", by the message itself

    @property
    def text(self) -> str:
        """The label and what it means, on one line."""
        return f"{self.label}: {self.meaning}" if self.meaning else self.label


@dataclass(frozen=True, slots=True)
class Offer:
    """A question of an agent, and its options, if it lists any."""

    question: str = ""
    options: tuple[Option, ...] = ()
    closing: str = ""  # the last question of the message, which need not be about the options

    @property
    def advised(self) -> tuple[Option, ...]:
        """The option that the agent recommends, if it says so of one."""
        return tuple(option for option in self.options if option.advised)

    @property
    def topic(self) -> str:
        """The question in words that can be understood without the message."""
        if is_telling(self.question):
            return self.question
        *labels, last = [option.label for option in self.options]
        return f"{self.question.rstrip('?:')}: {', '.join(labels)} or {last}?"


def offered(message: str) -> Offer:
    """Offer with which a message ends: its last list of options, else its last question alone.

    Items that are called options are that. Any other list is one where its first line or the question
    beside it lets choose.
    """
    lines = [line for line in _FENCE.sub("", message).splitlines() if line.strip()]
    closing = _last_question(lines)
    lists = _lists(lines)
    called = [one for one in lists if all(option.called for _, option in one)]
    for found in reversed(called or lists):
        first, last = found[0][0], found[-1][0]
        before = lines[max(0, first - BEFORE) : first]
        leading = [line for line in before[-1:] if line.rstrip(" *").endswith(":")]
        asked = [_last_question(before), _last_question(lines[last + 1 :])]
        choosing = [one for one in asked if _CHOOSES.search(one)]
        if called or choosing or any(map(_OFFERS.search, leading)):
            telling = [one for one in choosing if is_telling(one)]
            named = [*telling, *map(_last, leading), *choosing, "Which one"]
            options = tuple(option for _, option in found)
            return Offer(one_line(named[0], ASKED), options, closing)
    return Offer(closing=closing)


def questions(message: str) -> dict[str, str]:
    """The numbered questions of a message by their number, each with what it is headed by."""
    marked = (_MARKED.match(line) for line in _FENCE.sub("", message).splitlines())
    found: dict[str, str] = {}
    for one in (one for one in marked if one is not None and one[2]):
        asked = next((s for s in sentences(one[4]) if s.endswith("?")), "")
        head = _LABEL.match(one[4])
        label = head[1].strip(_EDGES) if head and "**" in one[0] else ""
        found[one[2]] = f"{label}: {asked}" if label and asked and label not in asked else asked
    return {number: one_line(asked, ASKED) for number, asked in found.items() if asked}


def _last(line: str) -> str:
    """The last sentence of a line that leads to a list."""
    return (sentences(line) or [line])[-1].strip(" *#")


def is_telling(question: str) -> bool:
    """Return whether a question says what it is about."""
    return question.endswith("?") and len(about(question)) >= TELLING


def about(question: str) -> list[str]:
    """The words of a question that say what it is about."""
    return [word for word in content(question) if word not in _GENERIC]


def _lists(lines: Sequence[str]) -> list[list[tuple[int, Option]]]:
    """The items that are marked one after the other, or named alike, and where they stand."""
    options = [
        (at, option)
        for at, line in enumerate(lines)
        if (option := _option(line, lines[at + 1 : at + 2])) is not None
    ]
    marked = _runs([one for one in options if one[1].marks])
    named = _runs([one for one in options if not one[1].marks])
    whole = [one for one in (*marked, *named) if FEWEST <= len(one) <= MOST and _begins(one[0][1])]
    return sorted(whole, key=lambda run: run[-1][0])


def _runs(options: Sequence[tuple[int, Option]]) -> list[list[tuple[int, Option]]]:
    runs: list[list[tuple[int, Option]]] = []
    for at, option in options:
        if not runs or not _follows(option, runs[-1][-1][1], at - runs[-1][-1][0]):
            runs.append([])
        runs[-1].append((at, option))
    return runs


def _begins(option: Option) -> bool:
    return not option.marks or option.marks[0] in ("1", "a")


def _follows(option: Option, before: Option, distance: int) -> bool:
    if option.called != before.called:
        return False
    if not option.marks or not before.marks:
        return not option.marks and not before.marks and distance <= BEFORE
    mine, theirs = option.marks[0], before.marks[0]
    if mine.isdigit() and theirs.isdigit():
        return int(mine) == int(theirs) + 1
    return len(mine) == len(theirs) == 1 and ord(mine) == ord(theirs) + 1


def _option(line: str, following: Sequence[str]) -> Option | None:
    marked = _MARKED.match(line)
    if marked is None:
        named = _NAMED.match(line)
        return None if named is None else _labelled((), named[1], following)
    mark = (marked[1] or marked[2] or marked[3]).lower()
    option = _labelled((mark,), marked[4], following)
    return replace(option, called=marked[1] is not None) if option is not None else None


def _labelled(marks: tuple[str, ...], body: str, following: Sequence[str]) -> Option | None:
    found = _LABEL.match(_ADVISED.sub("", body))
    label = found[1].strip(_EDGES) if found else ""
    if found is None or not label:
        return None
    meaning = _ADVISED.sub("", body)[found.end() :].strip(_EDGES).replace("**", "")
    if not meaning and following and not _NO_MEANING.search(following[0]):
        meaning = following[0].strip(" \t*-•")
    advised = _ADVISED.search(body) is not None
    return Option(marks, one_line(label, LABEL), one_line(meaning, MEANING), advised)


def _last_question(lines: Sequence[str]) -> str:
    """The last question of these lines, without emphasis; none when much follows it."""
    tail = list(takewhile(lambda line: not _MARKED.match(line), reversed(lines)))[:BEFORE]
    for line in tail:
        pieces = sentences(line)
        while len(pieces) > 1 and not pieces[-1].endswith("?"):
            pieces.pop()
        if pieces and pieces[-1].endswith("?"):
            # A quoted question does not end the one that it stands in.
            quoted = len(pieces) > 1 and pieces[-1][:1].islower()
            return " ".join(pieces[-2:] if quoted else pieces[-1:]).strip(" *_")
    return ""
