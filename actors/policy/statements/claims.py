"""Claims: the certainty of a statement, its time, the older one it replaces, its question and its reason.

A supposition is stored as a hypothesis and stays one until a person confirms or refutes it; a wrong
guess must not come back as a fact. "The current X is Y" names a subject with one value at a time,
so the newer statement replaces the older.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from actors.policy.gate.contradiction import claims_nothing
from actors.policy.gate.gate import is_statement
from actors.policy.gate.gate_features import normalised
from actors.policy.patterns import pattern
from actors.policy.text.speech import forms, pattern_of, voice
from actors.policy.text.wording import SENTENCE_END, TEXT, names, one_line
from actors.policy.text.words import caseless, expressions, word_list
from actors.policy.times.stated_times import ALWAYS, Validity, is_valid

_EXPRESSIONS: Final = expressions(__name__)

CLAIM_FORMS: Final = forms(__name__, "claims")
_HEDGES: Final = pattern_of(CLAIM_FORMS["hedged"])
_WORD: Final = r"[^\W_](?:[\w./+#-]{0,60}[\w+#])?"
_CURRENT: Final = pattern(
    rf"""(?:\b(?P<whose>[\w-]{{1,40}}['’]s|your|his|her|their|its)\s+)?
        \bcurrent(?:ly\ used)?\s+(?P<thing>{_WORD}(?:\s+{_WORD}){{0,4}}?)
        \s*(?:\s(?:is|are)\b|=|:(?!//)(?=[ \t]*[^\s`]))""",
    re.IGNORECASE | re.VERBOSE,
)
_ANOTHERS: Final = frozenset("your his her their its".split())
_SAID: Final = pattern(rf"(?<!\s)\s++({_WORD})")
# They judge it, or name one of many things that may be said of it.
_JUDGED: Final = word_list(__name__, "judged")
BY_SUBJECT: Final = "it says anew what is the current"
_ARTICLES: Final = frozenset("the a an our my this that".split())


# Of what an agent, a tool or a file says nobody has confirmed that it is so; it replaces all the same.
SURE: Final = ("noticed", "confirmed")


class Claim(Struct, frozen=True):
    """A statement's standing; ``subject`` is None when it replaces nothing by subject."""

    status: str = "confirmed"  # hypothesis, noticed, confirmed, refuted
    validity: Validity = ALWAYS
    subject: str | None = None
    scope: str | None = None  # a project, or None for the user
    stated_at: float = 0.0  # seconds UTC

    @property
    def begun(self) -> float:
        """Time at which it begins: the one before it is true until then."""
        begun = self.validity.valid_from
        return self.stated_at if begun is None else begun


def is_hedged(text: str) -> bool:
    """Return whether a text supposes rather than states: might, maybe, I suspect …."""
    return _HEDGES.search(text) is not None


def current_subject(text: str) -> str | None:
    """The X of "the current X is Y", in small letters; else None.

    The key under which a newer statement replaces an older one. An act and a judgement are no
    values: they have no subject, nor has a question, chatter or a text of many statements. Several
    subjects in one text make none: it would be unclear which is replaced. A choice has its question
    as subject.
    """
    asked = question_of(text)
    if asked is not None:
        return f"asked: {asked}"
    # Most have not the word: this look takes a tenth of the time of reading the sentences.
    if "current" not in text.lower() or claims_nothing(text) or not is_statement(text):
        return None
    found = {_subject(match, text) for match in _CURRENT.finditer(text)} - {""}
    return found.pop() if len(found) == 1 else None


def _subject(match: re.Match[str], text: str) -> str:
    """Subject of a match with its owner; empty when it is somebody else's, or no value is given to it."""
    whose, said = match["whose"] or "", _SAID.match(text, match.end())
    word = said[1] if said else ""
    acts = word.islower() and word.endswith("ing")
    if whose.lower() in _ANOTHERS or word.lower() in _JUDGED or acts:
        return ""
    words = f"{whose} {match['thing']}".casefold().split()
    while words and words[0] in _ARTICLES:
        words.pop(0)
    key = " ".join(words)
    teller = " ".join(sorted(voice(text[: match.start()])))
    return f"{teller}: {key}" if teller and key else key


def supersedes(incoming: Claim, existing: Claim) -> bool:
    """Return whether a claim replaces another by subject.

    Same subject and scope, stated later, and confirmed: a guess replaces no fact. A claim refuted
    or over already needs no replacing.
    """
    return (
        incoming.subject is not None
        and incoming.subject == existing.subject
        and incoming.scope == existing.scope
        and incoming.stated_at > existing.stated_at
        and incoming.status in SURE
        and existing.status != "refuted"
        and is_valid(existing.validity, incoming.stated_at)
    )


def succession(subject: str) -> str:
    """Reason for a claim's replacing another, with the subject."""
    return f"{BY_SUBJECT} “{subject}”"


def is_by_subject(reason: str) -> bool:
    """Return whether a reason is a replacement by subject."""
    return reason.startswith(BY_SUBJECT)


# ---- choices: how a user's choice is worded with its question, and the question found in it again
#
# A decision is known by its question: the next answer to it takes the place of the first.


ANSWER: Final = "answer"  # the rule

_ASKED: Final = pattern(r"\AAsked “([^”\n]*)”, the user ")


def choice_text(question: str, said: Iterable[str]) -> str:
    """The choice with its question, as one memory; ``said`` are whole sentences."""
    asked = one_line(question.replace("”", '"'), TEXT // 2)
    return one_line(f"Asked “{asked}”, the user chose: {' '.join(said)}")


def question_of(text: str) -> str | None:
    """The question behind a choice, as duplicates are compared; None of any other text."""
    found = _ASKED.match(text)
    return normalised(found[1]) if found else None


# ---- explanations: sentences with a reason for something, or with a limit of a thing
#
# Deeds are in git and states are in the files; missing from both are the reason, the limit and the
# cause. A sentence is worth keeping when it names a thing and explains it.


_REASON: Final = caseless(_EXPRESSIONS["reason"])
# A cause said in so many words. "So" begins what follows of anything, and says little.
_BECAUSE: Final = caseless(_EXPRESSIONS["because"])
_LIMIT: Final = caseless(_EXPRESSIONS["limit"])
_CAUSE: Final = caseless(_EXPRESSIONS["cause"])
# It leans on what stood before it, or speaks of the work rather than of the thing.
_LEANS: Final = caseless(_EXPRESSIONS["leans"])
# What was done and what is to be done: the first word tells.
_WORK: Final = caseless(_EXPRESSIONS["work"])
_SPEAKERS: Final = caseless(_EXPRESSIONS["speakers"])
_OF_THE_WORK: Final = caseless(_EXPRESSIONS["of_the_work"])
_HEADED: Final = pattern(r"[^:.]{3,90}: \w*")
# A list of names says nothing of them: outside of the code a verb or a noun of many is small.
_CODE: Final = pattern(r"`[^`\n]*`")
_PREDICATE: Final = pattern(_EXPRESSIONS["predicate"])
# Where a piece of work stands.
_PROGRESS: Final = caseless(_EXPRESSIONS["progress"])
_MENDED: Final = caseless(r"\b(?:fix(?:ed)?|solution)(?: by| with| was|:) ")
_ITEM: Final = pattern(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+")
# Runs, counters and what is put off; what texts said, which is no behaviour.
_COUNTED: Final = caseless(_EXPRESSIONS["counted"])
_OF_TEXTS: Final = caseless(_EXPRESSIONS["of_texts"])


def weight(sentence: str) -> int:
    """Return how much a sentence explains, 0..4: a cause, a reason, a limit."""
    cause, reason = _CAUSE.search(sentence), _REASON.search(sentence)
    return 2 * bool(cause) + bool(reason) + bool(_LIMIT.search(sentence))


def leans(sentence: str) -> bool:
    """Return whether a sentence begins with a reference elsewhere: a pronoun, a conjunction."""
    return _LEANS.search(sentence) is not None


def explains_as_item(item: str) -> bool:
    """Return whether an item of a list, ``its heading: its text``, explains its heading."""
    head = item.partition(":")[0]
    return (
        _HEADED.match(item) is not None
        and _PREDICATE.search(_CODE.sub("", item)) is not None
        and 10 <= len(item.split()) <= 100
        and weight(item) + (names(head) or _MENDED.search(item) is not None) >= 2
        and names(item)
        and not _PROGRESS.match(item)
        and not _SPEAKERS.search(item)
        and not _OF_THE_WORK.search(item)
    )


def reasons(paragraphs: Iterable[str], room: int, *, housekeeping: bool = False) -> str:
    """The whole sentences of a commit's body that give reasons, with the ones they lean on; or ''.

    ``paragraphs`` have no line breaks, ``room`` is in characters. In ``housekeeping`` a sentence
    about texts or about the work is no reason.
    """
    kept: list[str] = []
    for paragraph in paragraphs:
        listed = _ITEM.match(paragraph) is not None
        lines = SENTENCE_END.split(_ITEM.sub("", paragraph))
        told = [
            at
            for at, line in enumerate(lines)
            if _tells_why(line, listed=listed)
            and not _COUNTED.search(line)
            and not (housekeeping and _OF_TEXTS.search(line) and not _BECAUSE.search(line))
        ]
        wanted = {near for at in told for near in (at - 1 if at and leans(lines[at]) else at, at)}
        kept += [lines[at] for at in sorted(wanted)]
    fitting: list[str] = []
    for line in kept:
        if len(line) + 1 <= room:
            room -= len(line) + 1
            fitting.append(line if line[-1] in ".!?…" else f"{line}.")
    return " ".join(fitting)


def tells_choice(subject: str) -> bool:
    """Return whether a subject alone has a choice against something, or its reason."""
    return _REASON.search(subject) is not None


def _tells_why(line: str, *, listed: bool) -> bool:
    """Return whether it gives a reason; of work and in lists only one in so many words counts."""
    limit = not listed and not _WORK.match(line) and _LIMIT.search(line)
    is_whole = len(line.split()) >= 6 and not line.endswith(":")  # a list follows it elsewhere
    return is_whole and bool(limit or _REASON.search(line))
