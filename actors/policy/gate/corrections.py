"""Corrections: a sentence of a prompt that gives something known another value.

What is corrected is told by what a sentence is about and not by its verb: "No, the session cookie
lives for 8 hours", "moved to Wednesday", "switched from npm to pnpm", "you got that wrong: the
timeout is 5 seconds". A sentence is therefore laid beside each memory that shares its words. It
corrects the one that says another value of the same kind of the same subject, and that memory
then says the new value in the old one's place, so that the rest of it still holds.

Another subject ("the refresh token") and another environment are left alone; what a sentence must be
to correct anything is in ``actors.policy.gate.said``.
"""

import re
from collections.abc import Sequence, Set
from itertools import pairwise
from typing import Final, NamedTuple

from actors.policy.gate.said import VALUE_BEFORE, Said
from actors.policy.gate.values import Word, words_of
from actors.policy.text.lexicon import QUALIFIERS, meaning, of_one_kind
from actors.policy.text.words import STOP_WORDS

STORED: Final = 800  # characters of a memory: a longer one is a document
TAIL: Final = 3  # words that may differ where two sentences begin alike


class Correction(NamedTuple):
    """Text of a memory from now on, and which words of it gave way to which."""

    text: str
    old: str
    new: str


_CHANGE_WORDS: Final = frozenset(
    meaning(word)
    for word in (
        "now actually moved move switched switch changed change renamed rename migrated migrate"
        " replaced replace bumped bump raised lowered reduced increased shortened extended longer"
        " instead anymore currently today meanwhile since became become back finally decided agreed"
        " again really wrong right correct old new value done got ditched dropped swapped"
    ).split()
)
_PASSED_OVER: Final = frozenset(meaning(word) for word in "the a an our all now actually".split())


def corrected(told: Said, stored: str, *, discussed: bool = False) -> Correction | None:
    """Correction of ``stored`` once ``told`` holds, or None when that is not about it.

    ``discussed``: the memory was shown in this session, so that a sentence without a subject
    ("moved to Wednesday") may be about it.
    """
    if len(stored) > STORED:
        return None
    known = tuple(words_of(stored))
    if _other_place(told, known):
        return None
    return (
        _named_pair(told, stored, known, discussed=discussed)
        or _both_named(told, stored, known)
        or _other_value(told, stored, known, discussed=discussed)
        or _other_ending(told, stored, known)
    )


def _named_pair(
    told: Said, stored: str, known: Sequence[Word], *, discussed: bool
) -> Correction | None:
    """Both values are named: the old one stands in the memory, the new one does not."""
    for old, new in told.pairs:
        place = _place(old, stored)
        if place is None or _place(new, stored) is not None:
            continue
        named = {word.key for word in (*words_of(old), *words_of(new))}
        rest = {word.key for word in told.words if word.content} - named - _CHANGE_WORDS
        about = {word.key for word in known if word.content} - named
        if rest & about or discussed or _is_value(stored, place):
            return _put(stored, place, new)
    return None


def _both_named(told: Said, stored: str, known: Sequence[Word]) -> Correction | None:
    """It says another value of a kind and names the memory's own as what was: "main, not master"."""
    if not told.marked:
        return None
    keys, theirs = {word.key for word in known}, {word.key for word in told.words}
    pairs = [
        (old, new)
        for old in known
        for new in told.values
        if old.kind and old.key in theirs and new.key not in keys and _alike(old, new)
    ]
    if len(pairs) != 1 or not _is_value(stored, (pairs[0][0].start, pairs[0][0].end)):
        return None
    old, new = pairs[0]
    return _put(stored, (old.start, old.end), told.text[new.start : new.end])


def _other_value(
    told: Said, stored: str, known: Sequence[Word], *, discussed: bool
) -> Correction | None:
    """The same subject with another value of the same kind, once."""
    keys = {word.key for word in known}
    theirs = {word.key for word in told.words}
    fresh = [word for word in told.values if word.key not in keys]
    gone = [word for word in known if word.kind and word.key not in theirs]
    pairs = [(old, new) for new in fresh for old in gone if _alike(old, new)]
    if len(pairs) > 1:  # the one that stands behind the same word: port 5432, port 5433
        pairs = [(o, n) for o, n in pairs if _before(o, known) == _before(n, told.words)]
    if len(pairs) != 1:
        return None
    old, new = pairs[0]
    if not _same_subject(told, known, discussed=discussed):
        return None
    return _put(stored, (old.start, old.end), told.text[new.start : new.end])


def _before(word: Word, words: Sequence[Word]) -> str:
    at = words.index(word)
    return words[at - 1].key if at else ""


def _other_ending(told: Said, stored: str, known: Sequence[Word]) -> Correction | None:
    """It begins like the memory and ends otherwise: "the reports go to legal, not finance"."""
    if not told.marked:
        return None
    mine = [word for word in told.words if word.key not in _PASSED_OVER]
    theirs = [word for word in known if word.key not in _PASSED_OVER]
    head = _common(mine, theirs)
    tail = _common(
        mine[: head - 1 if head else None : -1], theirs[: head - 1 if head else None : -1]
    )
    gaps = mine[head : len(mine) - tail], theirs[head : len(theirs) - tail]
    if head < 2 or not any(word.content for word in mine[:head]):  # a subject and its verb
        return None
    if not all(1 <= len(gap) <= TAIL and gap[-1].content for gap in gaps):
        return None
    new = told.text[gaps[0][0].start : gaps[0][-1].end]
    return _put(stored, (gaps[1][0].start, gaps[1][-1].end), new)


def _common(one: Sequence[Word], other: Sequence[Word]) -> int:
    """How many words are the same from the beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine.key != theirs.key),
        min(len(one), len(other)),
    )


def _same_subject(told: Said, known: Sequence[Word], *, discussed: bool) -> bool:
    """Return whether both speak of the same thing, judged by their telling words."""
    keys = {word.key for word in known}
    mine = _subject(told.words, keys)
    about = _subject(known, {word.key for word in told.words})
    shared, extra = mine & about, mine - about
    if not mine:
        return discussed and told.marked
    if not shared or _narrowed(told.words, shared, extra):
        return False
    if told.marked:
        near = len(shared) > 1 or len(about) <= TAIL or discussed
        return near and len(extra) <= 2 * len(shared) + 1
    missing = about - mine
    narrowed = _narrowed(known, shared, missing)
    return not extra and len(shared) > 1 and len(missing) <= TAIL - 1 and not narrowed


def _subject(words: Sequence[Word], others: Set[str]) -> set[str]:
    """The telling words that are no value of one text alone, nor only announce a change."""
    return {
        word.key for word in words if word.content and (not word.kind or word.key in others)
    } - _CHANGE_WORDS


def _narrowed(words: Sequence[Word], shared: Set[str], extra: Set[str]) -> bool:
    """Tell whether a word of ``extra`` stands before a shared one: the *admin* session cookie."""
    return any(
        before.key in extra and after.key in shared
        for before, after in pairwise(words)
        if before.content and not before.kind
    )


def _other_place(told: Said, known: Sequence[Word]) -> bool:
    """Tell whether one speaks of staging, the other of production, or only one of either."""
    mine = {word.key for word in told.words} & QUALIFIERS
    theirs = {word.key for word in known} & QUALIFIERS
    return bool(mine) and mine != theirs and not (mine <= theirs)


def _alike(old: Word, new: Word) -> bool:
    """Return whether one value may stand for the other: of one kind, in one unit."""
    return of_one_kind(old.key, new.key) or old.kind == new.kind


def _place(phrase: str, text: str) -> tuple[int, int] | None:
    """Where a phrase stands in a text as whole words; its last words, when it is longer there."""
    words = phrase.split()
    for begin in range(len(words)):
        tail = " ".join(words[begin:])
        if begin and meaning(tail.lower()) in STOP_WORDS:
            break
        found = re.search(rf"(?<![\w-]){re.escape(tail)}(?![\w-])", text, re.IGNORECASE)
        if found is not None:
            return found.span()
    return None


def _is_value(text: str, place: tuple[int, int]) -> bool:
    """Tell whether it is said of something: "use npm", "npm is ...", not "an npm bug"."""
    before = text[: place[0]].split()
    if not before or before[-1].lower().strip(",:") in VALUE_BEFORE:
        return True
    return len(before) <= 1 and text[place[1] :].lstrip().startswith(("is ", "are ", "runs "))


def _put(text: str, place: tuple[int, int], new: str) -> Correction:
    """The text with a value in another's place."""
    old = text[place[0] : place[1]]
    value = new[0].upper() + new[1:] if place[0] == 0 and old[:1].isupper() else new
    return Correction(text[: place[0]] + value + text[place[1] :], old, new)
