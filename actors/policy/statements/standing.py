"""Standing of a sentence that states something: said outright, to last, of its own.

Hedged, asked, or for the task at hand; about a state that passes; pointing at something outside
itself: such a sentence is no memory, whatever rule it matches. Every doubt is decided against
keeping.
"""

import re
from typing import Final

from actors.policy.statements.statement_rules import Rule
from actors.policy.text.plain_speech import is_embedded
from actors.policy.text.words import STOP_WORDS, caseless

OBJECT: Final = 12  # characters after the words of a choice, where the chosen thing stands

_HEDGED: Final = caseless(
    r"\b(?:maybe|perhaps|probably|might|not sure|i (?:think|guess|believe|assume|suppose|wonder)"
    r"|possibly|presumably|should we|could be|what if|whether|unless|seems?|apparently|imagine"
    r"|pretend|in theory|ideally|hypothetical(?:ly)?|let['’]?s say|say we|(?:what|how) about"
    r"|at some point|some ?day|iirc|afaik|would be (?:nice|cool|great)|(?:i|we)['’](?:m|re) (?:"
    r"considering|thinking (?:about|of)))\b|^(?:if|assum(?:e|ing))\b|, (?:right|correct|no|yes)[.!]*$"
)
_ASKS: Final = caseless(
    r"^(?:(?:can|could|would|will|do) (?:you|we|i)|does|did|is|are|was|were|why|what|how|where"
    r"|when(?! (?:you|we|\w+ing))|which|who|should|(?:do|is|are|did|ca)n['’]t (?:you|we|it|this))\b"
    r"|^(?:[\w+#.]+ ){0,3}(?:check|see|tell|test|verify) (?:if|whether)\b"
)
_FOR_NOW: Final = caseless(
    r"\b(?:for now|right now|this time|yet|today|in this (?:case|function|file|test|pr|session)"
    r"|to (?:see|find out|figure out|check|try)|again"
    r"|until(?! v?\d| (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[\w ]* release)"
    r"|the (?:first|second|third|last|next|former|latter|other|previous|above|following) \w+"
    r"|anything else|any ?more \w+|more \w+$|temporarily|meanwhile|tomorrow|tonight|afterwards"
    r"|later|at the moment|for (?:the|this) (?:demo|moment|time being|test|prototype|example|meeting)"
    r"|and (?:re)?run|and try)\b|^let['’]?s .*\b(?:first\b|then[.!]*$)"
)
# "... is on alpine, so Docker won't start there", "apt is not there": the place is in the sentence.
_NOT_THERE: Final = caseless(r"(?:\bnot|n['’]t)(?: \w+)? there(?=[.!]?$)")
_POINTS_AWAY: Final = caseless(
    r"\b(?:this|these|those)\s+(?!project|repo|codebase|team|company|service|app|package|library"
    r"|machine|organi|is\b|year\b|quarter\b)\w+"
    r"|\b(?:this|that|these|those|here|there|above|below)[.!]?$"
    r"|\blike (?:this|that)\b|\b(?:do|use|used|using|touch|change|edit|with|about|prefer|want)"
    r" (?:it|this|that|them|these|those)\b|\bthat (?:one|way|approach)\b|^for \(?\d\)?,? |\bfor \(\d\)|\bthe same (?:reason|resolution)\b"
    r"|^(?:both|neither|each one|either)\b(?! of (?:the|our)\b| \w+s\b)|\bis this: |^here(?:['’]?s| is| are)\b"
)
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
# "Don't touch the tests" is for the task at hand; a reason, a place or what sort of thing make it a rule.
_TASK_HANDS_OFF: Final = caseless(
    r"^(?:please )?(?:don['’]?t|do not) (?:touch|edit|modify|change|add|create|write|rename|delete"
    r"|commit|put)\b(?!.*(?:, |\b(?:at all|ever|that|which|in|into|to|on|from|with|without)\b))"
)
# "We decided that it runs hourly", "always run it with -v": what, was said elsewhere.
_POINTS_BACK: Final = caseless(
    r"^(?:(?:please|we|i|you|always|never|don['’]t|do not|let['’]?s|should|must|also|only|just|now"
    r"|have|decided|agreed|chose|that|to|from now on|prefer|hate)\b[\s,]*)+"
    r"(?:\w+ )?(?:it|they|them|she|he)\b"
)
# A reason, what follows, or what it is not: "errors are returned, not thrown".
_ARGUED: Final = caseless(
    r"\b(?:because|since|so that|due to|so (?:no|never|don['’]t|always))\b|, (?:not|never) \w"
    r"|\bso [\w ]{2,40} (?:won['’]t|can['’]t|cannot|ha(?:s|ve) to|must)\b"
)
# What a state is told for: "all endpoints need a docstring, add them".
_TASK_TAIL: Final = caseless(
    r", (?:please |so |then )?(?:add|fix|remove|delete|rename|replace|update|change|move|check"
    r"|restart|run|try)\b"
)
# How something is to look is a specification.
_LOOKS: Final = caseless(
    r"(?<![\w/-])(?:left|right|red|blue|green|yellow|purple|orange|pink|gr[ae]y|top|bottom|bold"
    r"|italic|colou?rs?|bigger|smaller|larger)(?![\w/-])"
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
_WORDS: Final = re.compile(r"[^\W_][\w.+#-]*")


def without_aside(line: str) -> str:
    """The line without a last remark that points elsewhere: "..., the reviewers insist on that"."""
    head, _, tail = line.rpartition(", ")
    aside = _ASIDE.match(tail) and _POINTS_AWAY.search(tail) and not _POINTS_AWAY.search(head)
    return head if head and aside and not _HEDGED.search(line) else line


def stands_alone(line: str) -> bool:
    """Return whether a line can be understood without the conversation, and means what it says."""
    return (
        6 <= len(line) <= 400
        and not line.endswith(("?", ":", "…"))
        and not _HEDGED.search(line)
        and not _POINTS_AWAY.search(_NOT_THERE.sub("", line))
        and not _SUBJECTLESS.match(line)
        and content(line) != []
    )


def holds(rule: Rule, line: str, found: re.Match[str], *, on_purpose: bool = False) -> bool:
    """Check what a rule asks beyond its pattern, which was found here.

    Who keeps a line ``on_purpose`` does not mean the task at hand alone.
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
    """Tell whether what is said ``at`` this character lasts beyond today, and is meant."""
    apart = is_embedded(line, at) or _POINTS_BACK.match(line)
    return not (apart or _FOR_NOW.search(line) or _asks(line))


def _is_choice(found: re.Match[str]) -> bool:
    """Tell whether something was chosen: named after words that say so."""
    if _LOOKS.search(found.string, found.start(), found.end() + OBJECT):
        return False
    return not _NO_CHOICE.match(found.string, found.end())


def _is_for_the_task(line: str) -> bool:
    return _TASK_HANDS_OFF.match(line) is not None and not _ARGUED.search(line)


def is_momentary(line: str) -> bool:
    """Whether a wish is how something is to look, a task's last remark, or about what is unsaid."""
    return bool(_LOOKS.search(line) or _TASK_TAIL.search(line) or _POINTS_BACK.match(line))


def _asks(line: str) -> bool:
    return bool(_ASKS.match(line))


def content(line: str) -> list[str]:
    """The words of a line that say what it is about."""
    words = [word.casefold().rstrip(".-") for word in _WORDS.findall(line)]
    return [word for word in words if word not in STOP_WORDS and word not in _VAGUE]
