"""Features on trial: which are switched on here, and the rules of the two that are stages of recall.

A switch is false, true or a percentage of installations. True leaves it to the percentage that
holds for all of them; a percentage of its own is asked before that one. The
identity is the store's and falls into one of a hundred buckets by a hash; a percentage opens the
lowest ones, so an installation keeps its side and raising the percentage only ever adds.

One question in twenty is observed. Which, is decided by its id and a seed, so that a run can be
repeated. Each observation tells what being new and being like others added, and what the score was
before and after all stages; ``reverie stats`` shows what they come to.
"""

import hashlib
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

Switch = bool | float  # off, on, or a percentage

BUCKETS: Final = 100
NOVELTY: Final = 0.15  # added to the score of what is brand new
NOVELTY_HOURS: Final = 12.0  # the time constant; half is left after 8.3 h
NOVELTY_WINDOW: Final = 48.0  # hours
NOVELTY_CEILING: Final = 0.95  # what being new may lift a score to
THRESHOLD: Final = 0.75  # Jaccard similarity from which on two memories interfere
PENALTY: Final = 0.08  # taken for each other memory that says much the same
SHORTEST: Final = 3  # characters of a word that counts
SHARE: Final = 0.05  # of questions that are observed
_BETWEEN: Final = re.compile(r"[\s,;|]+")


@dataclass(frozen=True, slots=True)
class Settings:
    """The switches. What was decided against or not decided yet is off (ADR 0008)."""

    percent: float = 100.0  # of installations have what is switched on by ``True``
    extraction: Switch = True
    novelty: Switch = False
    interference: Switch = False


@dataclass(frozen=True, slots=True)
class Enabled:
    """The switches as they are for one installation."""

    extraction: bool = True
    novelty: bool = False
    interference: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """Change of one memory's score in one observed query."""

    novelty: float  # added for being new; 0: nothing
    interference: float  # added for saying much the same as others, 0 or less
    change: float  # by all stages together


@dataclass(frozen=True, slots=True)
class Summary:
    """Summary of the observations; averages over those it was applied to, 0 for none."""

    observations: int
    boosted: int
    average_boost: float
    penalised: int
    average_penalty: float
    average_change: float  # of the score, by all stages together


def enabled(settings: Settings, identity: str | None) -> Enabled:
    """Features that this installation has."""
    return Enabled(
        **{
            field.name: _is_on(getattr(settings, field.name), identity, settings.percent)
            for field in fields(Enabled)
        }
    )


def bucket(identity: str) -> int:
    """The bucket of an identity, 0..99: h = h * 31 + code, in 32 bits, modulo 100 at the end.

    Codes are UTF-16 units; "abc" has 54.
    """
    units = identity.encode("utf-16-le", "surrogatepass")
    hashed = 0
    for place in range(0, len(units), 2):
        hashed = (hashed * 31 + int.from_bytes(units[place : place + 2], "little")) & 0xFFFF_FFFF
    return hashed % BUCKETS


def novelty_boost(age_hours: float) -> float:
    """Addition for being new: .15 * e^(-hours / 12), 0 after 48 h.

    12 h give .055182: 12 is the time constant and not, as its name there says, a half-life.
    """
    if age_hours > NOVELTY_WINDOW:
        return 0.0
    return NOVELTY * math.exp(-max(0.0, age_hours) / NOVELTY_HOURS)


def with_novelty(score: float, age_hours: float) -> float:
    """The score lifted for being new, to .95 at most; what is higher stays."""
    return max(score, min(NOVELTY_CEILING, score + novelty_boost(age_hours)))


def tokens(text: str) -> frozenset[str]:
    """The words of title and trigger phrases that count: three characters or more."""
    return frozenset(word for word in _BETWEEN.split(text.casefold()) if len(word) >= SHORTEST)


def similarity(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity of two sets of words; 0 when both are empty."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def interfering(memories: Mapping[int, tuple[str | None, str]]) -> dict[int, int]:
    """Number of others of its folder that are at least .75 alike, for each memory that has any.

    ``memories`` gives the folder, and the title with the trigger phrases.
    """
    folders: defaultdict[str | None, list[tuple[int, frozenset[str]]]] = defaultdict(list)
    for identity, (folder, text) in memories.items():
        folders[folder].append((identity, tokens(text)))
    pairs = (pair for siblings in folders.values() for pair in _alike(siblings))
    return dict(Counter(identity for pair in pairs for identity in pair))


def lowered(score: float, siblings: int) -> float:
    """The score less .08 for each sibling that says much the same, kept within 0 and 1."""
    return min(1.0, max(0.0, score - PENALTY * max(0, siblings)))


def sampled(query_id: str, seed: int = 0, share: float = SHARE) -> bool:
    """Return whether a query is observed: one in twenty, always the same ones for a seed."""
    digest = hashlib.blake2b(f"{seed}:{query_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") < share * 2**64


def summary(observations: Collection[Observation]) -> Summary:
    """Summarize how often and how strongly scores were changed."""
    boosts = [row.novelty for row in observations if row.novelty]
    penalties = [row.interference for row in observations if row.interference]
    return Summary(
        observations=len(observations),
        boosted=len(boosts),
        average_boost=_average(boosts),
        penalised=len(penalties),
        average_penalty=_average(penalties),
        average_change=_average([row.change for row in observations]),
    )


def _is_on(switch: Switch, identity: str | None, percent: float) -> bool:
    """Without an identity a feature is on, unless the percentage is 0."""
    share = percent if isinstance(switch, bool) else switch
    if switch is False or share <= 0:
        return False
    return not identity or bucket(identity) < share


def _alike(siblings: Sequence[tuple[int, frozenset[str]]]) -> list[tuple[int, int]]:
    # By length: a set can only be alike to one that is not much longer, so a scan ends early.
    by_length = sorted(siblings, key=lambda sibling: len(sibling[1]))
    found: list[tuple[int, int]] = []
    for number, (one, words) in enumerate(by_length):
        for other, more in by_length[number + 1 :]:
            if len(words) < THRESHOLD * len(more):
                break
            if similarity(words, more) >= THRESHOLD:
                found.append((one, other))
    return found


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
