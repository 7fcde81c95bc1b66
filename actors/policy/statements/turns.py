"""Turns: what a prompt settles of what the agent put to the user in its last message.

"1.", "yes, accordion", "let's go with your recommendation" and "yes please" are kept as the option's
own text with its question, never as said. What stays a reference to the message is not kept, nor what
only lets the work go on.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from actors.policy.statements.candidates import Candidate, Origin
from actors.policy.statements.choices import ANSWER, told
from actors.policy.statements.offers import Offer, Option, about, is_telling, offered, questions
from actors.policy.statements.standing import content, stands_alone
from actors.policy.text.pasted import typed
from actors.policy.text.wording import names, sentence, sentences
from actors.policy.text.words import caseless

ANSWERS: Final = 5  # of one prompt
PAIR: Final = 2  # options of which "both" speaks
READ: Final = 400  # characters of a prompt in which a choice stands
FIRST: Final = 120  # characters of the clause that chooses
LEAST: Final = 4  # content words of a proposal
OWN: Final = 3  # words of a clause beside those of the option that it names

_LEAD: Final = (
    r"\A(?:(?:ok(?:ay)?|yes|yeah|yep|yup|sure|alright|great|good|perfect|cool|agreed|hm+|well|ugh|so|then"
    r"|please|also|actually|let['’]?s|we|i|(?:i['’]d|would)|should|can|could|you|(?:go|start|stick)"
    r"(?: ahead)?(?: with)?|do|try|use|pick|choose|take|plan(?: out)?|implement|prefer|like|want|think"
    r"|vote(?: for)?|just|the|for|to|with|my|choice|is|it['’]s)\b[\s,.:;!—–-]*+)*+"
)
_MARK: Final = r"(?:(?:option|approach|choice|number|variant|alternative)s? ?)?#?(\d{1,2}|[a-h])\b"
_BY_MARK: Final = re.compile(
    rf"{_LEAD}{_MARK}(?:\s*(?:and|&|\+|,)\s*{_MARK})?(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_BOTH: Final = caseless(rf"{_LEAD}both\b")
_REST: Final = caseless(
    r"\A\s*(?:[.),:;!—–-]|$|please\b|seems?\b|sounds?\b|looks?\b|is (?:good|fine|best|great|better)\b"
    r"|but\b|with\b|because\b|since\b|as\b|it is\b|for (?!now)|makes sense\b|works\b|\n)"
)
_ADVISED: Final = caseless(
    r"\b(?:your (?:recommend\w*|suggest\w*|pick|lean|proposal|preference)|(?:what|as|the (?:one|option|approach"
    r"|way)(?: that)?) you(?:['’]d| would)? (?:recommend|suggest|propos|prefer)\w*"
    r"|the recommended (?:one|option|approach|way))\b"
)
_YES: Final = caseless(
    r"(?:(?:yes|yeah|yep|yup|sure|ok(?:ay)?|agreed?|lgtm|perfect|absolutely|definitely|of course|exactly"
    r"|please(?: do)?|i agree|sounds (?:good|great|right)|makes sense|that works|do it|do that"
    r"|go (?:ahead|for it)|let['’]?s (?:do (?:it|that)|go(?: for it)?)|good idea|right|correct)"
    r"\b[\s,.!👍👌🏽]*+)++"
)
_NO: Final = caseless(r"(?:no|nope|nah|no thanks?)\b[\s,.!]*")
_DENIES: Final = caseless(
    r"\b(?:not?|don['’]?t|isn['’]?t|neither|nor|never|reject|without|skip|instead of|rather than)\b"
)
_MOMENTARY: Final = caseless(
    r"\b(?:first|for now|right now|this time|next|then|later|today|again)\b"
)
_TAG: Final = caseless(r", (?:no|right|yeah|yes)\?$")
_NUMBERED: Final = re.compile(r"^[ \t]*(\d{1,2})[.)][ \t]+(\S.*)$", re.MULTILINE)
_REASON: Final = caseless(
    r"\b(?:because|since|so that|thus|therefore|otherwise|but|as (?:we|it|that|this|the|they))\b"
)
_POINTS: Final = caseless(r"\b(?:this|that|these|those)\b")
# What the agent would do next, over with the turn: the work is in git.
_TASK: Final = caseless(
    r"\b(?:shall|should|may|can|do you want|want|would you like|like|ready) (?:i|me|us)?\b ?(?:to )?"
    r"|\b(?:ready|proceed|continue)\b"
)
# An option that only says how the work goes on.
_WORK: Final = caseless(
    r"(?:yes|no|go|proceed|continue|commit|push|merge|deploy|review|re-?run|run|stop|wait|nothing|something"
    r"|other|none|all|both|investigate|explore|debug|verify|test|check|finish|start|tackle|pause|look|show"
    r"|read|discuss|done|move on|open|close)\b"
)
# A piece of work, which says something of the thing if it says enough.
_MAKES: Final = caseless(
    r"(?:fix|delete|remove|skip|leave|write|update|draft|create|add|file|implement|clean|address|keep|drop)\b"
)
_OF_THE_SESSION: Final = caseless(r"\b(?:today|next|work on|this session)\b")
_LASTS: Final = caseless(
    r"\b(?:always|never|only|consistent(?:ly)?|throughout|by default|every(?:where)?|each|instead of"
    r"|rather than|as opposed to|from now on|simpler)\b"
)
_PROPOSES: Final = caseless(
    r"(?:so |and )?(?:should (?!i\b|we (?:proceed|continue|commit|start|move|also|look))|would you prefer|do you prefer"
    r"|(?:do|shall) we (?:want|keep|use|treat))"
)


def settled(prompt: str, message: str) -> list[Candidate]:
    """Decisions of a prompt by the agent's last ``message``, each with its question; most have none."""
    said = typed(prompt).strip()
    if not message or not said or len(said) > READ:
        return []
    if len(_NUMBERED.findall(said)) > 1:
        return _drafts(_answered(said, questions(message)))
    line = said.partition("\n")[0]
    first = next(iter(sentences(line)), line)
    if _asks_back(first) or _MOMENTARY.search(first):
        return []
    offer = offered(message)
    chosen = _chosen(line, first, offer)
    if not chosen:
        text = _affirmed(first, offer.closing)
    else:
        text = _decision(offer, chosen, _reason(said)) if _says_something(chosen, offer) else ""
    return _drafts([text])


def _drafts(texts: Iterable[str]) -> list[Candidate]:
    kept = [text for text in texts if text][:ANSWERS]
    return [
        Candidate(ANSWER, text, "decision", "semantic", 0.8, "decision", Origin.USER)
        for text in kept
    ]


def _answered(said: str, asked: Mapping[str, str]) -> Iterator[str]:
    """Numbered answers to numbered questions, each that says something of a named thing."""
    for number, answer in _NUMBERED.findall(said):
        question = asked.get(number, "")
        tells = content(answer) and not (_asks_back(answer) or _MOMENTARY.search(answer))
        named = is_telling(question) and names(f"{question} {answer}")
        if tells and named and not _POINTS.search(question):
            yield told(question, [sentence(answer)])


def _asks_back(line: str) -> bool:
    return line.endswith("?") and not _TAG.search(line)


def _chosen(line: str, first: str, offer: Offer) -> tuple[Option, ...]:
    """The options that a line takes: by mark, by the agent's advice, or by name."""
    if not offer.options or _NO.match(line):
        return ()
    marked = _BY_MARK.match(line)
    if marked is not None and _REST.match(marked["rest"]):
        marks = {mark.lower() for mark in marked.groups()[:2] if mark}
        found = tuple(one for one in offer.options if marks & {*one.marks})
        return found if len(found) == len(marks) else ()
    if _BOTH.match(line):
        return offer.options if len(offer.options) == PAIR else ()
    if _ADVISED.search(first) and not _DENIES.search(first):
        return offer.advised
    return _named(first, offer.options)


def _named(line: str, options: Iterable[Option]) -> tuple[Option, ...]:
    """The one option that a short line names, and names alone."""
    if len(line) > FIRST or _DENIES.search(line):
        return ()
    argued = _REASON.search(line)
    said = {*content(line[: argued.start()] if argued else line)}
    shared = {option: said & {*content(option.label)} for option in options}
    found = [
        option
        for option, words in shared.items()
        if words and 2 * len(words) >= len({*content(option.label)})
    ]
    if len(found) != 1 or len(said - {*content(found[0].text)}) > OWN:
        return ()
    return (found[0],)


def _says_something(chosen: Iterable[Option], offer: Offer) -> bool:
    """Tell whether what was chosen is of a thing that is named, and not only the next piece of work."""
    return not _OF_THE_SESSION.search(offer.question) and any(
        (about(offer.question) or names(option.text))
        and not _WORK.match(option.label)
        and len(content(option.text)) >= (4 if _MAKES.match(option.label) else 2)
        and (names(option.text) or not _MAKES.match(option.label))
        for option in chosen
    )


def _reason(said: str) -> str:
    """What the user says of why, or of how far; what only orders the next step is left out."""
    marked = _BY_MARK.match(said)
    own = sentences(_TAG.sub(".", marked["rest"].lstrip(" .),:;!—–-") if marked else said))
    for at, line in enumerate(own):
        reason = _REASON.search(line)
        if reason is not None and not line.endswith("?") and len(content(line)) >= OWN:
            chooses = reason[0].lower() == "but" or not (at or marked)
            return line[reason.start() :] if chooses else line
    return ""


def _decision(offer: Offer, chosen: tuple[Option, ...], reason: str) -> str:
    return told(offer.topic, (sentence(one) for one in (*(o.text for o in chosen), reason) if one))


def _affirmed(line: str, question: str) -> str:
    """The agent's proposal with the user's yes or no, if it is one that lasts and stands alone."""
    yes, no = (_clause(way, line) for way in (_YES, _NO))
    if not yes and not no:
        return ""
    proposes = _PROPOSES.match(question) or (_TASK.search(question) and _LASTS.search(question))
    claims = question.rstrip("?")
    if not proposes or not stands_alone(f"{claims}.") or len(content(claims)) < LEAST:
        return ""
    return told(question, ["Yes." if yes else "No."])


def _clause(way: re.Pattern[str], line: str) -> bool:
    """Tell whether a line begins with these words and a pause, or is no more than them."""
    found = way.match(line)
    return found is not None and (found.end() == len(line) or found[0].rstrip()[-1:] in ",.!")
