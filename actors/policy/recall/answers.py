"""An answer as it is given: what of it is missing and its substitute, the wait for a vector, the amount of each result."""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum, StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.decay.states import Lifecycle
from actors.policy.session import pressure
from actors.policy.text import wording

# ---- degraded answers: the missing channel, its substitute, and the cost
#
# A failed channel is never passed over in silence: its part of the contract says how it failed, which
# channels were searched in its place, by how much the confidence is lowered, and whether to ask
# again. A channel switched off by a person is no failure and costs nothing.
#
# The impacts of words and vectors are on the safe side of recall@10's losses on seven sets without
# the one or the other, .06 and .07 on average (docs/adr/0012). The other ones are choices, and small:
# these channels add to an answer and seldom are it.


IMPACTS: Final[Mapping[str, float]] = {
    "words": 0.10,
    "vectors": 0.10,
    "triggers": 0.05,
    "literal": 0.05,
}
SMALL: Final = 0.02  # of every other channel
ANSWERING: Final = ("words", "vectors", "triggers")  # able to find something by themselves


class FailureMode(StrEnum):
    """Mode of a channel's failure."""

    LATE = "late"
    UNAVAILABLE = "unavailable"  # it says that it cannot: no model, or its worker is away
    UNREADABLE = "unreadable"  # the store under it
    CRASHED = "crashed"
    OFF = "switched off"  # by the supervisor, after too many crashes


class Retry(StrEnum):
    """Advice whether to ask again."""

    IMMEDIATE = "immediate"
    DELAYED = "delayed"
    NONE = "none"  # not before somebody has mended it


RETRIES: Final[Mapping[FailureMode, Retry]] = {
    FailureMode.LATE: Retry.IMMEDIATE,
    FailureMode.UNAVAILABLE: Retry.DELAYED,
    FailureMode.UNREADABLE: Retry.DELAYED,
    FailureMode.CRASHED: Retry.DELAYED,
    FailureMode.OFF: Retry.NONE,
}


class Failure(Struct, frozen=True):
    """One channel without an answer, and why in words."""

    channel: str
    mode: FailureMode
    detail: str = ""
    lasting: bool = False  # asking again changes nothing

    @property
    def impact(self) -> float:
        """Amount by which it lowers the confidence, 0..1."""
        return IMPACTS.get(self.channel, SMALL)

    @property
    def retry(self) -> Retry:
        """Advice whether to ask again."""
        return Retry.NONE if self.lasting else RETRIES[self.mode]

    @property
    def line(self) -> str:
        """Line for a person."""
        what = f"{self.channel.replace('_', ' ')}: {self.mode.value}"
        return f"{what} ({self.detail})" if self.detail else what


class Degradation(Struct, frozen=True):
    """Account given with an answer short of a channel."""

    failure_mode: str
    fallback_mode: str
    confidence_impact: float
    retry_recommendation: Retry
    failures: tuple[Failure, ...]

    @property
    def line(self) -> str:
        """All of it in one plain line for a person."""
        missing = "; ".join(one.line for one in self.failures)
        return (
            f"{missing}. Searched by {self.fallback_mode}; "
            f"confidence lowered by {self.confidence_impact:.2f}; {_ADVICE[self.retry_recommendation]}"
        )


_ADVICE: Final[Mapping[Retry, str]] = {
    Retry.IMMEDIATE: "ask again",
    Retry.DELAYED: "ask again in a minute",
    Retry.NONE: "asking again will not help: reverie status says more",
}


def degradation(
    failures: Iterable[Failure], answered: Collection[str] = ANSWERING
) -> Degradation | None:
    """The contract for an answer without these channels; ``None`` when none failed.

    ``answered``: the channels searched. The impact is the sum, at most 1. The advice is the most
    hopeful one: the first channel back makes the next answer better already.
    """
    missing = tuple({one.channel: one for one in failures}.values())
    if not missing:
        return None
    away = {one.channel for one in missing}
    left = [channel for channel in ANSWERING if channel in answered and channel not in away]
    hopes = [one.retry for one in missing]
    return Degradation(
        "; ".join(f"{one.channel} {one.mode.value}" for one in missing),
        " and ".join(left) or "nothing",
        round(min(1.0, sum(one.impact for one in missing)), 6),
        min(hopes, key=tuple(Retry).index),
        missing,
    )


def lowered(confidence: float, degraded: Degradation | None) -> float:
    """The confidence, 0..1, less the stated impact."""
    return max(0.0, confidence - degraded.confidence_impact) if degraded else confidence


class Report(Struct, frozen=True):
    """Report of one channel: how long it took, how much it found, or how it failed."""

    channel: str
    ms: float
    found: int
    failure: Failure | None = None


# ---- patience: the time a prompt waits for its vector, and the rest left for its answer
#
# A prompt without its vector is searched for by words alone and finds less, so the vector is waited
# for as long as it may be expected in time. Two signs speak against it: vectors took longer lately,
# or an earlier one is still to come although it is older than a prompt would wait. Then a prompt
# waits ``LEAST``, enough for an idle machine: the end of slowness is noticed, and a hanging worker
# costs the prompts after it next to nothing.
#
# Late vectors count too: they tell when waiting is worth while again. Times in seconds.


LEAST: Final = 0.020  # waited even when the vector is not expected in time
REST: Final = 0.060  # of a prompt's time, for all but the vector
REST_AT_LEAST: Final = 0.75  # share of a short time that the rest keeps
NEWEST: Final = 0.25  # share of the newest time in the mean: two slow ones in a row are enough
MOST_COUNTED: Final = 0.300  # of what one took: a worker that hung once is forgotten after a few
FRESH: Final = 30.0  # in which what was seen holds: a build may be over by the next prompt


class Pace(Struct, frozen=True):
    """How long vectors of queries took lately: a moving mean, and when the last one came."""

    mean: float = 0.0
    at: float = 0.0


class Shares(Struct, frozen=True):
    """How a prompt's time is shared: the most for its vector, and how ample the rest is."""

    vector: float
    ample: float  # times what the rest has by default


def shares(deadline: float, vector: float) -> Shares:
    """How a prompt's time is shared when its vector may take ``vector`` seconds of it."""
    most = min(vector, deadline - min(REST, REST_AT_LEAST * deadline))
    return Shares(most, (deadline - most) / REST)


def paced(pace: Pace, took: float, at: float) -> Pace:
    """The pace with one more vector, which took so long, known at ``at``."""
    mean = pace.mean if at - pace.at < FRESH else 0.0
    return Pace(mean + NEWEST * (min(took, MOST_COUNTED) - mean), at)


def patience(pace: Pace, outstanding: float, at: float, most: float, room: float) -> float:
    """Seconds a prompt waits for its vector, ``most`` at the longest.

    ``outstanding``: the age of the oldest unanswered question for a vector; ``room``: the rest of
    the prompt's time beside its other work.
    """
    slow = pace.mean > most and at - pace.at < FRESH
    expected = not slow and outstanding <= most
    return min(most, max(LEAST, room) if expected else LEAST)


# ---- detail: the amount of each result in an answer, and the results to ask for in full
#
# ``brief`` is a line, ``summary`` the beginning, ``full`` everything. Shortened results are named as
# expandable, so an agent spends tokens only where needed. A look-up needs less room than a question
# with many parts.


class Level(Enum):
    """Level of detail of a result."""

    BRIEF = "brief"
    SUMMARY = "summary"
    FULL = "full"


# Characters of a result; a choice: a line of a terminal, and a paragraph.
LENGTHS: Final[Mapping[Level, int | None]] = {
    Level.BRIEF: 100,
    Level.SUMMARY: 400,
    Level.FULL: None,
}


PART: Final = 150  # characters of a memory told in part
DEFAULT: Final = 2_000  # tokens, where nothing says more
LEAST_TOKENS: Final = 100  # what a caller may ask for
MOST_TOKENS: Final = 100_000
SIMPLE: Final = 3  # words of a simple query at most
MODERATE: Final = 8
BY_COMPLEXITY: Final[Mapping[str, int]] = {"simple": 1_500, "moderate": 2_500, "complex": 4_000}


class Shown(Struct, frozen=True):
    """A result as it is returned, and whether there is more of it."""

    identity: int
    text: str
    whole: bool


class Answer(Struct, frozen=True):
    """Results returned, results to ask for in full (cut or left out), and tokens used."""

    shown: tuple[Shown, ...]
    expandable: tuple[int, ...]
    tokens: int


def at_level(text: str, level: Level) -> str:
    """The text at this level; a brief one is one line."""
    limit = LENGTHS[level]
    if limit is None:
        return text
    return wording.shortened(" ".join(text.split()) if level is Level.BRIEF else text, limit)


def shown(text: str, title: str, state: Lifecycle, pressed: pressure.Level) -> str:
    """The part of a memory shown to a prompt, by its state and the room there is.

    With room, all of it, whatever its state: a memory fit for a prompt is worth its characters
    however long ago it was used (docs/adr/0008). When room runs out the part goes by the state (HOT
    whole, WARM 150 characters, below a line); when there is hardly any, each a step less.
    """
    if pressed is pressure.Level.NONE:
        return text
    part = {Lifecycle.HOT: 2, Lifecycle.WARM: 1}.get(state, 0) - (pressed is pressure.Level.QUICK)
    if part == 2:
        return text
    return wording.one_line(text, PART) if part == 1 else at_level(title or text, Level.BRIEF)


def lessened(usual: wording.Settings, pressed: pressure.Level) -> wording.Settings:
    """Room of a block in a context filling up: a share of the usual, and notes half as long."""
    if pressed is pressure.Level.NONE:
        return usual
    share = pressure.SHARES[pressed]
    return replace(usual, characters=int(usual.characters * share), note=usual.note // 2)


def tier(query: str) -> str:
    """Tell how much is asked: ``simple``, ``moderate`` or ``complex``.

    An empty one counts as complex: looking everywhere costs time, looking in too few places costs
    the answer.
    """
    words = len(query.split())
    if not 0 < words <= MODERATE:
        return "complex"
    return "simple" if words <= SIMPLE else "moderate"


def granted(query: str, asked: int | None) -> int:
    """Tokens of an answer: 2,000 unless asked for; 0: 1,500, 2,500 or 4,000 by the complexity of the query."""
    if asked == 0:
        return BY_COMPLEXITY[tier(query)]
    return DEFAULT if asked is None else capped(asked)


def capped(asked: int) -> int:
    """The tokens a caller asked for, kept within 100 and 100,000."""
    return min(MOST_TOKENS, max(LEAST_TOKENS, asked))


def answer(
    results: Iterable[tuple[int, str]], level: Level = Level.SUMMARY, tokens: int = DEFAULT
) -> Answer:
    """The results, best first, at one level within a budget of tokens, four characters each.

    A result is returned or not, and a smaller one after one too large may fit. The best is kept even
    if it alone is too large, so an answer is never empty for being long.
    """
    texts, room = dict(results), capped(tokens)
    shown: list[Shown] = []
    used = 0
    for identity, text in texts.items():
        cut = at_level(text, level)
        size = wording.tokens(cut)
        if not shown or used + size <= room:
            shown.append(Shown(identity, cut, cut.split() == text.split()))
            used += size
    whole = {one.identity for one in shown if one.whole}
    return Answer(tuple(shown), tuple(one for one in texts if one not in whole), used)
