"""Contradiction: its signs in two texts, and whether one of them may end the other at all.

A sign counts only when both texts are about the same thing: words like "not" or "actually" alone are
far too common. The patterns of words are English; the changed number works in any script.
"""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import Final

from msgspec import Struct

from actors.policy.gate.gate_features import PATTERNS, Kind, Text, read
from actors.policy.patterns import pattern
from actors.policy.text import speech
from actors.policy.text.wording import TOOLS
from actors.policy.text.words import caseless, expressions, informative, stem


class Contradiction(Struct, frozen=True):
    """A sign of contradiction; ``confidence`` 0..1."""

    kind: Kind
    confidence: float


ONLY_IN_OLD: Final = 0.6  # A marker that only the old text has weighs less
CHANGED_VALUE_CONFIDENCE: Final = 0.70  # choice: as sure as a correction
CHANGED_NAME_CONFIDENCE: Final = 0.60  # choice: less sure, two names may both hold
OPPOSITE_CONFIDENCE: Final = 0.65  # choice: as sure as a prohibition

# Share of the shorter text's words that the other must have. Choice: half of a short note.
OVERLAP: Final = 0.4
# A changed value or a bare negation proves nothing unless little else changed. Choice.
SAME_SENTENCE: Final = 0.7

_VALUE: Final = caseless(r"(?<![\w.])v?\d[\w.:/-]*")
_NAME: Final = pattern(rf"(?<=[\w,:(] )[A-Z][\w.+#-]*\w|\b{TOOLS}\b")
_EXPRESSIONS: Final = expressions(__name__)
# "Component 12 …", "Worker #3 …": a counter in the name of the subject. A closed list, because
# "React 18 …" and "Port 5433 …" have the same shape and do carry a value.
_ENUMERATED: Final = caseless(_EXPRESSIONS["enumerated"])
_NEGATION: Final = caseless(_EXPRESSIONS["negation"])
_MARKER_WORDS: Final = frozenset(
    {"contradict", "contradicts", "obsolete", "deprecated", "longer", "any", "more", "anymore"}
    | {"wrong", "incorrect", "should", "shouldn", "not", "no", "never", "but", "instead"}
    | {"use", "used", "uses", "using", "actually", "avoid", "stop", "without", "always", "prefer"}
)


_ORDER: Final = caseless(r"\A\s*+(?:please )?(?:never|always|do not|don['’]t)\b")
_HAPPENED: Final = caseless(r"\b(?:was|were|has been|have been|got)\b")


def contradiction(incoming: str, existing: str) -> Contradiction | None:
    """The surest sign of a contradiction of ``existing`` by ``incoming``, or None.

    A marker in both texts counts for neither. Both must share a topic.
    """
    if topic_overlap(incoming, existing) < OVERLAP:
        return None
    signs = [*_marks(incoming, existing), *_unannounced(incoming, existing)]
    return max(signs, key=lambda sign: sign.confidence, default=None)


def topic_overlap(one: str, other: str) -> float:
    """Share of the shorter text's telling words found in the other text, 0..1.

    Stop words, numbers and the markers themselves do not count; 0 when a text has no other word.
    """
    first, second = _topic(one), _topic(other)
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter else 0.0


def changed_value(incoming: str, existing: str) -> bool:
    """Return whether both are the same sentence but for one number, version or port.

    Several other values mean another thing of the same kind ("queue 3 retries 5 times" beside
    "queue 4 retries 9 times"), and so does another number in the subject's own name.
    """
    ours, theirs = _values(incoming), _values(existing)
    if not ours or not theirs or len(ours - theirs) != 1 or len(theirs - ours) != 1:
        return False
    if another_one(incoming, existing):
        return False
    rest, other = (_words_besides_values(text) for text in (incoming, existing))
    return _shared(rest, other) >= SAME_SENTENCE


def another_one(incoming: str, existing: str) -> bool:
    """Return whether a counter distinguishes their subjects: component 12 and 13."""
    ours, theirs = _ENUMERATED.match(incoming), _ENUMERATED.match(existing)
    return (ours and ours[1]) != (theirs and theirs[1])


def changed_name(incoming: str, existing: str) -> bool:
    """Return whether both are the same sentence but for the name of a tool, product or place.

    One name for one name, and at least two telling words besides, all the same: "we use Redis"
    beside "we use Kafka" contradicts nothing.
    """
    ours, theirs = _names(incoming), _names(existing)
    if len(ours - theirs) != 1 or len(theirs - ours) != 1:
        return False
    rest, other = _topic(_NAME.sub(" ", incoming)), _topic(_NAME.sub(" ", existing))
    return len(rest) >= 2 and rest == other


def opposite(incoming: str, existing: str) -> bool:
    """Return whether both are the same sentence but one of them is negated."""
    if _is_negated(incoming) == _is_negated(existing):
        return False
    return _shared(_topic(incoming), _topic(existing)) >= SAME_SENTENCE


def _marks(incoming: str, existing: str) -> Iterator[Contradiction]:
    for one in PATTERNS:
        in_new = one.marker.search(incoming) is not None
        if in_new != (one.marker.search(existing) is not None):
            yield Contradiction(one.kind, one.confidence * (1 if in_new else ONLY_IN_OLD))


def _unannounced(incoming: str, existing: str) -> Iterator[Contradiction]:
    if changed_value(incoming, existing):
        yield Contradiction(Kind.CHANGED_VALUE, CHANGED_VALUE_CONFIDENCE)
    elif changed_name(incoming, existing):
        yield Contradiction(Kind.CHANGED_VALUE, CHANGED_NAME_CONFIDENCE)
    if opposite(incoming, existing):
        yield Contradiction(Kind.OPPOSITE, OPPOSITE_CONFIDENCE)


def _shared(first: Set[str], second: Set[str]) -> float:
    """The share of both texts' words that are in both."""
    return len(first & second) / max(1, len(first | second))


@lru_cache(maxsize=128)  # a dream compares a text with many
def _topic(text: str) -> frozenset[str]:
    words = informative(_VALUE.sub(" ", text))
    return frozenset(stem(word) for word in words if word not in _MARKER_WORDS)


def _words_besides_values(text: str) -> set[str]:
    return set(re.findall(r"\w+", _VALUE.sub(" ", text).casefold()))


def _values(text: str) -> set[str]:
    found = _VALUE.findall(text.casefold())
    return {value.lstrip("v").rstrip(".:/-") for value in found}


def _names(text: str) -> set[str]:
    return {name.casefold() for name in _NAME.findall(text)}


def _is_negated(text: str) -> bool:
    # Two negations cancel: "never commit without a test".
    return len(_NEGATION.findall(text)) % 2 == 1


# ---- exclusion: whether one of two texts may end the other at all, or be taken for it
#
# The weights of the gate see two texts as alike and different. Before anything is lost by it, both
# must claim something, of the same subject, in one voice. Measured on conversations imported through
# the gate (docs/adr/0007): of 142 ended turns none had been contradicted, and in 90 the two were not
# even said by the same person.


SPOKEN_OF: Final = 0.5  # of what several sentences say, when a new text ends them all. Choice.
DENIED: Final = 3  # content words after a negation that it is about. Choice.

# Initials, "U.S." and titles end no sentence.
_SENTENCE: Final = pattern(_EXPRESSIONS["sentence"])
_NAMES: Final = pattern(r"(?<![\w.@/-])[A-Z][a-z]+(?![\w@/])")
_SUBJECT_NAME: Final = pattern(rf"\A\W*+({_NAMES.pattern})")
_COMPARED: Final = pattern(_EXPRESSIONS["compared"])
_DENIAL: Final = caseless(_EXPRESSIONS["denial"])
# Where these stand before a negation, it belongs to a reason or a condition.
_SUBORDINATE: Final = caseless(_EXPRESSIONS["subordinate"])
_CHANGE: Final = caseless(_EXPRESSIONS["change"])
# One may need, support or hold several things, each with a version of its own.
_ONE_OF_SEVERAL: Final = pattern(_EXPRESSIONS["one_of_several"])
_LOOKED_AT: Final = 80  # characters after a negation


def of_different_voices(one: str, other: str) -> bool:
    """Tell whether labels before the first colon make them two people's, or of two things."""
    ours, theirs = speech.voice(one), speech.voice(other)
    return bool(ours and theirs) and ours != theirs


def claims_nothing(text: str) -> bool:
    """Tell whether a text asks, greets, replies or is code: it ends no other and is not ended."""
    return speech.asks(text) or speech.chats(text) or speech.is_code(text)


def may_end(incoming: str, existing: str) -> bool:
    """Return whether a sign of contradiction between them may end the stored text.

    Not between two voices, not by or of a question or chatter, and not by a statement about the
    past.
    """
    return not (
        of_different_voices(incoming, existing)
        or claims_nothing(incoming)
        or claims_nothing(existing)
        or (speech.tells_only_of_before(incoming) and not speech.tells_only_of_before(existing))
    )


def may_end_unannounced(new: Text, old: Text) -> bool:
    """Return whether the stored text may be ended without words announcing it.

    Then both must be about the same thing, and neither tells a person's deed or a single event. A
    negation counts when it denies the other's words.
    """
    incoming, existing = new.text, old.text
    if not may_end(incoming, existing) or _order_beside_event(incoming, existing):
        return False
    if speech.narrates(incoming) or speech.narrates(existing) or _happened_apart(new, old):
        return False
    if topic_overlap(incoming, existing) < OVERLAP or _one_more(incoming, existing):
        return False
    says_several = _SENTENCE.search(existing.strip()) is not None
    if says_several and len(old.content & new.content) < SPOKEN_OF * len(old.content):
        return False  # most of them still hold
    return not _denies_something_else(new, old)


def may_be_one(incoming: str, existing: str) -> bool:
    """Return whether two texts that seem the same may become one, and the newer wording be lost.

    Not two voices', not a change beside the former state, not "Ann thanks Bob" beside "Bob thanks
    Ann" or "A over B" beside "B over A", not a piece of code, and not a text with a month missing
    from the stored one. Numbers and paths are looked at by the gate itself.
    """
    return not (
        of_different_voices(incoming, existing)
        or speech.is_code(incoming)
        or _turned_round(incoming, existing)
        or _roles_change(incoming, existing)
        or not speech.months(incoming) <= speech.months(existing)
        or (_CHANGE.search(incoming) and not _CHANGE.search(existing))
    )


def _order_beside_event(incoming: str, existing: str) -> bool:
    """Return whether one gives a standing order and the other reports a single event.

    "Never deploy on Fridays" and "it was released on Tuesday" are near, and neither ends the other.
    """
    is_order = _ORDER.match(incoming) is not None
    if is_order == (_ORDER.match(existing) is not None):
        return False
    return _HAPPENED.search(existing if is_order else incoming) is not None


def _denies_something_else(new: Text, old: Text) -> bool:
    """Return whether one has a negation, and it denies nothing the other says.

    "Ann tells him to go on" and "Ann tells him not to give up" agree. Where each has a number
    missing from the other, the negation is not their difference.
    """
    if old.negated is new.negated or (old.numbers - new.numbers and new.numbers - old.numbers):
        return False
    denier, other = (new.text, old) if new.negated else (old.text, new)
    found = list(_DENIAL.finditer(denier))
    if not found:  # "stop", "fail": the verb itself denies
        return False
    main = [one for one in found if not _SUBORDINATE.search(denier[: one.start()])]
    return not any(_denies(denier[one.end() :], other) for one in main)


def _denies(rest: str, other: Text) -> bool:
    """Tell whether the other text speaks of the content words after a negation, or there are none."""
    words = [word.key for word in read(rest[:_LOOKED_AT]).words if word.content][:DENIED]
    return not words or not frozenset(words).isdisjoint(other.keys)


def _happened_apart(new: Text, old: Text) -> bool:
    """Return whether both report events of a day, and each another one.

    "It was released in March" and "it was released in May" are one happening with two dates.
    """
    if not (speech.happened(new.text) and speech.happened(old.text)):
        return False
    return all(
        any(
            word not in one.numbers and not speech.tells_a_date(word)
            for word in one.content - other.content
        )
        for one, other in ((new, old), (old, new))
    )


def _one_more(one: str, other: str) -> bool:
    """Return whether each names another thing needed or supported: GCC 12, and CMake 3."""
    ours, theirs = _ONE_OF_SEVERAL.search(one), _ONE_OF_SEVERAL.search(other)
    return ours is not None and theirs is not None and ours[1] != theirs[1]


def _turned_round(one: str, other: str) -> bool:
    """Return whether one has "A over B" and the other "B over A"."""
    ours = {(first.lower(), second.lower()) for first, second in _COMPARED.findall(one)}
    theirs = {(second.lower(), first.lower()) for first, second in _COMPARED.findall(other)}
    return not ours.isdisjoint(theirs)


def _roles_change(one: str, other: str) -> bool:
    """Tell whether each begins with a name of the other: Ann helps Bob, Bob helps Ann."""
    ours, theirs = _SUBJECT_NAME.match(one), _SUBJECT_NAME.match(other)
    if ours is None or theirs is None or ours[1] == theirs[1]:
        return False
    names = [set(_NAMES.findall(text)) for text in (one, other)]
    return ours[1] in names[1] and theirs[1] in names[0]
