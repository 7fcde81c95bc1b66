"""Claims: the certainty of a statement, its time, and the older one it replaces.

A supposition is stored as a hypothesis and stays one until a person confirms or refutes it; a wrong
guess must not come back as a fact. "The current X is Y" names a subject with one value at a time,
so the newer statement replaces the older.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from actors.policy.gate.exclusion import claims_nothing
from actors.policy.gate.gate import is_statement
from actors.policy.patterns import pattern
from actors.policy.statements.choices import question_of
from actors.policy.text.forms import forms, pattern_of
from actors.policy.text.utterances import voice
from actors.policy.text.wording import TOOLS
from actors.policy.text.words import caseless
from actors.policy.times.validity import ALWAYS, Validity, ended, is_valid

CLAIM_FORMS: Final = forms(__name__, "claims")
_HEDGES: Final = pattern_of(CLAIM_FORMS["hedged"])
_WORD: Final = r"[^\W_](?:[\w./+#-]{0,60}[\w+#])?"
_CURRENT: Final = pattern(
    rf"""(?:\b(?P<whose>[\w-]{{1,40}}['’]s|your|his|her|their|its)\s+)?
        \bcurrent(?:ly\ used)?\s+(?P<after>{_WORD}(?:\s+{_WORD}){{0,4}}?)
        \s*(?:\s(?:is|are)\b|=|:(?!//)(?=[ \t]*[^\s`]))
      | (?:\b(?:the|our|my)\s+(?P<named>{_WORD}(?:\s+{_WORD}){{0,3}}?)
        | (?:^|[.;!?\n]\s{{0,40}})(?!(?:it|we|i|you|they|he|she|this|that|there)\b)
          (?P<opening>{_WORD}(?:\s+{_WORD})?))
        \s+(?:is|are)\s+(?:currently|now)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_ANOTHERS: Final = frozenset("your his her their its".split())
# What is said of a thing that is currently or now so, up to its first preposition.
_PREPOSITIONS: Final = "on in at by under with for to from behind via through about of into".split()
_SAID: Final = caseless(rf"(?<!\s)\s++(?P<word>{_WORD})(?:\s+(?P<at>{'|'.join(_PREPOSITIONS)})\b)?")
_VALUE: Final = pattern(rf"\A\W*+(?:\d|[A-Z]|\S*\w\d|\S*\w[_./@]\w|{TOOLS}\b)")
# They judge it, or name one of many things that may be said of it.
_JUDGED: Final = frozenset(
    """
    not no too very so quite rather more less much good great bad fine solid slow fast poor simple
    complex big small old new better worse wrong right unclear unknown happy sad sick busy tired
    single part one among
    """.split()
)
_STATES: Final = frozenset(
    "up down live online offline open closed frozen locked unlocked green red ready".split()
)
_NOW: Final = pattern(r"\snow\b")
BY_SUBJECT: Final = "it says anew what is the current"
_ARTICLES: Final = frozenset("the a an our my this that".split())


class Status(Enum):
    """Status of a claim."""

    HYPOTHESIS = "hypothesis"
    NOTICED = "noticed"  # an agent, a tool or a file says so, and nobody confirmed it
    CONFIRMED = "confirmed"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement's standing; ``subject`` is None when it replaces nothing by subject."""

    status: Status = Status.CONFIRMED
    validity: Validity = ALWAYS
    subject: str | None = None
    scope: str | None = None  # a project, or None for the user
    stated_at: float = 0.0  # seconds UTC


def is_hedged(text: str) -> bool:
    """Return whether a text supposes rather than states: might, maybe, I suspect …."""
    return _HEDGES.search(text) is not None


def is_current(claim: Claim, at: float) -> bool:
    """Return whether a claim may be told as a fact: valid then and not refuted."""
    return claim.status is not Status.REFUTED and is_valid(claim.validity, at)


def current_subject(text: str) -> str | None:
    """The X of "the current X is Y" or "X is currently Y", in small letters; else None.

    The key under which a newer statement replaces an older one. A place goes with its preposition,
    as a thing may be in Berlin and on version 2 at a time. An act, a judgement and a kind are no
    values: they have no subject, nor has a question, chatter or a text of many statements. Several
    subjects in one text make none: it would be unclear which is replaced. A choice has its question
    as subject.
    """
    asked = question_of(text)
    if asked is not None:
        return f"asked: {asked}"
    if not _may_name_a_current(text) or claims_nothing(text) or not is_statement(text):
        return None
    found = {_subject(match, text) for match in _CURRENT.finditer(text)} - {""}
    return found.pop() if len(found) == 1 else None


def _subject(match: re.Match[str], text: str) -> str:
    """Subject of a match with its owner and side; empty when it is no single value."""
    after, said = match["after"], _SAID.match(text, match.end())
    if after is None:
        key = _side(match, said)
    elif _is_anothers(match["whose"]) or (said is not None and not _is_value(said["word"])):
        return ""
    else:
        key = _key(f"{match['whose'] or ''} {after}")
    teller = " ".join(sorted(voice(text[: match.start()])))
    return f"{teller}: {key}" if teller and key else key


def _side(match: re.Match[str], said: re.Match[str] | None) -> str:
    """The subject of "X is currently …" with the side of X in question."""
    thing = _key(match["named"] or match["opening"])
    if said is None:
        return thing
    word = said["word"]
    small = word.lower()
    if _VALUE.match(word):
        return thing
    if not _is_value(word):
        return ""
    if small in _PREPOSITIONS:
        return f"{thing} {small}"
    if small.endswith(("ed", "en", "un", "lt")):
        return f"{thing} {small} {said['at'].lower()}" if said["at"] else ""
    if small in _STATES:
        return f"{thing} status"
    # Of a name alone, which may be a person's, much can be said: "Ann is now a nurse", "engaged".
    return thing if match["named"] else ""


def _is_anothers(whose: str | None) -> bool:
    """Return whether a thing belongs to somebody who is not named."""
    return whose is not None and whose.lower() in _ANOTHERS


def _is_value(word: str) -> bool:
    """Return whether a word may begin a value, rather than an act or a judgement."""
    return word.lower() not in _JUDGED and not (word.islower() and word.endswith("ing"))


def _may_name_a_current(text: str) -> bool:
    """Return whether a text has the words necessary for a current value: most have none.

    This look takes a tenth of the time of reading the sentences.
    """
    small = text.lower()
    return "current" in small or ("now" in small and _NOW.search(small) is not None)


def supersedes(incoming: Claim, existing: Claim) -> bool:
    """Return whether a claim replaces another by subject.

    Same subject and scope, stated later, and confirmed: a guess replaces no fact. A claim refuted
    or over already needs no replacing.
    """
    same = incoming.subject is not None and incoming.subject == existing.subject
    newer = incoming.stated_at > existing.stated_at
    sure = incoming.status in (Status.NOTICED, Status.CONFIRMED)
    return (
        same
        and incoming.scope == existing.scope
        and newer
        and sure
        and is_current(existing, incoming.stated_at)
    )


def replaced(existing: Claim, incoming: Claim) -> Claim:
    """The older claim once it is replaced: valid until the newer one's time begins.

    It keeps its status, for it was true; a question about its time still finds it.
    """
    begun = incoming.validity.valid_from
    at = incoming.stated_at if begun is None else begun
    return replace(existing, validity=ended(existing.validity, at))


def superseded(incoming: Claim, living: Mapping[int, Claim]) -> list[int]:
    """Ids of claims replaced by subject, the newest first."""
    found = [key for key, claim in living.items() if supersedes(incoming, claim)]
    return sorted(found, key=lambda key: (-living[key].stated_at, key))


def outdated(incoming: Claim, living: Iterable[Claim]) -> Claim:
    """A late claim: true until the first one stated after it begins."""
    for later in living:
        if supersedes(later, incoming):
            incoming = replaced(incoming, later)
    return incoming


def succession(subject: str) -> str:
    """Reason for a claim's replacing another, with the subject."""
    return f"{BY_SUBJECT} “{subject}”"


def is_by_subject(reason: str) -> bool:
    """Return whether a reason is a replacement by subject."""
    return reason.startswith(BY_SUBJECT)


def _key(subject: str) -> str:
    words = subject.casefold().split()
    while words and words[0] in _ARTICLES:
        words.pop(0)
    return " ".join(words)
