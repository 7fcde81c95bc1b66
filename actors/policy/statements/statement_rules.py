"""The rules of what people state: ways to say a decision, a preference, a convention, a cause.

They read English and are data: each has what it is for, what kind of memory it makes, and the words
by which it is known. ``actors.policy.statements.statements`` decides whether what they find is worth keeping.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from actors.policy.text.words import caseless


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of stating something worth remembering."""

    id: str
    docs: str
    pattern: re.Pattern[str]
    kind: str
    memory_type: str
    importance: float  # 0..1
    context_type: str = "general"
    user_scope: bool = False


def _rule(rule_id: str, docs: str, pattern: str, **rest: Any) -> Rule:
    return Rule(rule_id, docs, caseless(pattern), **rest)


# Doing words of development: "before committing, run make lint" is a convention, "when I click
# the button, update the label" is a specification.
_WORK: Final = (
    r"(?:commit|push|merg|deploy|releas|chang|edit|add|touch|creat|updat|writ|renam|test|review)\w*"
)
_HANDS_OFF: Final = (
    r"(?:use|commit|push|touch|edit|modify|change|put|mock|import|log|store|hard-?code|deploy"
    r"|merge|rebase|force|delete|rename|install|rely|write|create|add)"
)

# What is written again and again: how one of them is to be written holds for all.
_WRITINGS: Final = (
    r"(?:commit messages|commits|comments|doc ?strings|release notes|functions|methods|classes"
    r"|modules|prs|pull requests|tests?)"
)
_LANGUAGE: Final = (
    r"(?:english|german|french|spanish|italian|portuguese|dutch|polish|czech|russian|ukrainian"
    r"|japanese|chinese|korean|turkish|swedish|finnish|danish|hindi|arabic)"
)
_MANNER: Final = (
    rf"(?:in (?:{_LANGUAGE}|snake_?case|the imperative)|short|brief|concise|lower-?case|under \d+)"
)
ANSWERS: Final = r"(?:answers|responses|replies|explanations|summaries)"
_BRIEF: Final = r"(?:short|brief|concise|terse|to the point)"
# Requirements with a reason: without one, they specify the task at hand.
_NEEDS: Final = (
    r"^(?!(?:i|you|we|it|this|that|they|there|the button)\b)[\w ./`'-]{3,60} (?:must(?: not)?"
    r"|ha(?:ve|s) to) \w.{4,}?(?:\bbecause\b|, so (?:no|never|don['’]t|always)\b)"
)

# In order: the first rule that matches a sentence has it.
RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "identity",
        "Who the user is: name, role, time zone, tools of their own",
        r"^(?:my name is|call me [A-Z]\w+$|i work (?:at|as|on the)|my (?:time ?zone|editor|os"
        r"|shell|terminal|role) is|i['’ ]?a?m (?:an? )?(?:\w+[ -]){0,3}(?:developer|engineer"
        r"|designer|student|researcher|scientist|manager|maintainer)\b|i(?:['’]m| am) (?:\w+ )?"
        r"(?:colou?r[ -]?blind|dyslexic|left-handed|deaf|blind|on call every)\b)",
        kind="fact",
        memory_type="autobiographical",
        importance=0.7,
        user_scope=True,
    ),
    _rule(
        "preference",
        "What the user prefers, in the first person, or 'please always / never'",
        r"\bi(?:['’]d| would)? (?:really |strongly |generally |usually |much )?(?:prefer|hate"
        r"|dislike|can['’]?t stand|do(?:n['’]t| not) like(?! (?:the|this|that|your|it|how|where|what)\b))\b"
        r"|\bi(?:['’]d| would) (?:much )?rather\b"
        r"|\bi (?:always|never|usually|typically) (?:use|want|write|run|keep|put|like|work)\b"
        r"|\bmy (?:preference|(?:preferred|favou?rite) [\w ]{2,30}) is\b"
        r"|^(?:(?:can|could|would) you )?please (?:always|never) "
        r"|^(?:always|never) .+ when(?:ever)? i ask\b"
        rf"|^(?:please )?(?:(?:keep|make) (?:all |your )?{ANSWERS} {_BRIEF}|{_BRIEF} {ANSWERS})\b"
        rf"|^(?:please )?(?:answer|reply|respond) in {_LANGUAGE}(?=[.!]*$)"
        r"|^i (?:use|run|write|work with) [\w.+# -]{2,30},? so (?:please|don['’]t|always|never)\b"
        r"|^(?:please )?prefer [^,.;]{2,60} (?:over|to|instead of|rather than) \w",
        kind="preference",
        memory_type="semantic",
        importance=0.8,
        user_scope=True,
    ),
    _rule(
        "decision",
        "What was decided: 'we decided', 'let's use', 'use X, not Y', 'we are switching to'",
        r"(?<!which )(?<!one )\b(?:we|i|the team)(?:['’]ve| have|['’]d)?"
        r" (?:just |already |finally |now )?(?:decided|agreed|chose|opted"
        r"|(?:settled|landed) on|ended up with|picked|(?:went|gone) with(?! the\b)|standardi[sz]ed on) (?!whether)"
        r"|\bwe(?:['’]re| are| will|['’]ll) (?:now |not )?(?:going (?:with|to (?:use|switch|move"
        r"|migrate|stick))|go with|switching|moving|migrating|sticking|dropping|using|use|keeping)\b"
        r"|\bwe go with\b"
        r"|\blet['’]?s (?:go with|use|stick (?:with|to)|adopt|avoid|switch to (?!the\b)"
        r"|not use (?!the ))\b(?! the (?:same|current) )"
        r"|\b(?:use|choose|pick) (?!an? |the |this |that |your |my |its )[^,.;]{2,60}?,?"
        r" (?:not|instead of|rather than|over|in place of) (?!an? |the |this |that )[^,.;]{2,60}"
        r"|^(?:please )?use (?!an? |the |this |that |your |my )[\w ./-]{3,40}, "
        r"(?:[\w.-]+ ){1,5}?(?:is|are|don['’]t|can['’]t)\b"
        r"|^for [\w -]{3,40},? it['’]?s (?:always [\w.+-]+|[\w.+-]+ everywhere)\b"
        r"|^(?:final )?decision\s*[:—-]",
        kind="decision",
        memory_type="semantic",
        context_type="decision",
        importance=0.85,
    ),
    _rule(
        "convention",
        "A standing rule of the project: always, never, from now on, before every commit",
        _NEEDS + r"|\b(?:from now on|going forward|henceforth|from here on)\b|^in (?:the )?future,"
        r"|^(?:always|never) (?!mind|again|an? |happy|seen|heard|been|read\b|(?:in|on|at|for) |\w+(?:ed|[^su\W]s)\b)\w+"
        rf"|^(?:please )?(?:don['’]?t|do not) (?:ever \w+|{_HANDS_OFF}\b)"
        r"|^(?:please )?(?:stop|avoid|quit) (?:using|mocking|suggesting|recommending)\b"
        rf"|^(?:please )?(?:write|keep|make) (?:all |the |your )?{_WRITINGS} {_MANNER}\b"
        r"|^in (?:this|our) (?:repo|project|codebase),? [\w+#.-]{2,30} (?:for|everywhere|only)\b"
        rf"|^(?:please )?(?:always )?(?:ask|check with)(?: me| us)?(?: first)? before {_WORK}"
        r"|^(?:tests|migrations|endpoints|commits|branches|secrets|tokens|logs) must (?:never|not) "
        r"|^(?:please )?no [\w`:. -]{2,40} in (?:code|docs|prod(?:uction)?)\b"
        rf"|^(?:you|we) (?:must(?: not|n['’]t)|should(?: not|n['’]t)) {_HANDS_OFF}\b"
        r"|\b(?:our|the) (?:convention|policy|rule|standard)s? (?:is|are)\b"
        r"|^(?:all|every|each|any|no|our) [\w -]{2,40} (?:must(?: not|n['’]t)?|may not)\b"
        rf"|^(?:before|after|whenever|every time) (?:you |we )?{_WORK}\b"
        r"[^,]{0,80}, (?:please |always )*(?:run|update|check|add|use|ask)\b",
        kind="convention",
        memory_type="procedural",
        importance=0.8,
    ),
    _rule(
        "cause",
        "Why something happened, as the user found it: 'it turned out', 'the root cause was'",
        r"^(?:it )?turn(?:s|ed) out\b|^the (?:root cause|culprit|reason) .{4,80} (?:is|was)\b",
        kind="discovery",
        memory_type="declarative",
        context_type="discovery",
        importance=0.7,
    ),
)
# Whoever keeps one of these on purpose means more than the task at hand.
ORDER: Final = _rule(
    "convention",
    "A standing order that a person keeps: 'do not ...', 'use X, not Y'",
    r"^(?:please )?(?:(?:do(?:n['’]t| not) (?!forget\b)|avoid |prefer )\w"
    r"|use [^.]{1,80}?,? (?:not|never|instead of|rather than) \w)",
    kind="convention",
    memory_type="procedural",
    importance=0.8,
)
REMEMBER: Final = _rule(
    "remember",
    "What the user asked to remember: 'remember that', 'note:', 'keep in mind'",
    r"^(?:(?:please|i want you to|i need you to|you should|can you|could you|also)[ ,]+){0,2}"
    r"(?:remember|note|keep in mind|bear in mind|don['’]?t forget|do not forget|for the record"
    r"|important|nb|fyi|heads[ -]up|reminder)\b(?: this(?=:))?(?P<mark>\s*[:,—-]\s*"
    r"|\s+that\b:?\s*|\s+)(?P<what>\S.*)$",
    kind="fact",
    memory_type="declarative",
    importance=0.9,
)
WISH: Final = _rule(
    "wish",
    "What is to hold, said in passing: 'we should only have one cache', 'not as X, but as Y'",
    r"",
    kind="decision",
    memory_type="semantic",
    context_type="decision",
    importance=0.8,
)
CORRECTION: Final = "correction"
CORRECTION_DOCS: Final = "A statement that sets something right: 'no, ...', 'actually ...'"
CORRECTION_IMPORTANCE: Final = 0.85
