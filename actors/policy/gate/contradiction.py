"""Signs of a contradiction between an incoming text and a stored one.

Eight patterns of words, each with a confidence, and unannounced signs: the same sentence with
another number, version or name, and the same sentence negated. A sign counts only when both texts
are about the same thing (words like "not" or "actually" alone are far too common).

The word patterns are English; the changed number works in any script.
"""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from actors.policy.gate.gate_features import PATTERNS, Kind, Pattern
from actors.policy.patterns import pattern
from actors.policy.text.wording import TOOLS
from actors.policy.text.words import caseless, informative, stem


@dataclass(frozen=True, slots=True)
class Contradiction:
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
# "Component 12 …", "Worker #3 …": a counter in the name of the subject. A closed list, because
# "React 18 …" and "Port 5433 …" have the same shape and do carry a value.
_ENUMERATED: Final = caseless(
    r"\A\s*+(?:the\s+)?(?:account|bucket|bug|camera|case|channel|chapter|cluster|component|container"
    r"|customer|device|document|entry|example|experiment|fact|field|group|host|instance|issue|item"
    r"|job|lane|machine|member|memory|milestone|module|node|note|order|page|part|partition|phase"
    r"|pipeline|player|pod|pr|project|queue|record|replica|room|row|rule|section|sensor|server"
    r"|service|shard|slot|sprint|stage|step|story|student|table|task|team|tenant|test|thread|ticket"
    r"|topic|unit|user|worker|zone)"
    r"[\s_-]+#?(\d{1,6})(?![\w.])"
)
_NEGATION: Final = caseless(
    r"\b(?:not|no|never|none|nobody|nothing|cannot|without|avoid|stop|don['’]?t|doesn['’]?t"
    r"|didn['’]?t|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|can['’]?t|won['’]?t"
    r"|shouldn['’]?t|mustn['’]?t|haven['’]?t|hasn['’]?t)\b"
)
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
    return _surest([*_marks(incoming, existing), *_unannounced(incoming, existing)])


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
    return _similarity(incoming, existing, _words_without_values) >= SAME_SENTENCE


def another_one(incoming: str, existing: str) -> bool:
    """Return whether a counter distinguishes their subjects: component 12 and 13."""
    return _enumerated(incoming) != _enumerated(existing)


def _enumerated(text: str) -> str:
    """The number in the name of a sentence's subject: Component *12* …"""
    found = _ENUMERATED.match(text)
    return found.group(1) if found else ""


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
    return _similarity(incoming, existing, _topic) >= SAME_SENTENCE


def order_beside_event(incoming: str, existing: str) -> bool:
    """Return whether one gives a standing order and the other reports a single event.

    "Never deploy on Fridays" and "it was released on Tuesday" are near, and neither ends the other.
    """
    orders = [_ORDER.match(text) is not None for text in (incoming, existing)]
    events = [_HAPPENED.search(text) is not None for text in (incoming, existing)]
    return (orders[0] and events[1] and not orders[1]) or (
        orders[1] and events[0] and not orders[0]
    )


def _surest(signs: list[Contradiction]) -> Contradiction | None:
    return max(signs, key=lambda sign: sign.confidence, default=None)


def _marks(incoming: str, existing: str) -> list[Contradiction]:
    return [
        Contradiction(pattern.kind, confidence)
        for pattern in PATTERNS
        if (confidence := _confidence(pattern, incoming, existing)) > 0
    ]


def _unannounced(incoming: str, existing: str) -> list[Contradiction]:
    signs: list[Contradiction] = []
    if changed_value(incoming, existing):
        signs.append(Contradiction(Kind.CHANGED_VALUE, CHANGED_VALUE_CONFIDENCE))
    elif changed_name(incoming, existing):
        signs.append(Contradiction(Kind.CHANGED_VALUE, CHANGED_NAME_CONFIDENCE))
    if opposite(incoming, existing):
        signs.append(Contradiction(Kind.OPPOSITE, OPPOSITE_CONFIDENCE))
    return signs


def _confidence(pattern: Pattern, incoming: str, existing: str) -> float:
    in_new = pattern.marker.search(incoming) is not None
    in_old = pattern.marker.search(existing) is not None
    if in_new == in_old:
        return 0.0
    return pattern.confidence if in_new else pattern.confidence * ONLY_IN_OLD


def _similarity(one: str, other: str, words: Callable[[str], Set[str]]) -> float:
    first, second = words(one), words(other)
    union = first | second
    return len(first & second) / len(union) if union else 0.0


@lru_cache(maxsize=128)  # a dream compares a text with many
def _topic(text: str) -> frozenset[str]:
    words = informative(_VALUE.sub(" ", text))
    return frozenset(stem(word) for word in words if word not in _MARKER_WORDS)


def _words_without_values(text: str) -> set[str]:
    return set(re.findall(r"\w+", _VALUE.sub(" ", text).casefold()))


def _values(text: str) -> set[str]:
    found = _VALUE.findall(text.casefold())
    return {value.lstrip("v").rstrip(".:/-") for value in found}


def _names(text: str) -> set[str]:
    return {name.casefold() for name in _NAME.findall(text)}


def _is_negated(text: str) -> bool:
    # Two negations cancel: "never commit without a test".
    return len(_NEGATION.findall(text)) % 2 == 1
