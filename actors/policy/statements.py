"""What a person states in a prompt: decisions, preferences, conventions, corrections, facts.

Most prompts are orders and questions about the task at hand; they say nothing that should be
remembered. A statement is kept only when a rule here recognises it, it is not hedged, and it can
be understood without the conversation. Missing one costs a repetition; keeping a wrong one costs
trust, so every doubt is decided against keeping.

The rules read English. They are data: ``RULES`` names each with what it is for.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from actors.policy.wording import sentence, sentences, specifics
from actors.policy.words import STOP_WORDS

MOST: Final = 5  # statements kept of one prompt
LONG: Final = (
    4000  # characters: beyond it a prompt is a pasted document, and only explicit rules read it
)


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of stating something worth remembering."""

    id: str
    docs: str
    pattern: re.Pattern[str]
    kind: str
    memory_type: str
    context_type: str
    importance: float  # 0..1
    user_scope: bool = False
    explicit: bool = False  # read even in very long prompts


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence worth remembering, as text that stands alone, and the rule that found it."""

    rule: Rule
    text: str
    correction: bool = False


def _rule(
    rule_id: str,
    docs: str,
    pattern: str,
    *,
    kind: str,
    memory_type: str,
    context_type: str = "general",
    importance: float,
    user_scope: bool = False,
    explicit: bool = False,
) -> Rule:
    return Rule(
        rule_id,
        docs,
        re.compile(pattern, re.IGNORECASE),
        kind,
        memory_type,
        context_type,
        importance,
        user_scope,
        explicit,
    )


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

# In order: the first rule that matches a sentence has it.
RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "identity",
        "Who the user is: name, role, time zone, tools of their own",
        r"^(?:my name is|call me [A-Z]\w+$|i work (?:at|as|on the)|my (?:time ?zone|editor|os|shell|terminal|role)"
        r" (?:is|runs)|i['’ ]?a?m (?:an? )?(?:\w+[ -]){0,3}(?:developer|engineer|designer|student"
        r"|researcher|scientist|manager|maintainer|founder|analyst|administrator)\b)",
        kind="fact",
        memory_type="autobiographical",
        importance=0.7,
        user_scope=True,
        explicit=True,
    ),
    _rule(
        "preference",
        "What the user prefers, in the first person, or 'please always / never'",
        r"\bi(?:['’]d| would)? (?:really |strongly |generally |usually |much )?(?:prefer|hate"
        r"|dislike|can['’]?t stand|do(?:n['’]t| not) like)\b"
        r"|\bi(?:['’]d| would) (?:much )?rather\b"
        r"|\bi (?:always|never|usually|generally|typically) (?:use|want|write|run|keep|put|commit"
        r"|like|work)\b"
        r"|\bi want you to (?:always|never)\b|\bi like (?!this|that|it\b|the idea|how|where|what)"
        r"|\bmy (?:preference|(?:preferred|favou?rite) [\w ]{2,30}) (?:is|are)\b"
        r"|^(?:(?:can|could|would) you )?please (?:always|never) (?!mind)"
        r"|^(?:always|never) (?!mind).+ when(?:ever)? i ask\b",
        kind="preference",
        memory_type="semantic",
        importance=0.8,
        user_scope=True,
        explicit=True,
    ),
    _rule(
        "retired",
        "What must not be built on any more",
        r"^[\w `./-]{3,60} (?:is|are) (?:now )?(?:deprecated|obsolete|frozen|retired|legacy)\b",
        kind="fact",
        memory_type="declarative",
        importance=0.7,
    ),
    _rule(
        "decision",
        "What was decided: 'we decided', 'let's use', 'use X, not Y', 'we are switching to'",
        r"(?<!which )(?<!one )\b(?:we|i|the team)(?:['’]ve| have|['’]d)?"
        r" (?:just |already |finally |now )?(?:decided|agreed|chose|settled on|opted) (?!whether)"
        r"|\bwe(?:['’]re| are| will|['’]ll) (?:now )?(?:going (?:with|to (?:use|switch|move|migrate"
        r"|stick))|go with|switching|moving|migrating|standardi[sz]ing|sticking|dropping|adopting"
        r"|using|use)\b"
        r"|\bwe (?:won['’]t|will not) (?:use|support|ship)\b"
        r"|\blet['’]?s (?:go with|use|stick (?:with|to)|switch to|adopt|standardi[sz]e on"
        r"|settle on|move to|avoid)\b"
        r"|\b(?:use|choose|pick) (?!an? |the |this |that |your |my |its )[^,.;]{2,60}?,?"
        r" (?:not|instead of|rather than|over|in place of) (?!an? |the |this |that )[^,.;]{2,60}"
        r"|^decision\s*[:—-]",
        kind="decision",
        memory_type="semantic",
        context_type="decision",
        importance=0.85,
        explicit=True,
    ),
    _rule(
        "convention",
        "A standing rule of the project: always, never, from now on, before every commit",
        r"\b(?:from now on|going forward|henceforth|from here on)\b|^in (?:the )?future,"
        r"|^(?:always|never) (?!mind|again)\w+"
        r"|\b(?:you|we|everyone|code|tests|commits|prs) (?:should|must|shall|have to|need to) "
        r"(?:always|never)\b|\bwe (?:always|never) \w+"
        rf"|^(?:please )?(?:don['’]?t|do not) (?:ever \w+|{_HANDS_OFF}\b)"
        rf"|^(?:you|we) (?:must(?: not|n['’]t)|should(?: not|n['’]t)|may not) {_HANDS_OFF}\b"
        r"|\b(?:our|the) (?:convention|policy|rule|practice|standard|guideline)s? (?:is|are)\b"
        r"|^(?:all|every|each|any|no|our) [\w -]{2,40} (?:must(?: not|n['’]t)?|may not|shall)\b"
        r"|\b(?:is|are) not allowed (?:to|in)\b"
        rf"|^(?:before|after|whenever|every time|each time|when) (?:you |we )?{_WORK}\b"
        r"[^,]{0,80}, (?:please |always |also |make sure to |remember to )*(?:run|update|check"
        r"|add|use|regenerate|rebuild|bump|ask|write|format|restart)\b",
        kind="convention",
        memory_type="procedural",
        importance=0.8,
        explicit=True,
    ),
    _rule(
        "cause",
        "Why something happened, as the user found it: 'it turned out', 'the root cause was'",
        r"^(?:it )?turn(?:s|ed) out\b|\b(?:root cause|culprit) (?:of .{2,60} )?(?:is|was)\b"
        r"|^the reason .{4,80} (?:is|was)\b"
        r"|\b(?:fails?|failed|breaks?|broke|crash(?:es|ed)|hangs?|hung) (?:\w+ ){0,6}because\b",
        kind="discovery",
        memory_type="declarative",
        context_type="discovery",
        importance=0.7,
    ),
    _rule(
        "meaning",
        "What a word of the project means",
        r"^[\w`\"' -]{2,40} (?:stands for|is short for|refers to|means the)\b",
        kind="fact",
        memory_type="semantic",
        importance=0.6,
    ),
    _rule(
        "practice",
        "What the team does: 'we deploy from the release branch', 'we don't support Windows'",
        r"^(?:in (?:this|our) \w+,? |here,? )?we (?:currently |now |only |still )?(?:use|run|deploy"
        r"|host|store|keep|build|release|ship|branch|tag|version|log|format|lint|follow|squash"
        r"|rebase|merge|pin|target|support|require"
        r"|(?:do(?:n['’]t| not)) (?:use|support|allow|commit|merge|deploy|ship|mock|store|log))\b"
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
        r"|read-only|taken|used|not|an?|the|running on|listening on|[A-Z0-9`/~])"
        r"|\b(?:is|are) [\w.-]+[.!]?$"
        r"|\b(?:lives?|runs?|listens?|sits?|happens?|goes|go|deploys?|points?|connects?|talks?"
        r"|comes?|resides?|pulls?|reads?|writes?|sends?|publishe?s?|subscribes?|fetche?s?)"
        r" (?:\w+ )?(?:in|into|on|at|to|from|under|behind|through|via|by|every)\b"
        r"|\b(?:needs?|requires?|expects?|depends? on|relies on|uses?|targets?|supports?|owns?"
        r"|takes?|contains?|exposes?)\b",
        kind="fact",
        memory_type="declarative",
        importance=0.6,
    ),
)
_BY_ID: Final = {rule.id: rule for rule in RULES}
REMEMBER: Final = _rule(
    "remember",
    "What the user asked to remember: 'remember that', 'note:', 'keep in mind'",
    r"^(?:(?:please|i want you to|i need you to|you should|can you|could you|also)[ ,]+){0,2}"
    r"(?:remember|note|keep in mind|bear in mind|don['’]?t forget|do not forget|for the record"
    r"|important|nb|fyi|heads[ -]up|reminder)\b(?: this(?=:))?(?P<mark>\s*[:,—-]\s*|\s+that\b:?\s*|\s+)(?P<what>\S.*)$",
    kind="fact",
    memory_type="declarative",
    importance=0.9,
    explicit=True,
)
CORRECTION: Final = "correction"
CORRECTION_DOCS: Final = "A statement that sets something right: 'no, ...', 'actually ...'"
CORRECTION_IMPORTANCE: Final = 0.85

_FILLER: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|hey|hi|hello|yes|yeah|yep|so|also|and|but|oh|hmm+|btw|by the way|anyway"
    r"|just so you know|for (?:context|reference|your information)|quick note|one more thing"
    r"|(?:quick |some |more )?(?:context|background)(?=:)"
    r"|additionally|thanks|thank you)\b[,:;.!—–-]*\s+"
    r"|(?:right|sure|great|perfect|cool|good|nice|alright|well|claude)\s*[,:;.!—–-]+\s*)+",
    re.IGNORECASE,
)
_NO: Final = re.compile(
    r"^(?:(?:no|nope|nah|actually|wait|correction|not quite|sorry|oops|wrong|incorrect"
    r"|(?:that['’]?s|that is|you['’]?re|this is) (?:wrong|not right|incorrect|not correct"
    r"|not true|false|not how .{2,40}))\b(?:\s*[,.:;!—–-]+\s*|\s+|$))+",
    re.IGNORECASE,
)
# "No tests in this folder" and "no emojis" begin like a correction and are none.
_NO_ALONE: Final = re.compile(r"^(?:no|wrong|sorry|wait)\s+\w", re.IGNORECASE)
# People state and ask in one breath: "I prefer short functions, but can you look at this?"
_CLAUSES: Final = re.compile(
    r"(?:,\s*|\s+)(?:and|but|also|so|plus)\s+(?=(?:please\s+)?(?:always|never|from now on"
    r"|going forward|remember|keep in mind|do(?:n['’]?t| not) ever|in (?:the )?future)\b)"
    r"|,?\s+(?:and|but|so)\s+(?=(?:i|we|can|could|would|what|how|please|now)\b)"
    r"|,\s+(?=(?:can|could|would) you\b|what\b|how\b|please\b|i prefer\b|i['’]ve decided\b)",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(
    r"\b(?:maybe|perhaps|probably|might|not sure|i (?:think|guess|believe|assume|suppose|wonder)"
    r"|possibly|presumably|should we|could be|what if|whether|unless|seems?|apparently)\b|^if\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we|i)|do (?:you|we|i)|does|did|is|are|was|were|why|what"
    r"|how|where|when(?! (?:you|we|\w+ing))|which|who|should|shall)\b",
    re.IGNORECASE,
)
# Orders for this turn; what they say of the project is a specification of the work to do.
_ORDERS: Final = re.compile(
    r"^(?:please |now |then |just |let['’]?s |i(?:['’]d| would) like (?:you )?to |i want (?:you )?to"
    r" |i need (?:you )?to |we (?:need|want|have) to |you (?:need|have) to )*(?:add|build|change"
    r"|check|clean|commit|continue|convert|create|debug|delete|deploy|describe|do|document|drop"
    r"|edit|ensure|explain|explore|extract|figure|find|finish|fix|format|generate|get|give|go"
    r"|help|implement|improve|include|install|investigate|keep going|list|look|make|merge|migrate"
    r"|move|open|optimi[sz]e|parse|plan|please|port|proceed|provide|push|put|read|refactor|release"
    r"|remove|rename|replace|rerun|restart|resume|revert|review|rewrite|run|search|see|set|show"
    r"|simplify|solve|split|start|stop|summari[sz]e|take|tell|test|think|try|turn|undo|update"
    r"|upgrade|use|validate|verify|wait|walk|wire|wrap|write)\b",
    re.IGNORECASE,
)
_INQUIRES: Final = re.compile(
    r"^(?:please |now |then |just )?(?:explain|describe|show|find|figure|investigate|debug|check"
    r"|look|tell|see|understand|help|summari[sz]e|list|read|search|explore)\b",
    re.IGNORECASE,
)
_FOR_NOW: Final = re.compile(
    r"\b(?:for now|right now|just this once|this time|yet|today|in this (?:case|function|file|test"
    r"|pr|commit|session)|to (?:see|debug|find out|figure out|check|try)|and see|until|again"
    r"|the (?:first|second|third|last|next|former|latter|other|previous|above|following) \w+)\b",
    re.IGNORECASE,
)
_POINTS_AWAY: Final = re.compile(
    r"\b(?:this|these|those)\s+(?!project|repo|codebase|team|company|service|app|package|library"
    r"|machine|organi|is\b)\w+"
    r"|\b(?:this|that|these|those|here|there|above|below)[.!]?$"
    r"|\blike (?:this|that)\b|\b(?:do|use|used|using|touch|change|edit|with|about|prefer|want)"
    r" (?:it|this|that|them|these|those)\b|\bthat (?:one|way|approach)\b",
    re.IGNORECASE,
)
# "... because workspaces need it" explains itself; "we use it" does not.
_IT_LAST: Final = re.compile(r"\b(?:it|them)[.!]?$", re.IGNORECASE)
_PRONOUN_FIRST: Final = re.compile(
    r"^(?:it|this|that|they|these|those|he|she|there|which|something|everything|nothing|i|you)"
    r"(?:['’]\w+)?\b(?! (?:project|repo|codebase|team|service|app|package|library|machine)\b)",
    re.IGNORECASE,
)
_PASSING: Final = re.compile(
    r"\b(?:broken|fail(?:s|ed|ing)?|down|slow|wrong|red|missing|empty|weird|ugly|confusing|stuck"
    r"|too \w+|not working|n['’]t work(?:ing)?|crash\w*|hang\w*|bug|error|undefined|null|ready"
    r"|done|finished|complete|working|fine|ok(?:ay)?|good|great|nice|better|bad|same|next|todo"
    r"|correct|redundant|unused|unnecessary|outdated|large|long|short|hard to)\b"
    r"|\b(?:is|are) (?:now |still |currently |always )?(?!running on|listening on|using)\w+ing\b",
    re.IGNORECASE,
)
_PASSING_SUBJECT: Final = re.compile(
    r"^(?:the|my|our|an?)? ?(?:error|output|result|message|log|bug|problem|issue|trace|diff|task"
    r"|goal|idea|question|plan|point|button|page|label|function|method|code|example|following"
    r"|above|change|changes|user|users|first|second|file|screen|text)s?\b(?![._])",
    re.IGNORECASE,
)
# A reason, or what it is not: "errors are returned, not thrown".
_ARGUED: Final = re.compile(r"\b(?:because|since|so that|due to)\b|, not \w", re.IGNORECASE)
_SPEAKER: Final = re.compile(
    r"\bi(?:['’](?:ll|m|ve|d))?\b|\bme\b|\b(?:would|could|will)\b", re.IGNORECASE
)
_VAGUE: Final = frozenset(
    {"approach", "option", "way", "thing", "things", "one", "version", "idea", "solution"}
    | {"method", "stuff", "use", "using", "used", "go", "lets", "let", "decided", "always"}
    | {"never", "prefer", "like", "want", "do", "not", "now", "please", "again", "instead", "sure"}
    | {"same", "good", "better", "first", "second", "other", "rather", "make", "get", "mind"}
    | {"agreed", "chose", "don", "just", "also", "really", "continue", "keep", "everything"}
)
_WORDS: Final = re.compile(r"[^\W_][\w.+#-]*")
_REASON: Final = re.compile(
    r"^(?:because|since|otherwise|that['’]?s because|the reason is|this is because|reason:)\b",
    re.IGNORECASE,
)
_LEADER: Final = re.compile(
    r"^(?:(?:it )?turn(?:s|ed) out (?:that )?|(?:can|could|would) you (?=please ))", re.IGNORECASE
)
_TRAILER: Final = re.compile(
    r",? (?:please|here|thanks|thank you|(?:so |please )*(?:keep (?:that|this|it) in mind"
    r"|remember (?:that|this|it)))[.!]*$",
    re.IGNORECASE,
)
_REMEMBER_NOTHING: Final = re.compile(
    r"^(?:when|how|what|why|who|where|me|us|this|it|about|last)\b", re.IGNORECASE
)
_STANDING: Final = re.compile(
    r"\b(?:always|never|every|each|when(?:ever)?|before|after)\b", re.IGNORECASE
)
_CLAIMS: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|must|should|can(?:not|['’]t)?|will|won['’]t|do(?:es)?"
    r"|use[sd]?|need(?:s)?|require[sd]?|run[s]?|live[s]?|mean[s]?|depend[s]?|expect[s]?"
    r"|support[s]?|want[s]?|prefer[s]?|always|never|don['’]t|goes|comes|belongs?|contains?|\w+ed)\b",
    re.IGNORECASE,
)


def statements(prompt: str) -> list[Statement]:
    """What a prompt states that is worth remembering, in its order, at most five (F11)."""
    found: list[Statement] = []
    corrected = False
    lines = [clause for line in sentences(prompt) for clause in _CLAUSES.split(line)]
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        plain = _TRAILER.sub("", _FILLER.sub("", line))
        remainder = _without_no(plain)
        corrects = corrected or remainder != plain
        corrected = remainder == "" and plain != ""
        stated = _stated(remainder, corrects=corrects)
        if stated is None or (len(prompt) > LONG and not stated.rule.explicit):
            continue
        found.append(_with_reason(stated, following))
    return _distinct(found)[:MOST]


def _stated(line: str, *, corrects: bool) -> Statement | None:
    asked = REMEMBER.pattern.match(line)
    if asked is not None:
        return _remembered(asked["what"], asked["mark"])
    rule = _matching(line, corrects=corrects)
    if rule is None:
        return None
    if corrects:
        importance = max(rule.importance, CORRECTION_IMPORTANCE)
        rule = replace(rule, id=CORRECTION, docs=CORRECTION_DOCS, importance=importance)
    return Statement(rule, sentence(_LEADER.sub("", line)), corrects)


def _remembered(what: str, mark: str) -> Statement | None:
    """'Remember X': a claim, or a standing order; not 'remember to run the tests' nor 'when'."""
    if what.lower().startswith("to "):
        if not _STANDING.search(what):
            return None
        what = what[3:]
    elif _REMEMBER_NOTHING.match(what) and ":" not in mark:
        return None
    claims = _CLAIMS.search(what) or _STANDING.search(what)
    # After a colon or "that" stands a statement, whatever its verb: it was asked for.
    noted = (":" in mark or "that" in mark) and len(_content(what)) >= 2
    if not (claims or noted) or not _stands_alone(what):
        return None
    like = _matching(what, corrects=True) or REMEMBER
    rule = replace(like, id=REMEMBER.id, docs=REMEMBER.docs, importance=REMEMBER.importance)
    return Statement(replace(rule, explicit=True), sentence(what))


def _matching(line: str, *, corrects: bool) -> Rule | None:
    if not _stands_alone(line):
        return None
    for rule in RULES:
        if rule.pattern.search(line) and _holds(rule, line, corrects=corrects):
            return rule
    brief_order = corrects and re.match(r"use (?!an? |the )\S{2,}", line, re.IGNORECASE)
    return _BY_ID["decision"] if brief_order else None


def _stands_alone(line: str) -> bool:
    """Whether a line can be understood without the conversation, and means what it says."""
    return (
        6 <= len(line) <= 400
        and not line.endswith(("?", ":", "…"))
        and not _HEDGED.search(line)
        and not _POINTS_AWAY.search(line)
        and not _INQUIRES.match(line)
        and len(_content(line)) >= (3 if _IT_LAST.search(line) else 1)
    )


def _holds(rule: Rule, line: str, *, corrects: bool) -> bool:
    """What a rule asks beyond its pattern."""
    match rule.id:
        case "decision" | "convention":
            return not _FOR_NOW.search(line) and not _asks(line)
        case "preference" | "identity":
            return not _FOR_NOW.search(line)
        case "cause":
            return len(_content(line)) >= 3 and not _asks(line)
        case "practice":
            passing = _PASSING.search(line) or _FOR_NOW.search(line)
            return not passing and specifics(line) >= 1
        case "fact":
            return _is_fact(line, corrects=corrects)
        case _:
            return not _PRONOUN_FIRST.match(line)


def _is_fact(line: str, *, corrects: bool) -> bool:
    """A durable claim: two of a thing of the project, a name or number, a reason, a correction."""
    if (
        _ORDERS.match(line)
        or _asks(line)
        or _PRONOUN_FIRST.match(line)
        or _PASSING.search(line)
        or _PASSING_SUBJECT.match(line)
        or _SPEAKER.search(line)
        or _FOR_NOW.search(line)
    ):
        return False
    return specifics(line) + bool(_ARGUED.search(line)) + corrects >= 2


def _asks(line: str) -> bool:
    return bool(_ASKS.match(line))


def _content(line: str) -> list[str]:
    words = [word.casefold().rstrip(".-") for word in _WORDS.findall(line)]
    return [word for word in words if word not in STOP_WORDS and word not in _VAGUE]


def _without_no(line: str) -> str:
    marked = _NO.match(line)
    if marked is None or (_NO_ALONE.match(line) and not re.search(r"[,.:;!—–-]", marked[0])):
        return line
    return line[marked.end() :]


def _with_reason(stated: Statement, following: str) -> Statement:
    """A reason given in the next sentence belongs to the statement."""
    if not _REASON.match(following) or following.endswith("?"):
        return stated
    return replace(stated, text=f"{stated.text} {sentence(following)}")


def _distinct(found: Sequence[Statement]) -> list[Statement]:
    return list(_first_of_each(found))


def _first_of_each(found: Sequence[Statement]) -> Iterator[Statement]:
    seen: set[str] = set()
    for stated in found:
        if stated.text not in seen:
            seen.add(stated.text)
            yield stated
