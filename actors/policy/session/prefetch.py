"""Prefetch: what a place will be asked about, learnt from what was asked there.

A *cue* is where somebody is (a file, a project), a *target* what was needed there (a question, a
memory). Each pair seen together is a pattern with a confidence that outcomes move and days let
fade. Interests tell which words a person has been asking about lately. Nothing here decides what
is relevant: it only decides what is made ready.
"""

import heapq
import math
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Generic, NamedTuple, TypeVar

T = TypeVar("T", bound=Hashable)

DAY: Final = 86_400.0  # seconds
FIRST: Final = 0.5  # of what was seen once: as likely as not. A choice
LEAST: Final = 1e-300  # of what a logarithm is taken
TOPICS: Final = 500  # interests that are kept. A choice
PLACE: Final = 250  # patterns of one cue: what the 20 are chosen from, in under a millisecond


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits to how much is learnt and made ready."""

    enabled: bool = True
    patterns: int = 10_000
    predictions: int = 20  # for one place
    confidence: float = 0.3  # below, nothing is made ready
    decay: float = 0.95  # of a pattern's confidence that a day leaves
    outcome: float = 0.9  # share of the confidence that one outcome leaves
    interest_rate: float = 0.1  # how far being asked about moves an interest towards 1
    interest_decay: float = 0.98  # of the others, that a question leaves
    session: float = 3_600.0  # seconds without news after which somebody is somewhere else


DEFAULT: Final = Settings()


@dataclass(frozen=True, slots=True)
class Pattern:
    """Probability that a target is needed where its cue is; ``at`` is the last outcome."""

    confidence: float
    at: float  # seconds UTC
    seen: int = 1  # times that it was needed
    missed: int = 0  # times that it was made ready for nothing


@dataclass(frozen=True, slots=True)
class Prediction(Generic[T]):
    """A target, how likely it is needed, and the cue that says so most."""

    target: T
    likelihood: float
    cue: str
    pattern: Pattern


def faded(pattern: Pattern, now: float, settings: Settings = DEFAULT) -> float:
    """The confidence that is left: .95 of it a day."""
    days = max(0.0, now - pattern.at) / DAY
    return pattern.confidence * math.pow(settings.decay, days)


def standing(pattern: Pattern, settings: Settings = DEFAULT) -> float:
    """Key that orders patterns as ``faded`` does, at any time after their outcomes.

    Its logarithm but for the time that passes for all of them alike.
    """
    lost = math.log(max(settings.decay, LEAST)) * pattern.at / DAY
    return math.log(max(pattern.confidence, LEAST)) - lost


def after_use(pattern: Pattern | None, now: float, settings: Settings = DEFAULT) -> Pattern:
    """The pattern once its target was needed where its cue was."""
    if pattern is None:
        return Pattern(FIRST, now)
    kept = faded(pattern, now, settings) * settings.outcome
    return replace(pattern, confidence=kept + 1 - settings.outcome, at=now, seen=pattern.seen + 1)


def after_miss(pattern: Pattern, now: float, settings: Settings = DEFAULT) -> Pattern:
    """The pattern once its target was made ready and not needed."""
    kept = faded(pattern, now, settings) * settings.outcome
    return replace(pattern, confidence=kept, at=now, missed=pattern.missed + 1)


def interests_after(
    interests: Mapping[str, float], topics: Collection[str], settings: Settings = DEFAULT
) -> dict[str, float]:
    """Interests, 0 to 1, after a question about these topics; the weakest over 500 leave."""
    moved = {topic: weight * settings.interest_decay for topic, weight in interests.items()}
    for topic in topics:
        before = interests.get(topic, 0.0)
        moved[topic] = before + settings.interest_rate * (1 - before)
    excess = len(moved) - TOPICS
    if excess > 0:
        # Few leave at a time: to sort all of them by weight and name costs three times as much.
        limit = sorted(moved.values())[excess - 1]
        weakest = [topic for topic, weight in moved.items() if weight <= limit]
        for topic in sorted(sorted(weakest, reverse=True), key=moved.__getitem__)[:excess]:
            del moved[topic]
    return moved


def interest_in(topics: Collection[str], interests: Mapping[str, float]) -> float:
    """The mean interest in these topics, 0 for none."""
    if not topics:
        return 0.0
    return sum(interests.get(topic, 0.0) for topic in topics) / len(topics)


class _Held(NamedTuple, Generic[T]):
    """A pattern as it once stood: in the order of these the weakest comes first."""

    standing: float
    turn: int  # of equal ones the first goes first
    target: T


@dataclass(slots=True)
class Patterns(Generic[T]):
    """Patterns by cue, the cue met last is last.

    At most ``settings.patterns`` in all: one too many costs the cue that was met longest ago its
    weakest. At most ``PLACE`` of one cue.
    """

    settings: Settings = DEFAULT
    _known: OrderedDict[str, dict[T, Pattern]] = field(
        default_factory=OrderedDict[str, "dict[T, Pattern]"]
    )
    _count: int = 0
    _weakest: dict[str, list[_Held[T]]] = field(default_factory=dict[str, "list[_Held[T]]"])
    _turn: int = 0

    def __len__(self) -> int:
        return self._count

    def note(self, cue: str, target: T, now: float) -> None:
        """Note that it was needed there."""
        known = self._known.setdefault(cue, {})
        self._known.move_to_end(cue)
        self._count += target not in known
        known[target] = after_use(known.get(target), now, self.settings)
        self._hold(cue, target, known)
        if len(known) > PLACE:
            self._drop(cue, but=target)
        while self._count > self.settings.patterns:
            self._drop(next(iter(self._known)))

    def miss(self, cue: str, target: T, now: float) -> None:
        """Note that it was made ready there and not needed."""
        known = self._known.get(cue, {})
        if target in known:
            known[target] = after_miss(known[target], now, self.settings)
            self._hold(cue, target, known)

    def predicted(
        self,
        cues: Iterable[str],
        now: float,
        interests: Mapping[str, float] | None = None,
        topics_of: Callable[[T], Collection[str]] = lambda _: (),
    ) -> list[Prediction[T]]:
        """Targets likely to be needed where these cues are, likeliest first.

        Several cues add up as independent chances do; what a person has been asking about lately
        takes up to half of the doubt away. At most 20, each of .3 or more.
        """
        best: dict[T, Prediction[T]] = {}
        doubts: dict[T, float] = {}
        for cue in dict.fromkeys(cues):
            for target, pattern in self._known.get(cue, {}).items():
                sure = faded(pattern, now, self.settings)
                doubts[target] = doubts.get(target, 1.0) * (1 - sure)
                if target not in best or sure > best[target].likelihood:
                    best[target] = Prediction(target, sure, cue, pattern)
        likely: list[Prediction[T]] = []
        for target, one in best.items():
            interest = interest_in(topics_of(target), interests or {})
            likelihood = 1 - doubts[target] * (1 - interest / 2)
            if likelihood >= self.settings.confidence:
                likely.append(replace(one, likelihood=likelihood))
        likely.sort(key=lambda one: -one.likelihood)  # stable: what was learnt first comes first
        return likely[: self.settings.predictions]

    def _hold(self, cue: str, target: T, known: dict[T, Pattern]) -> None:
        """Put the pattern as it is now among those of its cue, the weakest first.

        What stood there before is passed over when its turn comes.
        """
        held = self._weakest.setdefault(cue, [])
        self._turn += 1
        heapq.heappush(held, _Held(standing(known[target], self.settings), self._turn, target))
        if len(held) > 2 * len(known) + 8:
            self._weakest[cue] = [one for one in held if self._holds(one, known)]
            heapq.heapify(self._weakest[cue])

    def _holds(self, one: _Held[T], known: dict[T, Pattern]) -> bool:
        pattern = known.get(one.target)
        return pattern is not None and standing(pattern, self.settings) == one.standing

    def _drop(self, cue: str, *, but: T | None = None) -> None:
        """One pattern of this cue less: the weakest, which is not the one that just came."""
        known, held = self._known[cue], self._weakest[cue]
        spared: list[_Held[T]] = []
        while True:
            one = heapq.heappop(held)
            if one.target == but:
                spared.append(one)
            elif self._holds(one, known):
                break
        for other in spared:
            heapq.heappush(held, other)
        del known[one.target]
        self._count -= 1
        if not known:
            del self._known[cue], self._weakest[cue]
