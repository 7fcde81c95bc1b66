"""Statements of a person in a prompt: decisions, preferences, conventions, corrections, wishes.

Most prompts are orders and questions about the task at hand. A statement is kept only when a rule recognises it,
it is not hedged, and it can be understood without the conversation. Missing one costs a repetition; keeping a wrong
one costs trust, so every doubt is decided against keeping. Wishes, which are said in passing, are here; the other
rules are in ``actors.policy.statements.statement_rules``.
"""

import re
from itertools import zip_longest
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.statements.statement_rules import (
    CORRECTION,
    CORRECTION_IMPORTANCE,
    ORDER,
    REMEMBER,
    RULES,
    WISH,
    Rule,
    content,
    holds,
    is_momentary,
    stands_alone,
    without_aside,
)
from actors.policy.text.speech import forms, pattern_of
from actors.policy.text.turn import Turn, is_reported, spelled, with_quotations
from actors.policy.text.wording import sentence, sentences, specifics
from actors.policy.text.words import caseless, expressions

_EXPRESSIONS: Final = expressions(__name__, "wishes")

MOST: Final = 5  # statements kept of one prompt


class Statement(Struct, frozen=True):
    """A sentence worth remembering, as text to stand alone, and its rule."""

    rule: Rule
    text: str


_BY_ID: Final = {rule.id: rule for rule in RULES}
_FILLER: Final = caseless(_EXPRESSIONS["filler"])
_NO: Final = caseless(_EXPRESSIONS["no"])
# "No tests in this folder" and "no emojis" begin like a correction and are none.
_NO_ALONE: Final = caseless(_EXPRESSIONS["no_alone"])
# A reason that the next sentence gives belongs to the statement.
_REASON: Final = caseless(_EXPRESSIONS["reason"])
_LEADER: Final = caseless(r"^(?:also,? |(?:it )?turn(?:s|ed) out (?:that )?)+")
_IN_MIND: Final = r"(?:so |please ){0,3}(?:keep (?:that|this|it) in mind|remember (?:that|this|it))"
_TRAILER: Final = caseless(rf",? (?:please|here|thanks|thank you|{_IN_MIND})[.!]*$")
_ASKED_LAST: Final = caseless(rf",? {_IN_MIND}[.!]*$")
_OF_ONESELF: Final = caseless(r"i(?:['’]m| am| was| feel)\b")
_BRIEF_ORDER: Final = caseless(r"use (?!an? |the )\S{2,}")  # "no, use uv"
_STANDING_KINDS: Final = frozenset({"convention", "preference"})
_REMEMBER_NOTHING: Final = caseless(r"^(?:when|how|what|why|who|where|me|us|this|it|about|last)\b")
_STANDING: Final = caseless(r"\b(?:always|never|every|each|when(?:ever)?|before|after)\b")
_CLAIMS: Final = caseless(_EXPRESSIONS["claims"])


def statements(turn: Turn) -> list[Statement]:
    """Statements of a person worth remembering, in their order, at most five."""
    found: list[Statement] = []
    corrected = False
    for line, following in zip_longest(turn.clauses, turn.clauses[1:], fillvalue=""):
        plain = _TRAILER.sub("", _FILLER.sub("", line))
        if _ASKED_LAST.search(line) and _CLAIMS.search(plain):
            plain = f"Remember that {plain}"
        remainder = _without_no(plain)
        stated = _stated(without_aside(remainder), corrects=corrected or remainder != plain)
        corrected = remainder == "" and plain != ""
        if stated is None:
            continue
        text = stated.text
        if _REASON.match(following) and not following.endswith("?"):
            text = f"{text} {sentence(following)}"
        found.append(replace(stated, text=with_quotations(text, turn.own.quotations)))
    firsts = {one.text: one for one in reversed(found)}
    return [one for one in found if firsts[one.text] is one][:MOST]


def kind_of_kept(text: str) -> str:
    """Return the kind of a text kept by a person, by its first sentence: a rule, a wish, else a fact."""
    line = next(iter(sentences(text.replace("`", ""))), "")
    rule = _matching(_TRAILER.sub("", spelled(line)), corrects=False, on_purpose=True)
    return rule.kind if rule is not None and rule.kind in _STANDING_KINDS else "fact"


def _stated(line: str, *, corrects: bool) -> Statement | None:
    asked = REMEMBER.pattern.match(line)
    if asked is not None:
        return _remembered(asked["what"], asked["mark"])
    rule = _matching(line, corrects=corrects)
    if rule is None:
        wish = wished(softened(line))
        if wish is not None and stands_alone(wish) and not is_reported(wish, len(wish)):
            rule, line = WISH, wish
    if rule is None:
        return None
    if corrects:
        importance = max(rule.importance, CORRECTION_IMPORTANCE)
        rule = replace(rule, id=CORRECTION, importance=importance)
    return Statement(rule, sentence(_LEADER.sub("", line)))


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
    noted = (":" in mark or "that" in mark) and len(content(what)) >= 2
    if not (claims or noted) or not stands_alone(what):
        return None
    like = _matching(what, corrects=True)
    if like is None and "," in mark and _OF_ONESELF.match(what):
        return None  # "for the record, I'm annoyed"
    like = like or REMEMBER
    rule = replace(like, id=REMEMBER.id, importance=REMEMBER.importance)
    return Statement(rule, sentence(_LEADER.sub("", what)))


def _matching(line: str, *, corrects: bool, on_purpose: bool = False) -> Rule | None:
    if not stands_alone(line):
        return None
    for rule in (ORDER, *RULES) if on_purpose else RULES:
        found = rule.pattern.search(line)
        if found is None or is_reported(line, found.start()):
            continue
        if holds(rule, line, found, on_purpose=on_purpose):
            return rule
    return _BY_ID["decision"] if corrects and _BRIEF_ORDER.match(line) else None


def _without_no(line: str) -> str:
    marked = _NO.match(line)
    if marked is None or (_NO_ALONE.match(line) and not re.search(r"[,.:;!—–-]", marked[0])):
        return line
    return line[marked.end() :]


# ---- wishes: rules said in passing, by the structure of the sentence
#
# "not as a table, but as a list", "we should only have one cache", "use X for the reports": a word of
# wanting, a wanted thing, and a sign of holding beyond the moment: a scope, a contrast, a reason, or
# a word for all of a kind. An order for the task at hand has the first two and lacks the third.


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
_SOFTENED: Final = caseless(_EXPRESSIONS["softened"])
_SCOPE: Final = caseless(_EXPRESSIONS["scope"])
_SUBJECT: Final = caseless(_EXPRESSIONS["subject"])
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
