"""Wishes: how people say in passing what is to hold, by the structure of the sentence.

"not as a table, but as a list", "we should only have one cache", "use X for the reports": a
word that wants something, a thing that is wanted, and what makes it hold beyond the moment: a
scope, a contrast, a reason, or that it speaks of all of a kind. An order for the task at hand has the
first two and lacks the third.
"""

from typing import Final

from actors.policy.statements.standing import content, is_momentary
from actors.policy.text.wording import specifics
from actors.policy.text.words import caseless

LONG: Final = 400  # characters: no wish in passing
CONTENT: Final = 4  # words that say what a wish is about, where nothing in it has a name
LEAST: Final = 2  # of them: "we don't want a cap" says of what elsewhere

# People soften what they decide; the wish is what follows.
_SOFTENED: Final = caseless(
    r"^(?:(?:(?:yeah|yes|no|so|but|and|also|really|honestly|then|instead|hmm+|ah|huh|maybe|perhaps"
    r"|ideally|again|remember|in general|overall|(?:so )?in my (?:head|opinion))\b[,:… ]*"
    r"|i (?:also |really |still )?(?:think|feel(?: like)?|reckon|believe|guess|mean)(?: that)? ))+"
)
_SCOPE: Final = caseless(
    r"(?:, |\b)(?:in|for|on|with|when|whenever|before|after|during|per|across|throughout|inside|under"
    r"|every time) (?!now\b|me\b|it\b|that\b|this\b)\w"
)
_WANTS: Final = caseless(
    r"\b(?:should(?! (?:it|we|you|i)\b)(?:n['’]t| not| only| always| never)?|must(?:n['’]t| not)?"
    r"|ought to|ha(?:ve|s) to|need(?:s)? to|(?:only |do(?:n['’]t| not) |really )?(?:want|need)s?\b"
    r"|(?:would|['’]d) (?:prefer|rather|like|love)|prefer|can(?:not|['’]t) have"
    r"|(?:are|is|['’]re) not going to|no need (?:to|for)|always|never)\b"
)
_SUBJECT: Final = caseless(
    r"^(?:(?:in|for|on|with|when|before|after|if|from) [^,]{2,70},? (?:then )?)?"
    r"(?:(?:the|our|all|every|each|any|an?|its?) (?!.*\b(?:is|are|was|which|that|who)\b)[^,;]{1,60}?"
    r"|[\w`./\"'-]{2,40})(?: (?:also|really|just|still|only|probably|then))* ?$"
)
_MINE: Final = caseless(r"i (?:really )?(?:don['’]t|do not|only) want")
_BIDS: Final = caseless(
    r"^(?:(?:please|just|also|and)[ ,]+)*(?:let['’]?s (?:not |just |only )*(?:use|keep|leave|stick"
    r"|stay|avoid|call|go with|not|limit)|use|using|keep|prefer|avoid|stick (?:to|with)|always|follow"
    r"|treat)\b"
)
_SETTLED: Final = caseless(
    r"\b(?:is|are) (?:already |now )?(?:settled|decided|final|intentional|by design|out of scope)\b"
    r"|\w,? (?:like|as) we (?:already )?(?:do|did|have)\b"
)
_CONTRAST: Final = caseless(r"^not [\w ./`'-]{2,50},? but\b")
# What makes it hold beyond the moment.
_EXCLUDES: Final = caseless(
    r"\b(?:not|no|only|never|instead|rather than|without|any ?more|avoid|over|dont"
    r"|nothing (?:but|else)|except|stick)\b|n['’]t\b"
)
_ALL: Final = caseless(
    r"\b(?:always|every(?:thing|where|one)?|each|all|any|both|whenever|by default|long[- ]term"
    r"|in (?:the )?future|going forward|from now on|in general|consistent(?:ly)?|throughout|our"
    r"|the (?:same|normal|usual) \w+)\b"
)
_REASONED: Final = caseless(
    r"\b(?:because|since|so that|otherwise|in case|as (?:we|it|that|this|the|they|there)\b"
    r"|so (?:we|it|that|the|they|users?|people)\b|to (?:avoid|prevent|reduce|save|simplify|keep))\b"
)
_ARGUED: Final = caseless(
    r"\b(?:because|since|as) (?:we|i) (?:only |really |don['’]t )?(?:want|need|like)\b"
)
_HOLDS: Final = caseless(
    r"\b(?:should (?:be|have|always|only|never|follow|use|not)|shouldn['’]t|must|prefer"
    r"|want (?!to\b|you\b|this|that|it\b)|do(?:n['’]t| not) (?:want|need)"
    r"|need to (?:make sure|be|support|keep))\b"
)
# The next move of the task at hand, whoever is to make it.
_MOVES: Final = caseless(
    r"^(?:please )?use (?:an?|the|that|this) |\b(?:(?:should|must|to|let['’]?s|can we"
    r"|want(?: you)? to|please|just|then|don['’]?t|^) ?(?:also |just |first |now )*)(?:add|analy[sz]e|ask"
    r"|build|change|check|clean|close|commit|continue|convert|create|debug|decide|delete|discuss|do"
    r"|explore|extract|figure|find|fix|get|give|go(?! with)|implement|investigate|know|learn|look"
    r"|merge|move|open|plan|proceed|provide|push|put|read|rebase|rename|replace|review|revert|run"
    r"|say|see|send|set|show|split|start(?! with)|stop|switch|talk|tell|test|think|touch|try"
    r"|understand|update|verify|wait|work|worry|write)\b"
)
# A search, as people type it: "using a dotfile with graphviz". Who speaks of a habit says more.
_TITLE: Final = caseless(r"using\b")
_UNSAID: Final = caseless(r"(?:it|this|that|they|these|those|he|she)\b")
_ELSE: Final = caseless(r"(?<=, )(?=we (?:should|must) )")
_PASSING: Final = caseless(
    r"\boption #?(?:\d{1,2}|[a-h])\b|\byour (?:rec+om+end|sug+est|propos)\w*"
    r"|\bshould \(|(?:\bnot|n['’]t) always\b|(?<!\bare )(?<!\bis )(?<!\bbe )never \w+ed\b"
    r"|\bof (?:them|these|those)\b|\bthey all\b|\.\.\.$|\bit['’]s there\b|\bthat flow\b"
    r"|\b(?:in|from|at|on) (?:there|here)\b"
    r"|\b(?:should (?:never |not )?have (?:\w+ed|been|bought|done|made)\b|need (?:some|more)\b"
    r"|(?:keep|make|have|get|put|leave) (?:it|them|these|those)\b|keep (?:going|working)\b"
    r"|come up with|stay (?:\w+ )?focused|for now|right now|this time|today|tomorrow|first\b|next\b"
    r"|again|at the moment|yet|later|session|what['’]s|how (?:do|can|to|about)|any idea)\b"
)


def softened(line: str) -> str:
    """The line without the words that only soften it."""
    return _SOFTENED.sub("", line)


def wished(line: str) -> str | None:
    """The wish of a line; None when it is none, only for the moment, or a question."""
    if len(line) > LONG or line.endswith("?"):
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
