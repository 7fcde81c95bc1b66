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

from actors.policy.gate.gate_features import VERBS
from actors.policy.gate.said import VALUE_BEFORE, Said
from actors.policy.gate.values import COUNTED, Word, words_of
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
        " mind please gone history dead retired decommissioned removed stop more here"
    ).split()
)
_LEFT: Final = re.compile(r"\b(?:we|they|i|he|she|[A-Z]\w+)(?:['’]ve)? left\b", re.IGNORECASE)
_VERBS: Final = frozenset(
    meaning(word) for word in VERBS | frozenset("got gets go go posts must may can should".split())
)
_IS: Final = frozenset(meaning(word) for word in "is are be was were use uses".split())
_BECOME: Final = _IS | frozenset(meaning(word) for word in "go goes moved".split())
_DONE: Final = frozenset("kept sent built held made run written set put done shown".split())
_AT_VALUES: Final = VALUE_BEFORE | frozenset("be a an the".split())
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
    keys = {word.key for word in (*known, *words_of(old))} | _CHANGE_WORDS | _VERBS
    runs: list[list[Word]] = [[]]
    for word in told.words:
        if (word.content or word.kind) and word.key not in keys and not _is_done(told.text, word):
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
    rest = {word.key for word in told.words if word.content} - named - _CHANGE_WORDS
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
    if len(pairs) > 1:  # the one that stands behind the same word: port 5432, port 5433
        pairs = [(o, n) for o, n in pairs if _before(o, known) == _before(n, told.words)]
    if len(pairs) != 1:
        return None
    old, new = pairs[0]
    counted = old.kind in COUNTED and _before(old, known) == _before(new, told.words)
    if not _same_subject(told, known, discussed=discussed, counted=counted):
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


def _other_complement(told: Said, stored: str, known: Sequence[Word]) -> Correction | None:
    """It says of the same subject that it is something else: "the theme is light again"."""
    if not told.marked:
        return None
    mine, theirs = _subject_of(told.words), _subject_of(known)
    if not mine or not theirs or mine[-1] != theirs[-1] or not set(mine) <= set(theirs):
        return None
    verb = next((word.key for at, word in enumerate(told.words) if at and word.key in _VERBS), "")
    keys = {word.key for word in known}
    if verb not in _BECOME | keys:
        return None
    said = [
        run for run in _complements(told.words, told.text) if not run[0].kind.startswith("number")
    ]
    new = [run for run in said[:1] if not any(word.key in keys for word in run)]
    old = [run for run in _complements(known, stored) if run[0].kind not in COUNTED]
    if len(new) != 1 or len(old) != 1 or new[0][0].kind in COUNTED:
        return None
    value = told.text[new[0][0].start : new[0][-1].end]
    return _put(stored, (old[0][0].start, old[0][-1].end), value)


def _subject_of(words: Sequence[Word]) -> list[str]:
    """The telling words before the first verb; none without a verb, or after "we" and the like."""
    at = next((at for at, word in enumerate(words) if at and word.key in _VERBS), 0)
    before = words[:at]
    return [word.key for word in before if word.content and word.key not in _CHANGE_WORDS]


def _complements(words: Sequence[Word], text: str) -> list[list[Word]]:
    """What is said of the subject: runs of telling words at the places of values behind the verb."""
    at = next((at for at, word in enumerate(words) if at and word.key in _VERBS), len(words))
    found: list[list[Word]] = []
    for here in range(at + 1, len(words)):
        word, before = words[here], words[here - 1]
        if not word.content or word.key in _CHANGE_WORDS | _VERBS or _is_done(text, word):
            continue
        between = text[before.end : word.start]
        if before.key in _VERBS - _IS and here - 1 == at:
            return []  # "runs nightly": how it does something
        if found and found[-1][-1] is before and between.isspace():
            found[-1].append(word)
        elif text[before.start : before.end].lower() in _AT_VALUES and between.isspace():
            found.append([word])
    return [run for run in found if len(run) <= TAIL]


def _is_done(text: str, word: Word) -> bool:
    """Whether a word says what is done with a thing: kept, sent, built, stored."""
    written = text[word.start : word.end].lower()
    return written.endswith(("ed", "ing")) or written in _DONE


def _common(one: Sequence[Word], other: Sequence[Word]) -> int:
    """How many words are the same from the beginning."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (mine, theirs) in enumerate(pairs) if mine.key != theirs.key),
        min(len(one), len(other)),
    )


def _same_subject(
    told: Said, known: Sequence[Word], *, discussed: bool, counted: bool = False
) -> bool:
    """Return whether both speak of the same thing, judged by their telling words.

    ``counted``: their values stand behind the same word ("every 30 days", "every 90 days").
    """
    keys = {word.key for word in known}
    mine = _subject(told.words, keys)
    about = _subject(known, {word.key for word in told.words})
    shared, extra = mine & about, mine - about
    if not mine:
        return discussed and told.marked
    named, head = _subject_of(told.words), _subject_of(known)
    if named and not any(word in keys for word in named):
        return False  # it names a subject of its own
    if not shared or _narrowed(told.words, shared, extra):
        return False
    if told.marked:
        near = (
            len(shared) > 1
            or len(about) <= TAIL
            or discussed
            or counted
            or named[-1:] == head[-1:] != []
        )
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
    mine = {word.key for word in told.words} & QUALIFIERS - _CHANGE_WORDS
    mine -= {meaning("left")} if _LEFT.search(told.text) else set()
    theirs = {word.key for word in known} & QUALIFIERS
    return bool(mine) and mine != theirs and not (mine <= theirs)


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
