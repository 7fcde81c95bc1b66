"""An answer as it is given: what of it is missing and its substitute, the wait for a vector, the amount of each result."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from actors.policy.decay.states import Lifecycle
from actors.policy.session import pressure
from actors.policy.text import wording

# ---- degraded answers: the missing channels
#
# A failed channel is never passed over in silence: the answer says how it failed, and its confidence is
# lower. A channel switched off by a person is no failure and costs nothing.
#
# The impact of words and vectors is on the safe side of recall@10's losses on seven sets without
# the one or the other, .06 and .07 on average (docs/adr/0012). The other ones are choices, and small:
# these channels add to an answer and seldom are it.


IMPACTS: Final[Mapping[str, float]] = {
    "words": 0.10,
    "vectors": 0.10,
    "triggers": 0.05,
    "literal": 0.05,
}
SMALL: Final = 0.02  # of every other channel


class FailureMode(StrEnum):
    """Mode of a channel's failure."""

    LATE = "late"
    UNAVAILABLE = "unavailable"  # it says that it cannot: no model, or its worker is away
    UNREADABLE = "unreadable"  # the store under it
    CRASHED = "crashed"
    OFF = "switched off"  # by the supervisor, after too many crashes


class Failure(Struct, frozen=True):
    """One channel without an answer, and why in words."""

    channel: str
    mode: FailureMode
    detail: str = ""
    lasting: bool = False  # asking again changes nothing before somebody has mended it

    @property
    def line(self) -> str:
        """Line for a person."""
        what = f"{self.channel.replace('_', ' ')}: {self.mode.value}"
        return f"{what} ({self.detail})" if self.detail else what


def mode_of(missing: Iterable[Failure]) -> str:
    """Each missing channel with its mode."""
    return "; ".join(f"{one.channel} {one.mode.value}" for one in missing)


def line_of(missing: Iterable[Failure]) -> str:
    """All of what is missing in one plain line for a person."""
    return "; ".join(one.line for one in missing)


def lowered(confidence: float, missing: Iterable[Failure]) -> float:
    """The confidence, 0..1, less the impact of what is missing."""
    return max(0.0, confidence - sum(IMPACTS.get(one.channel, SMALL) for one in missing))


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


# ---- detail: how much of a memory is told in a context filling up


BRIEF: Final = 100  # characters of a line of a terminal. Choice
PART: Final = 150  # characters of a memory told in part


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
    if part == 1:
        return wording.one_line(text, PART)
    return wording.shortened(" ".join((title or text).split()), BRIEF)


def lessened(usual: wording.Settings, pressed: pressure.Level) -> wording.Settings:
    """Room of a block in a context filling up: a share of the usual, and notes half as long."""
    if pressed is pressure.Level.NONE:
        return usual
    share = pressure.SHARES[pressed]
    return replace(usual, characters=int(usual.characters * share), note=usual.note // 2)
