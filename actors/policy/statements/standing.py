"""Standing of a sentence with a statement: said outright, to last, of its own.

A sentence hedged, asked, or for the task at hand; about a passing state; or pointing at something
outside itself is no memory, whatever rule it matches. Every doubt is decided against keeping.
"""

import re
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.statements.statement_rules import Rule
from actors.policy.text.forms import forms, pattern_of
from actors.policy.text.plain_speech import is_embedded
from actors.policy.text.words import STOP_WORDS, caseless

OBJECT: Final = 12  # characters after the words of a choice, where the chosen thing stands

STANDING_FORMS: Final = forms(__name__, "standing")
_HEDGED: Final = pattern_of(STANDING_FORMS["hedged"])
_ASKS: Final = pattern_of(STANDING_FORMS["asks"])
_FOR_NOW: Final = pattern_of(STANDING_FORMS["for_now"])
_POINTS_AWAY: Final = pattern_of(STANDING_FORMS["points_away"])
_POINTS_BACK: Final = pattern_of(STANDING_FORMS["points_back"])
_FOR_THE_TASK: Final = pattern_of(STANDING_FORMS["for_the_task"])
_ARGUED: Final = pattern_of(STANDING_FORMS["argued"])
_TASK_TAIL: Final = pattern_of(STANDING_FORMS["task_tail"])
_LOOKS: Final = pattern_of(STANDING_FORMS["looks"])
# "... is on alpine, so Docker won't start there", "apt is not there": the place is in the sentence.
_NOT_THERE: Final = caseless(r"(?:\bnot|n['’]t)(?: \w+)? there(?=[.!]?$)")
_ASIDE: Final = caseless(
    r"\A(?!(?:and|so|because|since|when|while)\b)(?!look|see|check"
    r"|fix)(?=(?:[\w'’]+ ){2,})(?!.*\b(?:if|unless|but|or|not|only|\w+n['’]t)\b)(?!.*\?$)"
)
# Said like a choice, and none: "we're using too much memory", "let's stick to the plan".
_NO_CHOICE: Final = caseless(
    r"(?:(?<!\s)\s++)?(?:too|some|nothing|a lot|so (?:much|many)|(?:to |with )?(?:my|your|their)"
    r"|(?:the )?(?:option|approach|choice)? ?#?(?:(?<!\d)\d++|[a-z])(?=[.!]*$)"
    r"|the (?:plan|topic|point|task|flow)|to (?:take|go(?! with)|have|wait|stop|start|try))\b"
)
# Of what it is said is left out, and "use" before it names nothing.
_SUBJECTLESS: Final = caseless(
    r"use (?:in|for|with|by|at|on) |in the future, for [^,]*$|\(\w+(?:\.\w+)*(?:Error|Exception)\) |(?:use )?(?:must|should|shall|ought to|has to|needs? to)(?:n['’]t)? (?:not |never |always |only ){0,2}be\b"
)
_VAGUE: Final = frozenset(
    {"approach", "option", "way", "thing", "things", "one", "version", "idea", "solution"}
    | {"method", "stuff", "use", "using", "used", "go", "lets", "let", "decided", "always"}
    | {"never", "prefer", "like", "want", "do", "not", "now", "please", "again", "instead", "sure"}
    | {"same", "good", "better", "first", "second", "other", "rather", "make", "get", "mind"}
    | {"agreed", "chose", "don", "just", "also", "really", "continue", "keep", "everything"}
)
_WORDS: Final = pattern(r"[^\W_][\w.+#-]*")


def without_aside(line: str) -> str:
    """The line without a last remark pointing elsewhere: "..., the reviewers insist on that"."""
    head, _, tail = line.rpartition(", ")
    aside = _ASIDE.match(tail) and _POINTS_AWAY.search(tail) and not _POINTS_AWAY.search(head)
    return head if head and aside and not _HEDGED.search(line) else line


def stands_alone(line: str) -> bool:
    """Return whether a line can be understood without the conversation, and is meant as it stands."""
    return (
        6 <= len(line) <= 400
        and not line.endswith(("?", ":", "…"))
        and not _HEDGED.search(line)
        and not _POINTS_AWAY.search(_NOT_THERE.sub("", line))
        and not _SUBJECTLESS.match(line)
        and content(line) != []
    )


def holds(rule: Rule, line: str, found: re.Match[str], *, on_purpose: bool = False) -> bool:
    """Check the rule's conditions beyond its pattern, which was found here.

    A line kept ``on_purpose`` is not for the task at hand alone.
    """
    match rule.id:
        case "decision":
            return _is_standing(line, found.start()) and _is_choice(found)
        case "convention":
            lasts = on_purpose or not _is_for_the_task(line)
            return _is_standing(line, found.start()) and lasts
        case "preference" | "identity":
            return not (is_embedded(line, found.start()) or _FOR_NOW.search(line))
        case _:
            return len(content(line)) >= 3 and not _asks(line)


def _is_standing(line: str, at: int) -> bool:
    """Return whether the statement ``at`` this character lasts beyond today, and is meant."""
    apart = is_embedded(line, at) or _POINTS_BACK.match(line)
    return not (apart or _FOR_NOW.search(line) or _asks(line))


def _is_choice(found: re.Match[str]) -> bool:
    """Return whether something was chosen: named after words for a choice."""
    if _LOOKS.search(found.string, found.start(), found.end() + OBJECT):
        return False
    return not _NO_CHOICE.match(found.string, found.end())


def _is_for_the_task(line: str) -> bool:
    return _FOR_THE_TASK.match(line) is not None and not _ARGUED.search(line)


def is_momentary(line: str) -> bool:
    """Return whether a wish is about looks, a task's last remark, or about something unsaid."""
    return bool(_LOOKS.search(line) or _TASK_TAIL.search(line) or _POINTS_BACK.match(line))


def _asks(line: str) -> bool:
    return bool(_ASKS.match(line))


def content(line: str) -> list[str]:
    """The words of a line about its subject."""
    words = [word.casefold().rstrip(".-") for word in _WORDS.findall(line)]
    return [word for word in words if word not in STOP_WORDS and word not in _VAGUE]
