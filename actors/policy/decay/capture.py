"""Synaptic tagging and capture: an important moment keeps the related turns around it.

Every turn of a session leaves a weak tag of its traces, which fades by a power law over nine hours.
An important moment (release of plasticity-related proteins: Frey & Morris 1997, Redondo & Morris
2011) captures tagged turns of the nine hours before it and of the two hours after it, if they share
something with it. For a turn ended t hours from the moment

    score = tag * window * strength

with ``tag`` the rest of the tag at the moment (1 for a later turn), ``window`` the same kind of curve
over the width of the window on its side, ``strength`` the moment's. The default curve is ``POWER``: by
the exponential one nothing older than 1.345 h could be captured by the strongest moment. Times are
seconds UTC, the curves and windows are in hours.

Beside it stand what a turn leaves to be compared by, how important a text is, and the failure as a
moment that looks back over weeks.
"""

import math
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import blake2b
from itertools import islice, pairwise
from typing import Final

from msgspec import Struct

from actors.policy.patterns import pattern
from actors.policy.text.words import EVERYDAY, EVERYDAY_FILES, STOP_WORDS, stem

HOUR: Final = 3600.0  # seconds
# What e is raised to at the end of a lifetime: exp(-4.605) is one percent.
EXPONENT: Final = 4.605
LIFETIME: Final = 9.0  # hours of a tag, and that a moment reaches back: a day's work
FORWARD: Final = 2.0  # hours that a moment reaches ahead
# Score from which a turn is captured: by the power curve all of the nine hours, by the others less.
THRESHOLD: Final = 0.3
MOST: Final = 50  # turns that one moment captures
# Things that a turn shares with a moment at least, or all of a moment that names fewer. In two recorded projects
# (477 turns, 106 moments, 147 notes of a reader) 2 captures 38 % of the turns with 50 % of the notes, 1 54 % with 63 %.
SHARED: Final = 2


class Decay(Enum):
    """Curve by which a tag and the windows around a moment fade."""

    EXPONENTIAL = "exponential"
    LINEAR = "linear"
    POWER = "power"
    LOGARITHMIC = "logarithmic"


class EventKind(Enum):
    """Kind of event behind an important moment."""

    USER_FLAG = "user_flag"  # "remember this"
    DECISION = "decision"  # of the person
    CORRECTION = "correction"  # "no, actually ..."
    TEST_FIXED = "test_fixed"  # a test went red, then green
    RESOLUTION = "resolution"  # a command that failed works again
    REVERT = "revert"  # work was taken back


# Choices: a person's word to remember is the strongest.
STRENGTHS: Final[Mapping[EventKind, float]] = {
    EventKind.USER_FLAG: 1.0,
    EventKind.DECISION: 0.9,
    EventKind.CORRECTION: 0.8,
    EventKind.TEST_FIXED: 0.9,
    EventKind.RESOLUTION: 0.8,
    EventKind.REVERT: 0.85,
}


class Settings(Struct, frozen=True):
    """Settings of capture: whether anything is captured, and by which curve."""

    enabled: bool = True  # whether turns are tagged and captured
    decay: Decay = Decay.POWER  # of tags and of windows alike


class Raised(Struct, frozen=True):
    """A moment was important; told twice it is one. Outcome: 1 when new."""

    id: str
    kind: str
    strength: float  # 0..1
    at: float
    session: str | None
    project: str | None
    reason: str  # one line
    seq: int | None = None  # the journaled event
    touched: bytes = b""  # digests of what it has to do with


class TurnTagged(Struct, frozen=True):
    """A turn ended, with the things it touched; reported twice it is one."""

    first_seq: int  # the journaled event that began it
    seq: int  # the one that ended it
    session: str
    project: str | None
    at: float  # seconds UTC, when it ended
    touched: bytes  # digests of its files, symbols and phrases


class Capture(Struct, frozen=True):
    """A turn captured by a moment."""

    first_seq: int  # the event that began the turn
    event_id: str  # the moment
    score: float  # 0..1
    hours: float  # from the turn to the moment; negative: it ended after it


def faded(hours: float, lifetime: float, decay: Decay = Decay.POWER) -> float:
    """Share of 1 left after ``hours``: all at 0 or before, nothing past the lifetime."""
    if hours <= 0:
        return 1.0
    if hours > lifetime:
        return 0.0
    match decay:
        case Decay.EXPONENTIAL:
            return math.exp(-EXPONENT * hours / lifetime)
        case Decay.LINEAR:
            return 1 - hours / lifetime
        case Decay.LOGARITHMIC:  # it depends on the unit: hours
            return 1 - math.log1p(hours) / math.log1p(lifetime)
        case Decay.POWER:
            return math.pow(1 + hours / lifetime, -0.5)


def score(hours: float, strength: float = 1.0, decay: Decay = Decay.POWER) -> float:
    """Score of a turn ended ``hours`` before a moment of this strength; negative: after it.

    3 hours before the strongest: .75; 9 hours: .5.
    """
    if hours < 0:
        return faded(-hours, FORWARD, decay) * strength
    return faded(hours, LIFETIME, decay) ** 2 * strength


def captured(tag: TurnTagged, moment: Raised, decay: Decay = Decay.POWER) -> Capture | None:
    """The capture of a turn by a moment with enough shared traces, or None."""
    about = unpacked(moment.touched)
    shared = len(unpacked(tag.touched) & about)
    if not shared or shared < min(SHARED, len(about)):
        return None
    hours = (moment.at - tag.at) / HOUR
    reached = score(hours, moment.strength, decay)
    return Capture(tag.first_seq, moment.id, reached, hours) if reached >= THRESHOLD else None


def sweep(tags: Iterable[TurnTagged], moment: Raised, decay: Decay = Decay.POWER) -> list[Capture]:
    """Captures of a moment among the tags there are, the highest score first."""
    found = [taken for tag in tags if (taken := captured(tag, moment, decay)) is not None]
    return sorted(found, key=lambda taken: (-taken.score, -taken.first_seq))[:MOST]


# ---- traces of a turn: its files, symbols and phrases, as digests
#
# Two turns are related when they share one of these. Only digests are kept, so no tag quotes words or
# acts.


READ: Final = 4_000  # characters of a text that are looked at
TRACES: Final = 48  # of one event
OF_TURN: Final = 128  # of a turn: its tag is a kilobyte at most
SIZE: Final = 8  # bytes of a digest
SHORT: Final = 2  # letters of a word that tells nothing

_WORD: Final = pattern(r"[^\W\d_][\w'-]*")
# A name in code: of several words joined by underscores or humps, or in back quotes.
_SYMBOL: Final = pattern(
    r"\b[A-Za-z]\w*_\w+\b|\b[A-Za-z]+[a-z0-9][A-Z]\w*\b|`([A-Za-z_]\w{2,})(?:\(\))?`"
)


def touched(text: str, paths: Iterable[str] = ()) -> frozenset[bytes]:
    """Digests of an event's traces: the files first, then names and phrases of its text."""
    read = text[:READ]
    named = (match.group(1) or match.group() for match in _SYMBOL.finditer(read))
    names = dict.fromkeys(
        (
            *(f"file {_file(path)}" for path in paths if path),
            *(f"name {symbol}" for symbol in named),
            *(f"file {_file(one)}" if "/" in one else f"name {one}" for one in entities(read)),
            *(f"said {phrase}" for phrase in _phrases(read)),
        )
    )
    return frozenset(map(_digest, islice(names, TRACES)))


def packed(digests: frozenset[bytes]) -> bytes:
    """The digests of a turn as they are stored, the first of them in their order."""
    return b"".join(sorted(digests)[:OF_TURN])


def unpacked(stored: bytes) -> frozenset[bytes]:
    """The stored digests."""
    return frozenset(stored[at : at + SIZE] for at in range(0, len(stored), SIZE))


def _phrases(text: str) -> Iterable[str]:
    """Pairs of neighbouring words, stop words left out; at least one of a pair is not everyday."""
    for line in text.splitlines():
        words = [match.group().casefold() for match in _WORD.finditer(line)]
        telling = [word for word in words if len(word) > SHORT and word not in STOP_WORDS]
        for one, other in pairwise(telling):
            if not (one in EVERYDAY and other in EVERYDAY):
                yield f"{stem(one)} {stem(other)}"


def _file(path: str) -> str:
    """The name of a file, with its folder where its name is a common one."""
    folder, _, name = path.replace("\\", "/").rstrip("/").rpartition("/")
    low = name.casefold()
    return f"{folder.rpartition('/')[2].casefold()}/{low}" if low in EVERYDAY_FILES else low


def _digest(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "replace"), digest_size=SIZE).digest()


# ---- backfill: after a failure, words of weeks ago about the same names matter
#
# A failure is traced back over identifiers shared with earlier memories: an environment variable, a
# path, a dotted name. What is found is a hypothesis, and nothing changes by it.


DAY: Final = 86_400.0  # seconds

# CONSTANTS, paths and dotted names. A URL is none; "client/server" is prose, "src/auth.ts" is a path.
_ENTITY: Final = pattern(
    r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"
    r"|(?<![\w:/.~@-])(?:~|\.{0,2})/[\w.@-]+(?:/[\w.@-]+)*"
    r"|(?<![\w:/.~@-])[\w.@-]++(?:/[\w.@-]+)+"
    r"|(?<![\w:/.~-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\b"
)
_PROSE: Final = pattern(r"\A(?:[^\W\d_]+/[^\W\d_]+|[\W\d_]+|[ei]\.[eg])")


# How far back a failure reaches.
REACH: Final = 30.0  # days
IN_COMMON: Final = 1  # identifiers in common, at least
CAUSES: Final = 3  # proposed at most


class Earlier(Struct, frozen=True):
    """A memory possibly behind a failure."""

    memory_id: int
    text: str
    at: float  # seconds UTC


class Cause(Struct, frozen=True):
    """A hypothesis: a memory that may explain the failure."""

    memory_id: int
    shared: tuple[str, ...]  # identifiers, in alphabetical order


def entities(text: str) -> frozenset[str]:
    """Names in a text with the look of identifiers: variables, paths, dotted names."""
    found = (match.group().rstrip(".-") for match in _ENTITY.finditer(text))
    return frozenset(name for name in found if not _PROSE.fullmatch(name))


def causes(failure: str, at: float, earlier: Iterable[Earlier]) -> tuple[Cause, ...]:
    """Up to three memories that may explain a failure, told in words, at ``at`` seconds UTC.

    The ones sharing the most identifiers with it first, then the latest; of the 30 days before it.
    """
    names = entities(failure)
    ranked = sorted(
        (-len(shared), -memory.at, memory.memory_id, shared)
        for memory in earlier
        if 0 <= at - memory.at <= REACH * DAY
        and len(shared := tuple(sorted(names & entities(memory.text)))) >= IN_COMMON
    )
    return tuple(Cause(memory_id, shared) for _, _, memory_id, shared in ranked[:CAUSES])
