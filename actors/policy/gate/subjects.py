"""Subjects: the subject of a sentence, its statements about it, and another sentence's mention of it.

The subject is the telling words before the first verb, and its statements stand at the places of
values behind the verb: "emails are sent with *SendGrid*". "We", "it" and an order have none.
"""

from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Final

from actors.policy.gate import gate_features
from actors.policy.gate.correcting_sentence import (
    COUNTED,
    ONE_OF_A_KIND,
    VALUE_BEFORE,
    CorrectingSentence,
    Sentence,
    Word,
    alike,
)
from actors.policy.patterns import pattern
from actors.policy.text.speech import QUALIFIERS, meaning, meanings
from actors.policy.text.words import caseless, table

FEW: Final = 3  # telling words of a sentence that says little else
CHANGE_WORDS: Final = meanings(table(__name__)["change_words"])
_LEFT: Final = caseless(r"\b(?:we|they|i|he|she|[A-Z]\w+)(?:['’]ve)? left\b")
VERBS: Final = frozenset(map(meaning, gate_features.VERBS)) | meanings(
    "got gets go posts must may can should"
)
COPULAS: Final = meanings("is are be was were use uses")
# What they say of a place or a means says no more than "is".
GENERAL: Final = COPULAS | meanings(
    "go goes come comes run runs live lives land lands sit sits stay stays store stored keep"
    " kept done made built work works host hosted move moved"
)
_NO_VALUES: Final = CHANGE_WORDS | VERBS | meanings("not never no")
_JOINED: Final = frozenset(("", "+", "&"))
_DONE: Final = frozenset("kept sent built held made run written set put done shown".split())
_AT_VALUES: Final = VALUE_BEFORE | frozenset("be a an the".split())


def same_subject(
    told: CorrectingSentence, known: Sentence, *, discussed: bool, counted: bool = False
) -> bool:
    """Return whether both speak of the same thing, judged by their telling words.

    ``counted``: their values stand behind the same word ("every 30 days", "every 90 days").
    """
    keys = known.keys
    mine, about = _subject(told.words, keys), _subject(known.words, told.keys)
    shared, extra = mine & about, mine - about
    if not mine:
        return discussed and told.marked
    named, head = subject_of(told.words), subject_of(known.words)
    if named and not any(word in keys for word in named):
        return False  # it names a subject of its own
    if not shared or _narrowed(told.words, shared, extra):
        return False
    if told.marked:
        near = (
            len(shared) > 1
            or len(about) <= FEW
            or discussed
            or counted
            or named[-1:] == head[-1:] != []
        )
        return near and len(extra) <= 2 * len(shared) + 1
    missing = about - mine
    narrowed = _narrowed(known.words, shared, missing)
    return not extra and len(shared) > 1 and len(missing) < FEW and not narrowed


def share_head(words: Sequence[Word], known: Sequence[Word]) -> bool:
    """Return whether one sentence's subject, by its last telling word, is named in the other."""
    pairs = (words, known), (known, words)
    return any(
        subject_of(one)[-1:] and subject_of(one)[-1] in {word.key for word in other}
        for one, other in pairs
    )


def is_of_another_place(told: CorrectingSentence, known: Sentence) -> bool:
    """Tell whether one speaks of staging, the other of production, or only one of either."""
    mine = told.keys & QUALIFIERS - CHANGE_WORDS
    mine -= {meaning("left")} if _LEFT.search(told.text) else set()
    return not mine <= known.keys & QUALIFIERS


def subject_of(words: Sequence[Word]) -> list[str]:
    """The telling words before the first verb; none without a verb, or after "we" and the like."""
    at = next((at for at, word in enumerate(words) if at and word.key in VERBS), 0)
    before = words[:at]
    return [word.key for word in before if word.content and word.key not in CHANGE_WORDS]


def _head_of(words: Sequence[Word], known: Sentence) -> int | None:
    """Place of a memory's subject in a sentence, by its last word; None when it is absent or narrowed.

    Before it stand its other words, a verb ("we store money in cents"), words of the memory as well
    or empty ones.
    """
    subject, keys = subject_of(known.words), known.keys | CHANGE_WORDS | VERBS
    at = next((at for at, word in enumerate(words) if subject and word.key == subject[-1]), None)
    narrowed = any(word.content and word.key not in keys for word in words[:at])
    return None if narrowed else at


def _complements(told: Sentence, begin: int | None = None) -> list[list[Word]]:
    """Return the statements about a subject: runs of telling words at the places of values behind the verb.

    ``begin``: the place of the subject; without a known verb behind it, the words at this place count.
    """
    text, words = told.text, told.words
    verbs = (at for at, word in enumerate(words) if at > (begin or 0) and word.key in VERBS)
    at = next(verbs, len(words) if begin is None else begin)
    found: list[list[Word]] = []
    for here in range(at + 1, len(words)):
        word, before = words[here], words[here - 1]
        if not word.content or word.key in _NO_VALUES or is_done(text, word):
            continue
        between = text[before.end : word.start]
        if before.key in VERBS - COPULAS and here - 1 == at:
            return []  # "runs nightly": how it does something
        if found and found[-1][-1] is before and between.strip() in _JOINED:
            found[-1].append(word)
        elif text[before.start : before.end].lower() in _AT_VALUES and between.isspace():
            found.append([word])
    return [run for run in found if len(run) <= FEW]


def is_done(text: str, word: Word) -> bool:
    """Return whether a word tells an act on a thing: kept, sent, built, stored."""
    written = text[word.start : word.end].lower()
    return written.endswith(("ed", "ing")) or written in _DONE


def _subject(words: Sequence[Word], others: Set[str]) -> set[str]:
    """The telling words except values of one text alone and words only announcing a change."""
    return {
        word.key for word in words if word.content and (not word.kind or word.key in others)
    } - CHANGE_WORDS


def _narrowed(words: Sequence[Word], shared: Set[str], extra: Set[str]) -> bool:
    """Tell whether a word of ``extra`` stands before a shared one: the *admin* session cookie."""
    return any(
        before.key in extra and after.key in shared
        for before, after in pairwise(words)
        if before.content and not before.kind
    )


# ---- predicates: statements of two sentences about one subject, where one replaces the other
#
# "Backups land in Backblaze now" takes the place of "Backups go to Glacier". One subject has many
# statements, though: backups being encrypted, slow, or run in the evening says nothing of where they
# go. Two values answer one question when they are of one kind, when the old one is named beside the
# new one, or when both stand in the place of such a thing: behind "is" both, or behind prepositions
# of one sense.


TAIL: Final = 3  # words that may differ where two sentences begin alike
_CLAUSE: Final = pattern(r"[,;:] ")
PASSED_OVER: Final = meanings("the a an our all now actually")
_SENSES: Final = (  # prepositions that ask the same of a thing
    meanings("to in into on from under"), meanings("with by via through on using"), meanings("as in"),
)  # fmt: skip
_INSIDE: Final = meaning("in")
_TIMES: Final = meanings(table(__name__)["times"])

Replaced = tuple[Sequence[Word], Sequence[Word]]  # words of a memory, and those of the sentence


def other_ending(told: CorrectingSentence, known: Sentence) -> Replaced | None:
    """It begins like the memory and ends otherwise: "the reports go to legal, not finance"."""
    if not told.marked:
        return None
    mine = [word for word in told.words if word.key not in PASSED_OVER]
    theirs = [word for word in known.words if word.key not in PASSED_OVER]
    head = _common(mine, theirs)
    end = head - 1 if head else None
    tail = _common(mine[:end:-1], theirs[:end:-1])
    old, new = theirs[head : len(theirs) - tail], mine[head : len(mine) - tail]
    if head < 2 or not any(word.content for word in mine[:head]):  # a subject and its verb
        return None
    if not all(1 <= len(gap) <= TAIL and gap[-1].content for gap in (old, new)):
        return None
    return (old, new) if _answer_one_question(told, new, known, old) else None


def other_complement(told: CorrectingSentence, known: Sentence) -> Replaced | None:
    """The same subject is something else by the sentence: "the theme is light again"."""
    at = _head_of(told.words, known) if told.marked else None
    if at is None:
        return None
    end = _CLAUSE.search(told.text, told.words[at].end)
    clause = tuple(word for word in told.words if end is None or word.start < end.start())
    said = _complements(Sentence(told.text, clause), at)
    new = next((run for run in said if run[0].kind not in COUNTED), None)
    old = [run for run in _complements(known) if run[0].kind not in COUNTED]
    if new is None or len(old) != 1 or not known.keys.isdisjoint(word.key for word in new):
        return None
    return (old[0], new) if _answer_one_question(told, new, known, old[0]) else None


def _answer_one_question(
    told: Sentence, new: Sequence[Word], known: Sentence, old: Sequence[Word]
) -> bool:
    if any(alike(one, other) for one in old for other in new):
        return True
    if any(word.content and word.key in told.keys for word in old):
        return True
    mine, theirs = _governor(new, told.words), _governor(old, known.words)
    if ({mine, theirs} | {word.key for word in new}) & _TIMES:
        return False
    if any(word.kind in COUNTED for word in (*old, *new)):
        return False
    if all(any(word.kind.startswith(ONE_OF_A_KIND) for word in run) for run in (old, new)):
        return False  # of two kinds, or they were alike: Postgres, Docker
    if is_done(told.text, _first(new)) or is_done(known.text, _first(old)):
        return False  # "alerts are muted": something else that is done with them
    if mine in COPULAS or theirs in COPULAS:
        return mine in COPULAS and theirs in COPULAS
    mine_done, theirs_done = _done(told.words, new, known), _done(known.words, old, told)
    if not mine_done | theirs_done <= GENERAL:
        return False
    if mine == theirs == _INSIDE and mine_done <= COPULAS:  # "invoices are in euros now"
        return any(word.kind for word in new)
    return any({mine, theirs} <= sense for sense in _SENSES)


def _done(words: Sequence[Word], value: Sequence[Word], other: Sentence) -> set[str]:
    """Words of a sentence for an act on its subject, absent from the other."""
    named = other.keys.union(subject_of(words))
    before = words[: words.index(value[0])]
    said = {word.key for word in before if word.content or word.key in COPULAS}
    return said - named - CHANGE_WORDS | said & COPULAS


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
