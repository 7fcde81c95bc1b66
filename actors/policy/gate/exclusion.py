"""Exclusion: whether one of two texts may end the other at all, or be taken for it.

The weights of the gate see two texts as alike and different. Before anything is lost by it, both
must claim something, of the same subject, in one voice. Measured on conversations imported through
the gate (docs/adr/0007): of 142 ended turns none had been contradicted, and in 90 the two were not
even said by the same person.
"""

from typing import Final

from actors.policy.gate.contradiction import OVERLAP, order_beside_event, topic_overlap
from actors.policy.gate.gate_features import Text, read
from actors.policy.patterns import pattern
from actors.policy.text.utterances import (
    asks,
    chats,
    happened,
    is_code,
    months,
    narrates,
    tells_a_date,
    tells_only_of_before,
    voice,
)
from actors.policy.text.words import caseless

SPOKEN_OF: Final = 0.5  # of what several sentences say, when a new text ends them all. Choice.
DENIED: Final = 3  # content words after a negation that it is about. Choice.

# Initials, "U.S." and titles end no sentence.
_SENTENCE: Final = pattern(
    r"(?<=[^\W_]{2})(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<!\bJr)(?<!\bNo)(?<!\bvs)(?<!\bMrs)"
    r"[.!?]+[\"'”’)]*\s+(?=\w)|\n"
)
_NAMES: Final = pattern(r"(?<![\w.@/-])[A-Z][a-z]+(?![\w@/])")
_NAME: Final = pattern(rf"\A\W*+({_NAMES.pattern})")
_COMPARED: Final = pattern(
    r"\b(\w+),? (?:over|than|before|after|to|into|above|below|rather than|instead of|not)"
    r" (?:the )?(\w+)"
)
_NEGATION: Final = caseless(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|no one|cannot|without|nowhere|lack of)\b"
    r"|\b\w{1,8}n['’]t\b"
)
# Where these stand before a negation, it belongs to a reason or a condition.
_SUBORDINATE: Final = caseless(
    r"\b(?:when(?:ever)?|while|despite|if|because|due to|although|though|unless|since)\b[^,;]*$"
)
_CHANGE: Final = caseless(
    r"\b(?:moved|switched|migrated|changed|converted)\b[^.;]{0,60}\b(?:from|to)\b"
)
# One may need, support or hold several things, each with a version of its own.
_ONE_OF_SEVERAL: Final = pattern(
    r"\b(?i:supports?|needs?|requires?|ships?|includes?|tested on)\s+(?=[a-z]*[A-Z])(\w+) v?\d"
)
_LOOKED_AT: Final = 80  # characters after a negation


def of_different_voices(one: str, other: str) -> bool:
    """Tell whether labels before the first colon make them two people's, or of two things."""
    ours, theirs = voice(one), voice(other)
    return bool(ours and theirs) and ours != theirs


def claims_nothing(text: str) -> bool:
    """Tell whether a text asks, greets, replies or is code: it ends no other and is not ended."""
    return asks(text) or chats(text) or is_code(text)


def may_end(incoming: str, existing: str) -> bool:
    """Return whether a sign of contradiction between them may end the stored text.

    Not between two voices, not by or of a question or chatter, and not by a statement about the
    past.
    """
    return not (
        of_different_voices(incoming, existing)
        or claims_nothing(incoming)
        or claims_nothing(existing)
        or (tells_only_of_before(incoming) and not tells_only_of_before(existing))
    )


def may_end_unannounced(incoming: str, new: Text, existing: str, old: Text) -> bool:
    """Return whether the stored text may be ended without words announcing it.

    Then both must be about the same thing, and neither tells a person's deed or a single event. A
    negation counts when it denies the other's words.
    """
    if not may_end(incoming, existing) or order_beside_event(incoming, existing):
        return False
    if narrates(incoming) or narrates(existing) or _happened_apart(incoming, new, existing, old):
        return False
    if topic_overlap(incoming, existing) < OVERLAP or _one_more(incoming, existing):
        return False
    return _speaks_of_all(existing, old, new) and not _denies_something_else(
        incoming, new, existing, old
    )


def may_be_one(incoming: str, existing: str) -> bool:
    """Return whether two texts that seem the same may become one, and the newer wording be lost.

    Not two voices', not a change beside the former state, not "Ann thanks Bob" beside "Bob thanks
    Ann" or "A over B" beside "B over A", not a piece of code, and not a text with a month missing
    from the stored one. Numbers and paths are looked at by the gate itself.
    """
    return not (
        of_different_voices(incoming, existing)
        or is_code(incoming)
        or _turned_round(incoming, existing)
        or _roles_change(incoming, existing)
        or not months(incoming) <= months(existing)
        or (_CHANGE.search(incoming) and not _CHANGE.search(existing))
    )


def _speaks_of_all(existing: str, old: Text, new: Text) -> bool:
    """Of several sentences at least half the words come again: else most of them still hold."""
    if _SENTENCE.search(existing.strip()) is None:
        return True
    return len(old.content & new.content) >= SPOKEN_OF * len(old.content)


def _denies_something_else(incoming: str, new: Text, existing: str, old: Text) -> bool:
    """Return whether one has a negation, and it denies nothing the other says.

    "Ann tells him to go on" and "Ann tells him not to give up" agree. Where each has a number
    missing from the other, the negation is not their difference.
    """
    if old.negated is new.negated or (old.numbers - new.numbers and new.numbers - old.numbers):
        return False
    denier, other = (incoming, old) if new.negated else (existing, new)
    found = list(_NEGATION.finditer(denier))
    if not found:  # "stop", "fail": the verb itself denies
        return False
    main = [one for one in found if not _SUBORDINATE.search(denier[: one.start()])]
    return not any(_denies(denier[one.end() :], other) for one in main)


def _denies(rest: str, other: Text) -> bool:
    """Tell whether the other text speaks of the content words after a negation, or there are none."""
    words = [word.key for word in read(rest[:_LOOKED_AT]).words if word.content][:DENIED]
    return not words or not frozenset(words).isdisjoint(other.keys)


def _happened_apart(incoming: str, new: Text, existing: str, old: Text) -> bool:
    """Return whether both report events of a day, and each another one.

    "It was released in March" and "it was released in May" are one happening with two dates.
    """
    if not (happened(incoming) and happened(existing)):
        return False
    return all(
        any(
            word not in one.numbers and not tells_a_date(word)
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
    ours = {(pair[0].lower(), pair[1].lower()) for pair in _COMPARED.findall(one)}
    return any((pair[1].lower(), pair[0].lower()) in ours for pair in _COMPARED.findall(other))


def _roles_change(one: str, other: str) -> bool:
    """Tell whether each begins with a name of the other: Ann helps Bob, Bob helps Ann."""
    ours, theirs = _NAME.match(one), _NAME.match(other)
    if ours is None or theirs is None or ours[1] == theirs[1]:
        return False
    names = [set(_NAMES.findall(text)) for text in (one, other)]
    return ours[1] in names[1] and theirs[1] in names[0]
