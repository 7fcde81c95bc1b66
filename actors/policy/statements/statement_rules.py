"""The rules of people's statements, what they propose, and when a sentence of their form stands.

The rules read English and are data: the forms of saying one are rows of the table beside this module, each with a
sentence to keep and one not to keep.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.events.events import Tool
from actors.policy.patterns import pattern
from actors.policy.text.speech import forms, pattern_of
from actors.policy.text.turn import is_embedded
from actors.policy.text.wording import titled
from actors.policy.text.words import STOP_WORDS, caseless, expressions, table, word_list

_EXPRESSIONS: Final = expressions(__name__, "standing")


class Rule(Struct, frozen=True):
    """A way of stating something worth remembering."""

    id: str
    pattern: re.Pattern[str]
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    user_scope: bool = False


RULE_FORMS: Final = forms(__name__, "statement_rules")
_ROWS: Final = table(__name__, "rules")


def _rule(name: str) -> Rule:
    return Rule(pattern=pattern_of(RULE_FORMS.get(name, ())), **_ROWS[name])


# In order: the first rule that matches a sentence has it.
RULES: Final = tuple(map(_rule, ("identity", "preference", "decision", "convention", "cause")))
ORDER: Final = _rule("order")  # whoever keeps one on purpose means more than the task at hand
REMEMBER: Final = _rule("remember")
WISH: Final = _rule("wish")
CORRECTION: Final = "correction"
CORRECTION_IMPORTANCE: Final = 0.85


# ---- candidates: proposals of the rules of extraction, before the gate has seen them


class Candidate(Struct, frozen=True):
    """Something worth remembering, before the gate has seen it.

    A rule makes it; numbered, ``(rule, ordinal)`` is unique within one event. There is no tier: people
    set tiers.
    """

    rule: str
    text: str
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    user_scope: bool = False
    ordinal: int = 0
    title: str = ""
    source_tool: str = ""
    source_call: str = ""
    commit: str = ""  # the hash of the one that says it, as git told it
    author: str = ""  # the name of who made that


def numbered(found: Sequence[Candidate], tool: Tool | None) -> tuple[Candidate, ...]:
    """The candidates of one event numbered by rule and titled."""
    counts: Counter[str] = Counter()
    candidates: list[Candidate] = []
    for one in found:
        candidates.append(
            replace(
                one,
                importance=round(one.importance, 2),
                ordinal=counts[one.rule],
                title=titled(one.text),
                source_tool=tool.name if tool else "",
                source_call=tool.use_id if tool else "",
            )
        )
        counts[one.rule] += 1
    return tuple(candidates)


# ---- standing of a sentence with a statement: said outright, to last, of its own
#
# A sentence hedged, asked, or for the task at hand; about a passing state; or pointing at something
# outside itself is no memory, whatever rule it matches. Every doubt is decided against keeping.


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
_ASIDE: Final = caseless(_EXPRESSIONS["aside"])
# Said like a choice, and none: "we're using too much memory", "let's stick to the plan".
_NO_CHOICE: Final = caseless(_EXPRESSIONS["no_choice"])
# Of what it is said is left out, and "use" before it names nothing.
_SUBJECTLESS: Final = caseless(_EXPRESSIONS["subjectless"])
_VAGUE: Final = word_list(__name__, "vague", "standing")
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
            looks = _LOOKS.search(line, found.start(), found.end() + OBJECT)
            # Nothing is named after the words of a choice.
            is_empty = _NO_CHOICE.match(line, found.end())
            return _is_standing(line, found.start()) and not (looks or is_empty)
        case "convention":
            lasts = on_purpose or not _FOR_THE_TASK.match(line) or bool(_ARGUED.search(line))
            return _is_standing(line, found.start()) and lasts
        case "preference" | "identity":
            return not (is_embedded(line, found.start()) or _FOR_NOW.search(line))
        case _:
            return len(content(line)) >= 3 and not _ASKS.match(line)


def _is_standing(line: str, at: int) -> bool:
    """Return whether the statement ``at`` this character lasts beyond today, and is meant."""
    apart = is_embedded(line, at) or _POINTS_BACK.match(line)
    return not (apart or _FOR_NOW.search(line) or _ASKS.match(line))


def is_momentary(line: str) -> bool:
    """Return whether a wish is about looks, a task's last remark, or about something unsaid."""
    return bool(_LOOKS.search(line) or _TASK_TAIL.search(line) or _POINTS_BACK.match(line))


def content(line: str) -> list[str]:
    """The words of a line about its subject."""
    words = [word.casefold().rstrip(".-") for word in _WORDS.findall(line)]
    return [word for word in words if word not in STOP_WORDS and word not in _VAGUE]


# ---- ways of working: rules of a person for every session of a project, whatever its subject
#
# Who types "keep the padding for the play button" or "use this file for seeding" gives an order for one
# feature. "Use the strong types wherever we can" and "never edit the seeds" hold for whoever works there
# next, and these alone are told as a session starts (docs/adr/0018).


LONGEST: Final = 160  # characters: a longer one tells of the work itself

WORK_FORMS: Final = forms(__name__, "ways_of_working")
PRODUCT: Final = pattern_of(WORK_FORMS["product"])
_TRADE: Final = pattern_of(WORK_FORMS["trade"])
_GENERAL: Final = pattern_of(WORK_FORMS["general"])
_FRAGMENT: Final = pattern_of(WORK_FORMS["fragment"])
_AT_HAND: Final = pattern_of(WORK_FORMS["at_hand"])


def is_for_every_session(text: str, *, wish: bool) -> bool:
    """Tell whether a rule of the user is told at the start of any session of its project.

    A ``wish`` was said in passing: it must also claim to hold in general.
    """
    if len(text) > LONGEST or any(one.search(text) for one in (PRODUCT, _FRAGMENT, _AT_HAND)):
        return False
    return _TRADE.search(text) is not None and (not wish or _GENERAL.search(text) is not None)
