"""Wishes: rules said in passing, by the structure of the sentence.

"not as a table, but as a list", "we should only have one cache", "use X for the reports": a word of
wanting, a wanted thing, and a sign of holding beyond the moment: a scope, a contrast, a reason, or
a word for all of a kind. An order for the task at hand has the first two and lacks the third.
"""

from typing import Final

from actors.policy.statements.standing import content, is_momentary
from actors.policy.text.forms import forms, pattern_of
from actors.policy.text.wording import specifics
from actors.policy.text.words import caseless

LONG: Final = 400  # characters: no wish in passing
CONTENT: Final = 4  # words that say what a wish is about, where nothing in it has a name
LEAST: Final = 2  # of them: "we don't want a cap" says of what elsewhere

WISH_FORMS: Final = forms(__name__, "wishes")
_WANTS: Final = pattern_of(WISH_FORMS["wants"])
_BIDS: Final = pattern_of(WISH_FORMS["bids"])
_SETTLED: Final = pattern_of(WISH_FORMS["settled"])
_EXCLUDES: Final = pattern_of(WISH_FORMS["excludes"])
_ALL: Final = pattern_of(WISH_FORMS["every"])
_REASONED: Final = pattern_of(WISH_FORMS["reasoned"])
_ARGUED: Final = pattern_of(WISH_FORMS["argued"])
_HOLDS: Final = pattern_of(WISH_FORMS["holds"])
_MOVES: Final = pattern_of(WISH_FORMS["moves"])
_PASSING: Final = pattern_of(WISH_FORMS["passing"])
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
_SUBJECT: Final = caseless(
    r"^(?:(?:in|for|on|with|when|before|after|if|from) [^,]{2,70},? (?:then )?)?"
    r"(?:(?:the|our|all|every|each|any|an?|its?) (?!.*\b(?:is|are|was|which|that|who)\b)[^,;]{1,60}?"
    r"|[\w`./\"'-]{2,40})(?: (?:also|really|just|still|only|probably|then))* ?$"
)
_MINE: Final = caseless(r"i (?:really )?(?:don['’]t|do not|only) want")
_CONTRAST: Final = caseless(r"^not [\w ./`'-]{2,50},? but\b")
# A search, as people type it: "using a dotfile with graphviz". Who speaks of a habit says more.
_TITLE: Final = caseless(r"using\b")
_UNSAID: Final = caseless(r"(?:it|this|that|they|these|those|he|she)\b")
_ELSE: Final = caseless(r"(?<=, )(?=we (?:should|must) )")


def softened(line: str) -> str:
    """The line without merely softening words."""
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
