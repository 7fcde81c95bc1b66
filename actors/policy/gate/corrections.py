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
from bisect import bisect
from collections.abc import Sequence
from typing import Final, NamedTuple

from actors.policy.gate.said import VALUE_BEFORE, Said
from actors.policy.gate.subjects import (
    BECOMING,
    CHANGE_WORDS,
    VERBS,
    complements,
    is_done,
    is_of_another_place,
    same_subject,
    subject_of,
)
from actors.policy.gate.values import COUNTED, Word, words_of
from actors.policy.text.lexicon import meaning, of_one_kind
from actors.policy.text.words import STOP_WORDS

STORED: Final = 800  # characters of a memory: a longer one is a document
TAIL: Final = 3  # words that may differ where two sentences begin alike
_CLAUSE: Final = re.compile(r"[,;]\s|\b(?:and|but|while)\b")


class Correction(NamedTuple):
    """Text of a memory from now on, and which words of it gave way to which."""

    text: str
    old: str
    new: str


_PASSED_OVER: Final = frozenset(meaning(word) for word in "the a an our all now actually".split())


def corrected(told: Said, stored: str, *, discussed: bool = False) -> Correction | None:
    """Correction of ``stored`` once ``told`` holds, or None when that is not about it.

    ``discussed``: the memory was shown in this session, so that a sentence without a subject
    ("moved to Wednesday") may be about it.
    """
    if len(stored) > STORED:
        return None
    known = tuple(words_of(stored))
    if is_of_another_place(told, known):
        return None
    return (
        _named_pair(told, stored, known, discussed=discussed)
        or _left_one(told, stored, known, discussed=discussed)
        or _both_named(told, stored, known)
        or _other_value(told, stored, known, discussed=discussed)
        or _other_ending(told, stored, known)
        or _other_complement(told, stored, known)
    )


def _named_pair(
    told: Said, stored: str, known: Sequence[Word], *, discussed: bool
) -> Correction | None:
    """Both values are named: the old one stands in the memory, the new one does not."""
    for old, new in told.pairs:
        place = _place(old, stored)
        if place is None or _place(new, stored) is not None:
            continue
        if discussed or _is_about(told, known, old, new) or _is_value(stored, place):
            return _put(stored, place, new)
    return None


def _left_one(
    told: Said, stored: str, known: Sequence[Word], *, discussed: bool
) -> Correction | None:
    """It says that the memory's own value is no more, and one other thing: its successor."""
    for old in (*told.left, *(pair[0] for pair in told.pairs)):
        place = next(
            (place for word in words_of(old) if (place := _value_named(word, old, stored))), None
        )
        new = _only_fresh(told, known, old)
        if place is None or not new or _place(new, stored) is not None:
            continue
        of_itself = old in told.left and _is_value(stored, place)
        if discussed or of_itself or _is_about(told, known, old, new):
            return _put(stored, place, new)
    return None


def _value_named(word: Word, phrase: str, stored: str) -> tuple[int, int] | None:
    """Where a word of a phrase stands in the memory as its value; None when it is none there."""
    place = _place(phrase[word.start : word.end], stored) if word.content else None
    if place is None:
        return None
    kinds = {one.kind for one in words_of(stored) if (one.start, one.end) == place}
    return place if any(kinds) or _is_value(stored, place) else None


def _only_fresh(told: Said, known: Sequence[Word], old: str) -> str:
    """The one value that only the sentence has, or its one run of words that only it has."""
    keys = {word.key for word in (*known, *words_of(old))} | CHANGE_WORDS | VERBS
    runs: list[list[Word]] = [[]]
    for word in told.words:
        if (word.content or word.kind) and word.key not in keys and not is_done(told.text, word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    runs = [run for run in runs if run]
    valued = [run for run in ([word for word in run if word.kind] for run in runs) if run]
    placed = [run for run in runs if _is_value(told.text, (run[0].start, run[-1].end))]
    found = valued or placed or runs
    if len(found) != 1 or len(found[0]) > TAIL:
        return ""
    begin, end = found[0][0].start, found[0][-1].end
    if found[0][0].kind.startswith("number"):  # "2 spaces": what it counts belongs to it
        end = next(run for run in runs if found[0][0] in run)[-1].end
    return told.text[begin:end]


def _is_about(told: Said, known: Sequence[Word], old: str, new: str) -> bool:
    """Whether they share a telling word besides the values."""
    named = {word.key for word in (*words_of(old), *words_of(new))}
    rest = {word.key for word in told.words if word.content} - named - CHANGE_WORDS
    return bool(rest & ({word.key for word in known if word.content} - named))


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
    over = {
        word.key for old in (*told.left, *(old for old, _ in told.pairs)) for word in words_of(old)
    }
    fresh = [word for word in told.values if word.key not in keys | over]
    gone = [word for word in known if word.kind and word.key not in theirs]
    pairs = [(old, new) for new in fresh for old in gone if _alike(old, new)]
    if (
        len(pairs) > 1
    ):  # the one of the clause that speaks of it: "the API is on 8080, metrics on 9100"
        pairs = _of_its_clause(told, stored, known, pairs) or pairs
    if len(pairs) > 1:  # the one that stands behind the same word: port 5432, port 5433
        pairs = [(o, n) for o, n in pairs if _before(o, known) == _before(n, told.words)]
    if len(pairs) != 1:
        return None
    old, new = pairs[0]
    counted = old.kind in COUNTED and _before(old, known) == _before(new, told.words)
    if not same_subject(told, known, discussed=discussed, counted=counted):
        return None
    return _put(stored, (old.start, old.end), told.text[new.start : new.end])


def _of_its_clause(
    told: Said, stored: str, known: Sequence[Word], pairs: Sequence[tuple[Word, Word]]
) -> list[tuple[Word, Word]]:
    """The pairs whose old value stands in a clause that shares a telling word with the sentence."""
    theirs = {word.key for word in told.words if word.content and not word.kind} - CHANGE_WORDS
    ends = [match.start() for match in _CLAUSE.finditer(stored)]
    shared = {bisect(ends, word.start) for word in known if word.content and word.key in theirs}
    return [pair for pair in pairs if bisect(ends, pair[0].start) in shared]


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


def _other_complement(told: Said, stored: str, known: Sequence[Word]) -> Correction | None:
    """It says of the same subject that it is something else: "the theme is light again"."""
    if not told.marked:
        return None
    mine, theirs = subject_of(told.words), subject_of(known)
    if not mine or not theirs or mine[-1] != theirs[-1] or not set(mine) <= set(theirs):
        return None
    verb = next((word.key for at, word in enumerate(told.words) if at and word.key in VERBS), "")
    keys = {word.key for word in known}
    if verb not in BECOMING | keys:
        return None
    said = [
        run for run in complements(told.words, told.text) if not run[0].kind.startswith("number")
    ]
    new = [run for run in said[:1] if not any(word.key in keys for word in run)]
    old = [run for run in complements(known, stored) if run[0].kind not in COUNTED]
    if len(new) != 1 or len(old) != 1 or new[0][0].kind in COUNTED:
        return None
    value = told.text[new[0][0].start : new[0][-1].end]
    return _put(stored, (old[0][0].start, old[0][-1].end), value)


def _common(one: Sequence[Word], other: Sequence[Word]) -> int:
    """How many words are the same from the beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine.key != theirs.key),
        min(len(one), len(other)),
    )


def _alike(old: Word, new: Word) -> bool:
    """Return whether one value may stand for the other: of one kind, in one unit."""
    named = {old.kind, new.kind} <= {"name", "called"}
    return of_one_kind(old.key, new.key) or old.kind == new.kind or named


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
    new = new.removesuffix("'s").removesuffix("’s")
    value = new[0].upper() + new[1:] if place[0] == 0 and old[:1].isupper() else new
    return Correction(text[: place[0]] + value + text[place[1] :], old, new)
