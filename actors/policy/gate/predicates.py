"""Predicates: statements of two sentences about one subject, where one replaces the other.

"Backups land in Backblaze now" takes the place of "Backups go to Glacier". One subject has many
statements, though: backups being encrypted, slow, or run in the evening says nothing of where they
go. Two values answer one question when they are of one kind, when the old one is named beside the
new one, or when both stand in the place of such a thing: behind "is" both, or behind prepositions
of one sense.
"""

from collections.abc import Sequence
from typing import Final

from actors.policy.gate.correcting_sentence import CorrectingSentence
from actors.policy.gate.subjects import (
    CHANGE_WORDS,
    COPULAS,
    GENERAL,
    complements,
    head_of,
    is_done,
    subject_of,
)
from actors.policy.gate.values import COUNTED, ONE_OF_A_KIND, Word, alike
from actors.policy.patterns import pattern
from actors.policy.text.lexicon import meaning, meanings

TAIL: Final = 3  # words that may differ where two sentences begin alike
_CLAUSE: Final = pattern(r"[,;:] ")
PASSED_OVER: Final = meanings("the a an our all now actually")
_SENSES: Final = (  # prepositions that ask the same of a thing
    meanings("to in into on from under"), meanings("with by via through on using"), meanings("as in"),
)  # fmt: skip
_INSIDE: Final = meaning("in")
_TIMES: Final = meanings(  # of when and how something is done, not of where or by what
    "at every each until monday tuesday wednesday thursday friday saturday sunday january"
    " february march april may june july august september october november december morning"
    " evening night noon midnight week weekend month year parallel progress review practice"
)

Replaced = tuple[Sequence[Word], Sequence[Word]]  # words of a memory, and those of the sentence


def other_ending(told: CorrectingSentence, stored: str, known: Sequence[Word]) -> Replaced | None:
    """It begins like the memory and ends otherwise: "the reports go to legal, not finance"."""
    if not told.marked:
        return None
    mine = [word for word in told.words if word.key not in PASSED_OVER]
    theirs = [word for word in known if word.key not in PASSED_OVER]
    head = _common(mine, theirs)
    end = head - 1 if head else None
    tail = _common(mine[:end:-1], theirs[:end:-1])
    old, new = theirs[head : len(theirs) - tail], mine[head : len(mine) - tail]
    if head < 2 or not any(word.content for word in mine[:head]):  # a subject and its verb
        return None
    if not all(1 <= len(gap) <= TAIL and gap[-1].content for gap in (old, new)):
        return None
    return (old, new) if _answer_one_question(told, new, stored, known, old) else None


def other_complement(
    told: CorrectingSentence, stored: str, known: Sequence[Word]
) -> Replaced | None:
    """The same subject is something else by the sentence: "the theme is light again"."""
    keys = {word.key for word in known}
    at = head_of(told.words, subject_of(known), keys) if told.marked else None
    if at is None:
        return None
    end = _CLAUSE.search(told.text, told.words[at].end)
    words = [one for one in told.words if end is None or one.start < end.start()]
    said = [run for run in complements(words, told.text, at) if run[0].kind not in COUNTED]
    new = [run for run in said[:1] if not any(word.key in keys for word in run)]
    old = [run for run in complements(known, stored) if run[0].kind not in COUNTED]
    if len(new) != 1 or len(old) != 1:
        return None
    return (old[0], new[0]) if _answer_one_question(told, new[0], stored, known, old[0]) else None


def _answer_one_question(
    told: CorrectingSentence,
    new: Sequence[Word],
    stored: str,
    known: Sequence[Word],
    old: Sequence[Word],
) -> bool:
    if any(alike(one, other) for one in old for other in new):
        return True
    if {word.key for word in old if word.content} & {word.key for word in told.words}:
        return True
    mine, theirs = _governor(new, told.words), _governor(old, known)
    if ({mine, theirs} | {word.key for word in new}) & _TIMES:
        return False
    if any(word.kind in COUNTED for word in (*old, *new)) or _are_of_two_kinds(old, new):
        return False
    if is_done(told.text, _first(new)) or is_done(stored, _first(old)):
        return False  # "alerts are muted": something else that is done with them
    if mine in COPULAS or theirs in COPULAS:
        return mine in COPULAS and theirs in COPULAS
    mine_done, theirs_done = _done(told.words, new, known), _done(known, old, told.words)
    if not mine_done | theirs_done <= GENERAL:
        return False
    if mine == theirs == _INSIDE and mine_done <= COPULAS:  # "invoices are in euros now"
        return any(word.kind for word in new)
    return any({mine, theirs} <= sense for sense in _SENSES)


def _done(words: Sequence[Word], value: Sequence[Word], others: Sequence[Word]) -> set[str]:
    """Words of a sentence for an act on its subject, absent from the other."""
    named = {word.key for word in others} | set(subject_of(words))
    before = words[: words.index(value[0])]
    said = {word.key for word in before if word.content or word.key in COPULAS}
    return said - named - CHANGE_WORDS | said & COPULAS


def _are_of_two_kinds(old: Sequence[Word], new: Sequence[Word]) -> bool:
    """Tell whether both name a thing of a known kind, and not of one: Postgres, Docker."""
    return all(any(word.kind.startswith(ONE_OF_A_KIND) for word in run) for run in (old, new))


def _first(run: Sequence[Word]) -> Word:
    return next((word for word in run if word.content), run[0])


def _governor(value: Sequence[Word], words: Sequence[Word]) -> str:
    """The word governing a value: the one before its first telling word and its article."""
    before = [one.key for one in words[: words.index(_first(value))]]
    return next((key for key in reversed(before) if key not in PASSED_OVER), "")


def _common(one: Sequence[Word], other: Sequence[Word]) -> int:
    """Count the equal words from the beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine.key != theirs.key),
        min(len(one), len(other)),
    )
