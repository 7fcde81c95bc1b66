"""The rules of what people state: ways to say a decision, a preference, a convention, a fact.

They read English and are data: each has what it is for, what kind of memory it makes, and the words
by which it is known. ``actors.policy.statements.statements`` decides whether what they find is worth keeping.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from actors.policy.text.wording import TOOLS


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
    return Rule(rule_id, docs, re.compile(pattern, re.IGNORECASE), **rest)


# Doing words of development: "before committing, run make lint" is a convention, "when I click
# the button, update the label" is a specification.
_WORK: Final = (
    r"(?:commit|push|merg|deploy|releas|chang|edit|add|touch|modif|creat|updat|runn?|writ|open"
    r"|renam|upgrad|bump|test|refactor|review|tagg?|publish|ship)\w*"
)
_HANDS_OFF: Final = (
    r"(?:use|commit|push|touch|edit|modify|change|put|mock|import|log|store|hard-?code|deploy"
    r"|merge|rebase|force|delete|assume|expose|rename|install|introduce|rely|write|create|add)"
)

# What is written again and again: how one of them is to be written holds for all.
_WRITINGS: Final = (
    r"(?:commit messages|commits|(?:code )?comments|doc ?strings|pr (?:titles|descriptions)"
    r"|branch names"
    r"|changelog entries|release notes|functions|methods|classes|modules|diffs|prs|pull requests"
    r"|(?:test|variable|function|column|table) names|test files)"
)
_LANGUAGE: Final = (
    r"(?:(?:plain |british |american |simple )?(?:english|german|french|spanish|italian"
    r"|portuguese|dutch"
    r"|polish|czech|russian|ukrainian|japanese|chinese|korean|turkish|swedish|finnish|danish"
    r"|hindi|arabic))"
)
_MANNER: Final = (
    rf"(?:in (?:{_LANGUAGE}|snake_?case|kebab-case|camelcase|lower ?case|the imperative"
    r"|imperative|present tense|past tense)|short|brief|concise"
    r"|terse|lower-?case|imperative|under \d+|below \d+|with (?:a|the) \w+|next to)"
)
ANSWERS: Final = r"(?:answers|responses|replies|explanations|summaries)"
_BRIEF: Final = r"(?:short|brief|concise|terse|to the point)"
_COUNTED: Final = (
    r"(?:step|page|sprint|day|line|attempt|part|phase|round|chapter|slide|item|task|number|week"
    r"|floor"
    r"|ticket|issue|pr|iteration|try|question|point|commit)s? "
)
# Requirements with a reason: without one, they specify the task at hand.
_NEEDS: Final = (
    r"^(?!(?:i|you|we|it|this|that|they|there|he|she)\b)(?!(?:the|my|an?"
    r"|each) (?:\w+ )?(?:button|page|label"
    r"|function|method|class|text|title|header|footer|modal|dialog|icon|link|form|field|loop"
    r"|test|result"
    r"|output|value|variable)s?\b)[\w ./`'-]{3,60}"
    r" (?:must(?: not|n['’]t)?|ha(?:ve|s) to|may (?:not|never)) "
    r"(?!(?:be )?(?:done|ready|finished|fixed|merged|shipped|pass|work|run|happen))(?:be )?\w.{4,}?"
    r"(?:\b(?:because|due to|by law|legal|complian|gdpr|regulat|contract|audit)|, so (?:no|never"
    r"|don['’]t"
    r"|always)\b)"
)

# In order: the first rule that matches a sentence has it.
RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "identity",
        "Who the user is: name, role, time zone, tools of their own",
        r"^(?:my name is|call me [A-Z]\w+$|i work (?:at|as|on the)|my (?:time ?zone|editor|os"
        r"|shell|terminal|role)"
        r" (?:is|runs)|i['’ ]?a?m (?:an? )?(?:\w+[ -]){0,3}(?:developer|engineer|designer|student"
        r"|researcher|scientist|manager|maintainer|founder|analyst|administrator)\b"
        r"|i(?:['’]m| am) (?:\w+ )?(?:colou?r[ -]?blind|dyslexic|left-handed|(?:hard of hearing"
        r"|deaf|blind)\b)"
        r"|i(?:['’]m| am) (?:\w+ )?new to (?!this\b|that\b|the\b|it\b)\w"
        r"|i (?:mostly |mainly |usually )?work (?:mostly|mainly|usually|only|exclusively) (?:on"
        r"|in|with|from)\b"
        r"|i(?:['’]m| am) (?:on call|off|away|out|in the office|working) (?:every|on \w+days)\b)",
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
        r"|\bi (?:always|never|usually|generally|typically) (?:use|want|write|run|keep|put|commit"
        r"|like|work)\b"
        r"|\bmy (?:preference|(?:preferred|favou?rite) [\w ]{2,30}) (?:is|are)\b"
        r"|^(?:(?:can|could|would) you )?please (?:always|never) (?!mind)"
        r"|^(?:always|never) (?!mind).+ when(?:ever)? i ask\b"
        rf"|^(?:please )?(?:(?:keep|make) (?:all |your )?{ANSWERS} {_BRIEF}|{_BRIEF} {ANSWERS})\b"
        rf"|^(?:please )?(?:answer|reply|respond)(?: to me)? in {_LANGUAGE}(?=[.!]*$| (?:always"
        r"|because)\b|, not\b)"
        r"|^i (?:use|run|write|develop on|work with) [\w.+# -]{2,30},? so (?:please|don['’]t"
        r"|always|never|keep|give|use)\b"
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
        r" (?:just |already |finally |now )?(?:decided|agreed|chose|settled on|opted|pinned"
        r"|(?:landed|settled|ended up|wound up) (?:on|with)"
        r"|picked(?! up| out| it\b)|(?:went|gone) with(?! the\b| him| her)"
        r"|standardi[sz]ed on) (?!whether)"
        r"|\bwe(?:['’]re| are| will|['’]ll) (?:now |not |be )?(?:going (?:with|to (?:use|switch"
        r"|move|migrate"
        r"|stick))|go with|switching|moving|migrating|standardi[sz]ing|sticking|dropping|adopting"
        r"|using|use|keeping|staying (?:on|with)|stay (?:on|with))\b"
        r"|\bwe (?:(?:always |now )?(?:go with|stick (?:to|with))|took [^,.;]{2,40} over)\b"
        r"|\blet['’]?s (?:go with|use|stick (?:with|to)|stay (?:on|with)|(?:switch"
        r"|move) to (?!the\b|step|part|phase|main\b|master\b|another|a different)|adopt"
        r"|standardi[sz]e on"
        r"|settle on|avoid|not (?:use (?!the )|introduce|mock))\b(?! the (?:existing|new|old"
        r"|same|current) )"
        r"|\b(?:use|choose|pick) (?!an? |the |this |that |your |my |its )[^,.;]{2,60}?,?"
        r" (?:not|instead of|rather than|over|in place of) (?!an? |the |this |that )[^,.;]{2,60}"
        r"|^(?:please )?use (?!an? |the |this |that |these |it |my |your |option "
        r"|\d)[\w ./-]{3,40}, (?!and|but|or|then)"
        r"(?:[\w.-]+ ){1,5}?(?:is|are|was|were|has|have|don['’]t|doesn['’]t|can['’]t|breaks?)\b"
        r"|^for (?!me\b|us\b|you\b|now\b|this\b|that\b)[\w -]{3,40},? (?:it['’]?s|it is|use|take)"
        r" (?:always (?!the |a |this |that )[\w.+-]+|[\w.+-]+ (?:everywhere|throughout))\b"
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
        r"|^(?:always|never) (?!mind|again|an? |fun\b|happy|seen|heard|been|read\b|gets\b|\w+ed\b)\w+"
        rf"|^(?:please )?(?:don['’]?t|do not) (?:ever \w+|{_HANDS_OFF}\b)"
        r"|^(?:please )?(?:stop|avoid|quit) (?:using|mocking|importing|hard-?coding|suggesting"
        r"|recommending|proposing)\b"
        r"|^(?:please )?(?:write|keep|make|format|prefix) (?:all |the "
        rf"|your )?{_WRITINGS} {_MANNER}\b"
        r"|^in (?:this|our) (?:repo|project|codebase),? (?!please|add|fix|use the|find|search"
        r"|look|run|rename)"
        r"[\w+#.-]{2,30}(?: [\w+#.-]{2,20})? (?:for|everywhere|only)\b"
        r"|^(?:please )?(?:always )?(?:ask|check with)(?: me| us"
        rf"| \w+)?(?: first)? before (?:you |we )?{_WORK}"
        r"|^(?!the |these |those |this |my |your )(?:[\w-]+ )?(?:tests|services|migrations"
        r"|endpoints|commits|prs|branches|releases|secrets|keys|tokens"
        r"|modules|jobs|workers|containers|images|configs|logs|tables|packages|libraries|queries"
        r"|handlers"
        r"|passwords|credentials|backups) must (?:never|not) (?!fail|be (?:red|empty|broken|slow"
        r"|flaky|missing))"
        r"|^(?:please )?no (?!(?:\w+ )?(?:errors?|changes?|logs?|tests?|problems?|issues?|need"
        r"|reason|way|idea"
        r"|questions?|more|further|other)\b)[\w`:. -]{2,40} (?:anywhere|ever|in (?:this (?:repo"
        r"|project|codebase)|code\b|docs\b|prod(?:uction)?\b"
        rf"|our \w+|the (?:repo|codebase)|{_WRITINGS}))"
        rf"|^(?:you|we) (?:must(?: not|n['’]t)|should(?: not|n['’]t)|may not) {_HANDS_OFF}\b"
        r"|\b(?:our|the) (?:convention|policy|rule|practice|standard|guideline)s? (?:is|are)\b"
        r"|^(?:all|every|each|any|no|our) [\w -]{2,40} (?:must(?: not|n['’]t)?|may not|shall)\b"
        rf"|^(?:before|after|whenever|every time|each time|when) (?:you |we )?{_WORK}\b"
        r"[^,]{0,80}, (?:please |always |also |make sure to |remember to )*(?:run|update|check"
        r"|add|use|regenerate|rebuild|bump|ask|write|format|restart)\b",
        kind="convention",
        memory_type="procedural",
        importance=0.8,
    ),
    _rule(
        "cause",
        "Why something happened, as the user found it: 'it turned out', 'the root cause was'",
        r"^(?:it )?turn(?:s|ed) out\b|\b(?:root cause|culprit) (?:of .{2,60} )?(?:is|was)\b"
        r"|^the reason .{4,80} (?:is|was)\b"
        r"|\b(?:crash|segfault|leak|failure|bug|slowdown|regression|timeout|deadlock|outage"
        r"|race)(?:e?s)?\b.{0,40}"
        r" (?:came from|was caused by|is caused by|was due to|happens? because|happened because)\b",
        kind="discovery",
        memory_type="declarative",
        context_type="discovery",
        importance=0.7,
    ),
    _rule(
        "practice",
        "What the team does: 'we deploy from the release branch', 'we don't support Windows'",
        r"^(?:in (?:this|our) \w+,? |here,? )?we (?:currently |now |only |still )?(?:use|run|deploy"
        r"|host|store|keep|build|release|ship|branch|tag|version|log|format|lint|follow|squash"
        r"|rebase|merge|pin|target|support|require|do (?!need|want|have|not|know|that|it|this)"
        r"|write|name|sign"
        r"|no longer (?:use|support|ship|maintain|deploy|need|do)"
        r"|(?:do(?:n['’]t| not)) (?:use|support|allow|commit|merge|deploy|ship|mock|store|log"
        r"|have|do|write|want|need))\b"
        rf"|^we(?:['’]re| are) (?:now |still |back |already )?on (?:{TOOLS}\b"
        rf"|(?!{_COUNTED})[\w.+-]+ v?\d|v?\d+\b)"
        r"|^we(?:['’]ve| have)? (?:dropped|ditched|abandoned|retired) (?!the |an? |it\b|that\b"
        r"|this\b|him|her)"
        r"|^let['’]?s keep (?!it\b|in\b|on\b|at\b|an eye|up\b|each|\w+in['’g]|(?:the )?(?:old"
        r"|existing|same))"
        r"|^we have (?:no|only|two|three|four|\d+|separate|dedicated|our own) "
        r"|\bwe(?:['’]ve| have)? (?:just |already )?(?:moved|switched|migrated) "
        r"(?:from|to|away|off|over)\b",
        kind="fact",
        memory_type="declarative",
        importance=0.7,
    ),
    _rule(
        "fact",
        "How the project is: where things run, what they need, who owns them",
        r"\b(?:is|are|was|were) (?:always |only |also |currently |now )?(?:on|at|in|under|behind"
        r"|called|named|owned|hosted|deployed|stored|kept|located|written|generated|managed|built"
        r"|maintained|pinned|versioned|cached|mounted|exposed|published|configured|protected"
        r"|read-only|taken|used|not|an?|the|running on|listening on|[A-Z0-9`/~]"
        r"|[^,;]{2,40}, not \w)"
        r"|\b(?:lives?|ends? up|lands?|runs?|listens?|sits?|happens?|goes|go|deploys?|points?"
        r"|connects?|talks?"
        r"|comes?|resides?|pulls?|reads?|writes?|sends?|publishe?s?|subscribes?|fetche?s?)"
        r" (?:\w+ )?(?:in|into|on|at|to|from|under|behind|through|via|by|every)\b"
        r"|\b(?:needs?|requires?|expects?|depends? on|relies on|uses?|targets?|supports?|owns?"
        r"|takes?|contains?|exposes?|maintains?|forbids?|has no|have no|approves|reviews|handles"
        r"|looks after|takes care of"
        r"|responsible for|in charge of)\b"
        r"|\bonly (?:works?|accepts?|allows?|has|have)\b|\b(?:moved|migrated"
        r"|switched) (?:over )?to\b",
        kind="fact",
        memory_type="declarative",
        importance=0.6,
    ),
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
