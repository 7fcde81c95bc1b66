"""Utterances: kinds of texts as talk, before they are asked for a claim.

"Thanks, that helped", "can you look at it?" and "I'm so excited about the trip" resemble others of
their kind and deny none of them: nobody claims a lasting fact in them. The words are English, like
the markers of contradiction; the question marks of other scripts count too.

A label gives the owner or the kind of a text, before its first colon. "Melanie: I have just signed
up for it" is Melanie's, "shop convention: amounts are whole cents" is a convention of the shop. A
question with the label asks for this text rather than for one with a mere mention of the name, or
for one said to her. On turns of conversations it is worth 3.7 points of MRR, on facts about
projects 1.2; of seven other sets none moved (docs/measured/recall-ablation.md).

A short note only about the past comes a little later, unless the question is about the past. "The
API originally used cookies" resembles the question which login the API uses as much as the text
with the present state. The words and the factor were chosen on the development half of one set
(docs/adr/0006): a replaced fact is there above its successor else.
"""

import re
from collections.abc import Collection
from typing import Final

from actors.policy.patterns import pattern
from actors.policy.text.words import STOP_WORDS, caseless, stem

READ: Final = 600  # characters that are looked at

LINES: Final = 3  # of code, at least; a shorter piece may be quoted by a sentence. Choice.
MARKS: Final = 0.05  # share of brackets and the like among what is written. Choice.

NAMED: Final = 0.2  # of its score that a text gains whose whole label is named
_WORDS: Final = 6  # a longer beginning is a sentence
_LABEL: Final = pattern(r"\A\s*+([^\W\d_][\w .'/-]{0,38}?\w):\s+")
_PART: Final = pattern(r"[^\W_]+")

PAST_FACTOR: Final = 0.8  # of the score of a text about the past
NOTE: Final = 400  # characters: longer texts tell of the past and of the present

_TOLD: Final = pattern(
    r"""\b(?: originally | initially | formerly | previously | used\ to\ (?!\w+ing\b) | no\ longer
    | at\ first | back\ then | in\ the\ past | legacy | deprecated | obsolete | superseded
    | replaced\ by | was\ (?:later\ )?(?:replaced | dropped | removed | retired) )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# What every text has that the pattern is in.
_SIGNS: Final = (
    "originally", "initially", "formerly", "previously", "used to ", "no longer", "at first",
    "back then", "in the past", "legacy", "deprecated", "obsolete", "superseded", "replaced by",
    "was ",
)  # fmt: skip
_ASKED: Final = pattern(
    r"""\b(?: originally | initially | formerly | previously | used\ to | before | history
    | evolved? | past | old | older | legacy | first | earlier | was | were | did )\b""",
    re.IGNORECASE | re.VERBOSE,
)

# A question, at the beginning of a sentence or of a part of one; each is read a bounded way.
_OUTRIGHT: Final = caseless(
    r"(?:\A|[.!?:;,\n]\s{1,3}|\b(?:and|so|but|also|ok|okay|hmm|oh|wait|q)[,:]? )"
    r"(?:(?:(?:at|by|for|from|in|on|to|under|with) )?(?:what|which|who)|why|how|where|when|did|does|do"
    r"|is|are|am|was|were|have|has|had|may|must|should|can i|(?:is|are|was|did|does|have|should)n't)\b[^?\n]{3,200}\?"
)

_DEFINITION: Final = pattern(
    r"^[ \t]*(?:(?:async )?def|class|function|func|fn|import|const|let|var|public|private|#include)"
    r" [\w<\"{*]",
    re.MULTILINE,
)
_MARK: Final = pattern(r"[(){}\[\]=;<>_]")
_HEADINGS: Final = frozenset(
    stem(word)
    for word in (
        "note notes update decision correction todo fact reminder fyi ps edit fix warning important"
        " preference rule remember summary result answer tip context background status use prefer"
        " never always avoid do don't we"
    ).split()
)
_QUESTION: Final = caseless(
    r"[?？؟](?:[\s\"'”’)\]]|$)|\b(?:can|could|would|will) you\b|\b(?:please|pls) help\b"
)
# What opens a reply. Praise and assent count when little follows them: "Nice levels are 10" claims.
_OPENING: Final = pattern(
    r"""(?:
      (?:thank(?:s|\ you)|hey|hi|hello|congrat(?:s|ulations)|no\ (?:problem|worries)|glad|sounds
        |take\ care|bye|goodbye|good\ (?:luck|morning|evening|night|to)|long\ time|haha\w*|lol
        |go\ for\ it|well\ done|you['’]re\ (?:very\ |so\ )?welcome|(?:that|it)['’]s\ (?:so\ )?
        (?:great|awesome|cool|nice|amazing|wonderful|lovely|sweet|fun))
        \b(?:\s+[\w'’]+){0,3}
      |(?:wow|whoa|yeah|yes|yep|yup|ok(?:ay)?|sure|nice|great|cool|awesome|amazing|wonderful|perfect
        |lovely|fantastic|oh|aw+|definitely|absolutely|exactly|totally)
        \b(?:\s+(?:(?-i:[A-Z])[\w'’]*|thing|job|work|idea|one|going|catching|up)){0,2}
    )\s*(?:[,.!;…–—]|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_THANKS: Final = caseless(r"(?:^|[.!?,;]\s+)(?:many )?thank(?:s| you)\b(?! to\b)")
# What one does or feels at the time, or did: "I prefer tabs" and "I'm the maintainer" go on.
_NARRATION: Final = pattern(
    r"""(?:(?:so|well|and|but|also|today|yesterday|lately|recently|still),?\s+)?
    (?:i['’]m|i\ am|i['’]ve|i\ have|i\ had|i['’]d|i\ was|i)\b\s+
    (?:(?:just|also|really|recently|finally|already|never|still|so|very|super|kinda|kind\ of)\s+)*
    (?P<verb>[\w'’]+)""",
    re.IGNORECASE | re.VERBOSE,
)
_PERFECT: Final = caseless(r"i['’](?:ve|d)\b|i (?:had|was)\b")
_FELT: Final = frozenset(
    """
    excited happy glad sad sorry worried stuck proud thankful grateful thrilled stoked pumped
    overwhelmed confused curious nervous tired struggling hoping about able sure ready
    went got made took saw met did bought found won came felt thought ran gave began spent left
    """.split()
)
_STANDING: Final = frozenset("need used".split())
_DATE: Final = pattern(
    r"""\b(?:yesterday|today|tonight|last\ (?:night|week|weekend|month|year|spring|summer|fall|autumn
    |winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|this\ (?:morning|afternoon|evening|week)
    |(?:mon|tues|wednes|thurs|fri|satur|sun)day|\w+\ (?:days?|weeks?|months?|years?)\ ago
    |\d{4}-\d\d-\d\d|(?:in|of|since)\ (?:19|20)\d\d
    |january|february|march|april|june|july|august|september|october|november|december
    |(?:\d{1,2}(?:st|nd|rd|th)?\ |in\ )may|may\ \d{1,2})\b""",
    re.IGNORECASE | re.VERBOSE,
)
_MONTH: Final = pattern(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_PAST: Final = pattern(
    r"\b(?:was|were|had|did|went|got|made|took|saw|met|bought|found|won|came|felt|ran|gave|began"
    r"|held|spent|left|lost|sent|told|wrote|built|broke|flew|drove|rode|ate|drank|sang|swam|slept"
    r"|threw|fell|grew|heard|kept|led|paid|sold|sat|stood|taught|caught|chose|drew|spoke|wore"
    r"|[a-z]{2,}(?<!ne)ed)\b"
)
_ONCE: Final = caseless(
    r"\b(?:originally|initially|formerly|previously|at first|back then|in the past|used to"
    r"(?! \w+ing\b))\b"
)
_SINCE: Final = caseless(
    r"\b(?:now|no longer|any ?more|instead|since|moved|migrated|switched|replaced|changed|until)\b"
)


def label(text: str) -> frozenset[str]:
    """The stems of the text before the first colon of ``text``; empty without a label."""
    found = _LABEL.match(text)
    if found is None:
        return frozenset()
    parts = _PART.findall(found[1].lower())
    if len(parts) > _WORDS:
        return frozenset()
    return frozenset(stem(part) for part in parts if part not in STOP_WORDS)


def named(asked: Collection[str], text: str) -> float:
    """Share, 0..1, of the words of the label of ``text`` among the ``asked`` stems."""
    words = label(text)
    return len(words.intersection(asked)) / len(words) if words else 0.0


def voice(text: str) -> frozenset[str]:
    """Speaker or subject before the first colon of a text; empty when it names none.

    "Note: …" and "Decision: …" name the kind of text, and may be about the same thing.
    """
    return label(text) - _HEADINGS


def asks(text: str) -> bool:
    """Return whether somebody asks for something in it: a question, or "can you …"."""
    return _QUESTION.search(text[:READ]) is not None


def asks_outright(text: str) -> bool:
    """Return whether a text asks for a fact or a reason, present or past; an order ("can you fix …?") does not."""
    return _OUTRIGHT.search(text) is not None


def is_code(text: str) -> bool:
    """Tell whether it is code rather than a sentence about it: several lines, full of its marks."""
    read = text[:READ]
    lines = read.count("\n") + 1
    marks = len(_MARK.findall(read))
    if lines >= LINES and marks >= MARKS * (len(read) - read.count(" ")):
        return True
    return lines > 1 and marks > 1 and _DEFINITION.search(read) is not None


def chats(text: str) -> bool:
    """Tell whether it opens like a reply or a greeting, or thanks: "Hey Ann, …", "Sounds good."."""
    said = _said(text)
    return _OPENING.match(said) is not None or _THANKS.search(said) is not None


def narrates(text: str) -> bool:
    """Return whether somebody tells their acts or feelings of the time, rather than a lasting fact."""
    said = _said(text)
    found = _NARRATION.match(said)
    if found is None:
        return False
    verb = found["verb"]
    if not verb.islower() or verb in _STANDING:
        return False
    return _PERFECT.match(said) is not None or verb.endswith(("ing", "ed")) or verb in _FELT


def tells_a_date(text: str) -> bool:
    """Tell whether it says when something happened: on a day, in a month, two weeks ago."""
    return _DATE.search(text[:READ]) is not None


def happened(text: str) -> bool:
    """Return whether it reports an event with its date."""
    return tells_a_date(text) and _PAST.search(text[:READ]) is not None


def tells_only_of_before(text: str) -> bool:
    """Return whether it tells the first state of something, and not the later one."""
    return _ONCE.search(text[:READ]) is not None and _SINCE.search(text[:READ]) is None


def tells_of_past(text: str) -> bool:
    """Return whether a short text tells how something was and is no more."""
    if len(text) > NOTE:
        return False
    if text.isascii():  # in others the case of a letter is not as simple
        lowered = text.lower()
        if not any(sign in lowered for sign in _SIGNS):  # a fifth of the time of the pattern
            return False
    return _TOLD.search(text) is not None


def asks_of_past(query: str) -> bool:
    """Return whether a question is about a past state, or the way to the present one."""
    return _ASKED.search(query) is not None


def months(text: str) -> frozenset[str]:
    """The months named in it."""
    return frozenset(_MONTH.findall(text[:READ]))


def _said(text: str) -> str:
    """The text without the name of who says it."""
    labelled = _LABEL.match(text)
    return text[labelled.end() if labelled else 0 : READ].lstrip(" \t\n\"'“”‘’*-•")
