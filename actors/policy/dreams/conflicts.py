"""Conflicts: two memories that cannot both hold, for an insight that says which is newer.

The gate judges a memory when it is saved, and must be sure, because it acts. A dream only points
at two texts, so it may doubt earlier: a chance below the gate's, another number of the same unit,
a bare negation. What is asked, what failed and what is one of a list excludes nothing.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from actors.policy.dreams.connection_graph import Neighbours, paired
from actors.policy.dreams.happenings import Happening
from actors.policy.dreams.insights import Insight, InsightKind, dated, insight, quoted
from actors.policy.dreams.proposals import Proposal
from actors.policy.dreams.replay import Replayed
from actors.policy.gate.contradiction import another_one, contradiction, order_beside_event
from actors.policy.gate.gate_features import Text, features, read
from actors.policy.gate.gate_weights import chances
from actors.policy.text.lexicon import QUALIFIERS, meaning, meanings, of_one_kind, opposed
from actors.policy.text.pieces import Pieces, in_order
from actors.policy.text.short_ids import short_id
from actors.policy.text.words import STOP_WORDS, caseless

_STATES: Final = frozenset({Happening.FACT, Happening.DECISION, Happening.CHANGE})
_TOKEN: Final = re.compile(r"\d+(?:[.,]\d+)?(?:-?[^\W\d_]+)?|[^\W\d_]+|%")
_DIGITS: Final = re.compile(r"\A(\d+(?:[.,]\d+)?)(-?[^\W\d_]+)?$")
_SPOKEN: Final[Mapping[str, float]] = (
    {"single": 1.0, "one": 1.0, "once": 1.0, "twice": 2.0, "two": 2.0, "three": 3.0, "four": 4.0}
    | {"five": 5.0, "six": 6.0, "seven": 7.0, "eight": 8.0, "nine": 9.0, "ten": 10.0}
    | {"twelve": 12.0, "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "sixty": 60.0}
)
_SECONDS: Final[Mapping[str, float]] = {
    meaning(unit): seconds
    for unit, seconds in (
        ("seconds", 1.0),
        ("minutes", 60.0),
        ("hours", 3_600.0),
        ("days", 86_400.0),
        ("weeks", 604_800.0),
    )
}
_EMPTY: Final = STOP_WORDS | frozenset("per now then again more than least most".split())
# What says that something is not there, without a negation.
_ABSENT: Final = caseless(r"\b(?:missing|absent|lack(?:s|ed|ing)?|forgot(?:ten)?|unnoticed)\b")
# Not among them: "nobody noticed" denies nothing that another note says.
_NOT: Final = caseless(r"\b(?:not|never|no|without|cannot)\b|n['’]t\b")
_AGAIN: Final = caseless(r"\b(?:again|another|once more)\b")
_TAKES_ONE: Final = meanings("as by via through called named")
# Each of them is another one, as the gate's own list of counters has it of lasting things.
_COUNTED: Final = caseless(
    r"\A\s*+(?:the )?(?:attempt|batch|build|deploy|deployment|iteration|release|round|run|week)"
    r" #?\d{1,6}(?![\w.])"
)
FRAME: Final = 3  # words with which both begin. Choice.
COMPLEMENT: Final = 4  # words that follow them, at most. Choice.
SURE: Final = 0.8  # chance of a conflict that needs no other sign. Choice.
SHARED: Final = 2  # words that two texts about one thing have in common. Choice.
BRIEF: Final = 12  # content words of a text in which one opposite is what it is about. Choice.


# When two texts are taken to exclude each other.
SIMILARITY: Final = 0.55  # below it they are about different things
CHANCE: Final = 0.45  # of a conflict, as the gate's weights see it
DOUBT: Final = 0.25  # chance that is enough with a negation or an opposite
AMOUNT: Final = 0.62  # similarity at which another amount of the same unit counts
SIGN: Final = 0.5  # confidence of an announced sign
MOST: Final = 200  # conflicts of one dream: ten insights are told
COMMON: Final = 0.25  # share of the shorter one's words that both have, at least. Choice.
COMPARED: Final = 3_000  # pairs of one dream: the most alike. A choice: .4 ms of CPU each
INCIDENT: Final = 0.7  # similarity from which even what failed may deny the other


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two memories that exclude each other, the older first."""

    older: Replayed
    newer: Replayed
    reason: str
    confidence: float  # 0..1


def conflict(one: Replayed, other: Replayed, alike: float) -> Conflict | None:
    """Conflict of two memories that exclude each other, with its sign; else None."""
    older, newer = (one, other) if (one.at, one.id) <= (other.at, other.id) else (other, one)
    if alike < SIMILARITY or not _may_oppose(older, newer):
        return None
    if order_beside_event(newer.text, older.text):
        return None
    old, new = _read(older.text), _read(newer.text)
    other_end = _other_complement(old, new)  # there "seconds" is no qualifier
    if old.content & QUALIFIERS != new.content & QUALIFIERS and not other_end:
        return None
    incident = not {older.happening, newer.happening} <= _STATES
    if incident and (
        _AGAIN.search(newer.text) or _denies(old, older) is _denies(new, newer) or alike < INCIDENT
    ):
        return None
    found = _sign(older, newer, (old, new), alike)
    return Conflict(older, newer, *found) if found else None


def searched(
    memories: Iterable[Replayed], neighbours: Neighbours, compared: int = COMPARED
) -> Pieces[list[Conflict]]:
    """``conflicts`` in pieces."""
    known = {one.id: one for one in memories}
    alike = yield from paired(known, neighbours)
    near: list[tuple[float, int, int]] = []
    for (first, second), value in alike.items():
        if value >= SIMILARITY and _may_oppose(known[first], known[second]):
            near.append((-value, first, second))
        yield
    near = yield from in_order(near, lambda pair: pair)
    found: list[Conflict] = []
    # In the order of ids, so that a text that was just read need not be read again.
    for value, first, second in sorted(near[:compared], key=lambda pair: pair[1:]):
        one = conflict(known[first], known[second], -value)
        if one is not None:
            found.append(one)
        yield
    found.sort(key=lambda one: (-one.confidence, one.older.id, one.newer.id))
    return found[:MOST]


def contradictions(found: Iterable[Conflict]) -> list[Insight]:
    """An insight of each conflict."""
    told: list[Insight] = []
    for one in found:
        days = abs(one.newer.at - one.older.at) / 86_400
        text = (
            f"Two memories contradict each other ({one.reason}). On {dated(one.older.at)}:"
            f" {quoted(one.older)}. On {dated(one.newer.at)}: {quoted(one.newer)}. The newer one"
            f" is memory {short_id(one.newer.id)}; if it holds, memory {short_id(one.older.id)} is out of date."
        )
        evidence = (one.reason, f"{days:.0f} days apart", f"newer: {one.newer.id}")
        sources = (one.older, one.newer)
        told.append(insight(InsightKind.CONTRADICTION, text, sources, evidence, one.confidence))
    return told


def outdated(told: Iterable[Insight]) -> list[Proposal]:
    """Proposals to archive what a contradiction says is out of date; the reason quotes nothing."""
    pairs = [one for one in told if one.kind is InsightKind.CONTRADICTION]
    return [
        Proposal(
            "outdated",
            one.memory_ids[:1],
            f"memory {short_id(one.memory_ids[1])} is newer and contradicts it"
            f" ({', '.join(one.evidence[:2])})",
            share=one.confidence,
        )
        for one in pairs
    ]


def amounts(text: str) -> Mapping[str, float]:
    """The numbers of a text by what they count: {"ms": 120.0}, {"python": 3.8}.

    What a number counts stands after it, or else before it; "" where neither says anything.
    """
    tokens = _TOKEN.findall(text[:600])
    found: dict[str, float] = {}
    for at, token in enumerate(tokens):
        number = _number(token)
        if number is None:
            continue
        after = [
            _number_unit(token),
            *tokens[at + 1 : at + 2],
            *reversed(tokens[max(0, at - 1) : at]),
        ]
        said = (word.lower() for word in after if word and _number(word) is None)
        unit = next((word for word in said if word == "%" or word not in _EMPTY), "")
        found.setdefault(meaning(unit), number)
    return found


def _number(token: str) -> float | None:
    lower = token.lower()
    if lower in _SPOKEN:
        return _SPOKEN[lower]
    digits = _DIGITS.match(token)
    return float(digits[1].replace(",", ".")) if digits else None


def _number_unit(token: str) -> str:
    """The unit that is written onto a number: 25MB, 10-minute."""
    digits = _DIGITS.match(token)
    return (digits[2] or "").lstrip("-") if digits else ""


def _comparable(older: Replayed, newer: Replayed) -> bool:
    """Return whether both state something, of the same place, and not of two things of a list.

    What one session says first and last is its way to what it found.
    """
    if Happening.QUESTION in (older.happening, newer.happening):
        return False
    if older.session is not None and older.session == newer.session:
        return False
    if len(older.words & newer.words) < SHARED:
        return False
    if _COUNTED.match(older.text) and _COUNTED.match(newer.text):
        return False
    return _same_place(older, newer) and not another_one(newer.text, older.text)


_read: Final = lru_cache(maxsize=128)(read)


def _may_oppose(one: Replayed, other: Replayed) -> bool:
    """What costs little to see: whether both state something, and of the same."""
    if one.form and one.small == other.small:  # two entries of a list
        return False
    return _share(one, other) >= COMMON and _comparable(one, other)


def _share(one: Replayed, other: Replayed) -> float:
    """The share of the shorter one's words that both have."""
    shorter = min(len(one.words), len(other.words))
    return len(one.words & other.words) / shorter if shorter else 0.0


def _same_place(older: Replayed, newer: Replayed) -> bool:
    return None in (older.project, newer.project) or older.project == newer.project


def _sign(
    older: Replayed, newer: Replayed, texts: tuple[Text, Text], alike: float
) -> tuple[str, float] | None:
    old, new = texts
    chance = chances(features(old, new, alike))
    if chance.same > max(0.5, chance.conflict):
        return None
    announced = contradiction(newer.text, older.text)
    if announced is not None and announced.confidence >= SIGN:
        return announced.kind.value.replace("_", " "), announced.confidence
    differing = _differing(old.content - new.content, new.content - old.content)
    denied = _denies(old, older) is not _denies(new, newer)
    if not denied and old.negated is not new.negated and chance.conflict < SURE and not differing:
        return None  # "without a rollback script" and "the rollback script is missing" agree
    brief = max(len(old.content), len(new.content)) <= BRIEF
    if chance.conflict >= (CHANCE if brief else SURE):
        return "they say different things of the same", chance.conflict
    if chance.conflict >= DOUBT and (differing or (denied and brief)):
        return differing or "one denies what the other says", max(0.5, chance.conflict)
    if differing and brief and alike >= AMOUNT:
        return differing, 0.55
    if alike >= AMOUNT and _other_amount(older.text, newer.text):
        return "another amount", 0.6
    if brief and _other_complement(old, new):
        return "another value", 0.55
    return None


def _denies(text: Text, memory: Replayed) -> bool:
    """Return whether a text says that something is not so: by a negation, or as missing."""
    return (text.negated and _NOT.search(memory.text) is not None) or bool(
        _ABSENT.search(memory.text)
    )


def _other_complement(old: Text, new: Text) -> bool:
    """Tell whether both begin alike, up to a word with one complement, and end in different ones.

    "Dates are stored as strings" and "Dates are stored as Unix seconds".
    """
    head = 0
    for ours, theirs in zip(old.keys, new.keys, strict=False):
        if ours != theirs:
            break
        head += 1
    rest = frozenset(old.keys[head:]), frozenset(new.keys[head:])
    short = all(1 <= len(text.keys) - head <= COMPLEMENT for text in (old, new))
    return (
        head >= FRAME and short and old.keys[head - 1] in _TAKES_ONE and rest[0].isdisjoint(rest[1])
    )


def _differing(old: Collection[str], new: Collection[str]) -> str:
    pairs = [(one, other) for one in sorted(old)[:8] for other in sorted(new)[:8]]
    if any(opposed(*pair) for pair in pairs):
        return "one says the opposite of the other"
    return "another value" if any(of_one_kind(*pair) for pair in pairs) else ""


def _other_amount(older: str, newer: str) -> bool:
    """Return whether both give one amount, of the same unit, and not the same number."""
    one, other = _durations(amounts(older)), _durations(amounts(newer))
    same = [unit for unit in one if unit in other]
    if len(same) != 1 or max(len(one), len(other)) > 2:
        return False
    return one[same[0]] != other[same[0]]


def _durations(found: Mapping[str, float]) -> dict[str, float]:
    """The amounts with all times in seconds: 15 minutes and 24 hours differ."""
    return {
        "seconds" if unit in _SECONDS else unit: number * _SECONDS.get(unit, 1.0)
        for unit, number in found.items()
    }
