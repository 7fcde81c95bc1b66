"""Intent of a query: one of seven, by keywords, phrases and negative phrases.

Each intent has 15 keywords, counted under their stems and once each; one alone keeps .3 of its
worth. Phrases (regular expressions) say more than words do. A phrase that speaks against an
intent leaves .3 of its score. Likeness to an intent's words, as hashed vectors, adds a little.
Under .30 nothing is claimed, and the query counts as asked in order to understand: "Semantic
Search" asks for no specification.

Keywords, phrases and weights are our choice; tests/policy/recall/test_query_intent.py measures them on
queries that were left alone while they were tuned. (`intent` is something else: what a programmer
is about, by what they did.)
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Final

from actors.policy.text.words import stem

READ: Final = 1_000  # characters at the beginning of a query that are read
ENDS: Final = 300  # characters at the end of a longer one: what is wanted may stand last
BUCKETS: Final = 512  # of the hashed vectors


class QueryIntent(Enum):
    """Intent of a query."""

    ADD_FEATURE = "add_feature"
    FIX_BUG = "fix_bug"
    REFACTOR = "refactor"
    SECURITY_AUDIT = "security_audit"
    UNDERSTAND = "understand"
    FIND_SPEC = "find_spec"
    FIND_DECISION = "find_decision"


# How much each kind of evidence weighs, and from where on it is believed.
FLOOR: Final = 0.30  # below: understand
OF_KEYWORDS: Final = 0.45
OF_PHRASES: Final = 0.55
OF_LIKENESS: Final = 0.10
ALONE: Final = 0.30  # of a single keyword
LEFT: Final = 0.30  # what a negative phrase leaves


@dataclass(frozen=True, slots=True)
class Classified:
    """The intent, how sure it is (0..1, the score of the best intent), and what every intent scored."""

    intent: QueryIntent
    confidence: float
    scores: Mapping[QueryIntent, float]


KEYWORDS: Final[Mapping[QueryIntent, tuple[str, ...]]] = {
        QueryIntent.ADD_FEATURE: tuple(
            "add implement create build feature new support introduce extend integrate enable"
            " endpoint functionality scaffold allow".split()
        ),
        QueryIntent.FIX_BUG: tuple(
            "fix bug error crash broken fail exception debug regression traceback wrong hang"
            " flaky leak stacktrace".split()
        ),
        QueryIntent.REFACTOR: tuple(
            "refactor restructure cleanup simplify rename extract dedupe duplicate decouple"
            " reorganize modularize rewrite split tidy inline".split()
        ),
        QueryIntent.SECURITY_AUDIT: tuple(
            "security vulnerability audit injection xss csrf exploit secret sanitize"
            " escalation cve hardening owasp pentest leaked".split()
        ),
        QueryIntent.UNDERSTAND: tuple(
            "understand explain overview describe walkthrough meaning purpose architecture flow"
            " learn clarify summarize work responsible difference".split()
        ),
        QueryIntent.FIND_SPEC: tuple(
            "spec specification requirement plan scope checklist acceptance criteria roadmap"
            " milestone prd rfc deliverable mockup task".split()
        ),
        QueryIntent.FIND_DECISION: tuple(
            "decision decide rationale choose chose chosen alternative tradeoff adr agreed prefer"
            " reason instead rejected settled".split()
        ),
    }  # fmt: skip

_ACT: Final = (
    r"(?:^|[.;:!?,] ?|\b(?:please|to|and|then|let's|lets|can you|could you|need to|want to|should"
    r"|would like to|help me|how do (?:i|we|you)|how can (?:i|we)) )"
)
_WE: Final = r"(?:we|you|i|they|the team)"
_SAID_SPEC: Final = (
    r"(?:spec|specs|specification|requirements?|prd|rfc|acceptance criteria|checklist|roadmap|plan"
    r"|scope|design doc|user stor(?:y|ies)|milestones?|definition of done)"
)
_CHOSE: Final = (
    r"(?:choose|chose|chosen|pick(?:ed)?|select(?:ed)?|decided?|settled?|agreed?|reject(?:ed)?|went"
    r"|go with|prefer(?:red)?|dropp?(?:ed)?|adopt(?:ed)?|switch(?:ed)?|mov(?:e|ed)|us(?:e|ing)|avoid(?:ed)?|abandon(?:ed)?)"
)
_RISK: Final = (
    r"(?:sql injection|injection|xss|csrf|ssrf|rce|path traversal|privilege escalation|secrets?"
    r"|vulnerabilit(?:y|ies)|exploits?|security (?:holes?|issues?|risks?|problems?|flaws?)|cves?"
    r"|credentials?|attackers?|untrusted)"
)


def _forms(*texts: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text) for text in texts)


# Matched against the query in lower case with single spaces, so that no form needs flags or `\s+`.
PHRASES: Final[Mapping[QueryIntent, tuple[re.Pattern[str], ...]]] = {
    QueryIntent.ADD_FEATURE: _forms(
        rf"{_ACT}(?:also )?(?:add|implement|create|build|introduce|integrate|support|enable"
        r"|extend|scaffold|set up|hook up|wire up|expose)\b",
        r"\bnew (?:\w+ )?(?:feature|endpoint|page|command|option|flag|button|screen|api|field"
        r"|module|component|service|table|column|test|tool|route|view|setting)s?\b",
        r"\b(?:add|adding|implement|implementing) (?:support|an?|the|some|new)\b",
        r"\b(?:should|must) be able to\b|\bfeature request\b|\bsupport for\b",
        r"\bi want (?:an?|the|users)\b|\bwe need an?\b|\bwould be (?:nice|great) to have\b"
        rf"|{_ACT}(?:write|make) (?:an?|the|some|me|us) ",
    ),
    QueryIntent.FIX_BUG: _forms(
        rf"{_ACT}(?:fix|debug|repair|patch|resolve|diagnose|troubleshoot|track down)\b",
        r"\b(?:not|never|stopped|isn't|doesn't|don't|won't|aren't|no longer) (?:\w+ )?"
        r"(?:work|works|working|load|loads|loading|start|starts|run|runs|respond|responding|show"
        r"|shows|compile|compiles|connect|save|saves|saving|return|returns|build|builds|render|renders)\b",
        r"\b(?:is|are|keeps?|was|were|gets?|got|started) (?:\w+ )?(?:broken|failing|crashing|hanging"
        r"|throwing|timing out|leaking|stuck|crash|fail|hang|wrong|red|flaky)\b",
        r"\b(?:throws?|raises?|raised|threw|getting|get|got|gives?|see|seeing|hit|hits|with) "
        r"(?:an? |the |this |me )?(?:\w+ )?(?:error|errors|exception|traceback|segfault|500|404|null pointer|stack ?trace|panic)\b",
        r"\b(?:crash(?:es|ed)?|fails|failed|breaks|hangs|segfaults?|deadlocks?) (?:when|on|with|in|at"
        r"|after|if|while|for|since|during|under)\b|\b(?:race condition|memory leak|off by one|root cause"
        r"|segfault|regression|deadlock)\b|\w(?:error|exception)\b:",
        r"\bwhat(?:'s| is) wrong\b|\bwhy (?:is|are|does|do|did) .{1,60}?(?:broken|fail\w*|crash\w*"
        r"|slow|hang\w*|wrong|red|empty|throw\w*|twice|null|none)\b",
    ),
    QueryIntent.REFACTOR: _forms(
        rf"{_ACT}(?:refactor|restructure|simplify|rename|extract|split|decouple|reorgani[sz]e|rewrite"
        r"|moderni[sz]e|consolidate|dedupe|deduplicate|inline|modulari[sz]e|tidy|merge the)\b",
        r"\bclean(?:ing)?[ -]?(?:\w+ ){0,3}up\b|\bcleaner\b",
        r"\b(?:technical|tech) debt\b|\bdead code\b|\bcode smell\b|\bspaghetti\b|\bgod class\b"
        r"|\bduplicat(?:ed?|ion|es)\b|\bcopy[ -]?pasted\b|\btoo (?:long|big|complex|many responsibilities)\b",
        r"\b(?:move|pull|break|turn) .{1,50}? (?:into|out of|out|apart|to its own)\b",
        r"\bwithout changing (?:the )?behaviou?r\b|\bmore (?:readable|maintainable|modular|testable)\b"
        r"|\breduce (?:the )?(?:complexity|coupling|nesting|duplication)\b|\brefactor(?:ing|ed)?\b",
    ),
    QueryIntent.SECURITY_AUDIT: _forms(
        r"\bsecurity (?:audit|review|check|scan|assessment|hole|issue|risk|problem|flaw|hardening)s?\b",
        rf"{_ACT}(?:audit|pentest|harden|threat[ -]model|sanitize|sanitise)\b",
        rf"\b(?:check|review|scan|look|test|search|audit|vulnerable|exposed|prone|open|safe|protected"
        rf"|secure|protect(?:ion)?|find|any|have|are there) .{{0,60}}?\b{_RISK}\b",
        r"\b(?:is|are) .{1,60}? (?:secure|safe from|safe against|exploitable|vulnerable|encrypted|sanitized"
        r"|sanitised|escaped|exposed)\b",
        r"\b(?:owasp|cve-\d+|attack surface|threat model|penetration test|privilege escalation|least privilege"
        r"|vulnerabilit(?:y|ies))\b|\bcan (?:an? )?(?:attackers?|users?|anyone|someone|anybody) .{0,40}?"
        r"(?:bypass|access|read|inject|steal|forge|escalate|see|impersonate)\b",
    ),
    QueryIntent.UNDERSTAND: _forms(
        r"\b(?:explain|describe|summari[sz]e|clarify|walk me through|help me understand)\b",
        r"\bhow (?:does|do|is|are|did) (?!(?:i|we) )",
        r"^what (?:is|are|does|do|happens|calls|uses)\b|^what's\b",
        r"\b(?:overview of|purpose of|meaning of|difference between|understand (?:how|what|why|the)|responsible for"
        r"|tell me about|show me how|learn about|get familiar)\b",
        r"^(?:where|who) (?:is|are|does|do)\b|^which \w+ (?:is|are|does|do|handles?|calls?|uses?)\b",
    ),
    QueryIntent.FIND_SPEC: _forms(
        rf"\b(?:find|show|get|open|locate|read|see|where(?:'s| is| are)|link) (?:me )?(?:the |our |that )?(?:\w+ ){{0,3}}?{_SAID_SPEC}\b",
        rf"\b(?:what|which) (?:are|were|is|was)(?: in)? (?:the |our )?(?:\w+ ){{0,2}}?{_SAID_SPEC}\b",
        rf"\b{_SAID_SPEC} (?:for|of|document|doc|say|says|said|cover|covers|require|requires)\b",
        rf"\b(?:does|did|do|according to|per) (?:the |our )?(?:\w+ )?{_SAID_SPEC}\b",
        r"\b(?:planned|scheduled|in scope|out of scope|left to do|required) (?:for|in|by)\b|\bsupposed to (?:do|support|happen|return)\b",
    ),
    QueryIntent.FIND_DECISION: _forms(
        rf"\bwhy (?:did|do|have|had|are|were|don't|didn't) {_WE} .{{0,30}}?{_CHOSE}\b",
        rf"\b(?:did|have|had) {_WE} (?:ever |already |finally )?(?:decide|choose|pick|select|agree|settle|reject|chosen|decided|agreed|settled)\b"
        rf"|\b{_WE} (?:decided|chose|agreed|settled|rejected|picked|went with|opted)\b",
        r"\b(?:decisions?|rationale|reasoning|trade-?offs?) (?:about|on|for|behind|of|record|log|history|regarding|to|was|were|between)\b"
        r"|\badrs?\b|\b(?:the|our|that|any) (?:\w+ )?(?:decision|rationale)\b",
        r"\b(?:alternatives?|options?) (?:\w+ ){0,3}?(?:considered|rejected|discussed|evaluated|weighed)\b"
        r"|\b(?:considered|rejected) (?:\w+ )?alternatives?\b",
        r"\bwhy .{1,50}? (?:instead of|rather than|over|and not)\b|\breasons? (?:for|behind|why|we)\b"
        r"|\bwhat (?:made|led) (?:us|you)\b|\bwhat was decided\b|\bwho decided\b|\bwhen was it decided\b",
    ),
}
AGAINST: Final[Mapping[QueryIntent, tuple[re.Pattern[str], ...]]] = {
        QueryIntent.UNDERSTAND: _forms(
            r"\bhow to (?:fix|add|create|implement|build|repair|patch|refactor)\b",
            r"\bwhat(?:'s| is) (?:wrong|broken|failing|the (?:error|bug|rationale|decision|scope|plan|spec))\b",
            r"^why (?:is|are|does|do) .{1,60}?(?:broken|failing|crashing|not working|fail|crash)\b",
        ),
        QueryIntent.SECURITY_AUDIT: _forms(
            r"\bunderstand\b", r"\bhow does\b", r"\bexplain\b", r"\bspec(?:ification)? for\b"
        ),
        QueryIntent.ADD_FEATURE: _forms(
            r"\bwhy (?:did|do) (?:we|you|they)\b",
            r"\b(?:when|who|did) (?:\w+ )?(?:add|added|create|created|build)\b",
            r"\b(?:refactor|restructure|clean up)\b",
        ),
        QueryIntent.FIX_BUG: _forms(
            r"\berror (?:handling|boundary|messages?|codes?|budget)\b", r"\bwhy did we\b"
        ),
        QueryIntent.REFACTOR: _forms(r"\bwhy did we\b", r"\bunderstand\b"),
        QueryIntent.FIND_SPEC: _forms(
            r"\b(?:plan|scope) to\b", r"\bquery plan\b", r"\bvariable scope\b", r"\bspecs? (?:fail|are|is)\b"
        ),
        QueryIntent.FIND_DECISION: _forms(r"\bdecision tree\b", r"\bfor (?:some|no) reason\b"),
    }  # fmt: skip

_TOKEN: Final = re.compile(r"[a-z][a-z'-]*")
_FEW: Final = {
    0: 0.0,
    1: 0.75,
}  # of the phrases of an intent; from the second on it is all there is


def classified(query: str) -> Classified:
    """Intent of ``query``, and how sure that is."""
    said = _plain(query)
    tokens = frozenset(stem(word) for word in _TOKEN.findall(said))
    likeness = _likenesses(tokens)
    scores = {intent: _score(intent, said, tokens, likeness[intent]) for intent in QueryIntent}
    best = max(QueryIntent, key=lambda intent: scores[intent])
    intent = best if scores[best] >= FLOOR else QueryIntent.UNDERSTAND
    return Classified(intent, scores[best], scores)


def keyword_score(found: int) -> float:
    """Score of ``found`` keywords of an intent, 0..1: two are enough, one is .15."""
    return min(found, 2) / 2 * (ALONE if found == 1 else 1.0)


def hashed(tokens: Iterable[str]) -> dict[int, float]:
    """The tokens as a vector of length 1 over ``BUCKETS`` hashed places; only what is not 0."""
    places = Counter(_bucket(token) for token in tokens)
    length = math.sqrt(sum(count * count for count in places.values()))
    return {place: count / length for place, count in places.items()}


def _score(intent: QueryIntent, said: str, tokens: frozenset[str], likeness: float) -> float:
    phrases = sum(1 for form in PHRASES[intent] if form.search(said))
    score = (
        OF_KEYWORDS * keyword_score(len(tokens & _stems(intent)))
        + OF_PHRASES * _FEW.get(phrases, 1.0)
        + OF_LIKENESS * likeness
    )
    against = any(form.search(said) for form in AGAINST[intent])
    return min(1.0, score * (LEFT if against else 1.0))


def _plain(query: str) -> str:
    """The query in lower case with single spaces; of a long one, its beginning and its end."""
    lowered = query.lower()  # first: a letter may become two
    if len(lowered) > READ + ENDS:
        lowered = f"{lowered[:READ]} {lowered[-ENDS:]}"
    return " ".join(lowered.replace("’", "'").split())


def _likenesses(tokens: frozenset[str]) -> dict[QueryIntent, float]:
    asked = hashed(tokens)
    return {
        intent: sum(weight * _centroid(intent).get(place, 0.0) for place, weight in asked.items())
        for intent in QueryIntent
    }


@cache
def _stems(intent: QueryIntent) -> frozenset[str]:
    return frozenset(stem(word) for word in KEYWORDS[intent])


@cache
def _centroid(intent: QueryIntent) -> Mapping[int, float]:
    return hashed(_stems(intent))


def _bucket(token: str) -> int:
    return int.from_bytes(blake2b(token.encode(), digest_size=4).digest()) % BUCKETS
