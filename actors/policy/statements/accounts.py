"""Accounts of a session, as a compaction writes them: sections, their points, and what a person settled in one.

A point is a line at the edge of its section with the lines below it: an item with its sub-items, or a
line announcing a list with the list. Code is left out.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from actors.policy.patterns import pattern
from actors.policy.statements.claims import is_hedged
from actors.policy.text.speech import forms, pattern_of
from actors.policy.text.turn import with_quotations, without_quotations
from actors.policy.text.wording import SENTENCE_END, TEXT, names, sentence
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__)

ANALYSIS: Final = "Analysis"  # the part before the numbered sections
TITLE: Final = 80  # characters
_SUMMARY: Final = "\nSummary:\n"

_HEADING: Final = pattern(
    r"^[ \t]{0,3}(#+[ \t]*|\*\*)?(\d{1,2})[.)][ \t]+\**([A-Z][\w ,&/()-]{2,50}+)\**(?:(?(1):?|:))\**[ \t]*$",
    re.MULTILINE,
)
_TAGGED: Final = pattern(r"^[ \t]*<analysis>(.*?)(?:</analysis>|\Z)", re.DOTALL | re.MULTILINE)
_UNTAGGED: Final = pattern(r"^Analysis:\n", re.MULTILINE)
_FENCE: Final = pattern(r"```.*?(?:```|\Z)", re.DOTALL)
_LINE: Final = pattern(r"^([ \t]*)((?:[-*•]|\d{1,2}[.)])[ \t]+)?(\S.*)$", re.MULTILINE)
_TITLE: Final = pattern(rf"\A((?:[^:`\"\n]|`[^`\n]*`|\"[^\"\n]*\"|:(?=\S)){{2,{TITLE}}}+):(?: |\Z)")
_MARKS: Final = "#-–— \t"


class Point(Struct):
    """A line of an account and the lines below it, without marks."""

    head: str
    below: list[str] = field(default_factory=list[str])

    @property
    def title(self) -> str:
        """The point's subject, before its colon; empty when it has none."""
        titled = _TITLE.match(self.head)
        return titled[1] if titled else ""


def sections(account: str) -> list[tuple[str, str]]:
    """The (name, body) of each section, first the account's draft before its summary."""
    text = _FENCE.sub("", account)
    tagged = _TAGGED.search(text)
    before, _, after = _TAGGED.sub("", text).rpartition(_SUMMARY)
    opened = _UNTAGGED.search(before)
    weighed = tagged[1] if tagged else before[opened.end() :] if opened else ""
    return [(ANALYSIS, weighed), *_headed(after)]


def points(body: str) -> list[Point]:
    """The points of a section."""
    found: list[Point] = []
    edge = 0
    for depth, text in _lines(body):
        # A list stands below the line that announces it, whether it is indented or not.
        if not found or depth <= edge or (text.endswith(":") and depth <= edge + 1):
            found.append(Point(text))
            edge = depth
        else:
            found[-1].below.append(text)
    return found


def _headed(text: str) -> Iterator[tuple[str, str]]:
    """The sections by their headings, whose numbers grow: a list within one begins anew."""
    last = 0
    headings: list[re.Match[str]] = []
    for heading in _HEADING.finditer(text):
        if int(heading[2]) > last:
            headings.append(heading)
            last = int(heading[2])
    for one, following in pairwise([*headings, None]):
        if one is not None:
            yield one[3], text[one.end() : following.start() if following else None]


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """Each line's depth and its words; a bullet is one deeper than a line without."""
    for indent, bullet, text in _LINE.findall(body):
        bare = text.replace("**", "").strip(_MARKS)
        if bare:
            yield len(indent.expandtabs()) + bool(bullet), bare


# ---- matters settled by a person in a session, from its account: decisions, rules, corrections
#
# An account says "the user rejected ...", "user feedback: ...", or lists agreements below a line
# announcing them. Requests, views and reports are over with the session.


NEAR: Final = 70  # characters in which a line says who speaks
LEAST: Final = 5  # words of a line
TITLE_WORDS: Final = 8  # words of a title that says what its lines are about
SUBJECT: Final = 200  # characters of the sentence that says what requirements are of
PLAIN: Final = 10  # words of a text that names nothing

SETTLED_FORMS: Final = forms(__name__, "settled")
SETTLES: Final = pattern_of(SETTLED_FORMS["settles"])
_SAYS: Final = pattern_of(SETTLED_FORMS["says"])
LASTS: Final = pattern_of(SETTLED_FORMS["lasts"])
_SET_RIGHT: Final = pattern_of(SETTLED_FORMS["set_right"])
_PASSING: Final = pattern_of(SETTLED_FORMS["passing"])
_AGREED: Final = pattern_of(SETTLED_FORMS["agreed"])
_OF_THE_SESSION: Final = pattern_of(SETTLED_FORMS["of_the_session"])
_FOR_A_MOMENT: Final = pattern_of(SETTLED_FORMS["for_a_moment"])
_OPENER: Final = pattern_of(SETTLED_FORMS["opener"])
# The agent's account of a choice, with what speaks for it.
_OURS: Final = caseless(_EXPRESSIONS["ours"])
# A step: what was done, by the agent or by the user's asking for it.
_DONE: Final = caseless(_EXPRESSIONS["done"])
_OPEN: Final = pattern(r"[:?][\"”')]*\Z")
_USERS: Final = caseless(r"\bpreferences?\b")
_PERSON: Final = caseless(r"\b(?:users?|they|he|she)\b")
_FRAGMENT: Final = pattern(r"(?!(?:the|an?|we|users?|every|each|all)\b)[a-z]+\b(?![_./(-])")
_NUMBER: Final = caseless(_EXPRESSIONS["number"])


def settled(point: Point, section: str = "") -> str:
    """Return a point's matter settled by the user, in at most 600 characters; else ''.

    Everything counts in a section with a name announcing agreements.
    """
    first = _sentences(_NUMBER.sub("", point.head))
    announces = point.head.endswith(":") and bool(first)
    title = _NUMBER.sub("", (first.pop() if announces else point.title).removesuffix(":"))
    listed = _is_agreed(section)
    agreed = listed or _is_agreed(title)
    held = listed or (agreed and not announces)
    heads = [one for one in first if _is_settled(one, agreed=held, listed=listed)]
    said = [one for line in point.below for one in ([line] if agreed else _sentences(line))]
    below = [one for one in said if _is_settled(one, agreed=agreed, listed=listed)]
    if not (heads or below) or _FOR_A_MOMENT.search(" ".join((point.head, *point.below))):
        return ""
    if agreed and announces and not heads and first and len(first[0]) <= SUBJECT:
        heads = first[:1]  # the subject of the requirements
    says = len(title.split()) <= TITLE_WORDS and not _OPENER.search(title)
    named = [f"{title}:"] if title and says and below and (announces or not heads) else []
    if not announces and title and says and heads and heads[0] != first[0]:
        heads = [f"{title}:", *heads]
    if listed and heads and _leans_on(section, heads[0]):
        heads[0] = f"{section}: {heads[0]}"
    text = _fitting([*heads, *named, *below])
    least = LEAST if listed else PLAIN
    tells = names(" ".join([*heads, *below])) or len(text.split()) >= least
    return text if tells or (listed and SETTLES.search(text)) else ""


def sets_the_agent_right(text: str) -> bool:
    """Return whether the user corrected the agent's way of work, and not the code's behaviour."""
    return "`" not in text and _SET_RIGHT.search(text) is not None


def _leans_on(section: str, line: str) -> bool:
    """Return whether a line of a section needs its name: a fragment, or a preference without its owner."""
    if _USERS.search(section):
        return _PERSON.search(line) is None
    return _FRAGMENT.match(line) is not None


def _is_agreed(title: str) -> bool:
    """Return whether a title announces agreements: everything below it counts."""
    words = len(title.split())
    by_user = SETTLES.search(title) is not None and words <= 2 * TITLE_WORDS
    announced = _AGREED.search(title) is not None and _DONE.match(title) is None
    return by_user or (announced and words <= TITLE_WORDS)


def _sentences(line: str) -> list[str]:
    """The sentences of a line; a quotation is not cut."""
    own = without_quotations(line)
    return [with_quotations(one, own.quotations) for one in SENTENCE_END.split(own.text) if one]


def _is_settled(line: str, *, agreed: bool, listed: bool) -> bool:
    if len(line.split()) < (LEAST - 1 if listed else LEAST):
        return False
    if _OPEN.search(line) or _OF_THE_SESSION.search(line):
        return False
    decided = SETTLES.search(line[: 2 * NEAR])
    if decided is not None and decided.start() <= NEAR:
        return len(line[decided.end() :].split()) >= (1 if listed else 3)
    if _DONE.match(line):
        return False
    if _OURS.match(line) and LASTS.search(line):
        return True
    said = _SAYS.search(line[: 2 * NEAR])
    if agreed or said is None or said.start() > NEAR:
        return agreed
    rest = line[said.end() :]
    if is_hedged(rest) or len(rest.split()) < LEAST:
        return False
    return LASTS.search(rest) is not None and _PASSING.search(rest) is None


def _fitting(lines: list[str]) -> str:
    """The lines as sentences, as many as fit."""
    text = ""
    for line in lines:
        longer = f"{text} {line if line.endswith(':') else sentence(line)}".strip()
        if len(longer) > TEXT:
            break
        text = longer
    return text
