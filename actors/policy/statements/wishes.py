"""Wishes: how people say in passing what is to hold, by the structure of the sentence.

"not as a table, but as a list", "we should only have one cache", "use X for the reports": a
word that wants something, a thing that is wanted, and what makes it hold beyond the moment: a
scope, a contrast, a reason, or that it speaks of all of a kind. An order for the task at hand has the
first two and lacks the third.
"""

import re
from typing import Final

from actors.policy.statements.standing import content, is_momentary
from actors.policy.text.wording import specifics

LONG: Final = 400  # characters: no wish in passing
CONTENT: Final = 4  # words that say what a wish is about, where nothing in it has a name
LEAST: Final = 2  # of them: "we don't want a cap" says of what elsewhere

# People soften what they decide; the wish is what follows.
_SOFTENED: Final = re.compile(
    r"^(?:(?:(?:yeah|yes|no|so|but|and|also|really|actually|honestly|then|instead|hmm+|ah|huh|maybe"
    r"|perhaps|ideally|imo|again|remember|in general|generally|overall"
    r"|(?:so )?in my (?:head|mind|opinion|view))\b[,:… ]*"
    r"|i (?:also |really |still |do )?(?:think|feel(?: like)?|reckon|believe|guess|suppose|mean"
    r"|would say|['’]d say)(?: that)? ))+",
    re.IGNORECASE,
)
_SCOPE: Final = re.compile(
    r"(?:^|, |\b)(?:in|for|on|with|when|whenever|before|after|during|per|across|throughout|inside|under"
    r"|every time|as long as) (?!now\b|me\b|it\b|that\b|this\b)\w",
    re.IGNORECASE,
)
_WANTS: Final = re.compile(
    r"\b(?:should(?! (?:it|we|you|i|be needed)\b)(?:n['’]t| not| only| always| never)?|must(?:n['’]t| not)?|ought to|ha(?:ve|s) to"
    r"|need(?:s)? to|(?:only |do(?:n['’]t| not) |really )?(?:want|need)s?\b|(?:would|['’]d) (?:much )?"
    r"(?:prefer|rather|like|love)|prefer|can(?:not|['’]t) have|(?:are|is|['’]re) not (?:going to|to be)"
    r"|no need (?:to|for)|always|never)\b",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"^(?:(?:in|for|on|with|when|whenever|before|after|if|from) [^,]{2,70},? (?:then )?)?"
    r"(?:we|you|there|(?:the|our|all|every|each|any|a|an|its?) (?!.*\b(?:is|are|was|were|which|that|who|has|have)\b)[^,;]{1,60}?|[\w`./\"'-]{2,40})"
    r"(?: (?:also|really|just|still|only|probably|definitely|both|all|then|actually|again))* ?$",
    re.IGNORECASE,
)
_MINE: Final = re.compile(r"i (?:really )?(?:don['’]t|do not|only) want", re.IGNORECASE)
_BIDS: Final = re.compile(
    r"^(?:(?:please|just|also|and|always|then)[ ,]+)*(?:let['’]?s (?:not |just |only |always |also )*"
    r"(?:use|keep|leave|stick|stay|avoid|call|treat|go with|not|do without"
    r"|prefer|restrict|limit)|use|using|keep|prefer|avoid|stick (?:to|with)"
    r"|don['’]?t|do not|never|always|no (?:need|more)\b|follow|respect|treat)\b",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:is|are) (?:already |now )?(?:settled|decided|final|intentional|deliberate|on purpose"
    r"|by design|out of scope)\b|\w,? (?:like|as|the way) we (?:already )?(?:do|did|have)\b",
    re.IGNORECASE,
)
_CONTRAST: Final = re.compile(
    r"^not (?:as |in |on |with |by |for |via )?(?:an? |the )?[\w ./`'-]{2,50},? (?:but|rather|instead)\b",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"^(?:(?:can|could) (?:we|you|i) (?:please |just |also |maybe )*(?=(?:stick|keep|avoid|only|always)\b)"
    r"|should(?:n['’]t)? we (?:please |just |also |maybe )*(?=be )|can we (?:please )?not )",
    re.IGNORECASE,
)
# What makes it hold beyond the moment.
_EXCLUDES: Final = re.compile(
    r"\b(?:not|no|only|never|instead(?: of)?|rather than|without|any ?more|avoid|over"
    r"|don['’]?t|nothing (?:but|else)|except|stick)\b|n['’]t\b",
    re.IGNORECASE,
)
_ALL: Final = re.compile(
    r"\b(?:always|every(?:thing|where|one)?|each|all|any|both|whenever|by default|long[- ]term"
    r"|in (?:the )?future|going forward|from now on|in general|alike|consistent(?:ly)?|throughout|our"
    r"|the (?:same|normal|usual) \w+)\b",
    re.IGNORECASE,
)
_REASONED: Final = re.compile(
    r"\b(?:because|since|so that|otherwise|in case|as (?:we|it|that|this|the|they|there)\b"
    r"|so (?:we|it|that|the|they|users?|people|nobody|renovate)\b|to (?:avoid|prevent|reduce|save"
    r"|simplify|keep))\b",
    re.IGNORECASE,
)
_ARGUED: Final = re.compile(
    r"\b(?:because|since|as|so that) (?:we|i) (?:only |really |do(?:n['’]t| not) )?(?:want|need|prefer"
    r"|like)\b",
    re.IGNORECASE,
)
_HOLDS: Final = re.compile(
    r"\b(?:should (?:be|have|always|only|never|follow|use|not)|shouldn['’]t|must|want (?!to\b|you\b|this"
    r"|that|it\b)|do(?:n['’]t| not) (?:want|need)|prefer|need to (?:make sure|be|handle|support|keep))\b",
    re.IGNORECASE,
)
# The next move of the task at hand, whoever is to make it.
_MOVES: Final = re.compile(
    r"^(?:please )?use (?:an?|the|that|this) |\b(?:(?:should|must|to|let['’]?s|can we|could we|want(?: you)? to|please|just|then|don['’]?t|^)"
    r" ?(?:also |just |first |now |then |maybe )*)(?:add|analy[sz]e|ask|brainstorm|break|build|change|check|clean"
    r"|close|commit|continue|convert|create|cut|debug|decide|delete|discuss|do|explore|extract|figure|file|find|fix"
    r"|get|give|go(?! with)|implement|investigate|know|learn|look|merge|move|open|plan|proceed|pull|provide|push"
    r"|put|read|rebase|reconcile|record|rename|replace|repeat|reply|research|review|revert|rework|run|say|see|send|set|show|split"
    r"|start(?! with)|stash|stop|switch|talk|tell|test|think|touch|try|understand|update|verify|wait|walk"
    r"|work|worry|write)\b",
    re.IGNORECASE,
)
# A search, as people type it: "using a dotfile with graphviz". Who speaks of a habit says more.
_TITLE: Final = re.compile(r"using\b", re.IGNORECASE)
_UNSAID: Final = re.compile(r"(?:it|this|that|they|these|those|he|she)\b", re.IGNORECASE)
_ELSE: Final = re.compile(r"(?<=, )(?=we (?:should|must) )", re.IGNORECASE)
_PASSING: Final = re.compile(
    r"\b(?:option|approach|choice|number) #?(?:\d{1,2}|[a-h])\b|\byour (?:rec+om+end|sug+est|propos)\w*"
    r"|^don['’]t (?:we|you)\b|\bshould \(|(?:\bnot|n['’]t) always\b|(?<!\bare )(?<!\bis )(?<!\bbe )never \w+ed\b|\bof (?:them|these|those)\b|\bthey all\b|\.\.\.$|\bit['’]s there\b|\bthat flow\b|\b(?:in|from|at|on) (?:there|here)\b"
    r"|\b(?:should (?:never |not )?have (?:\w+ed|been|bought|done|given|gone|made|seen|taken)\b|i want an? |need (?:some|more|our own)\b|(?:keep|make|have|get|put|leave) (?:it|them|these|those)\b|keep (?:going|working)\b|come up with|stay (?:\w+ )?focused|for now|right now|this time|today|tonight|tomorrow|first\b(?! party| class)|next\b|again"
    r"|at the moment|yet|later|session|in a (?:bit|minute|sec)|what['’]s|how (?:do|can|to|about)|any idea"
    r"|(?:i|we)['’](?:m|re) (?:getting|seeing|about))\b",
    re.IGNORECASE,
)


def softened(line: str) -> str:
    """The line without the words that only soften it."""
    return _SOFTENED.sub("", line)


def wished(line: str) -> str | None:
    """The wish of a line, said as a statement; None when it is none, or only for the moment.

    A polite question ("can we stick to the usual workflow?") is a wish without its mark.
    """
    if len(line) > LONG:
        return None
    asked = _ASKED.match(line)
    if asked is not None:
        line = f"We should {line[asked.end() :].rstrip('?')}"
    elif line.endswith("?"):
        return None
    scope = _SCOPE.search(line)
    first = scope is not None and scope.start() == 0
    if not first:
        line = _ELSE.split(line)[-1]
    settled = _SETTLED.search(line) or _CONTRAST.search(line)
    reasoned, excludes, every = (way.search(line) for way in (_REASONED, _EXCLUDES, _ALL))
    argued = _ARGUED.search(line) and specifics(line)
    wanted = settled or argued or _BIDS.search(line) or _wants(line)
    if not wanted or _PASSING.search(line) or _UNSAID.match(line) or is_momentary(line):
        return None
    holds = (settled, reasoned, excludes, every, _HOLDS.search(line), scope)
    moves = _MOVES.search(line) and not first
    said = CONTENT if specifics(line) else len(content(line))
    if said < LEAST:
        return None
    vague = said < CONTENT
    title = _TITLE.match(line) is not None
    return line if sum(map(bool, holds)) >= 1 + 3 * bool(moves) + vague + title else None


def _wants(line: str) -> bool:
    """Return whether the team is to have it, or the user wants it not."""
    found = _WANTS.search(line)
    if found is None:
        return False
    before = line[: found.start()]
    return _SUBJECT.match(before) is not None or bool(_MINE.fullmatch(before + found[0]))
