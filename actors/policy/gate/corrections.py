"""Corrections: a sentence of a prompt with another value for a known fact.

"Moved to Wednesday", "switched from npm to pnpm": the verb does not tell which memory is meant, so a
sentence is laid beside each with words in common. The one with another value of the same kind for
the same subject gets the new value in the old one's place, and the rest of it still holds.
"""

import re
from bisect import bisect
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from actors.policy.gate.correcting_sentence import (
    COUNTED,
    VALUE_BEFORE,
    CorrectingSentence,
    Sentence,
    Word,
    alike,
    words_of,
)
from actors.policy.gate.subjects import (
    CHANGE_WORDS,
    TAIL,
    VERBS,
    is_done,
    is_of_another_place,
    other_complement,
    other_ending,
    same_subject,
    share_head,
)
from actors.policy.patterns import pattern
from actors.policy.text.speech import meaning
from actors.policy.text.words import STOP_WORDS, caseless

STORED: Final = 200  # characters of a memory: a longer one states more than one value
_JOINED: Final = pattern(r"[+&]\s?\Z")  # behind it stands half of a value
# Words with capitals in a row, but for one that a sentence begins with.
_NAMES: Final = pattern(r"(?<=\w[ ])[A-Z][\w.+#-]*\w(?: (?:(?:the|of|for) )?[A-Z][\w.+#-]*\w)+")
_NOT: Final = caseless(r"\b(?:not|no more|no longer|instead of|rather than|was)\s\Z")
_CLAUSE: Final = pattern(r"[,;]\s|\b(?:and|but|while)\b")


# Kinds by the form of a word alone: two paths or names need not answer one question.
_LOOSE: Final = frozenset(("path", "name"))


def corrected(told: CorrectingSentence, stored: str, *, discussed: bool = False) -> str | None:
    """The text of ``stored`` once ``told`` holds, or None when it is about something else.

    ``discussed``: the memory was shown in this session, so a sentence without a subject ("moved to
    Wednesday") may be about it.
    """
    if len(stored) > STORED:
        return None
    known = _read(stored)
    if is_of_another_place(told, known):
        return None
    of_named = _named_pair(told, known, discussed=discussed) or _left_one(
        told, known, discussed=discussed
    )
    if of_named is not None:
        return of_named
    if told.pairs and not any(_place(old, stored) for old, _ in told.pairs):
        return None  # it names an old value, which the memory does not have
    return (
        _both_named(told, known)
        or _other_value(told, known, discussed=discussed)
        or _said_otherwise(told, known)
    )


@lru_cache(maxsize=64)  # each sentence of a prompt is laid beside the same memories
def _read(stored: str) -> Sentence:
    return Sentence(stored, tuple(words_of(stored)))


def _named_pair(told: CorrectingSentence, known: Sentence, *, discussed: bool) -> str | None:
    """Both values are named: the old one stands in the memory, the new one does not."""
    for old, new in told.pairs:
        place = _place(old, known.text)
        if place is None or _place(new, known.text) or _is_verbal(new) or _is_verbal(old):
            continue
        of_itself = told.marked and (discussed or _is_value(known.text, place))
        if of_itself or _is_about(told, known, old, new):
            return _put(known.text, place, new)
    return None


def _is_verbal(phrase: str) -> bool:
    """Return whether a phrase tells an act and names no value: "is used", "consider passing"."""
    words = [word for word in words_of(phrase) if word.content or word.kind]
    return not words or any(
        word.key in VERBS or (not word.kind and is_done(phrase, word)) for word in words
    )


def _left_one(told: CorrectingSentence, known: Sentence, *, discussed: bool) -> str | None:
    """The memory's own value is over by the sentence, and one other thing is its successor."""
    for old in (*told.left, *(pair[0] for pair in told.pairs)):
        places = (_value_named(word, old, known.text) for word in words_of(old))
        place, new = next(filter(None, places), None), _only_fresh(told, known, old)
        if place is None or not new or _place(new, known.text):
            continue
        is_left = old in told.left and _is_value(known.text, place)
        if (told.marked and (discussed or is_left)) or _is_about(told, known, old, new):
            return _put(known.text, place, new)
    return None


def _value_named(word: Word, phrase: str, stored: str) -> tuple[int, int] | None:
    """Where a word of a phrase stands in the memory as its value; None when it is none there."""
    place = _place(phrase[word.start : word.end], stored) if word.content else None
    if place is None:
        return None
    kinds = {one.kind for one in words_of(stored) if (one.start, one.end) == place}
    whole = _is_value(stored, place) and not _goes_on(stored, place[1])
    whole = whole or (place[0] == 0 and phrase[:1].isupper())  # who does it: "Rosa signs off"
    return place if any(kinds) or whole else None


def _only_fresh(told: CorrectingSentence, known: Sentence, old: str) -> str:
    """The one value of the sentence alone, or the one run of words of its own."""
    keys = known.keys | {word.key for word in words_of(old)} | CHANGE_WORDS | VERBS
    runs: list[list[Word]] = [[]]
    for word in told.words:
        if (word.content or word.kind) and word.key not in keys and not is_done(told.text, word):
            runs[-1].append(word)
        elif runs[-1]:
            runs.append([])
    runs = [run for run in runs if run]
    valued = [values for run in runs if (values := [word for word in run if word.kind])]
    found = valued or [run for run in runs if _is_value(told.text, (run[0].start, run[-1].end))]
    if len(found) != 1 or len(found[0]) > TAIL:
        return ""
    begin, end = found[0][0].start, found[0][-1].end
    if found[0][0].kind.startswith("number"):  # "2 spaces": what it counts belongs to it
        end = next(run for run in runs if found[0][0] in run)[-1].end
    return told.text[begin:end]


def _is_about(told: CorrectingSentence, known: Sentence, old: str, new: str) -> bool:
    """Return whether they share a telling word besides the values."""
    named = {word.key for word in (*words_of(old), *words_of(new))}
    rest = {word.key for word in told.words if word.content} - named - CHANGE_WORDS - VERBS
    return any(word.content and word.key in rest for word in known.words)


def _both_named(told: CorrectingSentence, known: Sentence) -> str | None:
    """The sentence has another value of a kind and names the memory's own as past: "main, not master"."""
    if not told.marked:
        return None
    keys, theirs = known.keys, told.keys
    pairs = [
        (old, new)
        for old in known.values
        for new in told.values
        if old.key in theirs and new.key not in keys and alike(old, new)
        if old.kind not in _LOOSE or _is_denied(old, told)
    ]
    if len(pairs) != 1:
        return None
    old, new = pairs[0]
    if old.kind not in COUNTED and not _is_value(known.text, (old.start, old.end)):
        return None
    return _put(known.text, _whole(known.text, old), told.text[slice(*_whole(told.text, new))])


def _is_denied(old: Word, told: CorrectingSentence) -> bool:
    """Return whether the sentence denies a value: "main, not master"."""
    left = (*told.left, *(pair[0] for pair in told.pairs))
    before = next((told.text[: word.start] for word in told.words if word.key == old.key), "")
    return _NOT.search(before) is not None or any(
        old.key == word.key for phrase in left for word in words_of(phrase)
    )


def _other_value(told: CorrectingSentence, known: Sentence, *, discussed: bool) -> str | None:
    """The same subject with another value of the same kind, once."""
    pairs = _exchanged(told, known)
    came, comes = _before_each(known.words), _before_each(told.words)
    if not _is_one_to_one(pairs):  # the one that stands behind the same word: port 5432, port 5433
        pairs = [(o, n) for o, n in pairs if came.get(o.start) == comes.get(n.start)]
    if not pairs or not _is_one_to_one(pairs):
        return None
    counted = all(
        old.kind in COUNTED and came.get(old.start) == comes.get(new.start) for old, new in pairs
    )
    if not same_subject(told, known, discussed=discussed, counted=counted):
        return None
    loose = [old for old, _ in pairs if old.kind in _LOOSE]
    if not told.marked and any(old.kind == "name" for old in loose):
        return None  # two names of one sentence and another need not answer one question
    if not all(old.kind == "path" or _is_value(known.text, (old.start, old.end)) for old in loose):
        return None
    if loose and not share_head(told.words, known.words):
        return None
    for old, new in pairs:
        places = (known.words, known.words.index(old)), (told.words, told.words.index(new))
        if _is_of_another_name(new, places) or _names_another(old, new, places):
            return None
    text = known.text
    values = [(_whole(text, old), told.text[slice(*_whole(told.text, new))]) for old, new in pairs]
    for place, value in sorted(values, reverse=True):
        text = _put(text, place, value)
    return text


def _exchanged(told: CorrectingSentence, known: Sentence) -> list[tuple[Word, Word]]:
    """Values of the memory alone, each with one of its kind that the sentence alone has."""
    olds = (*told.left, *(old for old, _ in told.pairs))
    keys = known.keys.union(word.key for old in olds for word in words_of(old))
    theirs = told.keys
    fresh = [
        word
        for word in told.values
        if word.key not in keys and not _JOINED.search(told.text[: word.start])
    ]
    gone = [word for word in known.values if word.key not in theirs]
    pairs = [(old, new) for new in fresh for old in gone if alike(old, new)]
    if len(pairs) < 2:
        return pairs
    # The clause that speaks of it: "the API is on 8080, metrics on 9100".
    about = {word.key for word in told.words if word.content and not word.kind} - CHANGE_WORDS
    ends = [match.start() for match in _CLAUSE.finditer(known.text)]
    said = {bisect(ends, word.start) for word in known.words if word.content and word.key in about}
    return [pair for pair in pairs if bisect(ends, pair[0].start) in said] or pairs


def _is_one_to_one(pairs: Sequence[tuple[Word, Word]]) -> bool:
    """Tell whether each old value has one new value alone, and each new one one old."""
    return len({old for old, _ in pairs}) == len(pairs) == len({new for _, new in pairs})


_Places = tuple[tuple[Sequence[Word], int], ...]  # of two words in their texts


def _is_of_another_name(new: Word, places: _Places) -> bool:
    """Return whether one of two numbers belongs to a name absent from the other's text: OpenSearch 2."""
    before = [words[at - 1] for words, at in places if at > 0]
    names = {word.key for word in before if word.kind in ("name", "path")}
    return new.kind == "number" and bool(names) and len({word.key for word in before}) > 1


def _names_another(old: Word, new: Word, places: _Places) -> bool:
    """Return whether two names distinguish the sentences' subjects: the EU region, the US region."""
    behind = [word.key for words, at in places for word in words[at + 1 : at + 2] if word.content]
    return old.kind == new.kind == "name" and len(behind) > 1 and behind[0] == behind[1]


def _before_each(words: Sequence[Word]) -> dict[int, str]:
    """The meaning of the word before each, by where each begins; the first has none."""
    return {word.start: before.key for before, word in pairwise(words)}


def _said_otherwise(told: CorrectingSentence, known: Sentence) -> str | None:
    """The sentence says something else of the same subject, in the place of the memory's statement."""
    found = other_ending(told, known) or other_complement(told, known)
    if found is None:
        return None
    old, new = found
    return _put(known.text, (old[0].start, old[-1].end), told.text[new[0].start : new[-1].end])


def _place(phrase: str, text: str) -> tuple[int, int] | None:
    """Place of a phrase in a text, as whole words; of its last words, when it is longer there.

    Last words are another thing where a number stands before them ("6 code paths") or a word
    behind them in the text ("the paths package").
    """
    words = phrase.split()
    for begin in range(len(words)):
        tail = " ".join(words[begin:])
        if begin and (meaning(tail.lower()) in STOP_WORDS or words[begin - 1][0].isdigit()):
            break
        found = re.search(rf"(?<![\w.-]){re.escape(tail)}(?![\w-])", text, re.IGNORECASE)
        if found is not None and not (begin and _goes_on(text, found.end())):
            return found.span()
    return None


def _goes_on(text: str, at: int) -> bool:
    """Return whether a telling word follows there at once, as in a compound."""
    behind = re.match(r" (\w[\w-]*)", text[at:])
    return behind is not None and meaning(behind[1].lower()) not in STOP_WORDS


def _is_value(text: str, place: tuple[int, int]) -> bool:
    """Tell whether it is said of something: "use npm", "npm is ...", not "an npm bug"."""
    before = text[: place[0]].split()
    if _NOT.search(text[: place[0]]):
        return False  # "pnpm instead of npm": that is what it is not
    if not before or before[-1].lower().strip(",:") in VALUE_BEFORE:
        return True
    return len(before) <= 1 and text[place[1] :].lstrip().startswith(("is ", "are ", "runs "))


def _whole(text: str, value: Word) -> tuple[int, int]:
    """Find the place of the whole name around a value: "AWS Secrets Manager", "Read the Docs"."""
    runs = (run.span() for run in _NAMES.finditer(text))
    if value.kind in COUNTED:
        return value.start, value.end
    return next(
        (run for run in runs if run[0] <= value.start and value.end <= run[1]),
        (value.start, value.end),
    )


def _put(text: str, place: tuple[int, int], new: str) -> str:
    """The text with a value in another's place."""
    old = text[place[0] : place[1]]
    new = new.removesuffix("'s").removesuffix("’s")
    value = new[0].upper() + new[1:] if place[0] == 0 and old[:1].isupper() else new
    return text[: place[0]] + value + text[place[1] :]
