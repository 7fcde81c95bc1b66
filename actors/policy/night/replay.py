"""Replay: when a dream is due, its memories in order, and their recurring patterns.

Replay is the first stage of a dream. Our memories have no tags given by a person, so a memory's concepts are
read off its words: identifiers, paths, names, and words used by few others. ``Replayed`` is a
memory as dreaming sees it, made once by ``replayed``; ``telling_apart`` takes away concepts shared
by too many, and notes written to one form.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from enum import Enum
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.night.pieces import Pieces
from actors.policy.patterns import pattern
from actors.policy.text.speech import meaning
from actors.policy.text.words import EVERYDAY, STOP_WORDS

# ---- when a dream is due, and why not yet
#
# One is due when enough has happened since the last (50 saves, or a day), never sooner than six hours
# after it. At the start of a session it takes a day. A person gets one at once on request. The
# schedule sees whether nobody is looking (``actors.policy.times.recurrence``).


HOUR: Final = 3_600.0  # seconds
SAVES: Final = 50  # since the last dream that make one due: what VE dreams after
HOURS: Final = 24.0  # since the last dream that make one due, when anything was saved
GAP: Final = 6.0  # hours at least between two dreams
OVER: Final = 24.0  # hours after which a dream that came to no end is given up


class Occasion(Enum):
    """Occasion on which it is asked whether a dream is due."""

    TICK = "tick"  # the clock
    SESSION_START = "session_start"


def hours_since(last: float | None, now: float) -> float:
    """Hours since the last dream began, times in seconds UTC; without end when there was none.

    A clock set back by more than the gap says nothing, so it counts as none.
    """
    hours = math.inf if last is None else (now - last) / HOUR
    return math.inf if hours < -GAP else max(0.0, hours)


def missing(hours: float, saves: int, occasion: Occasion = Occasion.TICK) -> str:
    """Reason for a dream to wait, so many hours and saves after the last; empty when it is due."""
    if hours < GAP:
        return "the last dream was only just"
    late = hours >= HOURS and saves > 0
    many = saves >= SAVES and occasion is Occasion.TICK
    return "" if late or many else "too little is new"


# ---- memories as a dream sees them: their concepts, their order, and what recurs in them


RECENT: Final = 100  # memories of one replay
RECURS: Final = 3  # memories that share what they are about
READ: Final = 600  # characters of a memory that are looked at
COMMON: Final = (12, 0.05)  # so many memories, or this share of all, make a concept common. Choice.
FORM: Final = 6  # memories with the same small words are a form. Choice.
FORM_WORDS: Final = 2  # small words that a form has at least
FORM_SHARE: Final = 0.3  # of the memories of a form that hold a word make it the form's own

_TOKEN: Final = pattern(r"[^\W_]+(?:['’._/\\:@#+-]{1,2}[^\W_]+)*(?:\+\+|#)?|(?<!_)_++[^\W_]\w*")
_CODE: Final = pattern(r"[_/\\@]|[a-z0-9][A-Z]|[^\W\d_]\.[^\W\d_]|[^\W\d_]::?[^\W\d_]")
_PART: Final = pattern(r"[^\W\d_]{2,}")


class Replayed(Struct, frozen=True):
    """A memory as dreaming sees it."""

    id: int
    at: float  # seconds UTC, when what it tells happened or was stored
    text: str
    kind: str
    project: str | None
    concepts: frozenset[str]  # its subjects
    words: frozenset[str]  # all that it says, under their meanings
    small: tuple[str, ...]  # its small words in order: the form it is written to
    is_entry: bool = False  # of a list: others are written to the same form
    session: str | None = None  # its own


class Pattern(Struct, frozen=True):
    """A concept of several memories."""

    concept: str
    members: tuple[int, ...]  # ids in order of time
    confidence: float  # 0..1: the share of what was replayed


def replayed(
    memory_id: int,
    at: float,
    text: str,
    kind: str = "",
    project: str | None = None,
    session: str | None = None,
) -> Replayed:
    """A memory as dreaming sees it; its concepts are read off its text."""
    words: list[str] = []
    concepts: set[str] = set()
    small: list[str] = []
    for match in _TOKEN.finditer(text[:READ]):
        token = _token(match.group())
        words += token.words
        if token.small:
            small.append(token.small)
        if token.concept:
            concepts.add(token.concept)
    return Replayed(
        memory_id, at, text, kind, project, frozenset(concepts), frozenset(words), tuple(small),
        session=session,
    )  # fmt: skip


def telling_apart(memories: Sequence[Replayed]) -> Pieces[list[Replayed]]:
    """The memories with only their distinguishing concepts, in pieces.

    Concepts shared by too many go, words of a common form, and the name of the project.
    """
    counts: Counter[str] = Counter()
    forms: dict[tuple[str, ...], list[Replayed]] = defaultdict(list)
    for one in memories:
        counts.update(one.concepts)
        if len(one.small) >= FORM_WORDS:
            forms[one.small].append(one)
        yield
    least, share = COMMON
    limit = max(least, share * len(memories))
    common = frozenset(concept for concept, count in counts.items() if count > limit)
    yield
    own = {small: _own(held) for small, held in forms.items() if len(held) >= FORM}
    found: list[Replayed] = []
    for one in memories:
        formal = one.concepts & own.get(one.small, frozenset())  # none: the same words by chance
        concepts = one.concepts - common - formal - _named(one.project)
        found.append(replace(one, concepts=concepts, is_entry=bool(formal)))
        yield
    return found


def _own(held: Sequence[Replayed]) -> frozenset[str]:
    """The words of a form itself, from the notes written to it."""
    counts = Counter(concept for one in held for concept in one.concepts)
    return frozenset(word for word, count in counts.items() if count >= FORM_SHARE * len(held))


@lru_cache(maxsize=256)
def _named(project: str | None) -> frozenset[str]:
    """Words of a project's name: in its own memories they distinguish nothing."""
    folder = (project or "").rstrip("/").rpartition("/")[2]
    return replayed(0, 0.0, folder).concepts


def sequence(memories: Iterable[Replayed]) -> list[Replayed]:
    """Memories to go through in order of time: at most the latest 100."""
    return _chronological(memories)[-RECENT:]


def holding(memories: Iterable[Replayed]) -> Pieces[dict[str, list[Replayed]]]:
    """The memories of each concept, in their order, in pieces."""
    holders: dict[str, list[Replayed]] = defaultdict(list)
    for one in memories:
        for concept in one.concepts:
            holders[concept].append(one)
        yield
    return holders


def patterns(memories: Sequence[Replayed]) -> list[Pattern]:
    """Subjects of three or more of the memories, the most frequent first."""
    groups: dict[str, list[Replayed]] = defaultdict(list)
    for one in _chronological(memories):
        for concept in one.concepts:
            groups[concept].append(one)
    found = [
        Pattern(concept, tuple(one.id for one in held), len(held) / len(memories))
        for concept, held in groups.items()
        if len(held) >= RECURS
    ]
    return sorted(found, key=lambda one: (-one.confidence, one.concept))


def shared(memories: Collection[Replayed], share: float = 0.6) -> tuple[str, ...]:
    """The concepts of at least this share of the memories, and of two of them: the first leads.

    Identifiers come before words of the same frequency.
    """
    counts = Counter(concept for one in memories for concept in one.concepts)
    least = max(2.0, share * len(memories))
    held = [concept for concept, count in counts.items() if count >= least - 1e-9]
    return tuple(sorted(held, key=lambda one: (-counts[one], -is_code(one), one)))


def is_code(concept: str) -> bool:
    """Return whether a concept is an identifier, a path or the like rather than a word."""
    return not concept.isalpha()


def spelled(concept: str, memories: Iterable[Replayed]) -> str:
    """A concept as the memories write it most often."""
    written = Counter(
        match.group()
        for one in memories
        if concept in one.concepts
        for match in _TOKEN.finditer(one.text[:READ])
        if _token(match.group()).concept == concept
    )
    ranked = sorted(written, key=lambda word: (-written[word], not word.islower(), len(word), word))
    return ranked[0] if ranked else concept


class _Token(Struct, frozen=True):
    words: tuple[str, ...]
    concept: str  # "" when it says nothing of what a text is about
    small: str  # "" unless it belongs to the form of a sentence


@lru_cache(maxsize=16_384)
def _token(written: str) -> _Token:
    lower = written.lower().replace("’", "'").removesuffix("'s")
    if _CODE.search(written) or (written.isupper() and len(written) > 2):
        parts = tuple(meaning(part.lower()) for part in _PART.findall(written))
        concept = meaning(lower) if lower.isalpha() else lower
        return _Token((concept, *parts), concept, "")
    key = meaning(lower)
    if lower in STOP_WORDS:
        return _Token((), "", lower)
    short = not any(letter.isalpha() for letter in lower) or (lower.isascii() and len(lower) < 3)
    return _Token((key,), "" if short or lower in EVERYDAY else key, "")


def _chronological(memories: Iterable[Replayed]) -> list[Replayed]:
    return sorted(memories, key=lambda one: (one.at, one.id))
